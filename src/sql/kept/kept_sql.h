/*
 * Reads columns of text as the amounts and dates that they hold, wherever a statement
 * computes with them, compares them or sorts by them. SUM(revenue) over '$1,200.50' is 0
 * in some engines, and '2024-01' < '2024-01-01': both run, and the figures are wrong.
 */
#ifndef DGM_SQL_KEPT_KEPT_SQL_H
#define DGM_SQL_KEPT_KEPT_SQL_H

#include "model/kept.h"
#include "sql/resolve/resolve.h"

/* A column that was read so. */
struct kept_use {
    const struct table *table;
    const struct column *column;
    struct kept kept;
};

struct kept_uses {
    struct kept_use *items;
    size_t count;
    size_t capacity;
};

/* Does the statement use any column of text that holds amounts or dates? If not, kept_sql()
 * changes nothing. */
bool kept_is_used(const struct sql_resolved *resolved);
/* The changed text; NULL: there is nothing to change. Uses the tree up. */
const char *kept_sql(struct arena *arena, struct sql_statement *statement,
                     const struct sql_resolved *resolved, struct kept_uses *uses);
/* The text before that change, so that another statement can be made from it; NULL: nothing
 * was changed. Uses the tree up. */
const char *kept_plain(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved);

#endif
