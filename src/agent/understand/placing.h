/*
 * Every word of a question has its place in the SQL that answers it, or the user is told. What
 * is left over is asked about before the parser answers, and stands in every answer.
 */
#ifndef DGM_AGENT_PLACING_H
#define DGM_AGENT_PLACING_H

#include "agent/run.h"
#include "parser/coverage/coverage.h"

/* The words that this SQL leaves without a place. False: nothing is known of them. trust: how likely
 * it is right. Of unlikely SQL no part is taken for what a word meant: the parser writes some
 * condition for every adjective. */
bool placing_find(struct run *run, const char *sql, double trust,
                  struct coverage_words *out);
/* How likely run->answer.sql is right, as far as its author says. */
double placing_trust(const struct run *run);
/* Of these, the first that says which rows or which thing is meant and that no part of the SQL can
 * stand for; NULL: none. */
const struct coverage_word *placing_lost(const struct coverage_words *words);
/* Is the word a cell of these tables after all, newer than the cells that were read? Then they are
 * forgotten, and the next reading has it. */
bool placing_refresh(struct run *run, const struct texts *tables, const char *word);
/* The same for all words of the question that are nowhere in these cells, before a model is told of any. */
struct table;
struct value_index;
bool placing_refresh_words(struct run *run, const struct value_index *cells,
                           const struct table *const *tables, size_t count);
/* Makes run->answer.clarification from a word without a place. */
void placing_ask(struct run *run, const struct coverage_word *word);
/* The same for the first such word of run->answer.sql; false when there is none. */
bool placing_ask_again(struct run *run);
/* Is a user's answer the question in other words, as placing_ask() offers them? */
bool placing_is_rewording(struct run *run, const char *question, const char *answer);

struct run_reading;
/* Takes a condition out of a reading, and describes it anew; false: it is no part that can go. */
bool placing_drop(struct run *run, struct run_reading *reading, const char *condition);

/* Between the files of it: joins without a declared key, dates that can be read in two ways, and ages that are
 * no ages are told and lower the score. */
void placing_note_keys(struct run *run);
void placing_note_dates(struct run *run);
void placing_note_ages(struct run *run);

/* Puts what is known about run->answer.sql into the answer; once for each SQL. */
void placing_note(struct run *run);
/* FORMAT_RESULTS: the same in words. */
void placing_warn(struct run *run);

#endif
