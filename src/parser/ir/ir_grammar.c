/* The automaton: a table of rules, and a stack of what is still to come. */
#include "parser/ir/ir_grammar.h"

#include <string.h>

/*
 * Symbols above the tokens. Expressions come in three kinds, because SQL allows
 * aggregates in some places and windows in fewer: ROW (neither), SET (aggregates), ANY
 * (both).
 */
enum symbol {
    QUERY = 160,
    DISTINCT_MAYBE,
    ITEM,
    ITEMS,
    FROM_WHAT,
    SOURCE,
    SOURCES,
    COPY_MAYBE,
    JOINS,
    WHERE_MAYBE,
    GROUP_MAYBE,
    ROWS,
    HAVING_MAYBE,
    ORDER_MAYBE,
    ORDERS,
    DIRECTION,
    LIMIT_MAYBE,
    OFFSET_MAYBE,
    PER_MAYBE,
    SET_MAYBE,
    COLUMN,
    VALUE,
    VALUES,
    LIST,
    PERIOD,
    SPAN,
    UNIT,
    ROW_THEN,
    ROW,
    ROW_ELSE,
    ROW_TEST,
    ROW_PRED,
    ROW_COND,
    ROW_MORE,
    SET,
    SET_ELSE,
    SET_TEST,
    SET_PRED,
    SET_COND,
    SET_MORE,
    ANY,
    ANY_ELSE,
    SYMBOL_END
};

_Static_assert(IR_CLASS_COUNT <= 192, "a set of tokens holds 192 bits");
_Static_assert((int)IR_CLASS_COUNT <= (int)QUERY, "tokens and symbols share one space");

enum { BODY_MAX = 16 };

/* Up to BODY_MAX symbols; the rest is 0, which no rule uses (it is IR_PAD). */
struct rule {
    uint8_t symbol;
    uint8_t body[BODY_MAX];
};

#define UNARY(E, word)                                                                   \
    {                                                                                    \
        E,                                                                               \
        {                                                                                \
            word, E                                                                      \
        }                                                                                \
    }
#define BINARY(E, word)                                                                  \
    {                                                                                    \
        E,                                                                               \
        {                                                                                \
            word, E, E                                                                   \
        }                                                                                \
    }

/* What every kind of expression can be made of. */
#define EXPRESSION(E)                                                                    \
    {E, {IR_CLASS_COLUMN}}, {E, {IR_SECOND, IR_CLASS_COLUMN}}, {E, {IR_OUTER, COLUMN}},  \
        {E, {IR_ITEM1}}, {E, {IR_ITEM2}}, {E, {IR_ITEM3}}, {E, {VALUE}}, {E, {IR_NOW}},  \
        {E, {IR_OPEN, QUERY, IR_CLOSE}}, BINARY(E, IR_PLUS), BINARY(E, IR_MINUS),        \
        BINARY(E, IR_TIMES), BINARY(E, IR_DIVIDE), BINARY(E, IR_RATIO),                  \
        BINARY(E, IR_PERCENT), BINARY(E, IR_CONCAT), BINARY(E, IR_YEARS),                \
        BINARY(E, IR_MONTHS), BINARY(E, IR_DAYS), BINARY(E, IR_HOURS),                   \
        UNARY(E, IR_ROUND), UNARY(E, IR_ROUND0), UNARY(E, IR_ABS), UNARY(E, IR_LENGTH),  \
        UNARY(E, IR_OR_ZERO), UNARY(E, IR_YEAR), UNARY(E, IR_QUARTER),                   \
        UNARY(E, IR_MONTH), UNARY(E, IR_WEEK), UNARY(E, IR_DAY),                         \
        UNARY(E, IR_QUARTER_OF), UNARY(E, IR_MONTH_OF), UNARY(E, IR_DAY_OF),             \
        UNARY(E, IR_WEEKDAY_OF), UNARY(E, IR_HOUR_OF), {E, {IR_SHIFT, E, E, UNIT}},      \
        {E, {IR_EARLIEST, IR_CLASS_COLUMN, IR_CLASS_COLUMN}},                            \
        {E, {IR_LATEST, IR_CLASS_COLUMN, IR_CLASS_COLUMN}},                              \
        {E, {IR_PRIOR, IR_CLASS_COLUMN, IR_CLASS_COLUMN}}, {E, {IR_LEFT_OF, E, VALUE}},  \
        {E, {IR_RIGHT_OF, E, VALUE}}, {E, {IR_BEFORE_SIGN, E, VALUE}},                   \
        {E, {IR_AFTER_SIGN, E, VALUE}},                                                  \
    {                                                                                    \
        E,                                                                               \
        {                                                                                \
            IR_BUCKET, E, VALUE, VALUES                                                  \
        }                                                                                \
    }

