/* Accepts SQL texts into the run: tidied, with full names, counted and compared with
 * earlier ones. */
#ifndef DGM_AGENT_SQL_TEXT_H
#define DGM_AGENT_SQL_TEXT_H

#include "agent/run.h"

/* Makes a model's SQL the current one. */
void sql_text_accept(struct run *run, const char *sql);
/* Does the list hold the same statement, however it is written? */
bool sql_text_listed(const struct run *run, const struct texts *texts, const char *sql);
/* Was the same statement tried before? */
bool sql_text_tried(const struct run *run, const char *sql);
/* Has the question used up its SQL attempts? */
bool sql_text_spent(const struct run *run);
/* Notes why the current SQL failed; the first reason is kept for the final error. */
void sql_text_failed(struct run *run, const struct err *err);
/* Lists the failed texts in the answer; called when no attempt is left. */
void sql_text_tell_attempts(struct run *run);
/* The error to report when no correction worked: the first one. */
void sql_text_final_error(struct run *run, struct err *err);

#endif
