/*
 * The mode `per_table`: a call for each table of the schema. They are made in waves; what was
 * said of a table is noted and is part of the checkpoint, so that neither a failure nor
 * the end of the process costs a call twice (dgm_retry).
 */
#ifndef DGM_AGENT_PER_TABLE_H
#define DGM_AGENT_PER_TABLE_H

#include "agent/stage.h"

struct writer;

bool per_table_wanted(const struct run *run); /* understanding.mode: per_table */
/* Adds the calls of the next wave; none when every table has its verdict. */
bool per_table_ask(struct run *run, struct stage_calls *calls, struct err *err);
/* Notes the verdicts of replies from `first` on; those that failed are passed over. False
 * and err when one cannot be read: it is asked again. */
bool per_table_note(struct run *run, const struct stage_replies *replies, size_t first,
                    struct err *err);
/* Are there tables without a verdict? */
bool per_table_more(const struct run *run);
/* Chooses the relevant ones. */
void per_table_choose(struct run *run);

/* For the checkpoint. */
void per_table_write(const struct run *run, struct writer *writer);
void per_table_read(struct run *run, const json_t *json);

#endif
