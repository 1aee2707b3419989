/* Tables that hold what a question names: "Lisbon" stands in no name, but in a cell. */
#ifndef DGM_KNOWLEDGE_PREFILTER_CELLS_H
#define DGM_KNOWLEDGE_PREFILTER_CELLS_H

#include <stddef.h>

struct arena;
struct value_index;

/* A score per table (in the arena), more for words that few tables hold; NULL when no
 * words of the question are a cell. */
double *prefilter_cells(const struct value_index *values, struct arena *arena,
                        const char *question, size_t table_count);

#endif
