/* What a column is good for in a question: to be added up, grouped by, filtered by. */
#ifndef DGM_AGENT_SUGGEST_COLUMNS_H
#define DGM_AGENT_SUGGEST_COLUMNS_H

#include <stdbool.h>

#include "model/schema.h"

struct arena;

/* "order_items", "OrderItems" -> "order items" */
char *suggest_words(struct arena *arena, const char *name);
/* The rows of a table, in the plural: "user" -> "users". */
char *suggest_things(struct arena *arena, const struct table *table);

/* Part of a key: it counts nothing and sorts nothing. */
bool suggest_is_key(const struct table *table, const struct column *column);
/* A number worth adding up: an amount, not a year or a postal code. */
bool suggest_is_measure(const struct table *table, const struct column *column);
/* Few distinct words that come again: a status, a category, a country; not a name. */
bool suggest_is_category(const struct table *table, const struct column *column);
bool suggest_is_date(const struct table *table, const struct column *column);
/* A cell that can stand in a question as it is. */
bool suggest_is_sayable(const char *cell);

#endif
