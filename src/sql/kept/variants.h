/*
 * "North", "NORTH " and "north" in one column are one thing that people wrote in several
 * ways: a condition on one of them means all, and a group of each would be three where
 * one is asked for.
 */
#ifndef DGM_SQL_KEPT_VARIANTS_H
#define DGM_SQL_KEPT_VARIANTS_H

#include "base/vec.h"
#include "sql/resolve/resolve.h"

/* A column whose values were grouped. */
struct variants_use {
    const struct column *column;
    struct texts same; /* the values in quotes, of the first that has several spellings */
    bool compared;     /* by a condition; else as groups */
};

struct variants_uses {
    struct variants_use *items;
    size_t count;
    size_t capacity;
};

/* Where a statement compares with one spelling of several, or makes a group of each. */
void variants_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, struct variants_uses *out);
/* The statement with all spellings as one; NULL: there is nothing to change. Uses the tree up. */
const char *variants_sql(struct arena *arena, struct sql_statement *statement,
                         const struct sql_resolved *resolved, struct variants_uses *out);

#endif
