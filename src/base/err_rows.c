/* Looks up what another program said in a table of our errors. */
#include "base/err_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

static bool is_part(const char *said, const char *sign)
{
    return strstr(said, sign) != NULL;
}

const struct err_row *err_rows_find(const struct err_row *rows, enum err_rows_by by,
                                    const char *said)
{
    static bool (*const fits[])(const char *, const char *) = {
        [ERR_ROWS_EQUAL] = str_equal,
        [ERR_ROWS_START] = str_starts,
        [ERR_ROWS_PART] = is_part,
        [ERR_ROWS_WORDS] = str_contains_nocase,
    };
    for (; said && rows->sign; rows++) {
        if (fits[by](said, rows->sign)) {
            return rows;
        }
    }
    return NULL;
}

const struct err_row *err_rows_number(const struct err_row *rows, long number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%ld", number);
    return err_rows_find(rows, ERR_ROWS_EQUAL, digits);
}

bool err_rows_tell(const struct err_row *row, struct err *err)
{
    (void)err_set(err, row->code, "%s", row->message);
    return row->hint ? err_hint(err, "%s", row->hint) : false;
}
