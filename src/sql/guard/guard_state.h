/*
 * Inside of the guard: what its files share. The guard reads tokens from left to right
 * with one function per part of the grammar. Each returns false after a refusal, and
 * every caller hands that false up: so the first refusal stands.
 */
#ifndef DGM_SQL_GUARD_STATE_H
#define DGM_SQL_GUARD_STATE_H

#include "model/schema.h"
#include "sql/function.h"
#include "sql/guard.h"
#include "sql/lexer.h"

enum {
    GUARD_MAX_BYTES = 1 << 20,
    GUARD_MAX_TOKENS = 50000,
    GUARD_MAX_DEPTH = 200,       /* nesting; keeps the stack small */
    GUARD_MAX_COUNT = 1000,      /* repeat('x', n), lpad(x, n) */
    GUARD_MAX_SERIES = 10000000, /* generate_series(1, n) */
    GUARD_MAX_NAMES = 2000,    /* different names; lists of them are searched in a row */
    GUARD_MAX_RELATIONS = 500, /* in one FROM */
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
    bool star;                /* all columns here, or */
    const char *star_of;      /* those of this relation */
    const struct token *path; /* it is only this column; or NULL */
    size_t parts;             /* of its name */
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
    bool visible;
    bool value;   /* ClickHouse: WITH 5 AS n, which is no relation */
    bool renames; /* of such a value: it is a name alone, perhaps that of a table */
};

struct guard {
    struct arena *arena;
    enum dialect dialect;
    char letter; /* of the dialect, as in functions.def */
    const struct schema *schema;
    struct guard_result *out;
    const struct token *at;
    const struct token *query_close; /* the last ')' that closed a query */
    const struct token *half_closed; /* a `>>` of which one half is used */
    const char *text;                /* of the query, where tokens begin at 0 */
    const struct token *single;      /* the one operand of the last expression, or NULL */
    const struct guard_output *output; /* of the last query, or NULL */
    struct guard_scope *scope;
    struct guard_scope *closed; /* the last SELECT that ended */
    struct guard_cte *ctes;
    int depth;
    int unsure;    /* > 0: names here may come from somewhere we do not track */
    int calls;     /* > 0: inside the arguments of a function */
    int counted;   /* > 0: inside repeat() and its like */
    int loose_in;  /* > 0: inside position(x IN y) */
    int arrays;    /* > 0: inside ARRAY[…], where PostgreSQL nests plain brackets */
    double growth; /* how much longer the calls so far can make a text */
    int types;     /* how many types were looked up in the schema */
    const struct token *long_name; /* the first column named as a.b.c */
    bool missing;                  /* a table is not in the schema: refused at the end */
    bool flooded; /* more names than any honest query has: refused at the end */
};

