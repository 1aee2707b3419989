/*
 * What writes the SQL of a question: the built-in parser, a model, or nothing, because the
 * SQL is remembered or was given.
 */
#ifndef DGM_MODEL_BRAIN_H
#define DGM_MODEL_BRAIN_H

#include <stdbool.h>

enum brain_kind {
    BRAIN_UNSET, /* of a question: as configured (agent.brain) */
    /* A question may ask for these, and so may agent.brain. */
    BRAIN_AUTO,
    BRAIN_PARSER,
    BRAIN_LLM,
    /* Of answers only. */
    BRAIN_HISTORY, /* the SQL of an equal question before */
    BRAIN_LESSON,  /* SQL that a user taught for this question */
    BRAIN_NONE,    /* the user's own SQL, or no SQL */
    BRAIN_COUNT
};

/* As in `brain` of requests and answers; NULL: unset. */
const char *brain_kind_name(enum brain_kind brain);
/* BRAIN_UNSET: none has this name. */
enum brain_kind brain_kind_find(const char *name);
/* May a question or agent.brain ask for it? */
bool brain_kind_wanted(enum brain_kind brain);

#endif
