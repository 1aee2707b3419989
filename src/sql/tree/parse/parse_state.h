/*
 * Inside of the reader: what its files share. One function per part of the grammar takes
 * tokens from left to right and returns a node, or NULL after an error; callers hand NULL
 * up at once, so the first error stands.
 */
#ifndef DGM_SQL_TREE_PARSE_STATE_H
#define DGM_SQL_TREE_PARSE_STATE_H

#include "base/arena.h"
#include "sql/lexer.h"
#include "sql/tree/parse/parse.h"

enum {
    PARSE_MAX_BYTES = 1 << 20,
    PARSE_MAX_TOKENS = 50000,
    PARSE_MAX_DEPTH = 600,
    PARSE_MAX_CHAIN = 12000, /* operators, set operations or joins on one level */
};

/*
 * One statement while it is parsed: `at` is the next token. Depth and number of tokens
 * are bounded, because the text comes from outside.
 */
struct parse {
    struct arena *arena;
    enum dialect dialect;
    char letter; /* of the dialect, as in functions.def */
    const char *sql;
    struct sql_parsed *out;
    const struct token *at;
    const struct token *half_closed; /* a `>>` of which one half is used */
    int depth;
    int no_in;  /* > 0: IN is a word of a call, as in position(x IN y) */
    int arrays; /* > 0: inside ARRAY[…], where plain brackets nest */
};

/* parse.c */
struct sql_node *parse_fail(struct parse *parse, const struct token *token,
                            const char *reason);
/* The same, for what is no SQL at all. */
struct sql_node *parse_malformed(struct parse *parse, const struct token *token,
                                 const char *reason);
struct sql_node *parse_unexpected(struct parse *parse); /* at the current token */
bool parse_enter(struct parse *parse);                  /* undo with depth-- */
/* What hangs on a value may be printed inside of a call and parentheses: two levels. The
 * one who began the value sets the depth back. */
bool parse_hang(struct parse *parse);
/* One more on this level. Walks go down the left side of a chain, one call each. */
bool parse_chain(struct parse *parse, size_t *length);
bool parse_dialect(const struct parse *parse, const char *letters);
bool parse_at(const struct parse *parse, enum keyword keyword);
bool parse_next_is(const struct parse *parse, enum keyword keyword);
bool parse_take(struct parse *parse, enum keyword keyword);
bool parse_at_char(const struct parse *parse, char c);
bool parse_next_char(const struct parse *parse, char c);
bool parse_take_char(struct parse *parse, char c);
bool parse_expect_char(struct parse *parse, char c);
bool parse_at_text(const struct parse *parse, const char *word);
bool parse_take_text(struct parse *parse, const char *word);
bool parse_at_name(const struct parse *parse); /* a quoted name or an unreserved word */
/* A node that begins at the token `from`; parse_end() sets its end to what was read. */
struct sql_node *parse_node(struct parse *parse, enum sql_kind kind, const char *text,
                            const struct token *from);
struct sql_node *parse_end(const struct parse *parse, struct sql_node *node);
struct sql_node *parse_name(struct parse *parse); /* one NAME; takes the token as it is */
struct sql_node *parse_names(struct parse *parse); /* ( a, b ) */
/* Can a text be written as a name? No name is empty or has lines. */
bool parse_text_names(const struct token *token);
const char *parse_upper(struct parse *parse, const char *text);
/* LIST of what `one` reads, separated by commas. */
struct sql_node *parse_list(struct parse *parse,
                            struct sql_node *(*one)(struct parse *parse));

/* parse_query.c */
bool parse_at_query(const struct parse *parse);
struct sql_node *parse_query(struct parse *parse);
/* What is left of a query whose first term, in parentheses, was read already. */
struct sql_node *parse_query_more(struct parse *parse, struct sql_node *first);
bool parse_at_query_more(const struct parse *parse);
struct sql_node *parse_order_by(struct parse *parse); /* after ORDER */

/* parse_select.c */
struct sql_node *parse_select(struct parse *parse);
struct sql_node *parse_star(struct parse *parse, struct sql_node *of); /* at the star */

/* parse_from.c */
struct sql_node *parse_from(struct parse *parse); /* after FROM */
bool parse_at_alias(const struct parse *parse);

/* parse_relation.c */
struct sql_node *parse_table(struct parse *parse, bool target);
/* A relation behind IN, where no alias can stand. */
struct sql_node *parse_set(struct parse *parse);
/* [AS] alias [(columns)]; *alias stays NULL when there is none. False after an error. */
bool parse_relation_alias(struct parse *parse, struct sql_node **alias, bool function);
/* TABLESAMPLE and its like, if any. False after an error. */
bool parse_sample(struct parse *parse, struct sql_node **out, unsigned *flags);

/* parse_shape.c */
struct sql_node *parse_pivots(struct parse *parse, struct sql_node *source);
struct sql_node *parse_json_table(struct parse *parse);

/* parse_expression.c */
struct sql_node *parse_expression(struct parse *parse);
struct sql_node *parse_expressions(struct parse *parse); /* LIST */
struct sql_node *parse_operators(struct parse *parse, int least);
/* The right side of a comparison: also ANY (…), ALL (…). */
struct sql_node *parse_compared(struct parse *parse, int least);
/* How tightly what follows binds to the value on its left; 0: nothing follows. */
int parse_link_strength(const struct parse *parse);

/* parse_postfix.c */
struct sql_node *parse_postfixes(struct parse *parse, struct sql_node *value);
struct sql_node *parse_collate(struct parse *parse, struct sql_node *value);

/* parse_compare.c */
/* Is there a comparison in words here, and how tightly does it bind? */
int parse_word_strength(const struct parse *parse);
struct sql_node *parse_compare(struct parse *parse, struct sql_node *left);

/* parse_operand.c */
struct sql_node *parse_operand(struct parse *parse);
struct sql_node *parse_parentheses(struct parse *parse);
struct sql_node *parse_string(struct parse *parse);
/* Is this a word that names no column and no table, such as QUALIFY in DuckDB? */
bool parse_names_nothing(const struct parse *parse);
/* May the word before this parenthesis be called as x.name( … )? */
bool parse_at_method(const struct parse *parse, const struct token *name);

/* parse_form.c */
struct sql_node *parse_case(struct parse *parse);
struct sql_node *parse_cast(struct parse *parse);
struct sql_node *parse_convert(struct parse *parse);
struct sql_node *parse_exists(struct parse *parse);
struct sql_node *parse_extract(struct parse *parse);
bool parse_at_interval(const struct parse *parse);
struct sql_node *parse_interval(struct parse *parse);

/* parse_collection.c */
struct sql_node *parse_list_literal(struct parse *parse);
struct sql_node *parse_braces(struct parse *parse, const struct token *from, bool map);
struct sql_node *parse_array(struct parse *parse);
struct sql_node *parse_row(struct parse *parse);
struct sql_node *parse_lambda(struct parse *parse);

/* parse_call.c: at the opening parenthesis */
struct sql_node *parse_call(struct parse *parse, const struct token *name,
                            struct sql_node *first);
struct sql_node *parse_window(struct parse *parse);

/* parse_type.c */
struct sql_node *parse_type(struct parse *parse);

/* parse_write.c */
struct sql_node *parse_write(struct parse *parse);

#endif