/* guard.c */
bool guard_refuse(struct guard *guard, const struct token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool guard_unexpected(struct guard *guard); /* the current token has no place here */
bool guard_enter(struct guard *guard);      /* one level deeper; undo with depth-- */
static inline bool guard_dialect(const struct guard *guard, const char *letters)
{
    while (*letters && *letters != guard->letter) {
        letters++;
    }
    return *letters != '\0';
}
bool guard_at(const struct guard *guard, enum keyword keyword);
bool guard_next_is(const struct guard *guard, enum keyword keyword); /* the token after */
bool guard_take(struct guard *guard, enum keyword keyword);
bool guard_at_char(const struct guard *guard, char c);
bool guard_next_char(const struct guard *guard, char c);
bool guard_take_char(struct guard *guard, char c);
bool guard_expect_char(struct guard *guard, char c);
bool guard_at_text(const struct guard *guard, const char *word); /* any plain word */
bool guard_take_text(struct guard *guard, const char *word);
bool guard_at_name(const struct guard *guard); /* a quoted name or an unreserved word */
void guard_note(struct guard *guard, struct texts *list, const char *text); /* once */
void guard_miss(struct guard *guard, const struct guard_miss *miss);

/* guard_query.c */
bool guard_at_query(const struct guard *guard);
bool guard_query(struct guard *guard);
bool guard_query_more(struct guard *guard); /* UNION … after a query in parentheses */
bool guard_at_set_operation(const struct guard *guard);

/* guard_clause.c */
bool guard_select_list(struct guard *guard);            /* after SELECT */
bool guard_clauses(struct guard *guard, bool compound); /* compound: after UNION */
bool guard_tail(struct guard *guard); /* ORDER BY, LIMIT after a query in parentheses */
bool guard_order_by(struct guard *guard);     /* after ORDER */
bool guard_star_options(struct guard *guard); /* after a star */

/* guard_from.c */
bool guard_from(struct guard *guard); /* after FROM */
bool guard_at_alias(const struct guard *guard);
/* `names` may be NULL. */
bool guard_names_in_parentheses(struct guard *guard, bool with_types,
                                struct guard_output *names);

/* guard_relation.c */
struct guard_alias {
    const struct token *token; /* NULL: there is none */
    struct guard_output names; /* of the columns */
};
bool guard_relation(struct guard *guard, bool target); /* a named one, or a function */
bool guard_relation_set(struct guard *guard);          /* behind IN, without an alias */
/* [AS] alias [(columns)] */
bool guard_relation_alias(struct guard *guard, struct guard_alias *alias,
                          bool with_types);
bool guard_samples(struct guard *guard); /* TABLESAMPLE and its like, if any */
/* What stands in FROM without being a table. */
void guard_scope_derived(struct guard *guard, const struct guard_alias *alias,
                         const struct guard_output *output);

/* guard_expression.c */
bool guard_expression(struct guard *guard);
bool guard_expression_list(struct guard *guard);
bool guard_parentheses(struct guard *guard); /* ( query ) or ( expressions ) */

/* guard_operand.c */
bool guard_operand(struct guard *guard);

/* guard_field.c */
/* The current token is the dot of (value).field; the value begins at `base`. */
bool guard_field(struct guard *guard, const struct token *base);
/* How PostgreSQL stores the name: in lower case, unless it is quoted. */
const char *guard_folded(const struct guard *guard, const struct token *name);

/* guard_output.c: what the columns of a query are called; only for PostgreSQL and ODBC */
/* One item of a select list is read; `alias` is NULL without one. */
void guard_output_item(struct guard *guard, const struct token *start,
                       const struct token *end, const struct token *alias);
void guard_output_select(struct guard *guard); /* a SELECT ends: sets guard->output */
/* VALUES was read, its first row began at `row`. */
void guard_output_values(struct guard *guard, const struct token *row);
/* A name of a list AS x(a, b). */
void guard_output_name(struct guard *guard, struct guard_output *names,
                       const struct token *name);
/* With the first of its columns called otherwise. */
const struct guard_output *guard_output_renamed(struct guard *guard,
                                                const struct guard_output *output,
                                                const struct guard_output *names);
/* Of a function in FROM; its arguments begin at `from`, the alias may be NULL. */
const struct guard_output *guard_output_function(struct guard *guard,
                                                 const struct token *name,
                                                 const struct token *from,
                                                 const struct token *end,
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
bool guard_type(struct guard *guard);

/* guard_call.c */
bool guard_call(struct guard *guard, const struct token *name, bool in_from);
bool guard_method(struct guard *guard, const struct token *name); /* value.name(…) */
bool guard_window(struct guard *guard);                           /* ( … ) of OVER */

/* guard_size.c: `from` is the first argument, `outer` the growth before the call */
bool guard_size_format(struct guard *guard, const struct token *name);
/* No large numbers between `from` and `end`, and nothing that makes them large. */
bool guard_size_bounds(struct guard *guard, const struct token *name,
                       const struct token *from, const struct token *end);
bool guard_size_arguments(struct guard *guard, const struct token *name,
                          const struct function *function, const struct token *from,
                          double outer);

/* guard_shape.c */
bool guard_pivots(struct guard *guard);     /* PIVOT, UNPIVOT behind a relation, if any */
bool guard_json_table(struct guard *guard); /* the current token is the parenthesis */

/* guard_own.c: refuses what could call a function of the database's own */
bool guard_own(struct guard *guard, const struct tokens *tokens);

/* guard_second.c: what only PostgreSQL's own parser can say; may refuse */
void guard_second(struct guard *guard, const char *sql, size_t offset);

/* guard_write.c */
bool guard_write(struct guard *guard);

/* guard_names.c */
void guard_scope_open(struct guard *guard, struct guard_scope *scope);
void guard_scope_close(struct guard *guard);
void guard_scope_relation(struct guard *guard, const struct guard_relation *relation);
/* The star before the current token, in a list of what is selected. */
void guard_scope_star(struct guard *guard);
void guard_scope_alias(struct guard *guard, const char *alias);
void guard_reference(struct guard *guard, const struct token *const *parts, size_t count);
bool guard_reference_field(struct guard *guard, const struct token *name,
                           const char *field);    /* false: there is no such reference */
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
/* Names no table: a CTE, or in BigQuery an array of a table before it (FROM t, t.items).
 */
bool guard_is_derived(const struct guard *guard, const struct token *const *parts,
                      size_t count);
/* ClickHouse: a value that WITH gives a name, and nothing behind a dot; or NULL. */
const struct guard_cte *guard_value_named(const struct guard *guard,
                                          const struct token *name);
const struct guard_cte *guard_cte_named(const struct guard *guard,
                                        const struct token *name);

/* guard_table.c */
bool guard_table(struct guard *guard, const struct token *const *parts, size_t count,
                 const struct table **table, const char **name);

#endif
