/*
 * Guesses which columns of two tables belong together if no key is declared: by names and
 * types, and by common values if these can be checked.
 */
#ifndef DGM_KNOWLEDGE_KEYS_JOIN_GUESS_H
#define DGM_KNOWLEDGE_KEYS_JOIN_GUESS_H

#include <stdbool.h>

#include "base/vec.h"
#include "model/schema.h"

struct arena;
struct key_side;

struct join_guess {
    const struct table *from; /* the table with the referring column */
    const struct column *column;
    const struct table *to;
    const struct column *key;
    bool unique; /* the key is unique in its table */
    double confidence;
};

struct join_guesses {
    struct join_guess *items; /* best first */
    size_t count;
    size_t capacity;
};

/* Checks the data. overlap NULL: not possible. */
struct join_probe {
    /* The share of `column`'s values that occur in `key`, 0 to 1; -1: unknown. */
    double (*overlap)(void *context, const struct join_guess *guess);
    void *context;
};

/* Guesses below this are dropped. */
#define JOIN_GUESS_LEAST 0.3

/* What the names say of column -> key; 0: nothing. */
double join_guess_score(const struct key_side *from, size_t i, const struct key_side *to,
                        size_t k);
/* Pairs of columns between the two, whichever way; by names and types alone. */
void join_guess_names(struct arena *arena, const struct table *a, const struct table *b,
                      struct join_guesses *out);
/* The same, weighted by common values where the probe can check them, for a few pairs. */
void join_guess_pairs(struct arena *arena, const struct table *a, const struct table *b,
                      const struct join_probe *probe, struct join_guesses *out);
/* The one good guess between the two; false: there is none, or another one is nearly as good. */
bool join_guess_only(struct arena *arena, const struct table *a, const struct table *b,
                     const struct join_probe *probe, struct join_guess *out);
/* The good ones among all of these tables that declare no key to each other, by names
 * alone; at most `most`, best first. */
void join_guess_all(struct arena *arena, const struct table *const *tables, size_t count,
                    size_t most, struct join_guesses *out);
/* "orders.customer_id = customers.id" */
const char *join_guess_condition(struct arena *arena, const struct join_guess *guess);

#endif
