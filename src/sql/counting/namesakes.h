/*
 * INTERSECT and EXCEPT compare what is shown. Two people of one name are one row to them, and
 * one of them removes the other, although the people are meant.
 */
#ifndef DGM_SQL_COUNTING_NAMESAKES_H
#define DGM_SQL_COUNTING_NAMESAKES_H

#include "sql/resolve/resolve.h"

struct namesakes {
    const char *name; /* INTERSECT, EXCEPT, MINUS */
    const struct table *table;
    const char *all; /* a query: how many rows the table has */
    const char
        *different;     /* and how many different ones in the columns that are compared */
    const char *key;    /* the column that tells its rows apart; NULL: none, or several */
    const char *by_key; /* the statement that compares by it; NULL: it cannot be written,
                         * or what is shown are no names but, for instance, their cities */
};

/* False: the statement does not compare rows of one table by columns that are no key. */
bool namesakes_find(struct arena *arena, const struct sql_statement *statement,
                    const struct sql_resolved *resolved, struct namesakes *out);

#endif
