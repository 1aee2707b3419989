/* Measures in the database, at bounded cost, how many values of one column occur in
 * another. */
#ifndef DGM_KNOWLEDGE_KEYS_KEY_PROBE_H
#define DGM_KNOWLEDGE_KEYS_KEY_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct column;
struct datasource;
struct datasource_limits;
struct table;

struct key_probe {
    const struct table *from; /* whose column's values are looked for */
    const struct column *column;
    const struct table *to;
    const struct column *key;
    size_t values; /* that many different ones at most */
};

struct key_share {
    int64_t values; /* different ones that were looked for */
    int64_t found;  /* and are there */
};

/* False when the database did not say, or has no value. */
bool key_probe_run(struct datasource *source, const struct key_probe *probe,
                   const struct datasource_limits *limits, struct key_share *out);

#endif
