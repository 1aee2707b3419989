/* Questions that need several datasources: which ones, and how they are combined. */
#ifndef DGM_AGENT_CROSSING_H
#define DGM_AGENT_CROSSING_H

#include "agent/run.h"

struct value_index;

/* Is the datasource one of several that the question names? Then it must be used. */
bool crossing_names(const struct run *run, const char *id);
/* Adds the datasource's name to its error. */
void crossing_blame(struct err *err, const char *id);
/* The answer to "which datasource?": "both", "all of them", or several names. Returns
 * their ids. */
bool crossing_answer(struct run *run, const char *text, struct texts *ids);

/* After the schemas were read: keeps the one source that has all tables the question
 * names, or combines the sources that are needed. False: the question does not say. */
bool crossing_choose(struct run *run);
/* Combines all sources of the run; run_schema() and run_datasource() then return the
 * combined ones. */
bool crossing_begin(struct run *run, struct err *err);

/* The question without the names of the databases, which must not be searched as values.
 * With a single database only "my shop database" is removed. */
const char *crossing_question(struct run *run, const char *text);
/* The user's question without the name of its database; unchanged if there are
 * several. */
const char *crossing_subject(struct run *run);
/* Names of database systems before "database", even if there is no such datasource: "my
 * PostgreSQL database". */
void crossing_systems(struct run *run, const char *text, struct texts *out);
/* Does SQL over these tables use every database that the question names? */
bool crossing_uses_named(const struct run *run, const struct texts *tables);
/* The table whose name has the stem of the word: orders for "ordered"; or NULL. */
const struct table *crossing_table_stem(const struct schema *schema, const char *word);
/* Why DuckDB executes the query; for the answer. */
const char *crossing_reason(struct run *run);
/* Rules for the prompt besides those of the dialect, and what each source contains. */
const char *crossing_rules(struct run *run, const char *rules);
const char *crossing_description(struct run *run);
/* The cells of all sources, for this schema (all tables or a part). Sources in this
 * process are read for it; others only if `read`. The caller gets a reference; or
 * NULL. */
struct value_index *crossing_cells(struct run *run, const struct schema *schema,
                                   bool read);

#endif
