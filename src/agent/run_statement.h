/* The SQL of a run, read once: whoever asks for the same text gets the same tree. */
#ifndef DGM_AGENT_RUN_STATEMENT_H
#define DGM_AGENT_RUN_STATEMENT_H

#include "agent/run.h"
#include "sql/statement.h"

/* In the dialect of the run's datasource; it lives as long as the run. A text that cannot
 * be read has no root. */
const struct sql_statement *run_statement(struct run *run, const char *sql);

#endif
