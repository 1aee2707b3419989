/*
 * Checks that the SQL takes every word of the question into account. Words that it
 * ignores are listed in the answer; before the parser answers, the user is asked about
 * them.
 */
#ifndef DGM_AGENT_PLACING_H
#define DGM_AGENT_PLACING_H

#include "agent/run.h"
#include "parser/coverage/coverage.h"

/*
 * The words that this SQL ignores. False: unknown. trust: the probability that the SQL is
 * right. In unlikely SQL no part counts as the meaning of a word, because the parser
 * produces some condition for every adjective.
 */
bool placing_find(struct run *run, const char *sql, double trust,
                  struct coverage_words *out);
/* The probability that run->answer.sql is right, as its author states it. */
double placing_trust(const struct run *run);
/* The first of these words that says which rows or which thing is meant and that no part
 * of the SQL can express; NULL: none. */
const struct coverage_word *placing_lost(const struct coverage_words *words);
/* Is the word a cell of these tables that was added after the cells were read? Then the
 * cache is dropped, and the next reading finds the cell. */
bool placing_refresh(struct run *run, const struct texts *tables, const char *word);
/* The same for all words of the question that were not found among the cells; before a
 * model is called. */
struct table;
struct value_index;
bool placing_refresh_words(struct run *run, const struct value_index *cells,
                           const struct table *const *tables, size_t count);
/* Makes run->answer.clarification from a word that the SQL ignores. */
void placing_ask(struct run *run, const struct coverage_word *word);
/* A sentence: nothing is found about the word, or it names something that no query uses. */
const char *placing_about(struct run *run, const struct coverage_word *word);
/* The same for the first such word of run->answer.sql; false if there is none. */
bool placing_ask_again(struct run *run);
/* Is the user's answer a rephrased question, as placing_ask() offers it? */
bool placing_is_rewording(struct run *run, const char *question, const char *answer);

struct run_reading;
/* Removes a condition from a reading and describes it again; false if it cannot be
 * removed. */
bool placing_drop(struct run *run, struct run_reading *reading, const char *condition);

/* For the files of this folder: joins without a declared key, ambiguous dates, and
 * "oldest" by another date than that of birth lower the score, and the answer says so. */
void placing_note_keys(struct run *run);
void placing_note_dates(struct run *run);
void placing_note_ages(struct run *run);
void placing_note_detours(struct run *run);
/* placing_amounts.c: which amount "revenue" was taken to mean. */
void placing_note_amounts(struct run *run);

/* Options for a word that is a verb (placing_verbs.c): "without rides" for what was never rented (false: it is not
 * denied, or nothing refers to the thing), the readings, and the question without the verb. */
bool placing_offer_without(struct run *run, const struct coverage_word *word);
bool placing_offer_denied(struct run *run, const struct coverage_word *word);
void placing_offer_readings(struct run *run, const struct coverage_word *word);
const char *placing_without_verb(struct run *run, const struct coverage_word *word);

/* Adds what is known about run->answer.sql to the answer; once for each SQL. */
void placing_note(struct run *run);
/* FORMAT_RESULTS: adds the warnings in words. */
void placing_warn(struct run *run);

/* Puts the first of the other readings before the best one that passes the word over, if it gives every word a place.
 * False: nothing was changed. */
bool placing_prefer(struct run *run, const struct coverage_word *lost);

#endif
