/* LIMIT: add when absent, lower when too large, keep when smaller. */
#ifndef DGM_SQL_LIMIT_H
#define DGM_SQL_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct sql_statement;

struct limit_result {
    const char *sql;
    int64_t limit; /* what holds now */
    bool added;
    bool lowered;
    /* `sql` as it would be read, made from the tree of the statement; NULL where the text
     * has to be read for that */
    const struct sql_statement *statement;
};

/* A LIMIT that is an expression, or one that does not bound the whole query, is bounded
 * by wrapping the query. A write, and a text that cannot be read and so never runs, stays
 * as it is. */
void limit_apply(struct arena *arena, const struct sql_statement *statement,
                 int64_t default_rows, int64_t max_rows, struct limit_result *out);

#endif
