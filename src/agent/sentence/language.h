/*
 * A language in which answers are stated: one file with its phrases and how it writes
 * numbers, and a row in language.c.
 */
#ifndef DGM_AGENT_SENTENCE_LANGUAGE_H
#define DGM_AGENT_SENTENCE_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

enum phrase {
#define PHRASE(name, slots) PHRASE_##name,
#include "agent/sentence/phrases.def"
#undef PHRASE
    PHRASE_COUNT_OF
};

/* What goes into a phrase. */
enum slot {
    SLOT_NAME,
    SLOT_VALUE,
    SLOT_VALUE2,
    SLOT_MEASURE,
    SLOT_COUNT,
    SLOT_THINGS,
    SLOT_LIST,
    SLOT_MORE,
    SLOT_SHARE,
    SLOT_WHEN,
    SLOT_WHEN2,
    SLOT_YEAR,
    SLOT_MONTH,
    SLOT_DAY,
    SLOT_CLOCK,
    SLOT_COUNT_OF
};

struct slots {
    const char *texts[SLOT_COUNT_OF]; /* NULL: empty */
};

struct language {
    const char *code;      /* "en" */
    const char *thousands; /* between groups of three digits */
    const char *decimal;
    int group_from;    /* digits from which on groups are separated */
    bool symbol_first; /* "€5" and not "5 €" */
    const char *months[12];
    const char *powers[4]; /* after thousands, millions, 10^9 and 10^12, in charts */
    const char *left_out;  /* after a number of bars that a chart does not show */
    const char *phrases[PHRASE_COUNT_OF];
};

extern const struct language
    language_english; /* the others have a text for each of its */
extern const struct language language_german;
extern const struct language language_spanish;

/* By code or by a list as in the header Accept-Language ("de-AT, en;q=0.8"): the first that is
 * known; NULL: none is. */
const struct language *language_find(const char *codes);
/* The language with this number; NULL after the last one. */
const struct language *language_get(size_t number);
void language_say(const struct language *language, enum phrase phrase,
                  const struct slots *slots, struct buf *out);

#endif
