/*
 * Inside of the guard: what its files share. The guard walks the tree of a statement in
 * the order of its text, with one function per kind of node. Each returns false after a
 * refusal, and every caller hands that false up: so the first refusal stands.
 *
 * The tree says how a statement is built; the tokens that it was read from say how a name
 * was written and where it stands.
 */
#ifndef DGM_SQL_GUARD_STATE_H
#define DGM_SQL_GUARD_STATE_H

#include "model/schema.h"
#include "sql/function.h"
#include "sql/guard.h"
#include "sql/lexer.h"
#include "sql/statement.h"

enum {
    GUARD_MAX_DEPTH = 200,       /* nesting; keeps the stack small */
    GUARD_MAX_COUNT = 1000,      /* repeat('x', n), lpad(x, n) */
    GUARD_MAX_SERIES = 10000000, /* generate_series(1, n) */
    GUARD_MAX_NAMES = 2000,    /* different names; lists of them are searched in a row */
    GUARD_MAX_RELATIONS = 500, /* in one FROM */
    GUARD_MAX_EXPANDED = 1000, /* tables, with each WITH written out where it is used */
    GUARD_MAX_TYPES = 50,      /* types looked up in the schema, which is slow */
    GUARD_MAX_REACH = 32,      /* relations kept for a column that does not exist */
};

/* One column of what a query or a relation gives. */
struct guard_column {
    const char *name; /* NULL: it has none that is certain */
    bool exact;       /* written in double quotes: over ODBC its case may matter */
    const struct texts *fields; /* of a composite value; NULL: none is known */
};

/* The columns that a query or a relation is certain to have. */
struct guard_output {
    struct guard_column *items;
    size_t count;
    size_t capacity;
    bool open;    /* it reads a table that is not known, so it may have any others */
    bool starred; /* a star is among them: where the others stand is not certain */
};

/* One item of a select list, until what stands in FROM is known. */
struct guard_item {
    struct guard_column column;
    bool star;                   /* all columns here, or */
    const char *star_of;         /* those of this relation */
    const struct sql_node *path; /* it is only this column; or NULL */
};

struct guard_items {
    struct guard_item *items;
    size_t count;
    size_t capacity;
};

/* The relations of a scope that a place in the query is certain to see. */
struct guard_range {
    size_t from;
    size_t to;
};

struct guard_reference {
    const char *qualifier; /* or NULL */
    const char *name;
    const struct token *owner; /* the qualifier's token */
    const struct token *token; /* the name's */
    size_t parts;              /* of the whole name: schema.table.column has 3 */
    struct guard_range visible;
    bool found;       /* a relation has it, but perhaps not the one that is meant */
    bool unsure;      /* the name may come from somewhere we do not track */
    const char *home; /* the one table of the SELECT it stands in, or NULL */
    size_t position;
    bool in_call;                 /* an argument: may be a unit such as MONTH */
    const char *field;            /* as in (name).f: it must be known to have it */
    bool called;                  /* as in name.upper(): must be a column */
    struct guard_relations reach; /* of the SELECTs that could not settle it */
};

struct guard_references {
    struct guard_reference *items;
    size_t count;
    size_t capacity;
};

/* One SELECT: what its columns may refer to. References are settled when it ends, as the
 * select list comes before FROM; what it cannot settle goes on to the SELECT around it.
 */
struct guard_scope {
    struct guard_scope *parent;
    struct guard_range visible; /* at the place that is read now */
    struct guard_items items;
    struct guard_relations relations;
    struct guard_references references;
    struct texts aliases;
    bool star;          /* of all relations here: SELECT * */
    struct texts stars; /* of the relations of these names: t.* */
};

struct guard_cte {
    struct guard_cte *outer;
    const struct token *name;
    const struct guard_output *output;
    struct guard_output names; /* given to its columns */
    bool visible;
    bool value;   /* ClickHouse: WITH 5 AS n, which is no relation */
    bool renames; /* of such a value: it is a name alone, perhaps that of a table */
};

/*
 * The state of one walk over a statement. Counters above zero tell what surrounds the
 * current node. The first refusal ends the walk; `out` then says why and where.
 */
struct guard {
    struct arena *arena;
    enum dialect dialect;
    char letter; /* of the dialect, as in functions.def */
    const struct schema *schema;
    struct guard_result *out;
    const struct sql_statement *statement;
    const char *text;                  /* of the statement, where tokens begin at 0 */
    const struct guard_output *output; /* of the last query, or NULL */
    struct guard_scope *scope;
    struct guard_scope *closed; /* the last SELECT that ended */
    struct guard_cte *ctes;
    int depth;
    int unsure;    /* > 0: names here may come from somewhere we do not track */
    int calls;     /* > 0: inside the arguments of a function */
    int counted;   /* > 0: inside repeat() and its like */
    double growth; /* how much longer the calls so far can make a text */
    int types;     /* how many types were looked up in the schema */
    const struct token *long_name; /* the first column named as a.b.c */
    bool missing;                  /* a table is not in the schema: refused at the end */
    bool flooded; /* more names than any honest query has: refused at the end */
};

