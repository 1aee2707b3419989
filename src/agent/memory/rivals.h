/* Prevents a lesson from applying where the question uses the same word for something
 * else. */
#ifndef DGM_AGENT_RIVALS_H
#define DGM_AGENT_RIVALS_H

#include "agent/run.h"

struct phrase_words;

/*
 * Does another table's name share more words with the question than the lesson's table
 * does, including the words of the lesson? "sales of 2024" does not mean sales_2023, even
 * if "sales" once did.
 */
bool rivals_table(struct run *run, const struct phrase_words *question, const char *said,
                  const struct table *meant);
/* Does the question name another table that has a column of this name? */
bool rivals_column(struct run *run, const struct phrase_words *question, const char *said,
                   const struct table *meant);

#endif
