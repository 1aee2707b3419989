/*
 * Spreadsheets in the XLSX form, read sheet by sheet and row by row. The file is not
 * trusted: sizes are counted while it is unpacked, whatever it says of itself, and XML
 * with a document type (so with entities) is refused.
 */
#ifndef DGM_DATASOURCE_XLSX_H
#define DGM_DATASOURCE_XLSX_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct xlsx_limits {
    size_t part_bytes; /* of one part, unpacked */
    size_t text_bytes; /* of all shared texts together */
    size_t rows;       /* of all sheets together */
    size_t cells;      /* of one row; further ones are left out */
    size_t cell_bytes; /* of one cell; a longer one is cut, which the sink is told */
    size_t sheets;
};

enum xlsx_kind { XLSX_TEXT, XLSX_NUMBER, XLSX_DATE, XLSX_BOOLEAN };

/* Dates are 2024-01-31, 2024-01-31 10:00:00 or 10:00:00, whatever the sheet shows. */
struct xlsx_cell {
    const char *text; /* NULL: empty */
    enum xlsx_kind kind;
};

/* Where sheets go, hidden ones left out. Either may return false, with err, to end. */
struct xlsx_sink {
    bool (*sheet)(void *context, const char *name, struct err *err);
    /* An empty cell is NULL. Borrowed for the call. */
    bool (*row)(void *context, const char *const *cells, size_t count, struct err *err);
    void *context;
    /* Instead of row, for those who want to know what the cells are; number: of the row,
     * from 1. Formulas come as the value that was saved with them. */
    bool (*cells)(void *context, size_t number, const struct xlsx_cell *cells,
                  size_t count, struct err *err);
    void (*hidden)(void *context, const char *name); /* a sheet left out; or NULL */
    /* A cell of the row that comes next was cut: "C12"; or NULL. */
    void (*cut)(void *context, const char *place);
    size_t *shown; /* how many sheets will come, set before the first; or NULL */
    /* Told of every piece that was unpacked, of any part; or NULL. */
    bool (*unpacked)(void *context, size_t bytes, struct err *err);
};

/* What spreadsheet programs themselves allow: 32,767 characters. Other programs write
 * longer ones, which those that read data take whole as far as their limits go. */
enum { XLSX_CELL_USUAL = 32767 * 4 };

bool xlsx_read(const char *data, size_t size, const struct xlsx_limits *limits,
               const struct xlsx_sink *sink, struct err *err);

#endif
