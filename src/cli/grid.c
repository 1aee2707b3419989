/* Rows on their way to a person or a file, whichever answer they came from. */
#include "cli/grid.h"

#include <stdlib.h>
#include <string.h>

#include "dragoman_server.h"
#include "base/arena.h"

const struct dgm_cell *grid_cell(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->column_count + column];
}

static void set_size(struct grid *grid, struct arena *arena, size_t columns, size_t rows)
{
    grid->truncated = false;
    grid->column_count = columns;
    grid->row_count = columns ? rows : 0;
    grid->columns = arena_array(arena, columns, sizeof *grid->columns);
    grid->cells = arena_array(arena, columns * grid->row_count, sizeof *grid->cells);
}

void grid_from_answer(struct grid *grid, struct arena *arena,
                      const struct dgm_answer *answer)
{
    size_t columns = dgm_answer_columns(answer);
    set_size(grid, arena, columns, dgm_answer_rows(answer));
    for (size_t column = 0; column < columns; column++) {
        const char *name = dgm_answer_column(answer, column);
        grid->columns[column] = arena_text(arena, name ? name : "");
    }
    struct dgm_cell *cell = grid->cells;
    for (size_t row = 0; row < grid->row_count; row++) {
        for (size_t column = 0; column < columns; column++, cell++) {
            size_t size = 0;
            const char *text = dgm_answer_cell(answer, row, column, &size);
            cell->text = text ? arena_copy(arena, text, size) : NULL;
            cell->size = text ? size : 0;
            cell->number = text && dgm_answer_cell_is_number(answer, row, column);
        }
    }
}

static void cell_from_json(struct dgm_cell *cell, struct arena *arena,
                           const json_t *value)
{
    if (!value || json_is_null(value)) {
        return;
    }
    cell->number = json_is_number(value);
    if (json_is_string(value)) {
        cell->size = json_string_length(value);
        cell->text = arena_copy(arena, json_string_value(value), cell->size);
        return;
    }
    char *text =
        json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    cell->text = arena_text(arena, text ? text : "");
    cell->size = strlen(cell->text);
    free(text); /* jansson's own allocation */
}

bool grid_from_json(struct grid *grid, struct arena *arena, const json_t *answer)
{
    const json_t *columns = json_array_at(answer, "columns");
    const json_t *rows = json_array_at(answer, "rows");
    if (!columns || !rows) {
        return false;
    }
    set_size(grid, arena, json_array_size(columns), json_array_size(rows));
    grid->truncated = json_bool_at(answer, "truncated", false);
    for (size_t column = 0; column < grid->column_count; column++) {
        const json_t *item = json_array_get(columns, column);
        const char *name =
            json_is_string(item) ? json_string_value(item) : json_text_at(item, "name");
        grid->columns[column] = arena_text(arena, name ? name : "");
    }
    struct dgm_cell *cell = grid->cells;
    for (size_t row = 0; row < grid->row_count; row++) {
        const json_t *line = json_array_get(rows, row);
        for (size_t column = 0; column < grid->column_count; column++, cell++) {
            cell_from_json(cell, arena,
                           json_is_object(line)
                               ? json_object_get(line, grid->columns[column])
                               : json_array_get(line, column));
        }
    }
    return true;
}
