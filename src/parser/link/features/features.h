/*
 * The network's input for a question and a schema: a sequence of items (words of the
 * question, value candidates, tables, columns, the conversation), each with its words and
 * type, and a relation for every pair. Training (dump.h) and answering use the same code.
 */
#ifndef DGM_PARSER_FEATURES_H
#define DGM_PARSER_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/link/relations.h"
#include "parser/words/tokens.h"
#include "parser/values/values.h"
#include "sql/dialect.h"

struct arena;
struct ir_schema;
struct lexicon;
struct linker;
struct value_index;

enum {
    FEATURE_WORDS = 5,            /* of one item; further ones are left out */
    FEATURE_TRIGRAMS = 10,        /* of one word, likewise */
    FEATURE_TRIGRAM_ROWS = 20000, /* ids are 1 to this, less one */
    FEATURE_SCHEMA_WHOLE = 170,   /* tables and columns; larger schemas are reduced */
    FEATURE_SCHEMA_MAX = 240,     /* what is left of them */
};

enum feature_type {
    FEATURE_QUESTION,
    FEATURE_TEXT_VALUE,
    FEATURE_NUMBER_VALUE,
    FEATURE_TABLE,
    FEATURE_TEXT_COLUMN, /* columns in the order of enum ir_type */
    FEATURE_NUMBER_COLUMN,
    FEATURE_TIME_COLUMN,
    FEATURE_BOOLEAN_COLUMN,
    FEATURE_OTHER_COLUMN,
    FEATURE_STAR,
    FEATURE_PADDING,
    FEATURE_TEXT_GAPS, /* columns that lack some values, in the same order */
    FEATURE_NUMBER_GAPS,
    FEATURE_TIME_GAPS,
    FEATURE_SAID,    /* a token of the query before */
    FEATURE_EARLIER, /* a word of the question before */
    FEATURE_OLDER,   /* and of the one before that */
    FEATURE_TYPES
};

struct feature_word {
    const char *text; /* folded */
    uint8_t trigram_count;
    uint16_t trigrams[FEATURE_TRIGRAMS];
};

struct feature_item {
    const struct feature_word *words[FEATURE_WORDS];
    uint8_t word_count;
    uint8_t type;
};

/* The relation between two items, one of them a word of the question or a value. Pairs
 * without one have the default relation. */
struct feature_relation {
    uint16_t row;
    uint16_t column;
    uint8_t code;
};

struct feature_relations {
    struct feature_relation *items;
    size_t count;
    size_t capacity;
};

struct features {
    struct tokens tokens;
    struct candidates values;
    struct selection selection; /* of the schema */
    struct feature_item *items; /* question, values, tables, columns, history */
    size_t count;
    size_t history;          /* items of what was said before: the last ones */
    struct ir_tokens before; /* the query before; none where it cannot be told */
    struct feature_relations relations;
    bool reduced; /* the schema is larger than the selection */
};

/* A schema prepared for questions: made once, then any thread may use it. */
struct feature_schema;

/* In the arena; the schema must outlive it. */
struct feature_schema *feature_schema_new(struct arena *arena,
                                          const struct ir_schema *schema);
const struct ir_schema *feature_schema_get(const struct feature_schema *schema);
const struct lexicon *feature_schema_lexicon(const struct feature_schema *schema);
const struct linker *feature_schema_linker(const struct feature_schema *schema);

/* In the arena. The same for the same question, schema and values. index may be NULL. */
void features_build(struct arena *arena, const struct feature_schema *schema,
                    const struct value_index *index, const char *question,
                    struct features *out);
/* Parts of it, for callers that need no more: the words of the question as they are read
 * (`words` is what tokens_split() gives), and the values that these words may mean. */
void features_words(struct arena *arena, const struct feature_schema *schema,
                    const struct value_index *index, const char *question,
                    const struct tokens *words, struct tokens *out);
void features_values(struct arena *arena, const struct feature_schema *schema,
                     const struct value_index *index, const struct tokens *words,
                     struct candidates *out);
/* What was said before a question. */
struct feature_history {
    const char *question; /* the one before */
    const char *sql;      /* its answer; or NULL */
    const char *older;    /* the question before that; or NULL */
    enum dialect dialect; /* of the SQL */
    const char *today;    /* 2024-03-15; or NULL */
};

/* With the conversation as part of the input; history may be NULL. words: those of the
 * question, as tokens_split() gives them. */
void features_build_after(struct arena *arena, const struct feature_schema *schema,
                          const struct value_index *index,
                          const struct feature_history *history, const char *question,
                          const struct tokens *words, struct features *out);
/* Likewise, with every word: "just those in Rome" is no question of its own. */
void features_build_reply(struct arena *arena, const struct feature_schema *schema,
                          const struct value_index *index, const char *question,
                          struct features *out);
/* The whole matrix: count × count codes, row by row. */
void features_matrix(const struct features *features, const struct feature_schema *schema,
                     uint8_t *out);
/* Where a table or column of the IR's schema stands in the selection; -1: left out. */
int features_table_at(const struct features *features, int table);
int features_column_at(const struct features *features, int column);

const char *feature_type_text(int type);
void feature_word_set(struct feature_word *word, const char *text);

#endif
