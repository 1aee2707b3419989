/* A result that grows row by row in one arena. */
#include "model/rows.h"

#include "base/arena.h"

enum { FIRST_ROWS = 16 };

void rows_init(struct rows *rows, struct arena *arena)
{
    *rows = (struct rows){.arena = arena};
}

void rows_set_columns(struct rows *rows, const struct rows_column *columns, size_t count)
{
    rows->columns = arena_array(rows->arena, count, sizeof *rows->columns);
    rows->column_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = columns[i].name;
        const char *type = columns[i].type;
        rows->columns[i].name = arena_text(rows->arena, name ? name : "");
        rows->columns[i].type = arena_text(rows->arena, type ? type : "");
    }
}

static void make_room(struct rows *rows)
{
    if (rows->count < rows->capacity) {
        return;
    }
    size_t capacity = rows->capacity ? rows->capacity * 2 : FIRST_ROWS;
    size_t row_size = rows->column_count * sizeof *rows->cells;
    rows->cells =
        arena_grow(rows->arena, rows->cells, rows->count * row_size, capacity * row_size);
    rows->capacity = capacity;
}

void rows_add(struct rows *rows, const struct value *cells)
{
    make_room(rows);
    struct value *row = rows->cells + rows->count * rows->column_count;
    for (size_t i = 0; i < rows->column_count; i++) {
        row[i] = value_clone(rows->arena, &cells[i]);
        rows->bytes += value_bytes(&cells[i]);
    }
    rows->count++;
}

void rows_drop_last(struct rows *rows)
{
    const struct value *row = rows->cells + --rows->count * rows->column_count;
    struct rows_cut_cells *cut = &rows->cut_cells;
    for (size_t i = 0; i < rows->column_count; i++) {
        rows->bytes -= value_bytes(&row[i]);
        cut->count -= row[i].cut && cut->count > 0;
    }
}

size_t rows_given(const struct rows *rows)
{
    return rows->passed ? rows->passed_count : rows->count;
}

enum rows_cut rows_given_cut(const struct rows *rows)
{
    return rows->passed ? rows->passed_cut : rows->cut;
}

void rows_note_cut_cells(struct rows *rows, size_t row, const struct value *cells)
{
    struct rows_cut_cells *cut = &rows->cut_cells;
    for (size_t i = 0; i < rows->column_count; i++) {
        if (cells[i].cut && cut->count++ < ROWS_PLACES) {
            cut->places[cut->count - 1] = (struct rows_place){.row = row, .column = i};
        }
    }
}

bool rows_incomplete(const struct rows *rows)
{
    return rows->cut_cells.count > 0 || rows_given_cut(rows) == ROWS_CUT_BY_BYTES;
}

const struct value *rows_cell(const struct rows *rows, size_t row, size_t column)
{
    if (row >= rows->count || column >= rows->column_count) {
        return NULL;
    }
    return &rows->cells[row * rows->column_count + column];
}
