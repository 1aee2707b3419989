/* Which of the instance's datasources a question may see: all, or those of its asker's key.
 * The others are not there for it: not by name, not as a choice, not in a schema. */
#ifndef DGM_AGENT_REACH_H
#define DGM_AGENT_REACH_H

#include "agent/run.h"

/* Is the id in a list with commas in between? An empty list holds all. */
bool reach_holds(const char *list, const char *id);
/* Is every id of `part`, a list too, in the list? An empty part is not. */
bool reach_holds_all(const char *list, const char *part);

/* Adds the datasets of the asker, where the question may be about them. */
void reach_datasets(struct run *run);
/* What people call it: its id, or the name of a dataset. */
const char *reach_name(const struct datasource_setting *setting);
size_t reach_count(const struct run *run);
const struct datasource_setting *reach_at(const struct run *run, size_t index);
const struct datasource_setting *reach_find(const struct run *run, const char *id);
struct datasource *reach_open(const struct run *run, const char *id, struct err *err);

#endif
