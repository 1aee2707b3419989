/* How tables are joined: by the keys the schema declares, else by good guesses. */
#ifndef DGM_AGENT_JOINS_H
#define DGM_AGENT_JOINS_H

#include "knowledge/keys/join_guess.h"
#include "base/vec.h"
#include "model/schema.h"

enum joins_found {
    JOINS_CERTAIN,   /* one declared key between each pair on the way */
    JOINS_INFERRED,  /* names, types or values led the way where no key did */
    JOINS_AMBIGUOUS, /* several ways from one table to the other: `options` */
    JOINS_UNKNOWN,   /* nothing leads from one to the other */
};

/* A way that could be meant. */
struct join_option {
    const char *condition;
    double confidence;
};

struct join_options {
    struct join_option *items;
    size_t count;
    size_t capacity;
};

struct join_tables {
    const struct table **items;
    size_t count;
    size_t capacity;
};

struct joins_result {
    enum joins_found found;
    double confidence;           /* of the weakest condition; 1: all are declared */
    struct texts conditions;     /* "orders.customer_id = customers.id" */
    struct join_options options; /* of the first ambiguous pair, best first */
    bool declared;               /* they are keys between two tables */
    struct join_tables bridges;  /* tables on the way that were not asked for */
    const struct table *left;    /* that pair, or the two without a path */
    const struct table *right;
};

/* The shortest tree that connects all tables: over declared keys as far as they lead,
 * then over guesses. probe may be NULL: names and types alone. */
void joins_infer(struct arena *arena, const struct schema *schema,
                 const struct table *const *tables, size_t count,
                 const struct join_probe *probe, struct joins_result *out);
/* Keys of a table to itself: "staff.boss_id = staff.id". */
void joins_self(struct arena *arena, const struct table *table, struct texts *out);
/* Does "a.x = b.y" name columns of the schema? */
bool joins_valid(struct arena *arena, const struct schema *schema, const char *condition);

#endif