#define AGGREGATES(E)                                                                    \
    {E, {IR_COUNT, ROW_THEN}}, {E, {IR_COUNT_DISTINCT, ROW}}, {E, {IR_SUM, ROW}},        \
        {E, {IR_AVG, ROW}}, {E, {IR_MIN, ROW}}, {E, {IR_MEDIAN, ROW}},                   \
        {E, {IR_PERCENTILE, ROW, VALUE}}, {E, {IR_DEVIATION, ROW}},                      \
        {E, {IR_VARIANCE, ROW}},                                                         \
    {                                                                                    \
        E,                                                                               \
        {                                                                                \
            IR_MAX, ROW                                                                  \
        }                                                                                \
    }

#define CONDITION(E, COND, MORE, PRED, TEST)                                             \
    {COND, {PRED, MORE}}, {MORE, {IR_AND, PRED, MORE}}, {MORE, {IR_OR, PRED, MORE}},     \
        {MORE, {0}}, {PRED, {IR_BRACKET, COND, IR_BRACKET_END}},                         \
        {PRED, {IR_NOT, IR_BRACKET, COND, IR_BRACKET_END}},                              \
        {PRED, {IR_EXISTS, IR_OPEN, QUERY, IR_CLOSE}}, {PRED, {E, TEST}},                \
        {TEST, {IR_EQUAL, E}}, {TEST, {IR_UNEQUAL, E}}, {TEST, {IR_LESS, E}},            \
        {TEST, {IR_GREATER, E}}, {TEST, {IR_AT_MOST, E}}, {TEST, {IR_AT_LEAST, E}},      \
        {TEST, {IR_IN, LIST}}, {TEST, {IR_NOT_IN, LIST}}, {TEST, {IR_BETWEEN, E, E}},    \
        {TEST, {IR_IS_NULL}}, {TEST, {IR_NOT_NULL}}, {TEST, {IR_CONTAINS, VALUE}},       \
        {TEST, {IR_STARTS, VALUE}}, {TEST, {IR_ENDS, VALUE}},                            \
        {TEST, {IR_MATCHES, VALUE}}, {TEST, {IR_NOT_CONTAINS, VALUE}},                   \
        {TEST, {IR_DURING, PERIOD}}, {TEST, {IR_SINCE, PERIOD}},                         \
        {TEST, {IR_BEFORE, PERIOD}}, {TEST, {IR_AFTER, PERIOD}},                         \
    {                                                                                    \
        TEST,                                                                            \
        {                                                                                \
            IR_UNTIL, PERIOD                                                             \
        }                                                                                \
    }

