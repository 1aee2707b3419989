/*
 * What a user says of tables and joins: taken in any form, checked against
 * the schema, kept as hard constraints, and held against the SQL.
 */
#ifndef DGM_AGENT_CORRECTIONS_H
#define DGM_AGENT_CORRECTIONS_H

#include "agent/run.h"
#include "sql/guard.h"

/* The option that the words mean: the one that alone shares words with them; or NULL. */
const char *corrections_option(const struct clarification *back, const char *text);
/* Does the schema have the names? If not, run->answer.clarification asks once more, with
 * the options of `back` and what is near. */
bool corrections_known(struct run *run, const struct correction *correction,
                       const struct clarification *back);
/* Corrections add up; where they contradict the last word counts. */
void corrections_add(struct run *run, const struct correction *correction);

/* "use table X" after an answer: the question before it is asked again, with this. */
bool corrections_follow(struct run *run);

/* Does the SQL keep to them? If not, err says where it does not. */
bool corrections_hold(struct run *run, const struct guard_result *sql, struct err *err);
/* The SQL failed for good with a correction in force: may the user correct again? Then
 * run->answer.clarification asks. */
bool corrections_ask_again(struct run *run, const struct err *error);

#endif
