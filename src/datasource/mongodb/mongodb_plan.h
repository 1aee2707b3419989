/* What a query needs of which tables: so much and no more is read from the server. */
#ifndef DGM_DATASOURCE_MONGODB_PLAN_H
#define DGM_DATASOURCE_MONGODB_PLAN_H

#include "datasource/mongodb/mongodb_driver.h"
#include "sql/resolve/resolve.h"

/* A table of the query. */
struct mongodb_part {
    struct mongodb_shape *shape; /* with a reference */
    const struct mongodb_table *table;
    bool sampled;    /* for this query: its shape cannot be older than the data */
    size_t *columns; /* the needed ones */
    size_t count;
    bson_t *filter; /* what the WHERE clause lets through, or more; or NULL: all */
    int64_t limit;  /* documents; 0: all */
};

struct mongodb_parts {
    struct mongodb_part *items;
    size_t count;
    size_t capacity;
};

struct mongodb_plan {
    struct arena *arena;
    struct sql_statement statement; /* without a tree when it cannot be read */
    struct mongodb_parts parts;
    /* Only while a plan is made: the parts as a schema, in their order, and what the
     * names of the statement mean in it. */
    struct schema *schema;
    const struct sql_resolved *resolved;
    bool **needed; /* for each part, for each of its columns */
};

/* mongodb_plan.c: fills columns, limit and filter of each part. max_rows: so many rows
 * are wanted at most. The statement has a tree. */
void mongodb_plan_make(struct mongodb_plan *plan, int64_t max_rows);
/* Frees the filters. */
void mongodb_plan_release(struct mongodb_plan *plan);

/* mongodb_filter.c: conditions of the outermost WHERE that MongoDB judges as SQL does. */
void mongodb_filter_make(struct mongodb_plan *plan, const struct sql_node *where);
/* mongodb_literal.c: appends a literal as a value of the column's kind; false when the
 * node is no such literal. */
bool mongodb_literal(const struct sql_node *node, const struct mongodb_column *column,
                     bson_t *out, const char *key);

#endif
