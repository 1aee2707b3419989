/*
 * Ties at the end of a ranking: "which band has the most concerts?" with LIMIT 1 shows one
 * of several that have the same number.
 */
#ifndef DGM_SQL_COUNTING_TIE_H
#define DGM_SQL_COUNTING_TIE_H

#include "sql/resolve/resolve.h"

enum { TIE_VALUES_MOST = 4 };

struct tie {
    size_t limit;    /* rows that are shown */
    size_t values;   /* columns at the end by which the rows are ordered */
    const char *sql; /* the same with more rows and the values of ORDER BY */
};

/* False: the statement has no ORDER BY with a small LIMIT, or one that cannot be followed. */
bool tie_find(struct arena *arena, const struct sql_statement *statement,
              const struct sql_resolved *resolved, size_t more, struct tie *out);

/* The query with one row more: whether that row equals the last one tells if there is a tie at all. */
struct tie_next {
    size_t limit;                    /* rows that are shown */
    size_t values;                   /* the query is ordered by so many columns … */
    size_t columns[TIE_VALUES_MOST]; /* … of its result, counted from 0 */
    size_t width;                    /* columns of the result */
    const char *sql;
    /* `sql` as it would be read; NULL where the text has to be read for that */
    const struct sql_statement *statement;
};

/* False also where a value of ORDER BY is not shown: then only tie_find() can tell. */
bool tie_next(struct arena *arena, const struct sql_statement *statement,
              const struct sql_resolved *resolved, struct tie_next *out);

#endif
