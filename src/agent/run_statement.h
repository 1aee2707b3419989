/* The parsed SQL of a run. Each text is parsed once; callers with the same text share the
 * tree and must not change it. */
#ifndef DGM_AGENT_RUN_STATEMENT_H
#define DGM_AGENT_RUN_STATEMENT_H

#include "agent/run.h"
#include "sql/statement.h"

struct guard_result;
struct sql_resolved;

/* In the dialect of the run's datasource; lives as long as the run. If the text cannot be
 * parsed, the root is NULL. */
const struct sql_statement *run_statement(struct run *run, const char *sql);
/* Stores a statement that was made from another one's tree, in the run's arena. */
void run_statement_keep(struct run *run, const struct sql_statement *statement);
/* The names of that statement, resolved in the run's schema. */
const struct sql_resolved *run_resolved(struct run *run, const char *sql);
/* The guard's verdict, in run->scratch; the schema may be NULL. */
void run_guard(struct run *run, const char *sql, const struct schema *schema,
               struct guard_result *out);

#endif
