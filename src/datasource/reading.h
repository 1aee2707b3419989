/* What a query reads of its tables: for sources whose rows are copied before the query
 * runs, so that no more of them is copied than it needs. */
#ifndef DGM_DATASOURCE_READING_H
#define DGM_DATASOURCE_READING_H

#include "sql/resolve/resolve.h"

/* A column that may be needed. table NULL: of any table; column NULL: all of them. */
typedef void reading_mark(void *context, const struct table *table, const char *column);

/* Marks at least the columns that the statement needs: one too many does no harm, one too
 * few would. */
void reading_columns(const struct sql_statement *statement,
                     const struct sql_resolved *resolved, reading_mark *mark,
                     void *context);

/* Are the rows of the query the first rows of its one table, in whatever order they come?
 * *limit: how many it asks for; -1: all. */
bool reading_takes_first(const struct sql_node *query, int64_t *limit);

#endif
