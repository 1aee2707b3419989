/*
 * Rows of data that turn what another program says (a number, a class such as SQLSTATE, words)
 * into an error of ours. The first row that fits decides, so the narrower one stands first.
 */
#ifndef DGM_BASE_ERR_ROWS_H
#define DGM_BASE_ERR_ROWS_H

#include "base/err.h"

struct err_row {
    const char *sign; /* NULL: after the last row */
    enum err_code code;
    const char *message;
    const char *hint; /* NULL: the code's own */
};

enum err_rows_by {
    ERR_ROWS_EQUAL, /* the sign is all that was said */
    ERR_ROWS_START, /* it is the beginning: "57" of 57014 */
    ERR_ROWS_PART,  /* it is somewhere in the text */
    ERR_ROWS_WORDS, /* so it is, whatever the case */
};

/* NULL: no row fits, or nothing was said. */
const struct err_row *err_rows_find(const struct err_row *rows, enum err_rows_by by,
                                    const char *said);
/* For signs that are numbers, written in digits. */
const struct err_row *err_rows_number(const struct err_row *rows, long number);
bool err_rows_tell(const struct err_row *row, struct err *err); /* returns false */

#endif
