/* Readings that use a figure as the dictionary defines it come before those that do not. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker.h"
#include "parser/parser_state.h"

/* Does a dictionary define it? Figures derived from names of columns are guesses. */
static bool is_defined(const struct ir_schema *ir, int column)
{
    const struct ir_column *info = &ir->columns[column];
    const struct table *table = ir->tables[info->table].source;
    for (size_t i = 0; table && i < table->metrics.count; i++) {
        const struct metric *metric = &table->metrics.items[i];
        if (!metric->derived && str_equal_nocase(metric->name, info->name)) {
            return true;
        }
    }
    return false;
}

/* Do words of the question say its name, or a synonym? Partly: some of the words. */
static bool is_named(const struct work *work, int column, bool partly)
{
    const struct features *features = &work->features;
    size_t first =
        features->tokens.count + features->values.count + features->selection.table_count;
    int place = features_column_at(features, column);
    for (size_t i = 0; place >= 0 && i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        if ((relation->code == RELATION_QC_EXACT ||
             (partly && relation->code > RELATION_QC_EXACT &&
              link_of_relation(relation->code) <= LINK_PARTIAL)) &&
            relation->row < features->tokens.count &&
            relation->column == first + (size_t)place) {
            return true;
        }
    }
    return false;
}

static bool is_key(const struct ir_schema *ir, int column)
{
    for (int i = 0; i < ir->key_count; i++) {
        if (ir->keys[i].from == column || ir->keys[i].to == column) {
            return true;
        }
    }
    return ir->columns[column].primary;
}

const bool *work_barred(const struct work *work)
{
    const struct parser_metrics *metrics = &work->prepared->metrics;
    const struct ir_schema *ir = work->prepared->ir;
    const struct selection *selection = &work->features.selection;
    bool named = false;
    for (size_t i = 0; i < metrics->count && !named; i++) {
        int column = metrics->items[i].column;
        named = is_defined(ir, column) && is_named(work, column, false);
    }
    bool *barred =
        named ? arena_array(work->scratch, selection->column_count, sizeof *barred)
              : NULL;
    for (size_t i = 1; named && i < selection->column_count; i++) {
        int column = selection->columns[i];
        bool metric = false;
        for (size_t k = 0; k < metrics->count && !metric; k++) {
            metric = metrics->items[k].column == column;
        }
        barred[i] = ir->columns[column].type == IR_TYPE_NUMBER && !metric &&
                    !ir->columns[column].flag && !is_key(ir, column) &&
                    !is_named(work, column, true);
    }
    return barred;
}

static bool uses(const struct trial *trial, int column)
{
    const struct ir_tokens *tokens = &trial->from->tokens;
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->items[i].kind == IR_COLUMN && tokens->items[i].index == column) {
            return true;
        }
    }
    return false;
}

void work_prefer_defined(const struct work *work, const struct trial *trials,
                         struct parser_answer *out)
{
    const struct parser_metrics *metrics = &work->prepared->metrics;
    const struct ir_schema *ir = work->prepared->ir;
    for (size_t i = 0; i < metrics->count && out->count; i++) {
        int column = metrics->items[i].column;
        if (!is_defined(ir, column) || !is_named(work, column, false)) {
            continue;
        }
        size_t at = 0;
        while (at < out->count && !uses(&trials[out->items[at].rank], column)) {
            at++;
        }
        if (at == out->count) {
            out->undefined = arena_text(work->arena, ir->columns[column].name);
            continue;
        }
        struct parser_reading defined = out->items[at];
        memmove(out->items + 1, out->items, at * sizeof defined);
        out->items[0] = defined;
        out->undefined = NULL;
        return;
    }
}
