/* How likely an answer is right: the probability of its SQL, lowered by words without a place and
 * bounded by four factors, each with its reason; and the clarifying question
 * that the weakest of them asks for. */
#ifndef DGM_AGENT_CONFIDENCE_H
#define DGM_AGENT_CONFIDENCE_H

#include "agent/run.h"

/* Of the SQL that was checked just now. */
void confidence_score(struct run *run);
/* A model's SQL ran: what the built-in parser makes of the question, by rows. */
void confidence_compare(struct run *run);
/* It ran: notes how sure the answer is, and lowers that when it found nothing. */
void confidence_no_rows(struct run *run);
/* Of a question too vague to write SQL for; the table it is about, or NULL. */
void confidence_expect(struct run *run, const struct table *subject);
/* Makes run->answer.clarification from the weak factors and the schema. Without a message
 * it is left to ASK_CLARIFICATION: which rows, which time. */
void confidence_ask(struct run *run);

#endif
