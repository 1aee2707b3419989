/* The inside of several datasources as one: shared by its files alone. */
#ifndef DGM_DATASOURCE_ACROSS_STATE_H
#define DGM_DATASOURCE_ACROSS_STATE_H

#include "datasource/across/across.h"
#include "datasource/driver.h"
#include "sql/resolve/resolve.h"

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
    struct sql_node *const *values; /* constants, or what is none of ours */
    size_t count;
};

struct across_filters {
    struct across_filter *items;
    size_t count;
    size_t capacity;
};

/* Rows of a table matter only where this column is one of the values that a column of
 * another table has. */
struct across_link {
    const struct column *column;
    const struct across_table *other;
    const struct column *key; /* of the other */
};

struct across_links {
    struct across_link *items;
    size_t count;
    size_t capacity;
};

/* Those values, once the other table is there. */
struct across_keys {
    bool known;
    const struct value *values; /* integers or texts */
    size_t count;
};

/* What a query needs of one table. */
struct across_need {
    const struct across_table *table;
    size_t uses;   /* how often the query names it: conditions count only for one use */
    bool *columns; /* as many as it has */
    struct across_filters filters;
    int64_t limit; /* -1: all rows that fit */
    struct across_links links;
    const struct across_link *link; /* the one to go by; or NULL */
    struct across_keys keys;        /* of that */
    bool staged;
};

struct across_needs {
    struct across_need *items;
    size_t count;
    size_t capacity;
};

/* across_read.c: what the statement needs; it has a tree. */
bool across_read(const struct across *across, struct arena *arena,
                 const struct sql_statement *statement, struct across_needs *out,
                 struct err *err);

/* A statement that is being read, and what its names mean. */
struct across_scope {
    const struct across *across;
    struct arena *arena;
    const struct sql_resolved *resolved; /* against the schema of all */
    struct across_needs *needs;
};

/* across_relations.c: what a condition of one SELECT speaks of. */
struct across_side {
    struct across_need *need;
    const struct column *column;         /* of its own schema */
    const struct sql_relation *relation; /* of this SELECT, or of one around it */
};
/* The table and column of a reference; false when that is not certain. */
bool across_side_of(const struct across_scope *scope, const struct sql_node *reference,
                    struct across_side *out);
/* Do its joins depend on nothing but their conditions? Else no condition says which rows
 * of a table matter. */
bool across_joins_plain(const struct sql_node *select);
/* Calls `visit` for each condition that every row of the result meets: those of WHERE and
 * of joins, split at AND. `only` is the one relation about which it says something: the
 * side of an outer join that may be missing; NULL: about all of them. */
typedef void across_visit(void *context, const struct sql_node *condition,
                          const struct sql_relation *only);
void across_conditions(const struct across_scope *scope, const struct sql_node *select,
                       across_visit *visit, void *context);
struct across_need *across_need_of(struct across_needs *needs,
                                   const struct across_table *table); /* or NULL */

/* across_filters.c: the conditions of one SELECT that hold for a table alone. */
void across_filters_read(const struct across_scope *scope, const struct sql_node *select);

/* across_links.c: columns of two tables that one SELECT holds equal. */
void across_links_read(const struct across_scope *scope, const struct sql_node *select);
/* Which tables wait for the keys of which others: small ones come first. */
void across_links_choose(const struct across *across, struct across_needs *needs);
/* May rows of this table be asked for now? */
bool across_link_ready(const struct across_needs *needs, const struct across_need *need);
/* Reads the keys that it waited for; too many of them: all rows are asked for. */
bool across_keys_read(const struct across *across, struct arena *arena,
                      struct staging *staging, struct across_need *need,
                      const struct datasource_limits *limits, struct err *err);

/* across_push.c: the SQL for the source, in its dialect; columns are those staged. */
const char *across_push(const struct across *across, struct arena *arena,
                        const struct across_need *need);
/* Is the condition written for the source? Then it leaves out no row that the engine
 * would keep. */
bool across_can_push(enum dialect dialect, const struct across_filter *filter);
/* May the column be held against keys of this kind there? */
bool across_can_push_key(enum dialect dialect, const struct column *column,
                         const struct value *key);

/* across_stage.c: rows of all needs into the staging, several sources at once. */
bool across_stage(struct across *across, struct staging *staging,
                  struct across_needs *needs, bool empty,
                  const struct datasource_limits *limits, struct err *err);

#endif
