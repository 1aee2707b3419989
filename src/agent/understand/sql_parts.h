/* Splits a query into the parts that stages and pages show: joins, filters, aggregations,
 * order. */
#ifndef DGM_AGENT_SQL_PARTS_H
#define DGM_AGENT_SQL_PARTS_H

#include "base/vec.h"

struct arena;
struct sql_statement;

/* Each part as SQL text; of a UNION the first SELECT. */
struct sql_parts {
    struct texts items; /* the selected expressions */
    struct texts joins; /* "orders.customer_id = customers.id" */
    struct texts filters;
    struct texts aggregations; /* those of `items` that aggregate */
    struct texts groups;
    struct texts conditions; /* conditions on groups */
    struct texts order;
    const char *limit; /* or NULL */
};

/* Empty for a statement that cannot be parsed, and for a write. */
void sql_parts_read(struct arena *arena, const struct sql_statement *statement,
                    struct sql_parts *out);
/* The parts as steps, one short sentence each. */
void sql_parts_steps(struct arena *arena, const struct sql_parts *parts,
                     const struct texts *tables, struct texts *out);

#endif
