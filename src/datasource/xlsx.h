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
    size_t sheets;
};

/* Where sheets go, hidden ones left out. Either may return false, with err, to end. */
struct xlsx_sink {
    bool (*sheet)(void *context, const char *name, struct err *err);
    /* An empty cell is NULL. Borrowed for the call. */
    bool (*row)(void *context, const char *const *cells, size_t count, struct err *err);
    void *context;
};

bool xlsx_read(const char *data, size_t size, const struct xlsx_limits *limits,
               const struct xlsx_sink *sink, struct err *err);

#endif
