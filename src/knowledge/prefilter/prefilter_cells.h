/* Tables that contain a value of the question, such as "Lisbon". */
#ifndef DGM_KNOWLEDGE_PREFILTER_CELLS_H
#define DGM_KNOWLEDGE_PREFILTER_CELLS_H

#include <stddef.h>

struct arena;
struct value_index;
struct value_matches;

/* A score per table (in the arena), more for words that few tables hold; NULL when no
 * words of the question are a cell. */
double *prefilter_cells(const struct value_index *values, struct arena *arena,
                        const char *question, size_t table_count);

/* At most `most` cells that words of the question name, in its order: the longest rows of
 * words first, a word with a capital also by a cell that is nearly equal. */
void prefilter_cells_named(const struct value_index *values, struct arena *arena,
                           const char *question, size_t most, struct value_matches *out);

#endif
