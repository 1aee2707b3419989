/* Questions answered before, as one question sees them: looked up, shown to a model as
 * examples, and kept. */
#ifndef DGM_AGENT_HISTORY_H
#define DGM_AGENT_HISTORY_H

#include "agent/run.h"

struct slot;

/* RECALL: true when the SQL is known; run->answer has it then. Otherwise what is near,
 * and what was called wrong, is noted for whoever writes the SQL. */
bool history_recall(struct run *run, struct err *err);
/* The SQL from history does not compile any more. */
void history_forget(struct run *run);
/* Was this SQL called wrong for this question? */
bool history_is_wrong(const struct run *run, const char *sql);
/* What a model is told of it. */
void history_put(struct run *run, struct slot *values);

/* FORMAT_RESULTS: notes what the answer will be known by. */
void history_note(struct run *run);
/* Once it has come to rest: keeps what may be given again. */
void history_keep(struct run *run);

#endif
