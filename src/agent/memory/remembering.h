/*
 * Lessons that apply to a question: only those of the user's account and the question's
 * datasource, and only with names that the schema has; free texts appear as quoted hints.
 * Lessons change names and examples, never rules.
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
    const char *line;            /* the text in prompts and in the answer */
    const char *said;            /* the words that it explains; NULL: none */
    const struct table *table;   /* the table that these words mean; or NULL */
    const struct column *column; /* the column of `table`; or NULL */
    bool told;                   /* a model or the parser has been given it */
    bool used;                   /* the answer's SQL uses it */
    bool failed;                 /* the SQL in it turned out to be unusable */
};

struct remembered {
    const struct schema *schema; /* the schema of the tables and columns below */
    struct lessons all;          /* all lessons of the account for the datasource */
    const char *question;
    struct remembered_lesson *items; /* those that apply */
    size_t count;
    size_t capacity;
};

/* Finds the lessons that apply to the question; call it again after the question was
 * rewritten. Does nothing if the request or the settings disable lessons. */
void remembering_find(struct run *run);
/* Do any apply? */
bool remembering_any(const struct run *run);
/* Is its confidence high enough to apply it without a model? */
bool remembering_trusts(const struct run *run, const struct lesson *lesson);
/* Adds one that was found to apply later; NULL when there is no room for it. */
struct remembered_lesson *remembering_add(struct run *run, const struct lesson *lesson,
                                          const char *line);
/* A question with SQL that a user taught, if it equals this question; or NULL. */
const struct lesson *remembering_answer(struct run *run);
/* Its SQL does not fit the schema: removes it from this run and lowers its confidence. */
void remembering_doubt(struct run *run);
/* Adds the lessons, and those that concern the current SQL error, to a prompt's
 * values. */
void remembering_put(struct run *run, struct slot *values);
/* Lists in the answer which lessons were used. */
void remembering_note(struct run *run);
/* After the run has ended: updates the confidence of the lessons it used. */
void remembering_rest(struct run *run);

/* The account and the datasource whose lessons apply. */
struct lessons_scope remembering_scope(const struct run *run);

#endif
