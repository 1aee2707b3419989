/* Inside of the second judge of PostgreSQL's SQL: what its files share. */
#ifndef DGM_SQL_GUARD_SECOND_STATE_H
#define DGM_SQL_GUARD_SECOND_STATE_H

#include "base/json.h"
#include "sql/guard/guard_state.h"

struct second {
    struct guard *guard;
    const char *sql;
    int offset; /* where it begins in the text that was given */
    struct texts ctes;
    bool refused;
};

/* A column that a relation is certain to have. */
struct second_column {
    const char *name;           /* NULL: not certain */
    const char *type;           /* of a table's column; NULL: not known */
    const struct texts *fields; /* of a composite value; NULL: none is known */
};

struct second_columns {
    struct second_column *items;
    size_t count;
    size_t capacity;
    bool open;    /* there is no schema, so a table may have any others */
    bool starred; /* a star is among them: where the others stand is not certain */
};

struct second_relation {
    const char *alias; /* or the name of the table */
    const char *table; /* a table without an alias: schema.table.column may name it */
    const char *schema;
    const struct second_columns *columns;
};

struct second_relations {
    struct second_relation *items;
    size_t count;
    size_t capacity;
};

/* What an expression sees: the relations of its query, then those of the queries around.
 */
struct second_level {
    const struct second_level *outer;
    const struct second_relations *relations;
};

struct second_cte {
    const struct second_cte *outer;
    const char *name;
    const struct second_columns *columns;
};

/* Where in the query we are. */
struct second_place {
    const struct second_level *level; /* NULL: no relation is in sight */
    const struct second_cte *ctes;
};

/* guard_second.c */
bool second_refuse(struct second *second, json_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The text of the n-th String node of a list; NULL when it is another node. */
const char *second_part(json_t *list, size_t index);

/* guard_second_names.c: every name with a dot is a column or a known field */
bool second_names(struct second *second, json_t *statement);
/* Looks at all expressions below the value. */
bool second_expressions(struct second *second, json_t *value, struct second_place place);

/* guard_second_from.c: the columns of what stands in FROM */
/* Judges the names of a query, and says what its columns are called. NULL: refused. */
const struct second_columns *second_query(struct second *second, json_t *query,
                                          struct second_place place);
/* What a write changes. */
void second_table(struct second *second, json_t *range, struct second_relations *out);

/* guard_second_columns.c: what columns are called */
/* As PostgreSQL names an item of a select list; NULL: some other way. */
const char *second_name_of(json_t *value);
const struct second_columns *second_table_columns(struct second *second,
                                                  const char *schema, const char *name);
const struct second_columns *second_function_columns(struct second *second, json_t *range,
                                                     const char *alias,
                                                     struct second_place place);
const struct second_columns *second_values_columns(struct second *second, json_t *rows);
/* With the first of them called as in the list of String nodes. */
const struct second_columns *second_renamed(struct second *second,
                                            const struct second_columns *columns,
                                            json_t *names);
void second_add_all(struct second *second, struct second_columns *to,
                    const struct second_columns *from);
const struct second_column *second_column_named(const struct second_columns *columns,
                                                const char *name);

#endif
