/* The part of a checkpoint that contains the answer so far. */
#ifndef DGM_AGENT_RUN_JSON_H
#define DGM_AGENT_RUN_JSON_H

#include "agent/run.h"

struct writer;

/* Writes it as the key "answer" of the checkpoint, and reads it back. */
void run_write_answer(const struct run *run, struct writer *writer);
void run_read_answer(struct run *run, const json_t *checkpoint);

/* The readings in a checkpoint. */
void run_read_readings(struct run *run, const json_t *json);

#endif
