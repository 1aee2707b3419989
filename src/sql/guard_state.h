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

struct guard_reference {
    const char *qualifier; /* or NULL */
    const char *name;
    const char *home; /* the one table of the SELECT it stands in, or NULL */
    size_t position;
    bool in_call;                 /* an argument: may be a unit such as MONTH */
    bool fielded;                 /* as in (name).f: must be no table */
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
    struct guard_relations relations;
    struct guard_references references;
    struct texts aliases;
    bool star;          /* of all relations here: SELECT * */
    struct texts stars; /* of the relations of these names: t.* */
};

struct guard_cte {
    struct guard_cte *outer;
    const struct token *name;
    bool visible;
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
    struct guard_scope *scope;
    struct guard_cte *ctes;
    int depth;
    int unsure;    /* > 0: names here may come from somewhere we do not track */
    int calls;     /* > 0: inside the arguments of a function */
    int counted;   /* > 0: inside repeat() and its like */
    int loose_in;  /* > 0: inside position(x IN y) */
    int arrays;    /* > 0: inside ARRAY[…], where PostgreSQL nests plain brackets */
    double growth; /* how much longer the calls so far can make a text */
    int types;     /* how many types were looked up in the schema */
    bool missing;  /* a table is not in the schema: refused at the end */
    bool flooded;  /* more names than any honest query has: refused at the end */
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
bool guard_relation(struct guard *guard,
                    bool target); /* one named relation or function */
bool guard_at_alias(const struct guard *guard);
bool guard_names_in_parentheses(struct guard *guard, bool with_types);

/* guard_expression.c */
bool guard_expression(struct guard *guard);
bool guard_expression_list(struct guard *guard);
bool guard_parentheses(struct guard *guard); /* ( query ) or ( expressions ) */

/* guard_operand.c */
bool guard_operand(struct guard *guard);

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

/* guard_second.c: what only PostgreSQL's own parser can say; may refuse */
void guard_second(struct guard *guard, const char *sql, size_t offset);

/* guard_write.c */
bool guard_write(struct guard *guard);

/* guard_names.c */
void guard_scope_open(struct guard *guard, struct guard_scope *scope);
void guard_scope_close(struct guard *guard);
void guard_scope_relation(struct guard *guard, const char *alias, const char *name,
                          const struct table *table);
/* The star before the current token, in a list of what is selected. */
void guard_scope_star(struct guard *guard);
void guard_scope_alias(struct guard *guard, const char *alias);
void guard_reference(struct guard *guard, const struct token *const *parts, size_t count);
void guard_reference_fielded(struct guard *guard, const struct token *name);
void guard_reference_called(struct guard *guard); /* the last one has a call behind it */
/* Names no table: a CTE, or in BigQuery an array of a table before it (FROM t, t.items).
 */
bool guard_is_derived(const struct guard *guard, const struct token *const *parts,
                      size_t count);

/* guard_table.c */
bool guard_table(struct guard *guard, const struct token *const *parts, size_t count,
                 const struct table **table, const char **name);

#endif
