/* Sample values, row counts and statistics of one table, at a limited cost. The SQL is
 * made here from one description per dialect; a driver only runs it. Databases that are
 * not asked by SQL count the values they read in a tally. */
#ifndef DGM_DATASOURCE_PROFILE_PROFILE_H
#define DGM_DATASOURCE_PROFILE_PROFILE_H

#include "base/map.h"
#include "datasource/driver.h"

struct buf;

enum {
    PROFILE_SCAN_ROWS = 10000,  /* rows looked at for samples and shares */
    PROFILE_SAMPLE_BYTES = 100, /* a longer text is no value one would ask for */
    PROFILE_FEW = 10,           /* distinct values that are all worth keeping */
};

struct profile_dialect;
extern const struct profile_dialect profile_sqlite;
extern const struct profile_dialect profile_duckdb;
extern const struct profile_dialect profile_postgres;
extern const struct profile_dialect profile_mysql;
extern const struct profile_dialect profile_clickhouse;
extern const struct profile_dialect profile_odbc;
extern const struct profile_dialect profile_odbc_cuts; /* it has LEFT and CHAR_LENGTH */

/* How a driver runs the profiler's SQL. */
struct profile_session {
    const struct profile_dialect *dialect;
    void *context;      /* of the functions below */
    const char *schema; /* where tables without a namespace are; NULL: need not be said */
    /* Every row of the statement as `columns` texts (NULL: no value), until `row` returns
     * false. */
    bool (*rows)(void *context, const char *sql, size_t columns,
                 bool (*row)(void *work, const char *const *texts), void *work,
                 struct err *err);
    void (*quote_name)(void *context, struct buf *out, const char *name);
    /* NULL where the dialect asks for no statistics of the server's own. */
    void (*quote_text)(void *context, struct buf *out, const char *text);
};

/* table->row_count may hold an estimate, or -1. */
bool profile_table(const struct profile_session *session, struct table *table,
                   struct arena *arena, int samples, struct err *err);

/* A value as text, for drivers whose rows are values; NULL for NULL and for bytes. */
const char *profile_cell(struct arena *arena, const struct value *value);

struct profile_counted {
    const char *text;
    int64_t count;
    size_t met; /* as which one */
};

/* The values of one column, counted as they are read. */
struct profile_tally {
    struct map places; /* text -> position in values + 1 */
    struct {
        struct profile_counted *items;
        size_t count;
        size_t capacity;
    } values;
    int64_t present;
    bool too_many; /* not all values were told apart */
    bool has_extremes;
    struct value least;
    struct value greatest;
};

void profile_tally_init(struct profile_tally *tally);
void profile_tally_release(struct profile_tally *tally);
/* A value that is not NULL. counted: it is told apart from others; ordered: it has a
 * place between the least and the greatest. Copies stay in the arena. */
void profile_tally_add(struct profile_tally *tally, struct arena *arena,
                       const struct value *value, bool counted, bool ordered);
/* The share of NULL and, if extremes, the least and the greatest value. */
void profile_tally_fill(const struct profile_tally *tally, int64_t rows, bool extremes,
                        struct column *column, struct arena *arena);
/* The most frequent texts first;
 * equally frequent ones by their bytes (by_text) or in the order they were read. */
void profile_tally_samples(struct profile_tally *tally, int samples, bool by_text,
                           struct column *column, struct arena *arena);

#endif
