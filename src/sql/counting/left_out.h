/*
 * Rows that a query leaves out silently: an inner join drops an order without a store, and
 * its lines with it, although the question did not ask for orders with a store.
 */
#ifndef DGM_SQL_COUNTING_LEFT_OUT_H
#define DGM_SQL_COUNTING_LEFT_OUT_H

#include "sql/counting/grain.h"

struct left_out {
    const struct sql_scope *scope;
    const struct grain *grain;
    const struct sql_relation *first;     /* whose rows are the rows of the join */
    const struct sql_relation *counted;   /* whose rows are dropped with them */
    const struct sql_relation *looked_up; /* when this has none for them */
    const char *count; /* a query: how many there are, and how many have one */
    bool grouped;      /* by a column of what is looked up: they could be a group */
};

struct left_outs {
    struct left_out *items;
    size_t count;
    size_t capacity;
};

/* Joins of the SELECT that gives the answer which may drop rows that it counts. What a
 * condition asks for, or a declared key makes sure of, is not among them. */
void left_out_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, const struct schema *schema,
                   struct left_outs *out);

/* The statement with that join as an outer one, and those that hang on it, so that the rows
 * are a group of their own without a name; NULL: its form does not allow that. Uses the tree
 * up. */
const char *left_out_keep(struct arena *arena, struct sql_statement *statement,
                          const struct left_out *left_out);

/* Writes the joins of the SELECT anew, from the first relation on, those to `outer` ones, and
 * to what hangs on these, as outer joins. moved: further conditions for the joins, which the
 * caller took out of WHERE. False: their form does not allow that. */
bool left_out_rejoin(struct arena *arena, struct sql_statement *statement,
                     const struct grain *grain, size_t first, const bool *outer,
                     const struct grain_conjuncts *moved);

#endif
