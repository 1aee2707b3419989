/* What a column can be used for in a question: adding up, grouping or filtering. */
#ifndef DGM_AGENT_SUGGEST_COLUMNS_H
#define DGM_AGENT_SUGGEST_COLUMNS_H

#include <stdbool.h>

#include "model/schema.h"

struct arena;

/* The words of a name: "order_items", "OrderItems" -> "order items". */
char *suggest_words(struct arena *arena, const char *name);
/* The rows of a table, in the plural: "user" -> "users". */
char *suggest_things(struct arena *arena, const struct table *table);

/* The same in its database: the only table of one may have any name, the file's, so its
 * rows are "rows" unless the name is a plural already. */
char *suggest_things_in(struct arena *arena, const struct schema *schema,
                        const struct table *table);

/* Part of a key, so it is not worth adding up or sorting by. */
bool suggest_is_key(const struct table *table, const struct column *column);
/* A number worth adding up: an amount, not a year or a postal code. */
bool suggest_is_measure(const struct table *table, const struct column *column);
/* A few distinct values that repeat: a status, a category, a country; not a name. */
bool suggest_is_category(const struct table *table, const struct column *column);
bool suggest_is_date(const struct table *table, const struct column *column);
/* Can the cell be part of a question as it is? */
bool suggest_is_sayable(const char *cell);

#endif
