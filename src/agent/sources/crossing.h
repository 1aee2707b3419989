/* Questions that need several datasources at once: which ones, and how they become one.
 */
#ifndef DGM_AGENT_CROSSING_H
#define DGM_AGENT_CROSSING_H

#include "agent/run.h"

struct value_index;

/* Is it one of several that the question names? Then it may not be left out. */
bool crossing_names(const struct run *run, const char *id);
/* The error of one of several sources, with its name. */
void crossing_blame(struct err *err, const char *id);
/* "both", "all of them", or several of their names, as an answer to which is meant: their
 * ids. */
bool crossing_answer(struct run *run, const char *text, struct texts *ids);

/* With the schemas read: the one source that has all tables which the question names is
 * kept; where it takes several, those are kept and made one. False: nothing says which.
 */
bool crossing_choose(struct run *run);
/* Makes all sources of the run one: run_schema() and run_datasource() are theirs. */
bool crossing_begin(struct run *run, struct err *err);

/* The question without the names of the databases, which are no values to look for; of one alone
 * only "my shop database" goes. */
const char *crossing_question(struct run *run, const char *text);
/* The user's question without the name of its one database; of several as it is. */
const char *crossing_subject(struct run *run);
/* Words for a system before "database", whether or not there is one: "my PostgreSQL database". */
void crossing_systems(struct run *run, const char *text, struct texts *out);
/* Does SQL over these tables use every database that the question names? */
bool crossing_uses_named(const struct run *run, const struct texts *tables);
/* The table whose name has the stem of the word: orders for "ordered"; or NULL. */
const struct table *crossing_table_stem(const struct schema *schema, const char *word);
/* Why DuckDB runs it; for the answer. */
const char *crossing_reason(struct run *run);
/* What a model must know beside the dialect's rules, and what the sources are about. */
const char *crossing_rules(struct run *run, const char *rules);
const char *crossing_description(struct run *run);
/* The cells of all sources, placed in this schema (all tables or a part). Those
 * that run in this process are read for it; read: others, too. A reference, yours; or
 * NULL. */
struct value_index *crossing_cells(struct run *run, const struct schema *schema,
                                   bool read);

#endif
