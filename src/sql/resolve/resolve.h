/*
 * What the names in a statement mean: for each SELECT its relations and joins, and for
 * each column reference the relation and the column. Scopes, CTEs, subqueries, LATERAL,
 * USING, NATURAL and output names are followed as the dialect does.
 *
 * Everything lives in the arena that was given to sql_resolve(). The tree is not changed;
 * a part that a caller adds to it later is not known here.
 */
#ifndef DGM_SQL_RESOLVE_RESOLVE_H
#define DGM_SQL_RESOLVE_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>

#include "sql/statement.h"

struct arena;
struct column;
struct schema;
struct table;
struct sql_relation;
struct sql_scope;

/* One column of a relation, or of the result of a query. */
struct sql_output {
    const char *name; /* NULL: the engine chooses one */
    bool exact;       /* the name has this case: of the schema, or written in quotes */
    const struct sql_node *item;  /* the ITEM it comes from; NULL: of a table or a star */
    const struct sql_node *value; /* its expression; NULL: a column of `relation` */
    const struct sql_relation *relation; /* a plain column: which relation inside */
    const struct sql_output *inner;      /* a plain column: which column of it */
    const struct column *column;         /* of the schema, when it is one in the end */
};

struct sql_outputs {
    struct sql_output **items;
    size_t count;
    size_t capacity;
    bool open; /* there may be more, under names that are not known */
};

enum sql_relation_kind {
    RELATION_TABLE,    /* a table or view of the schema, or one that it does not have */
    RELATION_CTE,      /* a name of WITH */
    RELATION_QUERY,    /* a subquery in FROM */
    RELATION_FUNCTION, /* a table function, or an array of another relation */
    RELATION_OTHER /* PIVOT, UNPIVOT, ARRAY JOIN, aliased joins, a result to be ordered */
};

/* Something with columns in FROM. It belongs to exactly one scope. */
struct sql_relation {
    enum sql_relation_kind kind;
    const char *name; /* what qualifies its columns; NULL: nothing does */
    bool exact;       /* the name was written in quotes */
    bool aliased;     /* the name is an alias; then the table's own is hidden */
    const struct sql_node *node;  /* TABLE, DERIVED, TABLE_FUNCTION, PIVOT … */
    const struct table *table;    /* RELATION_TABLE: NULL when the schema has none */
    const struct sql_node *cte;   /* RELATION_CTE: its CTE node */
    const struct sql_node *query; /* CTE, QUERY: what gives its rows */
    struct sql_outputs columns;
    const struct sql_scope *scope; /* the SELECT it stands in */
    size_t place;                  /* its number there, from 0 */
    bool optional;                 /* an outer join may fill its columns with NULL */
};

struct sql_relations {
    struct sql_relation **items;
    size_t count;
    size_t capacity;
};

/* A join: relations first … middle - 1 stand on its left, middle … last - 1 on its right.
 * A comma is a join without a node. */
struct sql_join_place {
    const struct sql_node *node; /* JOIN; NULL: a comma */
    size_t first;
    size_t middle;
    size_t last;
};

struct sql_join_places {
    struct sql_join_place *items;
    size_t count;
    size_t capacity;
};

/*
 * The names that one SELECT, or one write, can see. Inner scopes point to the outer
 * ones.
 */
struct sql_scope {
    const struct sql_node *node; /* SELECT, UPDATE, DELETE; a QUERY that orders a union */
    struct sql_scope *parent;    /* what a correlated subquery sees besides its own */
    struct sql_relations relations; /* in the order they were written */
    struct sql_join_places joins;   /* inner ones before those around them */
    struct sql_outputs outputs;     /* of a SELECT */
};

enum sql_reference_state {
    REFERENCE_COLUMN,    /* a column of `relation` */
    REFERENCE_OUTPUT,    /* an output of the same SELECT: ORDER BY total */
    REFERENCE_ROW,       /* the whole row: count(t), the t of t.* */
    REFERENCE_PSEUDO,    /* rowid and its relatives */
    REFERENCE_LOCAL,     /* a parameter of a lambda or a list comprehension */
    REFERENCE_UNSURE,    /* of a relation whose columns are not all known, or no column at
                          * all: MONTH in DATE_TRUNC(d, MONTH) */
    REFERENCE_AMBIGUOUS, /* several relations have it */
    REFERENCE_UNKNOWN    /* no relation has it */
};

/* A column name in the statement, and what it means. */
struct sql_reference {
    const struct sql_node *node; /* COLUMN; NAME in USING */
    enum sql_reference_state state;
    const struct sql_scope *scope;       /* where it stands */
    const struct sql_relation *relation; /* what has it; of another scope: correlated */
    const struct sql_relation *second;   /* USING, NATURAL: the right side has it too */
    const struct sql_output *output;     /* the column of the relation; or the output */
    const struct column *column;         /* of the schema, when it is one in the end */
    size_t fields;                       /* parts at the end that are fields of a value */
};

struct sql_references {
    struct sql_reference **items;
    size_t count;
    size_t capacity;
};

struct sql_scopes {
    struct sql_scope **items;
    size_t count;
    size_t capacity;
};

/*
 * The meaning of all names of a statement. It borrows the statement's tree and the
 * schema, and changes neither.
 */
struct sql_resolved {
    struct sql_scopes scopes;             /* outer ones first */
    struct sql_references references;     /* in the order they were read */
    const struct sql_reference **by_node; /* private */
    size_t slots;
};

/* Never fails: what is not known is marked so. The schema may be NULL. */
const struct sql_resolved *sql_resolve(struct arena *arena,
                                       const struct sql_statement *statement,
                                       const struct schema *schema);

/* The relations of a SELECT; NULL for a node that has none. */
const struct sql_scope *sql_scope_of(const struct sql_resolved *resolved,
                                     const struct sql_node *select);
/* What a COLUMN node means; NULL for a node that is no reference. */
const struct sql_reference *sql_reference_of(const struct sql_resolved *resolved,
                                             const struct sql_node *column);
/* The base table in which the column in the end lies, through subqueries and CTEs; NULL
 * when it is computed. `origin` (may be NULL) gets the relation nearest to the table. */
const struct table *sql_reference_table(const struct sql_reference *reference,
                                        const struct sql_relation **origin);

#endif
