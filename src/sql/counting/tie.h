/*
 * Ties at the end of a ranking: "which band has the most concerts?" with LIMIT 1 shows one
 * of several that have the same number.
 */
#ifndef DGM_SQL_COUNTING_TIE_H
#define DGM_SQL_COUNTING_TIE_H

#include "sql/resolve/resolve.h"

struct tie {
    size_t limit;    /* rows that are shown */
    size_t values;   /* columns at the end by which the rows are ordered */
    const char *sql; /* the same with more rows and the values of ORDER BY */
};

/* False: the statement has no ORDER BY with a small LIMIT, or one that cannot be followed. */
bool tie_find(struct arena *arena, const struct sql_statement *statement,
              const struct sql_resolved *resolved, size_t more, struct tie *out);

#endif
