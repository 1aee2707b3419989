/*
 * Reads XLSX files sheet by sheet and row by row. The file is untrusted: sizes are
 * counted while it is unpacked, whatever its directory says, and XML with a document type
 * (and therefore entities) is refused.
 */
#ifndef DGM_DATASOURCE_XLSX_H
#define DGM_DATASOURCE_XLSX_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct xlsx_limits {
    size_t part_bytes; /* of a part, unpacked */
    size_t text_bytes; /* of all shared strings together */
    size_t rows;       /* of all sheets together */
    size_t cells;      /* of one row; further ones are left out */
    size_t cell_bytes; /* of a cell; longer ones are cut, and the sink is told */
    size_t sheets;
};

enum xlsx_kind { XLSX_TEXT, XLSX_NUMBER, XLSX_DATE, XLSX_BOOLEAN };

/* Dates are always 2024-01-31, 2024-01-31 10:00:00 or 10:00:00, whatever the cell's
 * format. */
struct xlsx_cell {
    const char *text; /* NULL: empty */
    enum xlsx_kind kind;
};

/* Receives sheets, except hidden ones. Functions may return false, with err, to stop. */
struct xlsx_sink {
    bool (*sheet)(void *context, const char *name, struct err *err);
    /* Empty cells are NULL. Borrowed during the call. */
    bool (*row)(void *context, const char *const *cells, size_t count, struct err *err);
    void *context;
    /* Instead of `row`, with the kinds of the cells; number: of the row, from 1. For
     * formulas, the stored result. */
    bool (*cells)(void *context, size_t number, const struct xlsx_cell *cells,
                  size_t count, struct err *err);
    /* a hidden sheet was skipped; or NULL */
    void (*hidden)(void *context, const char *name);
    /* A cell of the next row was cut: "C12"; or NULL. */
    void (*cut)(void *context, const char *place);
    size_t *shown; /* set to the number of sheets before the first; or NULL */
    /* Called for every piece of unpacked data of any part; or NULL. */
    bool (*unpacked)(void *context, size_t bytes, struct err *err);
};

/* The cell limit of spreadsheet programs: 32,767 characters. Other programs write longer
 * cells, which are read up to cell_bytes. */
enum { XLSX_CELL_USUAL = 32767 * 4 };

bool xlsx_read(const char *data, size_t size, const struct xlsx_limits *limits,
               const struct xlsx_sink *sink, struct err *err);

#endif
