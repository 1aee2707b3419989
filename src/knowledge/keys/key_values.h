/* The values of a column in memory, if there are not too many, so that many other columns
 * can be compared without queries. */
#ifndef DGM_KNOWLEDGE_KEYS_KEY_VALUES_H
#define DGM_KNOWLEDGE_KEYS_KEY_VALUES_H

#include <stdbool.h>

struct column;
struct datasource;
struct datasource_limits;
struct key_values;
struct table;

/* NULL if there are too many or they could not be read; the caller frees it. */
struct key_values *key_values_read(struct datasource *source, const struct table *table,
                                   const struct column *column,
                                   const struct datasource_limits *limits);
void key_values_free(struct key_values *values); /* NULL is fine */
/* Do all samples of the other column occur among them? True without samples. */
bool key_values_hold(const struct key_values *values, const struct column *other);

#endif
