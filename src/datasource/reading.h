/* Which columns a query reads, for sources whose rows are copied before the query
 * runs. */
#ifndef DGM_DATASOURCE_READING_H
#define DGM_DATASOURCE_READING_H

#include "sql/resolve/resolve.h"

/* Reports a column that may be needed. table NULL: of any table; column NULL: all
 * columns. */
typedef void reading_mark(void *context, const struct table *table, const char *column);

/* Reports at least the columns that the statement needs; extra ones are harmless. */
void reading_columns(const struct sql_statement *statement,
                     const struct sql_resolved *resolved, reading_mark *mark,
                     void *context);

/* Does the query return the first rows of its only table, in any order? *limit: how many;
 * -1: all. */
bool reading_takes_first(const struct sql_node *query, int64_t *limit);

#endif
