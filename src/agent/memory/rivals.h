/* When a lesson should hold back: the question names something else by that very word. */
#ifndef DGM_AGENT_RIVALS_H
#define DGM_AGENT_RIVALS_H

#include "agent/run.h"

struct phrase_words;

/* Another table has more words of the question in its name than the one that a lesson
 * means has, the lesson's own words included: "sales of 2024" are not in sales_2023,
 * though "sales" were once. */
bool rivals_table(struct run *run, const struct phrase_words *question, const char *said,
                  const struct table *meant);
/* The question names another table, and that one has a column of this name. */
bool rivals_column(struct run *run, const struct phrase_words *question, const char *said,
                   const struct table *meant);

#endif