/* clang-format off */
/* No two rules of a symbol may begin with the same token (a test looks at that). */
static const struct rule rules[] = {
    {QUERY, {IR_SELECT, DISTINCT_MAYBE, ITEM, ITEMS, IR_FROM, FROM_WHAT, WHERE_MAYBE,
             GROUP_MAYBE, HAVING_MAYBE, ORDER_MAYBE, SET_MAYBE}},
    {DISTINCT_MAYBE, {IR_DISTINCT}},
    {DISTINCT_MAYBE, {0}},
    {ITEM, {ANY}},
    {ITEM, {IR_CLASS_STAR}},
    {ITEM, {IR_CLASS_TABLE}},
    {ITEMS, {ITEM, ITEMS}},
    {ITEMS, {0}},
    {FROM_WHAT, {IR_OPEN, QUERY, IR_CLOSE}},
    {FROM_WHAT, {SOURCE, SOURCES}},
    {SOURCES, {SOURCE, SOURCES}},
    {SOURCES, {0}},
    {SOURCE, {IR_LEFT, COPY_MAYBE, IR_CLASS_TABLE, JOINS}},
    {SOURCE, {IR_SECOND, IR_CLASS_TABLE, JOINS}},
    {SOURCE, {IR_CLASS_TABLE, JOINS}},
    {COPY_MAYBE, {IR_SECOND}},
    {COPY_MAYBE, {0}},
    {JOINS, {IR_VIA, COLUMN, JOINS}},
    {JOINS, {IR_ON, COLUMN, COLUMN, JOINS}},
    {JOINS, {IR_WITH, IR_BRACKET, ROW_COND, IR_BRACKET_END, JOINS}},
    {JOINS, {0}},
    {WHERE_MAYBE, {IR_WHERE, ROW_COND}},
    {WHERE_MAYBE, {0}},
    {GROUP_MAYBE, {IR_GROUP, ROW, ROWS}},
    {GROUP_MAYBE, {0}},
    {ROWS, {ROW, ROWS}},
    {ROWS, {0}},
    {HAVING_MAYBE, {IR_HAVING, SET_COND}},
    {HAVING_MAYBE, {0}},
    {ORDER_MAYBE, {IR_ORDER, ANY, DIRECTION, ORDERS, LIMIT_MAYBE}},
    {ORDER_MAYBE, {IR_LIMIT1, OFFSET_MAYBE}},
    {ORDER_MAYBE, {IR_LIMIT, VALUE, OFFSET_MAYBE}},
    {ORDER_MAYBE, {0}},
    {ORDERS, {ANY, DIRECTION, ORDERS}},
    {ORDERS, {0}},
    {DIRECTION, {IR_ASC}},
    {DIRECTION, {IR_DESC}},
    {LIMIT_MAYBE, {IR_LIMIT1, OFFSET_MAYBE, PER_MAYBE}},
    {LIMIT_MAYBE, {IR_LIMIT, VALUE, OFFSET_MAYBE, PER_MAYBE}},
    {LIMIT_MAYBE, {0}},
    {OFFSET_MAYBE, {IR_OFFSET, VALUE}},
    {OFFSET_MAYBE, {0}},
    {PER_MAYBE, {IR_PER, ROW, ROWS}},
    {PER_MAYBE, {0}},
    {SET_MAYBE, {IR_INTERSECT, QUERY}},
    {SET_MAYBE, {IR_UNION, QUERY}},
    {SET_MAYBE, {IR_UNION_ALL, QUERY}},
    {SET_MAYBE, {IR_EXCEPT, QUERY}},
    {SET_MAYBE, {0}},
    {COLUMN, {IR_CLASS_COLUMN}},
    {COLUMN, {IR_SECOND, IR_CLASS_COLUMN}},
    {VALUE, {IR_CLASS_VALUE}},
    {VALUE, {IR_CLASS_FIXED}},
    {VALUES, {VALUE, VALUES}},
    {VALUES, {0}},
    {LIST, {IR_OPEN, QUERY, IR_CLOSE}},
    {LIST, {VALUE, VALUES}},
    {PERIOD, {VALUE}},
    {PERIOD, {IR_THIS, UNIT}},
    {PERIOD, {IR_LAST, SPAN}},
    {PERIOD, {IR_NEXT, SPAN}},
    {PERIOD, {IR_AGO, VALUE, UNIT}},
    {SPAN, {VALUE, UNIT}},
    {SPAN, {UNIT}},
    {UNIT, {IR_UNIT_DAY}},
    {UNIT, {IR_UNIT_WEEK}},
    {UNIT, {IR_UNIT_MONTH}},
    {UNIT, {IR_UNIT_QUARTER}},
    {UNIT, {IR_UNIT_YEAR}},
    {ROW_THEN, {IR_CLASS_STAR}},
    {ROW_THEN, {ROW}},
    EXPRESSION(ROW),
    {ROW, {IR_IF, ROW_COND, IR_THEN, ROW_THEN, ROW_ELSE}},
    {ROW_ELSE, {IR_ELSE, ROW}},
    {ROW_ELSE, {0}},
    CONDITION(ROW, ROW_COND, ROW_MORE, ROW_PRED, ROW_TEST),
    EXPRESSION(SET),
    AGGREGATES(SET),
    {SET, {IR_IF, SET_COND, IR_THEN, SET, SET_ELSE}},
    {SET_ELSE, {IR_ELSE, SET}},
    {SET_ELSE, {0}},
    CONDITION(SET, SET_COND, SET_MORE, SET_PRED, SET_TEST),
    EXPRESSION(ANY),
    AGGREGATES(ANY),
    {ANY, {IR_IF, SET_COND, IR_THEN, ANY, ANY_ELSE}},
    {ANY_ELSE, {IR_ELSE, ANY}},
    {ANY_ELSE, {0}},
    {ANY, {IR_SHARE, SET}},
    {ANY, {IR_PREVIOUS, SET}},
    {ANY, {IR_CHANGE, SET}},
    {ANY, {IR_GROWTH, SET}},
    {ANY, {IR_RUNNING, SET}},
    {ANY, {IR_RANK, SET}},
    {ANY, {IR_MOVING, SET, VALUE}},
    {ANY, {IR_CUMULATIVE, SET}},
    {ANY, {IR_YEAR_AGO, SET}},
    {ANY, {IR_YEAR_CHANGE, SET}},
    {ANY, {IR_YEAR_GROWTH, SET}},
};
/* clang-format on */

enum { RULE_COUNT = sizeof rules / sizeof *rules };

