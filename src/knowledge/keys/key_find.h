/*
 * Keys that nobody declared but the data show: the values of one column are those of
 * another that tells the rows of its table apart, and names or the values themselves say
 * that this is no chance. Small whole numbers fit each other everywhere, so for them the
 * name must say it, too.
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
 * Adds keys, with a confidence below 1, to a schema that has its statistics and is not
 * shared yet; between tables that have a declared key none is looked for. It ends in
 * time and never fails: whatever could not be asked is no key. The same data give the
 * same keys, where the database counts its steps.
 */
void key_find(struct datasource *source, struct schema *schema,
              const struct datasource_limits *limits);

/* Has the column the same value in every row, as far as is known? */
bool key_is_constant(const struct table *table, const struct column *column);

#endif
