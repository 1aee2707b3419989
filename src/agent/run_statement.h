/* The SQL of a run, read once: whoever asks for the same text gets the same tree, and leaves it as it is. */
#ifndef DGM_AGENT_RUN_STATEMENT_H
#define DGM_AGENT_RUN_STATEMENT_H

#include "agent/run.h"
#include "sql/statement.h"

struct guard_result;
struct sql_resolved;

/* In the dialect of the run's datasource; it lives as long as the run. A text that cannot
 * be read has no root. */
const struct sql_statement *run_statement(struct run *run, const char *sql);
/* For a statement that was made from another one's tree, in the arena of the run. */
void run_statement_keep(struct run *run, const struct sql_statement *statement);
/* What the names of the same statement mean in the run's schema. */
const struct sql_resolved *run_resolved(struct run *run, const char *sql);
/* What the guard says of it, in the run's scratch; the schema may be NULL. */
void run_guard(struct run *run, const char *sql, const struct schema *schema,
               struct guard_result *out);

#endif
