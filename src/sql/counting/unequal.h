/*
 * "Not in the US": country <> 'US' is neither true nor false where there is no country, so
 * these rows are left out although they are not in the US.
 */
#ifndef DGM_SQL_COUNTING_UNEQUAL_H
#define DGM_SQL_COUNTING_UNEQUAL_H

#include "sql/resolve/resolve.h"

struct unequal {
    const struct sql_relation *relation;
    const struct column *column;
    const char *count; /* a query: how many rows only that condition leaves out so */
    const char *with;  /* the statement with these rows */
    bool figure;       /* it gives one figure */
};

struct unequals {
    struct unequal *items;
    size_t count;
    size_t capacity;
};

/* Conditions of the SELECT that gives the answer which exclude values of a column that may
 * have none; not those whose column another condition speaks of, too. */
void unequal_find(struct arena *arena, const struct sql_statement *statement,
                  const struct sql_resolved *resolved, struct unequals *out);

#endif
