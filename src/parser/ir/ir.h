/*
 * The intermediate query language (IR) of the built-in parser: short sequences of
 * keywords and of pointers to values, tables and columns. The network generates it,
 * rebuild.h converts it to SQL, and sql_to_ir.h converts training SQL to it. It has no
 * join conditions, aliases or dialects, so there is little that a network can get wrong.
 */
#ifndef DGM_PARSER_IR_H
#define DGM_PARSER_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;

enum ir_keyword {
#define KEYWORD(name, text) IR_##name,
#include "parser/ir/ir.def"
#undef KEYWORD
    IR_KEYWORD_COUNT
};

enum { IR_KEYWORDS_FIRST = IR_MEDIAN }; /* that the first weights know */

enum ir_fixed {
#define FIXED(name, text, is_text) IR_FIXED_##name,
#include "parser/ir/fixed.def"
#undef FIXED
    IR_FIXED_COUNT
};

enum ir_kind {
    IR_KEYWORD, /* index: enum ir_keyword */
    IR_FIXED,   /* index: enum ir_fixed */
    IR_VALUE,   /* index of a value candidate of the question */
    IR_TABLE,
    IR_COLUMN, /* 0 is `*` */
};

struct ir_token {
    enum ir_kind kind;
    int index;
};

/* A query without BEGIN and END. */
struct ir_tokens {
    struct ir_token *items;
    size_t count;
    size_t capacity;
};

enum {
    IR_TOKENS_MAX = 160, /* longer ones are refused everywhere */
    IR_QUERIES_MAX = 5,  /* queries within queries */
};

/*
 * A value a token may point at. `text` has no quotes; a period of time is written
 * 2024, 2024-Q1, 2024-03 or 2024-03-15, and --03 or --Q1 where the question names no
 * year. A part of one is written by its first and last day: 2024-03-22/2024-03-31.
 */
struct ir_value {
    const char *text;
    bool is_text; /* false: a number, written as it stands */
    const char
        *said; /* the words in the question, if `text` is a similar cell; or NULL */
};

struct ir_values {
    struct ir_value *items;
    size_t count;
    size_t capacity;
};

const char *ir_keyword_text(int keyword);             /* "" for none */
bool ir_keyword_find(const char *text, int *keyword); /* exact */
const struct ir_value *ir_fixed_get(int fixed);       /* NULL for none */

struct ir_token ir_word(enum ir_keyword keyword);
bool ir_is(struct ir_token token, enum ir_keyword keyword);

struct ir_schema;
/* For people and tests: `select orders.id from orders where orders.total > "5"`. */
void ir_print(struct buf *out, const struct ir_tokens *tokens,
              const struct ir_schema *schema, const struct ir_values *values);

#endif
