/*
 * Lessons that matter for a question: only those of the asker's account
 * and the question's datasource, only names that the schema has, the rest as quoted
 * hints. What they change is names and examples; every rule stays as it is.
 */
#ifndef DGM_AGENT_REMEMBERING_H
#define DGM_AGENT_REMEMBERING_H

#include "agent/run.h"
#include "knowledge/lessons/lessons.h"
#include "sql/guard.h"

struct phrase_words;
struct slot;

struct remembered_lesson {
    const struct lesson *lesson;
    const char *line;            /* as a prompt and the answer say it */
    const char *said;            /* the words it explains; NULL: none */
    const struct table *table;   /* what they mean; or NULL */
    const struct column *column; /* of it; or NULL */
    bool told;                   /* a brain has seen it */
    bool used;                   /* the answer's SQL shows it */
    bool failed;                 /* its own SQL was of no use */
};

struct remembered {
    const struct schema *schema; /* that the names below are of */
    struct lessons all;          /* of the asker, here */
    const char *question;
    struct remembered_lesson *items; /* those that matter */
    size_t count;
    size_t capacity;
};

/* Finds the lessons that the question touches; again when it was rewritten. Does nothing
 * when the request or the settings do not want them. */
void remembering_find(struct run *run);
/* Do any matter? */
bool remembering_any(const struct run *run);
/* Sure enough to be applied? */
bool remembering_trusts(const struct run *run, const struct lesson *lesson);
/* Adds one that turned out to matter; NULL when there is no room for it. */
struct remembered_lesson *remembering_add(struct run *run, const struct lesson *lesson,
                                          const char *line);
/* Question and SQL that a person taught, when this is the question; or NULL. */
const struct lesson *remembering_answer(struct run *run);
/* Its SQL does not fit the schema after all: it is not told, and its figures say so. */
void remembering_doubt(struct run *run);
/* Puts them, and those that the present SQL error touches, into a prompt's values. */
void remembering_put(struct run *run, struct slot *values);
/* The answer says which took part. */
void remembering_note(struct run *run);
/* The question is at rest: the figures of the lessons it used follow. */
void remembering_rest(struct run *run);

/* Whose lessons, about what. */
struct lessons_scope remembering_scope(const struct run *run);

#endif
