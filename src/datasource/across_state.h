/* The inside of several datasources as one: shared by its files alone. */
#ifndef DGM_DATASOURCE_ACROSS_STATE_H
#define DGM_DATASOURCE_ACROSS_STATE_H

#include <jansson.h>

#include "datasource/across.h"
#include "datasource/driver.h"

enum { ACROSS_MOST = 16 };

struct across_part {
    struct datasource *source;
    struct schema *schema;
    const char *signature;
    const char *alias; /* the DuckDB schema that its tables are in */
};

/* A table of all of them, and where it comes from. */
struct across_table {
    const char *name; /* "crm.customers" */
    const char *bare; /* "customers" */
    size_t part;
    const struct table *table; /* of its own schema */
};

struct across_tables {
    struct across_table *items;
    size_t count;
    size_t capacity;
};

struct across {
    struct across_part parts[ACROSS_MOST];
    size_t count;
    struct schema *schema;
    struct across_tables tables;
    struct staging_watcher watcher;
};

/* across_schema.c: the schema of all, from those of the parts. */
void across_schema_build(struct across *across, struct arena *arena, const char *id);
const struct across_table *across_table_find(const struct across *across,
                                             const char *namespace, const char *name);

/* One simple condition: a column, what it is held against, and values. */
enum across_test {
    ACROSS_EQUAL,
    ACROSS_LESS,
    ACROSS_LESS_EQUAL,
    ACROSS_MORE,
    ACROSS_MORE_EQUAL,
    ACROSS_NOT_EQUAL,
    ACROSS_IN,
    ACROSS_LIKE,
    ACROSS_IS_NULL,
    ACROSS_NOT_NULL,
};

struct across_filter {
    enum across_test test;
    const struct column *column;
    const json_t **values; /* constants of the syntax tree */
    size_t count;
};

struct across_filters {
    struct across_filter *items;
    size_t count;
    size_t capacity;
};

/* What a query needs of one table. */
struct across_need {
    const struct across_table *table;
    size_t uses;   /* how often the query names it: conditions count only for one use */
    bool *columns; /* as many as it has */
    struct across_filters filters;
    int64_t limit; /* -1: all rows that fit */
};

struct across_needs {
    struct across_need *items;
    size_t count;
    size_t capacity;
};

/* across_read.c: from the engine's syntax tree (JSON). */
bool across_read(const struct across *across, struct arena *arena, const char *tree,
                 struct across_needs *out, struct err *err);
/* across_filters.c: the conditions of one SELECT that hold for a table alone. */
struct across_scope {
    const struct across *across;
    struct arena *arena;
    struct across_needs *needs;
};
void across_filters_read(const struct across_scope *scope, const json_t *select);
/* The LIMIT of a query that asks for nothing but rows of one table; -1: none such. */
int64_t across_plain_limit(const json_t *statement);

/* across_push.c: the SQL for the source, in its dialect; columns are those staged. */
const char *across_push(const struct across *across, struct arena *arena,
                        const struct across_need *need);
/* Is the condition written for the source? Then it leaves out no row that the engine
 * would keep. */
bool across_can_push(enum dialect dialect, const struct across_filter *filter);

/* across_stage.c: rows of all needs into the staging, several sources at once. */
bool across_stage(struct across *across, struct staging *staging,
                  const struct across_needs *needs, bool empty,
                  const struct datasource_limits *limits, struct err *err);

#endif
