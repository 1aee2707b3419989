/*
 * Ranks tables by a question: its words are matched with the words of names (split at _
 * and camelCase, stemmed, with common abbreviations); comments and sample values count a
 * little. No model, no I/O, fast for ten thousand tables.
 */
#ifndef DGM_KNOWLEDGE_PREFILTER_H
#define DGM_KNOWLEDGE_PREFILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "model/schema.h"

struct ranked_table {
    const struct table *table; /* of the schema */
    double score;              /* larger is better; 0 when nothing matched */
    struct texts words;        /* words of the question that were found in it */
    bool bridge;               /* included because keys lead to it, not by its words */
};

struct ranked_tables {
    struct ranked_table *items; /* best first */
    size_t count;
    size_t capacity;
    bool matched; /* false: no word matched; these are the tables with the most keys */
};

struct prefilter_index;
struct value_index;

/* The inverted index of a schema: word -> tables. The schema must outlive it. Immutable,
 * so thread-safe. */
struct prefilter_index *prefilter_index_new(const struct schema *schema);
void prefilter_index_free(struct prefilter_index *index);

/* At most `most` tables. history (earlier questions, or NULL) counts less than the
 * question. */
void prefilter_index_rank(const struct prefilter_index *index, struct arena *arena,
                          const char *question, const char *history, size_t most,
                          struct ranked_tables *out);
/* The same; also finds tables with a cell that the question names. values (or NULL) must
 * be for the same schema. */
void prefilter_index_rank_cells(const struct prefilter_index *index,
                                const struct value_index *values, struct arena *arena,
                                const char *question, const char *history, size_t most,
                                struct ranked_tables *out);
/* Leaves out those that a prompt does not need: far below the best, not the first to have
 * a word of the question, and without a key to one that stays. */
void prefilter_cut(struct ranked_tables *ranked);
/* Builds an index for this one time; schema_cache_rank keeps it. */
void prefilter_rank(struct arena *arena, const struct schema *schema,
                    const char *question, const char *history, size_t most,
                    struct ranked_tables *out);

#endif
