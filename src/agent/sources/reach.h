/* The datasources that a question may use: all, or those of its access key. Others do not
 * exist for it: no name, no option, no schema. */
#ifndef DGM_AGENT_REACH_H
#define DGM_AGENT_REACH_H

#include "agent/run.h"

/* Is the id in a comma-separated list? An empty list contains all. */
bool reach_holds(const char *list, const char *id);
/* Is every id of `part`, also a list, in the list? An empty part is not. */
bool reach_holds_all(const char *list, const char *part);

/* Adds the datasets of the question's account, if the question may be about them. */
void reach_datasets(struct run *run);
/* The name for people: the id, or the name of a dataset. */
const char *reach_name(const struct datasource_setting *setting);
size_t reach_count(const struct run *run);
const struct datasource_setting *reach_at(const struct run *run, size_t index);
const struct datasource_setting *reach_find(const struct run *run, const char *id);
struct datasource *reach_open(const struct run *run, const char *id, struct err *err);

#endif
