/* How tables belong together, by the keys the schema declares. */
#ifndef DGM_AGENT_JOINS_H
#define DGM_AGENT_JOINS_H

#include "base/vec.h"
#include "model/schema.h"

enum joins_found {
    JOINS_CERTAIN,   /* one declared key between each pair on the way */
    JOINS_AMBIGUOUS, /* several keys between two of the tables: `options` */
    JOINS_UNKNOWN,   /* no declared key leads from one to the other */
};

struct joins_result {
    enum joins_found found;
    struct texts conditions;  /* "orders.customer_id = customers.id" */
    struct texts options;     /* of the first ambiguous pair */
    const struct table *left; /* that pair, or the two without a path */
    const struct table *right;
};

/* The shortest way through the keys that connects all tables; bridge tables are used but
 * not added to the list. */
void joins_infer(struct arena *arena, const struct schema *schema,
                 const struct table *const *tables, size_t count,
                 struct joins_result *out);
/* Does "a.x = b.y" name columns of the schema? */
bool joins_valid(struct arena *arena, const struct schema *schema, const char *condition);

#endif
