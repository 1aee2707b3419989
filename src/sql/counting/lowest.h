/* Which groups a statement asks for: the first ones of an order, or those with fewer than some. */
#ifndef DGM_SQL_COUNTING_LOWEST_H
#define DGM_SQL_COUNTING_LOWEST_H

#include <stdbool.h>

struct sql_node;

/* HAVING COUNT(…) < n */
bool lowest_is_below(const struct sql_node *having);
/* ORDER BY a figure, the lowest first; `order` may be NULL. */
bool lowest_is_ascending(const struct sql_node *order, const struct sql_node *select);

#endif
