/* Files of one table each that a question needs together, and the columns by which they are joined. */
#ifndef DGM_AGENT_JOINING_FILES_H
#define DGM_AGENT_JOINING_FILES_H

#include <stdint.h>

#include "agent/run.h"

enum { JOINING_WORDS = 64 }; /* of a question that are looked at: a bit for each */

/*
 * Where every source is a file of one table: those that the question needs together, because words of it are the
 * names of columns that only one of them has. `tables`: the words that name the table of each. False: it
 * needs one, or that is not clear.
 */
bool joining_files_named(struct run *run, const struct texts *words,
                         const uint64_t *tables, bool *chosen);
struct schema;
/* Keys between files of one table each: columns of one name, if the values of one are among those of
 * the other, where each is there once. */
void joining_files_guess(struct run *run, struct schema *schema);
/* After crossing_begin: can each table be joined with another one? */
bool joining_files_joined(const struct run *run);

#endif
