/*
 * Text and names into folded words, so that "Customers", "cust_id" and "customerName"
 * meet: split at everything that is no letter or digit and at camelCase, folded (fold.h),
 * cut to stems (stem.h), common abbreviations written out (abbreviations.h). For comparing
 * only.
 */
#ifndef DGM_KNOWLEDGE_WORDS_H
#define DGM_KNOWLEDGE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum { WORD_SIZE = 48 }; /* longer words are cut */

struct words {
    const char *at; /* what is left to read */
    const char *end;
};

struct word {
    const char *start; /* as written, in the text */
    size_t size;
    char folded[WORD_SIZE];
};

void words_init(struct words *words, const char *text); /* NULL: no words */
bool words_next(struct words *words, struct word *word);
bool words_hold(const char *text,
                const char *folded); /* is it one of the text's words? */
/* Words that say nothing about a table: "the", "how", "many", "show". Folded form. */
bool word_is_common(const char *folded);

#endif
