/*
 * A user's corrections of tables and joins: parsed, checked against the schema, stored as
 * constraints, and enforced on the SQL.
 */
#ifndef DGM_AGENT_CORRECTIONS_H
#define DGM_AGENT_CORRECTIONS_H

#include "agent/run.h"
#include "sql/guard.h"

/* The option that the text means: the only one that shares words with it; or NULL. */
const char *corrections_option(const struct clarification *back, const char *text);
/* Does the schema have the names? If not, run->answer.clarification asks again, with the
 * options of `back` and similar names. */
bool corrections_known(struct run *run, const struct correction *correction,
                       const struct clarification *back);
/* Adds to the earlier corrections; if they contradict, the last one wins. */
void corrections_add(struct run *run, const struct correction *correction);

/* "use table X" after an answer: asks the previous question again with this
 * constraint. */
bool corrections_follow(struct run *run);

/* Does the SQL respect the corrections? If not, err says where. */
bool corrections_hold(struct run *run, const struct guard_result *sql, struct err *err);
/* The SQL failed for good under a correction: asks the user for another one in
 * run->answer.clarification, if that is still allowed. */
bool corrections_ask_again(struct run *run, const struct err *error);

#endif
