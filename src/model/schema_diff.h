/* The differences between two schemas of one database. */
#ifndef DGM_MODEL_SCHEMA_DIFF_H
#define DGM_MODEL_SCHEMA_DIFF_H

#include <stddef.h>

#include "model/schema.h"

struct writer;

struct schema_change {
    const char *kind; /* "added", "removed" or "changed" */
    /* "table", "view", "column", "primary key", "foreign key", "index", "comment", or
     * "schema": something that tables, columns and keys do not show */
    const char *what;
    const char *table; /* NULL: the schema as a whole */
    const char *name;  /* of the column or index; or NULL */
    const char *from;  /* what it was; or NULL */
    const char *to;    /* what it is; or NULL */
};

struct schema_changes {
    struct schema_change *items;
    size_t count;
    size_t capacity;
};

/* Additions and changes by table, then removed tables; empty if they differ only in
 * statistics. Both must be normalized. */
void schema_diff(struct arena *arena, const struct schema *before,
                 const struct schema *after, struct schema_changes *out);
void schema_change_write(const struct schema_change *change, struct writer *writer);

#endif
