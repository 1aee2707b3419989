/*
 * Names of tables and columns as words: split at signs, camelCase, digits, and where
 * words run together ("orderdate"), with common abbreviations written out ("qty" is
 * quantity).
 */
#ifndef DGM_PARSER_NAMES_H
#define DGM_PARSER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/vec.h"
#include "parser/words/lexicon.h"

enum { NAMES_WORDS_MAX = 12 }; /* of one name; further ones are dropped */

struct names {
    struct lexicon lexicon;
    struct map own; /* words that stand alone in names of this schema */
};

void names_init(struct names *names);
void names_release(struct names *names);
/* Makes the words of a name known, for the names that run words together. */
void names_learn(struct names *names, const char *name);

struct name_words {
    struct texts plain; /* as the name has them, folded; at least one */
    struct texts full;  /* the same with abbreviations written out */
    bool differ;        /* some abbreviation was */
};

/* In the arena. */
void names_split(const struct names *names, struct arena *arena, const char *name,
                 struct name_words *out);
/* The words of a comment that may name the thing: folded, no common ones, no repeats. */
void names_describe(struct arena *arena, const char *comment, size_t most,
                    struct texts *out);

#endif
