/* What the two files of the grain share. */
#ifndef DGM_SQL_COUNTING_GRAIN_STATE_H
#define DGM_SQL_COUNTING_GRAIN_STATE_H

#include "sql/counting/grain.h"

void grain_relation_keys(struct grain *grain, const struct sql_relation *relation,
                         struct grain_keys *out);
/* What an item of GROUP BY stands for: the expression itself, or that of an output it
 * names by alias or number. NULL: not known. */
const struct sql_node *grain_group_value(const struct grain *grain,
                                         const struct sql_node *item);

#endif
