/* What the planner of joins knows while it works; shared by its two files only. */
#ifndef DGM_PARSER_IR_JOINS_STATE_H
#define DGM_PARSER_IR_JOINS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/ir/ir_joins.h"

struct arena;
struct err;
struct ir_edge;
struct ir_query;
struct ir_schema;

/* A place is table * 2 + (second copy ? 1 : 0). */
struct ir_places {
    int *items;
    size_t count;
    size_t capacity;
};

/* Does the question name a column? */
enum ir_named { NAMED_UNKNOWN, NAMED_NO, NAMED_YES };

struct ir_joining {
    struct arena *arena;
    const struct ir_schema *schema;
    const char *question;
    struct ir_places needed; /* in order: listed tables, then those of used columns */
    bool *is_needed;         /* by place, as are the next two */
    bool *is_left;
    bool *inside;   /* in the tree so far */
    bool *is_used;  /* by column: named in the query, not only joined on */
    uint8_t *named; /* by column: enum ir_named, as far as it was asked for */
    struct ir_pairs forced;
    struct ir_plan *plan; /* the one being made */
};

int ir_place_of(const struct ir_schema *schema, int column, bool second);
/* Fills needed, forced and used from the query. */
bool ir_joining_init(struct ir_joining *joining, struct ir_query *query, struct err *err);
/* How much better an edge is for what the query uses and what the question says. */
double ir_edge_bonus(const struct ir_joining *joining, const struct ir_edge *edge);

#endif
