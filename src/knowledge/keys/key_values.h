/* The values of a column in memory, where they are not too many: many other columns are
 * held against them without asking the database each time. */
#ifndef DGM_KNOWLEDGE_KEYS_KEY_VALUES_H
#define DGM_KNOWLEDGE_KEYS_KEY_VALUES_H

#include <stdbool.h>

struct column;
struct datasource;
struct datasource_limits;
struct key_values;
struct table;

/* NULL when they are too many or could not be read; yours to free. */
struct key_values *key_values_read(struct datasource *source, const struct table *table,
                                   const struct column *column,
                                   const struct datasource_limits *limits);
void key_values_free(struct key_values *values); /* NULL is fine */
/* Are the samples of the other column all among them? Without samples: perhaps. */
bool key_values_hold(const struct key_values *values, const struct column *other);

#endif
