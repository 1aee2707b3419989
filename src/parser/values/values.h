/*
 * Candidates for the values in a question: cells of the database (with their exact
 * spelling), numbers, periods of time, quoted and capitalized text. The network chooses
 * among them.
 */
#ifndef DGM_PARSER_VALUES_H
#define DGM_PARSER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/ir/ir.h"

struct arena;
struct ir_schema;
struct lexicon;
struct map;
struct tokens;
struct value_index;

enum { VALUES_MAX = 24, VALUES_BEFORE_MAX = 8 };

/* How a candidate was found, the order in which they are listed. */
enum candidate_kind {
    CANDIDATE_CELL,   /* words of the question are a cell */
    CANDIDATE_ALIAS,  /* so is what they stand for: "german", Germany */
    CANDIDATE_NEAR,   /* a cell with a typing error */
    CANDIDATE_PART,   /* some words of a few cells */
    CANDIDATE_NUMBER, /* digits as they stand */
    CANDIDATE_SCALED, /* 5k is 5000, 20 % is 0.2 */
    CANDIDATE_WORD_NUMBER,
    CANDIDATE_PERIOD,
    CANDIDATE_QUOTED,
    CANDIDATE_NAME,   /* capitals */
    CANDIDATE_CODE,   /* AB-12, a@b.c: signs, letters and digits without a blank */
    CANDIDATE_MARKED, /* after "called", "contains", "starts with" */
    CANDIDATE_LETTER,
    CANDIDATE_UNKNOWN, /* a word that is in no dictionary */
    CANDIDATE_INSIDE,  /* a word that is inside of cells */
    CANDIDATE_BEFORE,  /* a literal of the query before; no words of the question */
    CANDIDATE_KINDS
};

struct candidate {
    struct ir_value value;
    enum candidate_kind kind;
    uint16_t first; /* token */
    uint16_t end;   /* token after the last */
    int *columns;   /* that hold it as a cell, ascending numbers of the IR's schema */
    size_t column_count;
    size_t column_capacity;
};

struct candidates {
    struct candidate *items;
    size_t count; /* at most VALUES_MAX, and VALUES_BEFORE_MAX of the query before */
    size_t capacity;
};

struct values_request {
    const struct tokens *tokens;
    const struct ir_schema *schema;
    const struct value_index *index; /* or NULL */
    const struct lexicon *lexicon;
    const struct map *words; /* words of the schema, which are never typing errors */
};

/* In the arena; the same for the same input. */
void values_find(struct arena *arena, const struct values_request *request,
                 struct candidates *out);
/* A word that a candidate's kind adds to its words, so that the network can tell 5 from
 * 5000 in "5k"; NULL when there is none. */
const char *values_kind_word(enum candidate_kind kind);

/* The IR's token for a literal of SQL: a candidate, a fixed literal, or unknown. */
struct ir_token values_token(const struct candidates *candidates, const char *literal,
                             bool is_text);
/* Likewise for a literal of the query before, which becomes a candidate where it is none;
 * `context` is a struct values_before. For sql_to_ir. */
struct values_before {
    struct arena *arena;
    struct candidates *candidates;
    size_t added;
};
struct ir_token values_token_before(void *context, const char *literal, bool is_text);
/* The value of a number word: "seven", "twenty", "hundred"; false when it is none. */
bool values_number_word(const char *word, long *value);

#endif
