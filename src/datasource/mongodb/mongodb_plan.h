/* What a query needs of which tables: so much and no more is read from the server. */
#ifndef DGM_DATASOURCE_MONGODB_PLAN_H
#define DGM_DATASOURCE_MONGODB_PLAN_H

#include "datasource/mongodb/mongodb_driver.h"
#include "sql/lexer.h"

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
    struct tokens tokens;
    struct mongodb_parts parts;
};

/* mongodb_plan.c: fills columns and limit of each part, then asks for filters. max_rows:
 * so many rows are wanted at most. */
void mongodb_plan_make(struct mongodb_plan *plan, int64_t max_rows);
/* Frees the filters. */
void mongodb_plan_release(struct mongodb_plan *plan);

/* A table in the FROM clause of the outermost SELECT. */
struct mongodb_relation {
    struct mongodb_part *part; /* NULL: not a table of ours */
    const char *name;          /* how columns name it */
};

struct mongodb_relations {
    struct mongodb_relation *items;
    size_t count;
    size_t capacity;
    bool simple;  /* nothing in the clause but tables and plain joins */
    size_t from;  /* its tokens */
    size_t where; /* the first behind it */
};

/* mongodb_relations.c */
void mongodb_relations_read(struct mongodb_plan *plan, struct mongodb_relations *out);
struct mongodb_part *mongodb_part_named(struct mongodb_plan *plan, const char *name);
/* Does a table's name stand here, as a table? */
bool mongodb_names_table(const struct mongodb_plan *plan, size_t at,
                         const struct mongodb_part *part);

/* mongodb_filter.c: conditions of the outermost WHERE that MongoDB judges as SQL does. */
void mongodb_filter_make(struct mongodb_plan *plan,
                         const struct mongodb_relations *relations);
/* mongodb_literal.c: appends what the tokens say as a value of the column's kind; false
 * when they are no such literal. *used: tokens. */
bool mongodb_literal(const struct token *tokens, const struct mongodb_column *column,
                     bson_t *out, const char *key, size_t *used);

#endif
