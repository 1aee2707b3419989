/* What a query needs of each collection, so that no more is read from the server. */
#ifndef DGM_DATASOURCE_MONGODB_PLAN_H
#define DGM_DATASOURCE_MONGODB_PLAN_H

#include "datasource/mongodb/mongodb_driver.h"
#include "sql/resolve/resolve.h"

/* A table of the query. */
struct mongodb_part {
    struct mongodb_shape *shape; /* the plan has a reference */
    const struct mongodb_table *table;
    /* the shape was sampled for this query, so it is not older than the data */
    bool sampled;
    size_t *columns; /* the needed columns */
    size_t count;
    /* a filter that lets at least all matching documents through; or NULL: all */
    bson_t *filter;
    int64_t limit; /* maximum number of documents; 0: all */
};

struct mongodb_parts {
    struct mongodb_part *items;
    size_t count;
    size_t capacity;
};

struct mongodb_plan {
    struct arena *arena;
    struct sql_statement statement; /* without a tree if it cannot be parsed */
    struct mongodb_parts parts;
    /* Only while a plan is made: the parts as a schema, and the names of the statement
     * resolved in it. */
    struct schema *schema;
    const struct sql_resolved *resolved;
    bool **needed; /* [part][column]: is it needed? */
};

/* mongodb_plan.c: sets columns, limit and filter of each part. max_rows: maximum size of
 * the result. The statement must have a tree. */
void mongodb_plan_make(struct mongodb_plan *plan, int64_t max_rows);
/* Frees the filters. */
void mongodb_plan_release(struct mongodb_plan *plan);

/* mongodb_filter.c: converts those conditions of the outermost WHERE that MongoDB
 * evaluates exactly as SQL does. */
void mongodb_filter_make(struct mongodb_plan *plan, const struct sql_node *where);
/* mongodb_literal.c: appends a literal as a value of the column's kind; false if it is
 * not possible. */
bool mongodb_literal(const struct sql_node *node, const struct mongodb_column *column,
                     bson_t *out, const char *key);

#endif
