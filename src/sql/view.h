/* The query that defines a view, as people and models may read it. */
#ifndef DGM_SQL_VIEW_H
#define DGM_SQL_VIEW_H

#include "sql/dialect.h"

struct arena;
struct schema;

/* Of "CREATE VIEW v (a, b) AS SELECT …" the query alone; of a query itself. */
const char *view_query(struct arena *arena, enum dialect dialect, const char *definition);
/* Brings the definitions of a schema's views into a short form: one line without
 * comments. What cannot be read, or reads more than the schema has, is dropped: it may
 * call functions, name files or speak of what nobody may see. */
void view_tidy(struct schema *schema, enum dialect dialect);
/* A tidied query with "?" in the place of every literal. */
const char *view_outline(struct arena *arena, enum dialect dialect, const char *query);

#endif
