/* An engine's own parser: does it read a text, and as what? */
#ifndef DGM_TESTS_FUZZ_JUDGE_H
#define DGM_TESTS_FUZZ_JUDGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "sql/dialect.h"

struct judge {
    const char *name;
    enum dialect dialect;
    bool (*open)(const char *root); /* false: the engine is not on this machine */
    /* False: the engine does not take it. Else what it made of it, as a text that is the
     * same for the same meaning. */
    bool (*read)(const char *sql, struct buf *out);
    bool optional; /* without it our own two readings are compared */
};

extern const struct judge judge_sqlite;
extern const struct judge judge_duckdb;
extern const struct judge judge_postgres;
extern const struct judge judge_mysql;

#endif