static void set_add(struct ir_set *set, int place)
{
    set->bits[place / 64] |= (uint64_t)1 << (place % 64);
}

static void set_drop(struct ir_set *set, int place)
{
    set->bits[place / 64] &= ~((uint64_t)1 << (place % 64));
}

bool ir_set_has(const struct ir_set *set, int place)
{
    return place >= 0 && place < IR_CLASS_COUNT &&
           (set->bits[place / 64] >> (place % 64) & 1) != 0;
}

/* Adds what the symbol may begin with. True when it may also be nothing at all. The rules
 * have no left recursion, so this ends. */
static bool first_of(uint8_t symbol, struct ir_set *set)
{
    if (symbol < IR_CLASS_COUNT) {
        set_add(set, symbol);
        return false;
    }
    bool nothing = false;
    for (int i = 0; i < RULE_COUNT; i++) {
        if (rules[i].symbol != symbol) {
            continue;
        }
        int at = 0;
        while (at < BODY_MAX && rules[i].body[at] && first_of(rules[i].body[at], set)) {
            at++;
        }
        nothing = nothing || at == BODY_MAX || !rules[i].body[at];
    }
    return nothing;
}

void ir_state_init(struct ir_state *state)
{
    *state = (struct ir_state){.depth = 1};
    state->stack[0] = QUERY;
}

void ir_state_allowed(const struct ir_state *state, struct ir_set *set)
{
    *set = (struct ir_set){{0}};
    if (state->failed || state->done || state->length >= IR_TOKENS_MAX) {
        return;
    }
    int depth = state->depth;
    while (depth > 0 && first_of(state->stack[depth - 1], set)) {
        depth--;
    }
    if (depth == 0) {
        set_add(set, IR_END);
    }
    if (state->nested + 1 >= IR_QUERIES_MAX) {
        set_drop(set, IR_OPEN);
        set_drop(set, IR_EXISTS);
    }
    if (state->nested == 0) {
        set_drop(set, IR_OUTER);
    }
}

int ir_class_of(struct ir_token token)
{
    switch (token.kind) {
    case IR_KEYWORD:
        return token.index > IR_PAD && token.index < IR_KEYWORD_COUNT ? token.index : -1;
    case IR_FIXED:
        return token.index >= 0 && token.index < IR_FIXED_COUNT ? IR_CLASS_FIXED : -1;
    case IR_VALUE:
        return IR_CLASS_VALUE;
    case IR_TABLE:
        return IR_CLASS_TABLE;
    case IR_COLUMN:
        return token.index == 0 ? IR_CLASS_STAR : IR_CLASS_COLUMN;
    }
    return -1;
}

/* Replaces the symbol on top by the body of the rule that begins with the token. */
static bool state_expand(struct ir_state *state, int place)
{
    uint8_t symbol = state->stack[--state->depth];
    for (int i = 0; i < RULE_COUNT; i++) {
        struct ir_set set = {{0}};
        if (rules[i].symbol != symbol || !rules[i].body[0]) {
            continue;
        }
        first_of(rules[i].body[0], &set); /* no rule begins with what may be nothing */
        if (!ir_set_has(&set, place)) {
            continue;
        }
        int size = 0;
        while (size < BODY_MAX && rules[i].body[size]) {
            size++;
        }
        if (state->depth + size > IR_STACK_MAX) {
            return false;
        }
        while (size > 0) {
            state->stack[state->depth++] = rules[i].body[--size];
        }
        return true;
    }
    return true; /* the symbol is nothing here */
}

bool ir_state_take(struct ir_state *state, struct ir_token token)
{
    struct ir_set set;
    int place = ir_class_of(token);
    ir_state_allowed(state, &set);
    if (!ir_set_has(&set, place)) {
        state->failed = true;
        return false;
    }
    if (place == IR_END) {
        state->done = true;
        return true;
    }
    while (state->stack[state->depth - 1] >= IR_CLASS_COUNT) {
        if (!state_expand(state, place)) {
            state->failed = true;
            return false;
        }
    }
    state->depth--;
    state->length++;
    state->nested = (uint8_t)(state->nested + (place == IR_OPEN) - (place == IR_CLOSE));
    return true;
}

bool ir_state_at_item(const struct ir_state *state)
{
    int depth = state->depth;
    while (depth > 0 && state->stack[depth - 1] == DISTINCT_MAYBE) {
        depth--;
    }
    return state->nested == 0 && depth > 0 &&
           (state->stack[depth - 1] == ITEM || state->stack[depth - 1] == ITEMS);
}

bool ir_state_done(const struct ir_state *state)
{
    return state->done && !state->failed;
}
