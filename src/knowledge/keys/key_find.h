/*
 * Finds undeclared keys in the data: the values of one column all occur in a unique
 * column of another table, and the names, or the values themselves, show that this is not
 * by chance. Small integers fit everywhere, so for these the names must match, too.
 */
#ifndef DGM_KNOWLEDGE_KEYS_KEY_FIND_H
#define DGM_KNOWLEDGE_KEYS_KEY_FIND_H

#include <stdbool.h>

struct column;
struct datasource;
struct datasource_limits;
struct schema;
struct table;

/* A key with at least this confidence has a name that says where it leads. */
#define KEY_FIND_NAMED 0.75

/*
 * Adds keys with a confidence below 1 to a schema that has statistics and is not shared
 * yet, except between tables with a declared key. It is bounded in time and never fails:
 * what cannot be checked is not a key. If the database counts its steps, the result
 * depends only on the data.
 */
void key_find(struct datasource *source, struct schema *schema,
              const struct datasource_limits *limits);

/* Has the column the same value in all rows, as far as known? */
bool key_is_constant(const struct table *table, const struct column *column);

#endif
