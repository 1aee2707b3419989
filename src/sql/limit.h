/* LIMIT: add when absent, lower when too large, keep when smaller. */
#ifndef DGM_SQL_LIMIT_H
#define DGM_SQL_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sql/dialect.h"

struct arena;

struct limit_result {
    const char *sql;
    int64_t limit; /* what holds now */
    bool added;
    bool lowered;
};

/* `sql` is one statement that passed the guard. A LIMIT that is an expression, or one
 * that cannot be found with certainty, is bounded by wrapping the query. */
void limit_apply(struct arena *arena, enum dialect dialect, const char *sql,
                 int64_t default_rows, int64_t max_rows, struct limit_result *out);

#endif
