/* SQL in words: what the query does, for people who do not read SQL. */
#ifndef DGM_SQL_DESCRIBE_H
#define DGM_SQL_DESCRIBE_H

#include "sql/dialect.h"

struct arena;

/* "Counts rows of orders joined with customers, for each customers.city, where …, largest
 * first, at most 5." Deterministic, no model. Never NULL. */
char *describe_sql(struct arena *arena, enum dialect dialect, const char *sql);

/* How complex: joins, subqueries, set operations, aggregates, groupings. */
struct sql_shape {
    int tables;
    int joins;
    int subqueries;
    int set_operations;
    int aggregates;
    int windows;
    bool group_by;
    bool where;
    bool order_by;
    bool star; /* SELECT * at the top */
};
void describe_shape(struct arena *arena, enum dialect dialect, const char *sql,
                    struct sql_shape *out);

#endif
