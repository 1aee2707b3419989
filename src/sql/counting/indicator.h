/*
 * Aggregates that count the rows for which something holds: SUM(CASE WHEN paid THEN 1 ELSE 0 END),
 * COUNT(CASE WHEN paid THEN 1 END), SUM(status = 'paid'), COUNT(*) FILTER (WHERE paid), and the
 * average of such, which is a share. They have no value of their own: what they count are the rows
 * of the join, or the things that the question names.
 */
#ifndef DGM_SQL_COUNTING_INDICATOR_H
#define DGM_SQL_COUNTING_INDICATOR_H

#include "sql/resolve/resolve.h"

struct indicator {
    struct sql_node *condition; /* NULL: none */
    const char *times;          /* THEN 100: each counts as so many; NULL: as one */
    bool share;                 /* AVG */
};

/* False: the call adds up something else; *out is empty then. */
bool indicator_read(const struct sql_node *call, struct indicator *out);
/* The same figure over different keys, in the place of the call:
 * COUNT(DISTINCT CASE WHEN condition THEN key END). Uses the call up. */
void indicator_write(struct arena *arena, struct sql_node *call,
                     const struct indicator *indicator, struct sql_node *key);

#endif