/* guard_crash.c: true: it was refused, as it could end the server */
bool guard_crash(struct guard *guard);
/* guard_session.c */
bool guard_session(struct guard *guard);
/* guard_expand.c */
bool guard_expands_too_far(const struct sql_node *root);
/* guard.c */
bool guard_refuse(struct guard *guard, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The token has no place here. */
bool guard_unexpected(struct guard *guard, const struct token *token);
/* One level deeper, at the node; undo with depth--. */
bool guard_enter(struct guard *guard, const struct sql_node *node);
static inline bool guard_dialect(const struct guard *guard, const char *letters)
{
    while (*letters && *letters != guard->letter) {
        letters++;
    }
    return *letters != '\0';
}
/* The first token that begins at the byte or behind it. */
const struct token *guard_token(const struct guard *guard, size_t position);
static inline const struct token *guard_first(const struct guard *guard,
                                              const struct sql_node *node)
{
    return guard_token(guard, node->start);
}
/* The token that ends where the node does. */
const struct token *guard_last(const struct guard *guard, const struct sql_node *node);
void guard_note(struct guard *guard, struct texts *list, const char *text); /* once */
void guard_miss(struct guard *guard, const struct guard_miss *miss);

/* guard_kinds.c: the allow-list of nodes */
/* Is the node of this kind, and is all that it has (flags, children) on the list? Refuses
 * it otherwise, also when it is NULL. */
bool guard_expect(struct guard *guard, const struct sql_node *node, enum sql_kind kind);
bool guard_listed(struct guard *guard, const struct sql_node *node); /* of any kind */
/* Of this kind the first child is what stands on the left. */
bool guard_hangs_on_left(enum sql_kind kind, bool relations);
/* The nodes that hang on the left of one another, from the outermost to the innermost,
 * and behind them what is no such node: chains are long, and walked without recursion. */
struct guard_spine {
    const struct sql_node **items;
    size_t count;
    size_t capacity;
    const struct sql_node *end;
};
bool guard_spine(struct guard *guard, const struct sql_node *node, bool relations,
                 struct guard_spine *out);
/* Calls check for the children in the slots, in the order of the text. */
bool guard_slots(struct guard *guard, const struct sql_node *node, size_t from, size_t to,
                 bool (*check)(struct guard *guard, const struct sql_node *node,
                               size_t slot));
/* A LIST, or NULL: all its children. */
bool guard_list(struct guard *guard, const struct sql_node *list,
                bool (*check)(struct guard *guard, const struct sql_node *node));

/* guard_query.c */
bool guard_query(struct guard *guard, const struct sql_node *query);

/* guard_clause.c */
bool guard_select(struct guard *guard, const struct sql_node *select);
/* ORDER BY, LIMIT and their like of a query; compound: after UNION */
bool guard_tail(struct guard *guard, const struct sql_node *query, bool compound);
bool guard_order(struct guard *guard, const struct sql_node *list); /* may be NULL */
bool guard_window(struct guard *guard, const struct sql_node *window);
bool guard_star(struct guard *guard, const struct sql_node *star);

/* guard_from.c */
bool guard_from(struct guard *guard, const struct sql_node *list);
bool guard_sample(struct guard *guard, const struct sql_node *sample); /* or NULL */

/* guard_relation.c */
struct guard_alias {
    const struct token *token; /* NULL: there is none */
    struct guard_output names; /* of the columns */
};
bool guard_relation_table(struct guard *guard, const struct sql_node *table, bool target);
bool guard_relation_function(struct guard *guard, const struct sql_node *function);
/* Behind IN: TABLE, TABLE_FUNCTION, or a COLUMN that is a table to ClickHouse. */
bool guard_relation_set(struct guard *guard, const struct sql_node *node);
/* `node` may be NULL. */
bool guard_relation_alias(struct guard *guard, const struct sql_node *node,
                          bool with_types, struct guard_alias *alias);
/* What stands in FROM without being a table. */
void guard_scope_derived(struct guard *guard, const struct guard_alias *alias,
                         const struct guard_output *output);

/* guard_expression.c */
bool guard_value(struct guard *guard, const struct sql_node *node);
bool guard_values(struct guard *guard, const struct sql_node *list); /* may be NULL */

/* guard_operand.c */
bool guard_operand(struct guard *guard, const struct sql_node *node);

/* guard_field.c */
bool guard_field(struct guard *guard, const struct sql_node *field);
/* The token behind the dot could call a function; says so. */
bool guard_field_refuse(struct guard *guard, const struct token *field);
/* How PostgreSQL stores the name: in lower case, unless it is quoted. */
const char *guard_folded(const struct guard *guard, const struct token *name);

/* guard_output.c: what the columns of a query are called; only for PostgreSQL and ODBC */
void guard_output_item(struct guard *guard, const struct sql_node *node);
void guard_output_select(struct guard *guard); /* a SELECT ends: sets guard->output */
void guard_output_values(struct guard *guard, const struct sql_node *values);
/* A name of a list AS x(a, b). */
void guard_output_name(struct guard *guard, struct guard_output *names,
                       const struct token *name);
/* With the first of its columns called otherwise. */
const struct guard_output *guard_output_renamed(struct guard *guard,
                                                const struct guard_output *output,
                                                const struct guard_output *names);
/* Of a function in FROM; the alias may be NULL. */
const struct guard_output *guard_output_function(struct guard *guard,
                                                 const struct sql_node *call,
                                                 const struct token *alias);
/* All columns of the relations of the scope from the index on. */
const struct guard_output *guard_output_joined(struct guard *guard, size_t from);

/* guard_proof.c: a name with a dot is a column, and no call of a function */
enum guard_proof { PROOF_NONE, PROOF_OPEN, PROOF_KNOWN };
/* Is the name a column of the relation? OPEN: that is not known of any. */
enum guard_proof guard_proof(const struct guard *guard,
                             const struct guard_relation *relation,
                             const struct token *name, const struct texts **fields);
void guard_prove(struct guard *guard, struct guard_scope *scope,
                 const struct guard_reference *reference);
void guard_prove_field(struct guard *guard, struct guard_scope *scope,
                       const struct guard_reference *reference);

/* guard_type.c */
bool guard_type(struct guard *guard, const struct sql_node *type);
/* The same for a type in a text, as ClickHouse has it. */
bool guard_type_text(struct guard *guard, const struct sql_node *string);

/* guard_call.c */
bool guard_call(struct guard *guard, const struct sql_node *call, bool in_from);
/* The function is not allowed; says why. */
bool guard_call_refuse(struct guard *guard, const struct token *name, bool in_from);
bool guard_match(struct guard *guard, const struct sql_node *match); /* MATCH AGAINST */

/* guard_size.c: `outer` is the growth before the call */
const char *guard_text(const struct guard *guard, const struct sql_node *string);
bool guard_size_format(struct guard *guard, const struct token *name,
                       const struct sql_node *arguments);
/* No large numbers in the node, and nothing that makes them large. */
bool guard_size_bounds(struct guard *guard, const char *name, struct sql_node *node);
bool guard_size_arguments(struct guard *guard, const struct token *name,
                          const struct function *function,
                          const struct sql_node *arguments, double outer);

/* guard_shape.c */
bool guard_pivot(struct guard *guard, const struct sql_node *pivot); /* or UNPIVOT */
bool guard_json_table(struct guard *guard, const struct sql_node *table);

/* guard_own.c: refuses what could call a function of the database's own */
bool guard_own(struct guard *guard, const struct tokens *tokens);

/* guard_second.c: what only PostgreSQL's own parser can say; may refuse */
void guard_second(struct guard *guard, const char *sql, size_t offset);

/* guard_write.c */
bool guard_write(struct guard *guard, const struct sql_node *root);

/* guard_names.c */
void guard_scope_open(struct guard *guard, struct guard_scope *scope);
void guard_scope_close(struct guard *guard);
void guard_scope_relation(struct guard *guard, const struct guard_relation *relation);
/* All columns are read; of one relation, unless `of` is NULL. */
void guard_scope_star(struct guard *guard, const char *of);
void guard_scope_alias(struct guard *guard, const char *alias);
/* The relation that columns call so; NULL: none. */
const struct guard_relation *guard_scope_named(const struct guard_scope *scope,
                                               const char *alias);
void guard_reference(struct guard *guard, const struct sql_node *column);
void guard_reference_name(struct guard *guard, const struct sql_node *name); /* a NAME */
/* Notes that this field of the column is used; false: there is no such reference. */
bool guard_reference_field(struct guard *guard, const struct sql_node *column,
                           const char *field);
void guard_reference_called(struct guard *guard); /* the last one has a call behind it */
/* Hands a reference that means nothing here to the SELECT around this one. */
void guard_reference_pass_up(struct guard *guard, const struct guard_scope *scope,
                             const struct guard_reference *reference, const char *table);
void guard_reference_refuse(struct guard *guard, const struct guard_reference *reference,
                            const char *reason);
void guard_reference_unknown(struct guard *guard, const struct guard_scope *scope,
                             const struct guard_reference *reference,
                             const struct guard_relation *relation);
void guard_column_noted(struct guard *guard, const char *table, const char *column);
bool guard_is_pseudo_column(const struct guard *guard, const char *name);

/* guard_cte.c */
/* Names no table: a CTE, or in BigQuery an array of a table before it (FROM t, t.items).
 */
bool guard_is_derived(const struct guard *guard, const struct token *const *parts,
                      size_t count);
/* ClickHouse: a value that WITH gives the name; or NULL. */
const struct guard_cte *guard_value_named(const struct guard *guard,
                                          const struct token *name);
const struct guard_cte *guard_cte_named(const struct guard *guard,
                                        const struct token *name);

/* guard_table.c */
bool guard_table(struct guard *guard, const struct token *const *parts, size_t count,
                 const struct table **table, const char **name);

#endif
