/* A query taken apart into what the stages talk about: joins, filters, sums, order. */
#ifndef DGM_AGENT_SQL_PARTS_H
#define DGM_AGENT_SQL_PARTS_H

#include "base/vec.h"

struct arena;
struct sql_statement;

/* Each text as SQL; of a set of queries the first. */
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

/* A statement that cannot be read, or is a write, has none. */
void sql_parts_read(struct arena *arena, const struct sql_statement *statement,
                    struct sql_parts *out);
/* The same as steps, one short sentence each. */
void sql_parts_steps(struct arena *arena, const struct sql_parts *parts,
                     const struct texts *tables, struct texts *out);

#endif
