/* The SQL that reads a text such as "$1,200.50" or "13.07.2024" as what it is. */
#ifndef DGM_SQL_KEPT_KEPT_FORM_H
#define DGM_SQL_KEPT_KEPT_FORM_H

#include "model/kept.h"
#include "sql/dialect.h"

struct arena;

/* The value of `text`, itself SQL; NULL where a cell has another form. NULL: the dialect
 * has no such form here. */
const char *kept_form_sql(struct arena *arena, enum dialect dialect,
                          const struct kept *kept, const char *text);

#endif
