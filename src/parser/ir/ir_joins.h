/*
 * Adds the joins that a query needs but does not state: the cheapest tree over its
 * tables, along keys if possible. Stated joins (`via`, `on`) are kept.
 */
#ifndef DGM_PARSER_IR_JOINS_H
#define DGM_PARSER_IR_JOINS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct ir_query;
struct ir_schema;

/* Two columns that are equal in every row of the answer. */
struct ir_pair {
    int a;
    int b;
    bool a_second;
    bool b_second;
};

struct ir_pairs {
    struct ir_pair *items;
    size_t count;
    size_t capacity;
};

struct ir_step {
    int table;
    bool second;
    bool left;
    struct ir_pairs
        pairs; /* with tables of earlier steps; none: every row with every row */
};

struct ir_plan {
    struct ir_step *items; /* the first one has no pairs */
    size_t count;
    size_t capacity;
    bool cross;    /* some table could not be joined */
    bool inferred; /* some join rests on names, or on values alone */
    double cost;
};

/* False when a `via` leads nowhere. question may be NULL. */
bool ir_plan_make(struct arena *arena, const struct ir_schema *schema,
                  struct ir_query *query, const char *question, struct ir_plan *plan,
                  struct err *err);

#endif
