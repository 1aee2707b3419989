/* A result: columns and cells, kept in one arena. */
#ifndef DGM_MODEL_ROWS_H
#define DGM_MODEL_ROWS_H

#include "model/value.h"

struct rows_column {
    const char *name;
    const char *type; /* the database's name of the type; "" if unknown */
};

enum rows_cut { ROWS_WHOLE, ROWS_CUT_BY_COUNT, ROWS_CUT_BY_BYTES };

/* Where a cell is, counted from 0. */
struct rows_place {
    size_t row;
    size_t column;
};

/* Number and first positions of cells that were cut. */
enum { ROWS_PLACES = 10 };
struct rows_cut_cells {
    size_t count;
    struct rows_place places[ROWS_PLACES];
};

/*
 * The rows of a result, read completely or up to a limit. Cells and texts are in
 * `arena`, which the rows do not own.
 */
struct rows {
    struct arena *arena;
    struct rows_column *columns;
    size_t column_count;
    struct value *cells; /* count * column_count of them, row by row */
    size_t count;
    size_t capacity; /* in rows */
    size_t bytes;
    enum rows_cut cut; /* why there are more rows than here */
    /* For a result that was passed to a sink: how many rows there were, and why no more.
     * The first of them are also here. */
    bool passed;
    size_t passed_count;
    enum rows_cut passed_cut;
    struct rows_cut_cells cut_cells; /* cells that were cut */
};

void rows_init(struct rows *rows, struct arena *arena);
/* Copies names and types. Call it once, before the first row. */
void rows_set_columns(struct rows *rows, const struct rows_column *columns, size_t count);
void rows_add(struct rows *rows,
              const struct value *cells); /* copies column_count cells */
void rows_drop_last(struct rows *rows);   /* there must be one */
/*
 * Number of rows that the caller received, here or through a sink; and why there were no
 * more.
 */
size_t rows_given(const struct rows *rows);
enum rows_cut rows_given_cut(const struct rows *rows);
/* Records the cut cells of a row. */
void rows_note_cut_cells(struct rows *rows, size_t row, const struct value *cells);
/* Is anything missing besides rows beyond the row limit? */
bool rows_incomplete(const struct rows *rows);
const struct value *rows_cell(const struct rows *rows, size_t row, size_t column);

#endif
