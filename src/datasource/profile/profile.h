/*
 * Sample values, row counts and statistics of one table, at limited cost. The SQL is
 * generated from one description per dialect; a driver only runs it. Databases without
 * SQL count the values they read with a tally.
 */
#ifndef DGM_DATASOURCE_PROFILE_PROFILE_H
#define DGM_DATASOURCE_PROFILE_PROFILE_H

#include "base/map.h"
#include "datasource/driver.h"

struct buf;

enum {
    PROFILE_SCAN_ROWS = 10000,  /* rows that are read for samples and shares */
    PROFILE_SAMPLE_BYTES = 100, /* longer texts are not useful as values */
    PROFILE_FEW = 10,           /* with up to this many distinct values, all are kept */
};

struct profile_dialect;
extern const struct profile_dialect profile_sqlite;
extern const struct profile_dialect profile_duckdb;
extern const struct profile_dialect profile_postgres;
extern const struct profile_dialect profile_mysql;
extern const struct profile_dialect profile_clickhouse;
extern const struct profile_dialect profile_odbc;
/* with the functions LEFT and CHAR_LENGTH */
extern const struct profile_dialect profile_odbc_cuts;

/* How the profiler runs SQL on a driver. */
struct profile_session {
    const struct profile_dialect *dialect;
    void *context;      /* of the functions below */
    const char *schema; /* schema of tables without a namespace; NULL: none needed */
    /* Passes every row of the statement as `columns` texts (NULL: NULL) to `row`, until
     * it returns false. */
    bool (*rows)(void *context, const char *sql, size_t columns,
                 bool (*row)(void *work, const char *const *texts), void *work,
                 struct err *err);
    void (*quote_name)(void *context, struct buf *out, const char *name);
    /* NULL if the dialect does not read the server's statistics. */
    void (*quote_text)(void *context, struct buf *out, const char *text);
};

/* Before the call, table->row_count may be an estimate, or -1. */
bool profile_table(const struct profile_session *session, struct table *table,
                   struct arena *arena, int samples, struct err *err);

/* A value as text, for drivers that return values; NULL for NULL and for bytes. */
const char *profile_cell(struct arena *arena, const struct value *value);

struct profile_counted {
    const char *text;
    int64_t count;
    size_t met; /* order in which it was first seen */
};

/* Counts the values of one column as they are read. */
struct profile_tally {
    struct map places; /* text -> index in values + 1 */
    struct {
        struct profile_counted *items;
        size_t count;
        size_t capacity;
    } values;
    int64_t present;
    bool too_many; /* there are too many distinct values to count */
    bool has_extremes;
    struct value least;
    struct value greatest;
};

void profile_tally_init(struct profile_tally *tally);
void profile_tally_release(struct profile_tally *tally);
/* Adds a value that is not NULL. counted: count distinct values; ordered: track minimum
 * and maximum. Copies are in the arena. */
void profile_tally_add(struct profile_tally *tally, struct arena *arena,
                       const struct value *value, bool counted, bool ordered);
/* Sets the share of NULL and, if `extremes`, the minimum and maximum. */
void profile_tally_fill(const struct profile_tally *tally, int64_t rows, bool extremes,
                        struct column *column, struct arena *arena);
/* The most frequent texts first; ties are ordered by bytes (by_text) or by first
 * occurrence. */
void profile_tally_samples(struct profile_tally *tally, int samples, bool by_text,
                           struct column *column, struct arena *arena);

#endif
