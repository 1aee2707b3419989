/*
 * "The oldest" is never somebody whose age is not known. Some engines put NULL in front of
 * all values: then the first rows of an order are those that have none.
 */
#ifndef DGM_SQL_COUNTING_NULLS_H
#define DGM_SQL_COUNTING_NULLS_H

#include "sql/resolve/resolve.h"

/* May such rows be the first ones of ORDER BY … LIMIT, though the query says nothing about them?
 * nulls_skip: the statement with a condition that keeps them out; NULL: they cannot. Uses the tree
 * up. `column` gets the column, when it is one of a table. */
bool nulls_come_first(const struct sql_statement *statement,
                      const struct sql_resolved *resolved);
const char *nulls_skip(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved, const struct column **column);

#endif
