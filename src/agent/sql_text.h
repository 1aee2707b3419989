/* SQL on its way into the notebook: tidied, names restored, counted, compared. */
#ifndef DGM_AGENT_SQL_TEXT_H
#define DGM_AGENT_SQL_TEXT_H

#include "agent/run.h"

/* Takes a model's SQL as the present one. */
void sql_text_accept(struct run *run, const char *sql);
/* Does the list hold the same statement, however it is written? */
bool sql_text_listed(const struct run *run, const struct texts *texts, const char *sql);
/* Was the same statement tried before? */
bool sql_text_tried(const struct run *run, const char *sql);
/* May another SQL text be tried? */
bool sql_text_spent(const struct run *run);
/* Remembers why the present SQL does not do; the first reason is kept for the end. */
void sql_text_failed(struct run *run, const struct err *err);
/* The answer lists the texts that did not work; called when none is left to try. */
void sql_text_tell_attempts(struct run *run);
/* The reason to give when no correction helped: the original error. */
void sql_text_final_error(struct run *run, struct err *err);

#endif
