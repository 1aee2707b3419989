/* A query taken apart into what the stages talk about: joins, filters, sums, order. */
#ifndef DGM_AGENT_SQL_PARTS_H
#define DGM_AGENT_SQL_PARTS_H

#include "base/vec.h"
#include "sql/dialect.h"

struct arena;

/* Each text as the SQL has it; of a set of queries the first. */
struct sql_parts {
    struct texts items; /* what is selected */
    struct texts joins; /* "orders.customer_id = customers.id" */
    struct texts filters;
    struct texts aggregations; /* those of the items that add up rows */
    struct texts groups;
    struct texts conditions; /* on groups */
    struct texts order;
    const char *limit; /* or NULL */
};

void sql_parts_read(struct arena *arena, enum dialect dialect, const char *sql,
                    struct sql_parts *out);
/* The same as steps, one short sentence each. */
void sql_parts_steps(struct arena *arena, const struct sql_parts *parts,
                     const struct texts *tables, struct texts *out);

#endif
