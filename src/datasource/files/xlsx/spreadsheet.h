/*
 * Writing a spreadsheet: one sheet, row by row. The rows go into a file beside the target
 * and are packed at the end, so memory stays flat. Texts are stored as texts: nothing in
 * a cell is ever a formula or a link.
 */
#ifndef DGM_DATASOURCE_SPREADSHEET_H
#define DGM_DATASOURCE_SPREADSHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "model/rows.h"

struct err;
struct spreadsheet;

/* What a sheet can hold. */
enum {
    SPREADSHEET_ROWS_MOST = 1048576,
    SPREADSHEET_COLUMNS_MOST = 16384,
    SPREADSHEET_TEXT_MOST = 32767
};

/* part: where the rows wait; it is made, and taken away again. */
struct spreadsheet *spreadsheet_new(const char *part, struct err *err);
/* The heading, written as texts. */
bool spreadsheet_names(struct spreadsheet *sheet, const char *const *names, size_t count,
                       struct err *err);
/* RESULT_TOO_LARGE past the last row. */
bool spreadsheet_row(struct spreadsheet *sheet, const struct value *cells, size_t count,
                     struct err *err);
/* Packs it into `path`; NULL: gives up. It is gone afterwards, whatever it
 * returns. */
bool spreadsheet_end(struct spreadsheet *sheet, const char *path, struct err *err);

#endif
