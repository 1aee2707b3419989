/*
 * Writes an XLSX file with one sheet, row by row. Rows are written to a temporary file
 * and compressed at the end, so memory use is constant. Texts are stored as texts, never
 * as formulas or links.
 */
#ifndef DGM_DATASOURCE_SPREADSHEET_H
#define DGM_DATASOURCE_SPREADSHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "model/rows.h"

struct err;
struct spreadsheet;

/* Limits of the format. */
enum {
    SPREADSHEET_ROWS_MOST = 1048576,
    SPREADSHEET_COLUMNS_MOST = 16384,
    SPREADSHEET_TEXT_MOST = 32767
};

/* part: path of the temporary file, which is deleted at the end. */
struct spreadsheet *spreadsheet_new(const char *part, struct err *err);
/* Writes the header row, as texts. */
bool spreadsheet_names(struct spreadsheet *sheet, const char *const *names, size_t count,
                       struct err *err);
/* RESULT_TOO_LARGE after the last possible row. */
bool spreadsheet_row(struct spreadsheet *sheet, const struct value *cells, size_t count,
                     struct err *err);
/* Writes the file to `path` (NULL: discards it) and frees the sheet, also on failure. */
bool spreadsheet_end(struct spreadsheet *sheet, const char *path, struct err *err);

#endif
