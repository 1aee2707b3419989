/* Of several datasources the one that a question means: by what it says of it, and by the
 * tables and columns it names. */
#ifndef DGM_AGENT_NARROWING_H
#define DGM_AGENT_NARROWING_H

#include "agent/run.h"

/* The datasources that the text names by id ("in the shop") or by kind ("from my
 * PostgreSQL database"). */
void narrowing_named(const struct run *run, const char *text, struct texts *ids);
/* "postgresql", "csv": a word for a kind of database. */
bool narrowing_is_kind(const char *word);
/* Is one of the run's sources of that kind? */
bool narrowing_has_kind(const struct run *run, const char *word);
/* The one that the conversation was about last; NULL when nothing says. */
const char *narrowing_last(struct run *run);
/* How many tables and columns of the schema the question names; a table counts more. */
int narrowing_weight(struct run *run, const struct schema *schema);
/* With the schemas read: keeps the one source whose tables and columns the question
 * names; false when that is none or several. */
bool narrowing_choose(struct run *run);
/* It is this one alone. */
void narrowing_keep(struct run *run, size_t index);
/* Asks which of them is meant; NULL: all that there are. */
void narrowing_ask(struct run *run, const struct texts *ids);
/* One of several that cannot be read is left out, and the answer says so. False when it
 * is the last one. */
bool narrowing_drop(struct run *run, size_t index, const struct err *why);

#endif
