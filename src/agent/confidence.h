/*
 * The probability that an answer is right: that of its SQL, lowered for words that the
 * SQL does not use, and bounded by four factors, each with a reason. The weakest factor
 * decides which clarifying question is asked.
 */
#ifndef DGM_AGENT_CONFIDENCE_H
#define DGM_AGENT_CONFIDENCE_H

#include "agent/run.h"

/* Scores the SQL that has just been validated. */
void confidence_score(struct run *run);
/* After a model's SQL ran: compares its rows with those of the built-in parser's SQL. */
void confidence_compare(struct run *run);
/* After the SQL ran: stores the score, and lowers it if no row was found. */
void confidence_no_rows(struct run *run);
/* For a question that is too vague for SQL. `table`: the table it is about, or NULL. */
void confidence_expect(struct run *run, const struct table *subject);
/* Makes run->answer.clarification from the weak factors and the schema. Without a message
 * ASK_CLARIFICATION asks which rows or which time are meant. */
void confidence_ask(struct run *run);

#endif
