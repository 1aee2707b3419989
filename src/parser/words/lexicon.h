/*
 * Relations between words: synonyms, derived and more general words, and hints
 * ("expensive" asks for a price). A table compiled from WordNet (models/LEXICON.md) that
 * is part of the program; thread-safe.
 */
#ifndef DGM_PARSER_LEXICON_H
#define DGM_PARSER_LEXICON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stronger ones first. */
enum lexicon_kind {
    LEXICON_SAME,    /* of our own list: means the same in a database */
    LEXICON_SYNONYM, /* of WordNet */
    LEXICON_CUE,     /* of our own list: a word of a question asks for a word of a name */
    LEXICON_RELATED,
    LEXICON_HYPERNYM,
    LEXICON_FORM,   /* an irregular form: bought of buy, oldest of old */
    LEXICON_FORMED, /* the other way round, verbs and plurals only */
    LEXICON_NONE
};

struct lexicon {
    const unsigned char *starts;    /* u32 per word: where its letters start */
    const unsigned char *firsts;    /* u32 per word: its first relation */
    const unsigned char *relations; /* u32: other word << 3 | kind, sorted */
    const unsigned char *weights;   /* per word, 0 to 15: how common it is */
    const char *text;
    uint32_t count;
};

/* The one in the program. Aborts when it is damaged: then the program is. */
void lexicon_init(struct lexicon *lexicon);
/* One in memory; false when it is no lexicon. */
bool lexicon_open(struct lexicon *lexicon, const void *data, size_t size);

/* A word's number, or -1. Lower case. */
int lexicon_find(const struct lexicon *lexicon, const char *word, size_t size);
int lexicon_weight(const struct lexicon *lexicon, int word); /* 0 for none */
/* Copies a word's letters; room for LEXICON_WORD. */
void lexicon_text(const struct lexicon *lexicon, int word, char *out);
/* The words that a word has this relation to; returns how many, at most `most`. */
size_t lexicon_list(const struct lexicon *lexicon, int word, enum lexicon_kind kind,
                    int *out, size_t most);
/* What a, a word of a question, has to do with b, a word of a name. */
enum lexicon_kind lexicon_relation(const struct lexicon *lexicon, int a, int b);

enum { LEXICON_SENSES = 12, LEXICON_WORD = 32 };

/* The numbers of a word and of what it is a form of. */
struct lexicon_senses {
    int words[LEXICON_SENSES];
    size_t count;
};

void lexicon_senses(const struct lexicon *lexicon, const char *word,
                    struct lexicon_senses *out);
/* The strongest relation between any of these. */
enum lexicon_kind lexicon_between(const struct lexicon *lexicon,
                                  const struct lexicon_senses *a,
                                  const struct lexicon_senses *b);

#endif
