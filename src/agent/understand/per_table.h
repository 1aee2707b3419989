/*
 * The mode `per_table`: one model call for each table of the schema, made in waves.
 * Verdicts are part of the checkpoint, so that no call is repeated after a failure or a
 * restart (dgm_retry).
 */
#ifndef DGM_AGENT_PER_TABLE_H
#define DGM_AGENT_PER_TABLE_H

#include "agent/stage.h"

struct writer;

bool per_table_wanted(const struct run *run); /* understanding.mode: per_table */
/* Adds the calls of the next wave; none if every table has its verdict. */
bool per_table_ask(struct run *run, struct stage_calls *calls, struct err *err);
/* Stores the verdicts of the replies from `first` on; failed calls are skipped. False and
 * err if a reply cannot be used: the call is repeated. */
bool per_table_note(struct run *run, const struct stage_replies *replies, size_t first,
                    struct err *err);
/* Are there tables without a verdict? */
bool per_table_more(const struct run *run);
/* Chooses the tables judged relevant. */
void per_table_choose(struct run *run);

/* Checkpoint: writes and reads the verdicts. */
void per_table_write(const struct run *run, struct writer *writer);
void per_table_read(struct run *run, const json_t *json);

#endif
