/* What a linker is made of; for the files of the linker only. */
#ifndef DGM_PARSER_LINKER_STATE_H
#define DGM_PARSER_LINKER_STATE_H

#include "parser/words/lexicon.h"
#include "parser/link/linker.h"

/* A distinct word of the schema's names. */
struct linker_word {
    const char *text;
    const char *stem;
    struct lexicon_senses senses;
};

struct linker_words {
    struct linker_word *items;
    size_t count;
    size_t capacity;
};

/* The ways to name an item that count as exact when all words are there. */
enum { SYNONYMS_MOST = 8, JOINED_MOST = 2 + SYNONYMS_MOST, OWN_MOST = 3 };

struct linker_item {
    uint32_t *words; /* of the name, written out, and of the comment */
    size_t word_count;
    uint64_t joined[JOINED_MOST]; /* hashes of the stems run together */
    size_t joined_count;
    uint64_t own[OWN_MOST]; /* the same of the name written out, and without the words
                               of its table */
    size_t own_count;
    struct texts shown;
};

struct linker {
    const struct ir_schema *schema;
    struct names names;
    struct map known; /* words and stems */
    struct linker_words words;
    struct map word_numbers; /* text -> number + 1 */
    struct linker_item *items;
    const struct table *prefix_table; /* whose prefix is known */
    const char *prefix;
};

#endif
