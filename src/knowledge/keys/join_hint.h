/*
 * Pairs of columns that a model is told of where no key says how tables belong together.
 * Names speak for them, and what is known of the values does not speak against them; equal
 * names alone count only where values are shared. Nobody looks at the data for this.
 */
#ifndef DGM_KNOWLEDGE_KEYS_JOIN_HINT_H
#define DGM_KNOWLEDGE_KEYS_JOIN_HINT_H

#include "knowledge/keys/join_guess.h"

/* Among these tables, which come best first; at most `most`: base tables before views,
 * then the surest, then by the place of their tables. */
void join_hint_all(struct arena *arena, const struct table *const *tables, size_t count,
                   size_t most, struct join_guesses *out);
/* The first `most` of them for a question that ranks the tables so: what joins the best
 * comes first, and what is equal there stays in its order. */
void join_hint_pick(struct arena *arena, const struct join_guesses *from,
                    const struct table *const *ranked, size_t count, size_t most,
                    struct join_guesses *out);

#endif
