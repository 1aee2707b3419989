/* Where a text says a phrase, whatever the case, the ending or the sign between its
 * words: "customer orders" is said by "CustomerOrder" too. */
#ifndef DGM_KNOWLEDGE_PHRASE_H
#define DGM_KNOWLEDGE_PHRASE_H

#include <stdbool.h>
#include <stddef.h>

#include "knowledge/words/words.h"

struct arena;

struct phrase_words {
    struct word *items;
    size_t count;
    size_t capacity;
};

/* The text must outlive the words. */
void phrase_split(struct arena *arena, const char *text, struct phrase_words *out);
/* The first word of the text at which the phrase stands; false when it does nowhere. */
bool phrase_find(const struct phrase_words *text, const struct phrase_words *phrase,
                 size_t *first);
/* 0 to 1: how many of the words that say something both have, of those that any has. */
double phrase_likeness(const struct phrase_words *a, const struct phrase_words *b);

#endif
