/*
 * A query of the IR as a tree: between its tokens, SQL and English. Everything lives in
 * the arena it was read into.
 */
#ifndef DGM_PARSER_IR_TREE_H
#define DGM_PARSER_IR_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir.h"

struct arena;
struct err;
struct ir_schema;
struct ir_query;
struct ir_node;

struct ir_nodes {
    struct ir_node **items;
    size_t count;
    size_t capacity;
};

enum ir_node_kind {
    IR_NODE_TOKEN, /* a column, `*`, a table (all its columns), a value */
    IR_NODE_TEXT,  /* a literal not looked up yet: only on the way from SQL */
    IR_NODE_ITEM,  /* what the query in `from` selects */
    IR_NODE_CALL,  /* a keyword and what it works on */
    IR_NODE_QUERY,
};

/*
 * Conditions are calls too: AND and OR with two or more arguments, NOT with one, IN with
 * the left side and then either a query or the values, the periods as THIS(unit),
 * LAST(unit), LAST(value, unit), AGO(value, unit), SHIFT(date, number, unit), units as
 * calls without arguments.
 */
struct ir_node {
    enum ir_node_kind kind;
    struct ir_token token;
    bool second; /* column of the second copy of its table */
    bool outer;  /* column of the query around */
    int item;    /* from 1 */
    const char *text;
    bool is_text;
    enum ir_keyword keyword;
    struct ir_nodes args;
    struct ir_query *query;
};

/* `via a`, or `on a b` */
struct ir_join {
    struct ir_node *a;
    struct ir_node *b; /* NULL for via */
};

/* A table in FROM with the conditions that join it to those before it. */
struct ir_source {
    int table;
    bool second;
    bool left;
    struct ir_node *with; /* rows of it that do not fulfil this are not joined; or NULL */
    struct {
        struct ir_join *items;
        size_t count;
        size_t capacity;
    } joins;
};

struct ir_order {
    struct ir_node *node;
    bool descending;
};

/*
 * One SELECT of the IR, possibly with a second one after UNION, INTERSECT or EXCEPT. Its
 * rows come either from `from` or from `sources`, never from both.
 */
struct ir_query {
    bool distinct;
    struct ir_nodes select;
    struct ir_query *from; /* a query instead of tables */
    struct {
        struct ir_source *items;
        size_t count;
        size_t capacity;
    } sources;
    struct ir_node *where;
    struct ir_nodes group;
    struct ir_node *having;
    struct {
        struct ir_order *items;
        size_t count;
        size_t capacity;
    } order;
    struct ir_node *limit; /* a value, or the token LIMIT1 as IR_FIXED_ONE */
    struct ir_node *offset;
    struct ir_nodes per;
    enum ir_keyword set; /* UNION and so on; IR_PAD: none */
    struct ir_query *set_query;
};

struct ir_node *ir_node_token(struct arena *arena, struct ir_token token);
struct ir_node *ir_node_column(struct arena *arena, int column, bool second);
struct ir_node *ir_node_text(struct arena *arena, const char *text, bool is_text);
struct ir_node *ir_node_item(struct arena *arena, int item);
struct ir_node *ir_node_query(struct arena *arena, struct ir_query *query);
/* Arguments that are NULL are left out. */
struct ir_node *ir_node_call(struct arena *arena, enum ir_keyword keyword,
                             struct ir_node *a, struct ir_node *b);

bool ir_node_is(const struct ir_node *node, enum ir_keyword keyword); /* NULL is not */
bool ir_node_is_column(const struct ir_node *node);                   /* not `*` */
bool ir_node_is_star(const struct ir_node *node);
bool ir_node_is_value(const struct ir_node *node);
/* `ratio days A B 7` */
bool ir_node_is_weeks(const struct ir_node *node);
bool ir_node_same(const struct ir_node *a, const struct ir_node *b);
bool ir_query_same(const struct ir_query *a, const struct ir_query *b);
bool ir_is_aggregate(enum ir_keyword keyword);
bool ir_is_window(enum ir_keyword keyword);
/* Is there an aggregate or window in it (not inside a query within)? */
bool ir_node_aggregates(const struct ir_node *node);
bool ir_node_windows(const struct ir_node *node);

/* Calls visit for the node and all below it, not inside queries. */
void ir_node_walk(struct ir_node *node,
                  void (*visit)(void *context, struct ir_node *node), void *context);
/* The same over all expressions and conditions of one query. */
void ir_query_walk(struct ir_query *query,
                   void (*visit)(void *context, struct ir_node *node), void *context);

/* Tokens to tree: shape by the automaton, then indices and meaning. */
bool ir_tree_read(struct arena *arena, const struct ir_tokens *tokens,
                  const struct ir_schema *schema, size_t value_count,
                  struct ir_query **query, struct err *err);
/* Tree to tokens; false when it does not fit IR_TOKENS_MAX or holds what has no token. */
bool ir_tree_write(struct arena *arena, const struct ir_query *query,
                   struct ir_tokens *tokens, struct err *err);

#endif
