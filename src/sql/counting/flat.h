/*
 * A SELECT over a subquery or CTE that only joins, as one SELECT: what the joins inside repeat is seen only there.
 *
 *     SELECT SUM(x.target) FROM (SELECT s.target FROM stores s JOIN orders o ON …) AS x
 *     SELECT SUM(s.target) FROM stores s JOIN orders o ON …
 */
#ifndef DGM_SQL_COUNTING_FLAT_H
#define DGM_SQL_COUNTING_FLAT_H

#include "sql/resolve/resolve.h"

/* Whether its FROM is one subquery or CTE: without one, flat_sql() needs no tree of its own. */
bool flat_is_possible(const struct sql_statement *statement,
                      const struct sql_resolved *resolved);
/* NULL: the SELECT that gives the answer has another form. Uses the tree up. */
const char *flat_sql(struct arena *arena, struct sql_statement *statement,
                     const struct sql_resolved *resolved);

#endif
