/* What the files of childless share. */
#ifndef DGM_SQL_COUNTING_CHILDLESS_PARTS_H
#define DGM_SQL_COUNTING_CHILDLESS_PARTS_H

#include "sql/statement.h"

struct foreign_key;
struct table;

/* The key that consists of this column alone; NULL: there is none. */
const struct foreign_key *childless_key(const struct table *table, const char *column);
/* The SELECT that is read from `before`, the table's name, and `after`; NULL: it cannot be read. */
const struct sql_node *childless_read(struct arena *arena, enum dialect dialect,
                                      const char *before, const struct table *table,
                                      const char *after);

#endif
