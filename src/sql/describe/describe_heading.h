/* Inside of describe: one heading on its way into words. */
#ifndef DGM_SQL_DESCRIBE_HEADING_H
#define DGM_SQL_DESCRIBE_HEADING_H

#include "sql/tree/tree.h"

struct heading {
    struct arena *arena;
    int depth;
};

/* A node of any kind; never NULL, never empty. */
const char *heading_of(struct heading *heading, const struct sql_node *node);
/* A number, a text, a constant? */
bool heading_is_literal(const struct sql_node *node);
/* describe_heading_call.c: a function: "total_amount", "month". */
const char *heading_call(struct heading *heading, const struct sql_node *call);
/* What a condition picks out: "cancelled" of status = 'cancelled'; or NULL. */
const char *heading_condition(struct heading *heading, const struct sql_node *node);

#endif
