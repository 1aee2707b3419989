/*
 * Tables that map errors of other programs (a number, a class such as SQLSTATE, words) to
 * errors of dragoman. The first matching row decides, so narrow rows come before wide
 * ones.
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
    ERR_ROWS_EQUAL, /* the sign equals the text */
    ERR_ROWS_START, /* the text starts with it: "57" of 57014 */
    ERR_ROWS_PART,  /* it is anywhere in the text */
    ERR_ROWS_WORDS, /* the same, ignoring case */
};

/* NULL: no row matches, or the text is empty. */
const struct err_row *err_rows_find(const struct err_row *rows, enum err_rows_by by,
                                    const char *said);
/* For signs that are numbers. */
const struct err_row *err_rows_number(const struct err_row *rows, long number);
bool err_rows_tell(const struct err_row *row, struct err *err); /* returns false */

#endif
