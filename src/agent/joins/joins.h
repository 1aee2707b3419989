/* How to join tables: by the declared keys, else by guesses. */
#ifndef DGM_AGENT_JOINS_H
#define DGM_AGENT_JOINS_H

#include "knowledge/keys/join_guess.h"
#include "base/vec.h"
#include "model/schema.h"

enum joins_found {
    JOINS_CERTAIN,   /* exactly one declared key between each pair */
    JOINS_INFERRED,  /* names, types or values had to be used where there is no key */
    JOINS_AMBIGUOUS, /* several ways from one table to the other: `options` */
    JOINS_UNKNOWN,   /* two tables are not connected at all */
};

/* One possible join. */
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
    double confidence; /* of the least certain condition; 1: all are declared keys */
    struct texts conditions;     /* "orders.customer_id = customers.id" */
    struct join_options options; /* of the first ambiguous pair, best first */
    bool declared;               /* they are declared keys between two tables */
    struct join_tables bridges;  /* tables in between that the question does not need */
    const struct table *left;    /* that pair; or the two that are not connected */
    const struct table *right;
};

/* The smallest tree that connects all tables: by declared keys where possible, else by
 * guesses. probe NULL: guess by names and types only. */
void joins_infer(struct arena *arena, const struct schema *schema,
                 const struct table *const *tables, size_t count,
                 const struct join_probe *probe, struct joins_result *out);
/* Keys that reference their own table: "staff.boss_id = staff.id". */
void joins_self(struct arena *arena, const struct table *table, struct texts *out);
/* Does "a.x = b.y" name columns of the schema? */
bool joins_valid(struct arena *arena, const struct schema *schema, const char *condition);

#endif
