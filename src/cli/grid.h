/* Rows on their way to a person or a file, whichever answer they came from. */
#ifndef DGM_CLI_GRID_H
#define DGM_CLI_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "dragoman_server.h"

struct arena;
struct out;

struct grid {
    const char **columns;
    size_t column_count;
    struct dgm_cell *cells; /* row by row */
    size_t row_count;
    bool truncated; /* the database had more, and nothing else says so */
};

/* Everything is copied into the arena. */
void grid_from_answer(struct grid *grid, struct arena *arena,
                      const struct dgm_answer *answer);
/* From a stored answer's "columns" and "rows"; false when it has none. */
bool grid_from_json(struct grid *grid, struct arena *arena, const json_t *answer);
const struct dgm_cell *grid_cell(const struct grid *grid, size_t row, size_t column);

/* For people: aligned, fitted to out->width; at most `most` rows (0: all). Returns the
 * number of rows shown. */
size_t table_print(struct out *out, const struct grid *grid, size_t most);
/* RFC 4180 quoting, lines end in \n; NULL is an empty field, "" a quoted one. */
void csv_print(struct out *out, const struct grid *grid);
/* An array of objects, one per line; equal column names get _2, _3, … */
void json_rows_print(struct out *out, const struct grid *grid);
void markdown_print(struct out *out, const struct grid *grid);

/* JSON indented for a terminal, as it is for a pipe; control characters escaped. */
void json_print(struct out *out, const char *json);

#endif
