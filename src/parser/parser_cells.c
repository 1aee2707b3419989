/* The cells that words of a question name, for a model's prompt. */
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/parser_state.h"

enum { CELLS_MOST = 8, COLUMNS_MOST = 3 };

void work_cells(struct work *work, struct parser_answer *out)
{
    const struct ir_schema *schema = work->prepared->ir;
    const struct candidates *values = &work->features.values;
    for (size_t i = 0; i < values->count; i++) {
        const struct candidate *value = &values->items[i];
        bool meant = value->kind == CANDIDATE_CELL || value->kind == CANDIDATE_ALIAS ||
                     value->kind == CANDIDATE_NEAR;
        size_t columns =
            value->column_count < COLUMNS_MOST ? value->column_count : COLUMNS_MOST;
        for (size_t k = 0; k < columns && meant && out->cells.count < CELLS_MOST; k++) {
            const struct ir_column *column = &schema->columns[value->columns[k]];
            struct parser_cell cell = {
                arena_text(work->arena, schema->tables[column->table].source->name),
                arena_text(work->arena, column->name),
                arena_text(work->arena, value->value.text),
            };
            VEC_PUSH(work->arena, &out->cells, cell);
        }
    }
}
