/* Selects the one of several datasources that a question means, by its name and by the
 * tables and columns it contains. */
#ifndef DGM_AGENT_NARROWING_H
#define DGM_AGENT_NARROWING_H

#include "agent/run.h"

/* The datasources that the text names by id ("in the shop") or by system ("from my
 * PostgreSQL database"). */
void narrowing_named(const struct run *run, const char *text, struct texts *ids);
/* Is the word a kind of database, such as "postgresql" or "csv"? */
bool narrowing_is_kind(const char *word);
/* Is one of the run's sources of that kind? */
bool narrowing_has_kind(const struct run *run, const char *word);
/* The datasource that the conversation was last about; NULL: unknown. */
const char *narrowing_last(struct run *run);
/* How many tables and columns of the schema the question names; tables count more. */
int narrowing_weight(struct run *run, const struct schema *schema);
/* After the schemas were read: keeps the one source whose tables and columns the question
 * names; false if there is none or more than one. */
bool narrowing_choose(struct run *run);
/* Removes all other sources. */
void narrowing_keep(struct run *run, size_t index);
/* Asks which one is meant; NULL: all of them are options. */
void narrowing_ask(struct run *run, const struct texts *ids);
/* Removes a source that cannot be read, with a warning. False if it is the last one. */
bool narrowing_drop(struct run *run, size_t index, const struct err *why);

#endif
