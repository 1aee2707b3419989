/* One column of a result as an Arrow array: its type, and its buffers. */
#ifndef DGM_SERVICE_ANSWERS_ARROW_COLUMN_H
#define DGM_SERVICE_ANSWERS_ARROW_COLUMN_H

#include "dragoman_arrow.h"
#include "model/rows.h"

enum arrow_kind {
    ARROW_NONE, /* every cell is NULL, and the database names no type */
    ARROW_BOOL,
    ARROW_INT,
    ARROW_REAL,
    ARROW_DECIMAL,
    ARROW_DATE,
    ARROW_TIMESTAMP,
    ARROW_TEXT,
    ARROW_BINARY,
};

struct arrow_type {
    enum arrow_kind kind;
    int scale; /* of a decimal */
};

enum {
    ARROW_DIGITS = 38, /* of a decimal, at most */
    ARROW_FORMAT = 16  /* bytes of a format text */
};

/* What all values of the column can be. */
struct arrow_type arrow_column_type(const struct rows *rows, size_t column);
void arrow_format(const struct arrow_type *type, char out[ARROW_FORMAT]);
/* Fills an array that owns its buffers. */
void arrow_column_fill(const struct rows *rows, size_t column,
                       const struct arrow_type *type, struct ArrowArray *out);

#endif
