/*
 * "The oldest" is never somebody whose age is not known. Some engines put NULL in front of
 * all values: then the first rows of an order are those that have none.
 */
#ifndef DGM_SQL_COUNTING_NULLS_H
#define DGM_SQL_COUNTING_NULLS_H

#include "sql/resolve/resolve.h"

/* The statement with a condition that keeps such rows out of ORDER BY … LIMIT; NULL: they
 * cannot come first, or the query says something about them. Uses the tree up.
 * `column` gets the column, when it is one of a table. */
const char *nulls_skip(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved, const struct column **column);

#endif
