/* A query being made by the grammar, and its words. */
#ifndef DGM_TESTS_FUZZ_GRAMMAR_H
#define DGM_TESTS_FUZZ_GRAMMAR_H

#include "oracle.h"

enum { SOURCES_MOST = 2 };

/* What a relation's columns are called, by kind; NULL-ended. */
struct relation {
    const char *numbers[4];
    const char *texts[5];
    const char *dates[2];
};

struct scope {
    int relation[SOURCES_MOST]; /* -1: none */
    int level;                  /* a2 and b2 are the aliases of level 2 */
    bool aggregate;             /* aggregates may be called now */
    const struct scope *outer;
};

struct making {
    struct dice *dice;
    enum dialect dialect;
    const struct corpus *corpus;
    struct buf *out;
    const struct scope *scope;
    int depth;
    int budget; /* parts that may still be written */
};

bool grammar_chance(struct making *work, uint32_t of_hundred);
void grammar_say(struct making *work, const char *text);
void grammar_pick(struct making *work, const char *const *texts, uint32_t count);
char grammar_any_kind(struct making *work);
void grammar_literal(struct making *work, char kind);
#define PICK(work, texts)                                                                \
    grammar_pick(work, texts, (uint32_t)(sizeof(texts) / sizeof *(texts)))

#endif
