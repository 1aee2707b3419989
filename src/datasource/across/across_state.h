/* Types and functions shared by the files of this folder. */
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

/* A table of the combined schema, and the table of a member that it stands for. */
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

/* A simple condition: a column, an operator and values. */
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
    /* constants; anything else disqualifies the condition */
    struct sql_node *const *values;
    size_t count;
};

struct across_filters {
    struct across_filter *items;
    size_t count;
    size_t capacity;
};

/* Only rows are needed whose column has one of the values of another table's column. */
struct across_link {
    const struct column *column;
    const struct across_table *other;
    const struct column *key; /* of the other table */
};

struct across_links {
    struct across_link *items;
    size_t count;
    size_t capacity;
};

/* Those values, once the other table has been read. */
struct across_keys {
    bool known;
    const struct value *values; /* integers or texts */
    size_t count;
};

/* What a query needs of one table. */
struct across_need {
    const struct across_table *table;
    /* how often the query uses the table; conditions are pushed only if once */
    size_t uses;
    bool *columns; /* one flag for each column of the table */
    struct across_filters filters;
    int64_t limit; /* -1: all matching rows */
    struct across_links links;
    const struct across_link *link; /* the chosen one; or NULL */
    struct across_keys keys;        /* the keys for `link` */
    bool staged;
};

struct across_needs {
    struct across_need *items;
    size_t count;
    size_t capacity;
};

/* across_read.c: analyses the statement, which must have a tree. */
bool across_read(const struct across *across, struct arena *arena,
                 const struct sql_statement *statement, struct across_needs *out,
                 struct err *err);

/* A statement with its names resolved. */
struct across_scope {
    const struct across *across;
    struct arena *arena;
    const struct sql_resolved *resolved; /* in the combined schema */
    struct across_needs *needs;
};

/* across_relations.c: the column that one side of a condition refers to. */
struct across_side {
    struct across_need *need;
    const struct column *column;         /* of its own schema */
    const struct sql_relation *relation; /* in this SELECT or a surrounding one */
};
/* The table and column of a reference; false if it is ambiguous. */
bool across_side_of(const struct across_scope *scope, const struct sql_node *reference,
                    struct across_side *out);
/*
 * Calls `visit` for each condition that every result row meets: those in WHERE and in
 * joins, split at AND. `only`: the one relation that the condition restricts, on the
 * optional side of an outer join; NULL: all of them.
 */
typedef void across_visit(void *context, const struct sql_node *condition,
                          const struct sql_relation *only);
void across_conditions(const struct across_scope *scope, const struct sql_node *select,
                       across_visit *visit, void *context);
struct across_need *across_need_of(struct across_needs *needs,
                                   const struct across_table *table); /* or NULL */

/* across_filters.c: the conditions of one SELECT that concern a single table. */
void across_filters_read(const struct across_scope *scope, const struct sql_node *select);

/* across_links.c: columns of two tables that one SELECT requires to be equal. */
void across_links_read(const struct across_scope *scope, const struct sql_node *select);
/* Decides which tables are read after which others: small ones first. */
void across_links_choose(const struct across *across, struct across_needs *needs);
/* Have the tables been read that this one waits for? */
bool across_link_ready(const struct across_needs *needs, const struct across_need *need);
/* Reads the keys for this table; if there are too many, all its rows are requested. */
bool across_keys_read(const struct across *across, struct arena *arena,
                      struct staging *staging, struct across_need *need,
                      const struct datasource_limits *limits, struct err *err);

/* across_push.c: the SQL for the source in its dialect; it selects the staged columns. */
const char *across_push(const struct across *across, struct arena *arena,
                        const struct across_need *need);
/* Can the condition be written for the source, so that it drops no row that DuckDB would
 * keep? */
bool across_can_push(enum dialect dialect, const struct across_filter *filter);
/* Can the column be compared with keys of this kind in the source? */
bool across_can_push_key(enum dialect dialect, const struct column *column,
                         const struct value *key);

/* across_stage.c: reads all needed rows into the staging database, several sources in
 * parallel. */
bool across_stage(struct across *across, struct staging *staging,
                  struct across_needs *needs, bool empty,
                  const struct datasource_limits *limits, struct err *err);

#endif
