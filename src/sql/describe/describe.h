/* SQL in words: what the query does, for people who do not read SQL. */
#ifndef DGM_SQL_DESCRIBE_H
#define DGM_SQL_DESCRIBE_H

#include <stdbool.h>

#include "base/vec.h"
#include "sql/dialect.h"

struct arena;
struct sql_resolved;
struct sql_statement;

/* "Counts rows of orders joined with customers, for each customers.city, where …, largest
 * first, at most 5." Deterministic, no model. Never NULL. */
char *describe_sql(struct arena *arena, const struct sql_statement *statement);
/* The same for a text; its tree is dropped. */
char *describe_sql_text(struct arena *arena, enum dialect dialect, const char *sql);

/* What a person would call each column of its result: "count", "total_amount",
 * "average_days"; NULL where a column has a name of its own. None when the columns are not
 * known. No two are equal, and none is the name of another column. */
void describe_headings(struct arena *arena, const struct sql_statement *statement,
                       const struct sql_resolved *resolved, struct texts *out);

/* How complex it is; a statement that cannot be read counts nothing. */
struct sql_shape {
    int joins;
    int subqueries; /* SELECTs inside of others */
    int set_operations;
    int windows;
    bool group_by; /* of the whole query, as the next one */
    bool order_by;
};
void describe_shape(const struct sql_statement *statement, struct sql_shape *out);

#endif
