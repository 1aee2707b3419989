/*
 * A private DuckDB in memory into which rows of any datasource are streamed, so that one
 * SQL can read what no engine of theirs could: several sources at once, or a store that
 * speaks no SQL. What does not fit in memory spills into a folder of its own, which goes
 * with it. Nothing outside can be reached from the first moment on, and once it is locked
 * it can only be read.
 *
 *     struct staging *staging = staging_open(options, err);
 *     struct staging_table *table = staging_table_new(staging, &shape, &limits, err);
 *     staging_table_fill(table, source, "SELECT id, name FROM customers", err);
 *     staging_table_end(table, err);
 *     staging_lock(staging);
 *     staging_run(staging, "SELECT count(*) FROM crm.customers", &limits, &sink, err);
 *     staging_close(staging);
 *
 * Threads: tables of one staging may be filled by different threads at once, each table
 * by one. Lock, run and check come after all tables have ended.
 */
#ifndef DGM_DATASOURCE_STAGING_H
#define DGM_DATASOURCE_STAGING_H

#include "datasource/datasource.h"

struct staging;
struct staging_table;

/* How far a table has come; told after each batch, by the thread that fills it. */
struct staging_progress {
    const char *name; /* "crm.customers" */
    int64_t rows;
    int64_t bytes; /* as value_bytes() counts */
    bool done;
};

struct staging_watcher {
    void (*progress)(void *context, const struct staging_progress *progress);
    void *context;
};

/* What a table is to look like. Names and types are copied. */
struct staging_shape {
    const char *namespace; /* a schema of the staging; "" for its default one */
    const char *name;
    const struct rows_column *columns; /* types as the source says them */
    size_t count;
    enum dialect dialect; /* whose words the types are */
    /* Past these the table is refused with RESULT_TOO_LARGE; 0: staging.max_*. */
    int64_t max_rows;
    int64_t max_bytes;
};

/* Is there an engine for it? Else DATASOURCE_KIND. */
bool staging_ready(const struct options *options, struct err *err);
/* Errors: DATASOURCE_KIND when this build or machine has no DuckDB; ACCESS when no folder
 * can be made. */
struct staging *staging_open(const struct options *options, struct err *err);
void staging_close(struct staging *staging); /* NULL is fine */
void staging_watch(struct staging *staging, const struct staging_watcher *watcher);

/* An empty table. limits: deadline and stop for all that is done with it; copied, what
 * they point to is borrowed until it ends. */
struct staging_table *staging_table_new(struct staging *staging,
                                        const struct staging_shape *shape,
                                        const struct datasource_limits *limits,
                                        struct err *err);
/* One row; cells are copied. They reach the engine in batches: a column whose type does
 * not hold a cell without loss is made wider. */
bool staging_table_add(struct staging_table *table, const struct value *cells,
                       struct err *err);
/* All rows of a query that only reads, through the source's own driver; its columns must
 * be those of the table, in their order. The caller has asked the guard. */
bool staging_table_fill(struct staging_table *table, struct datasource *source,
                        const char *sql, struct err *err);
/* The same through the guard: names are held against the source's schema. */
bool staging_table_read(struct staging_table *table, struct datasource *source,
                        const char *sql, const struct schema *schema, struct err *err);
/* Writes the last batch and lets go of the table, whatever it returns. */
bool staging_table_end(struct staging_table *table, struct err *err);

/* A table of the default namespace that has ended, written as a Parquet file: first in
 * the folder that the engine may reach, then copied into `fd`. Before it is locked. */
bool staging_parquet(struct staging *staging, const char *table, int fd,
                     const struct datasource_limits *limits, struct err *err);

/* What is wrong with SQL that we cannot read: what the engine's grammar says of it, or our
 * own reason. Returns false. */
bool staging_unreadable(struct staging *staging, const struct sql_statement *statement,
                        const struct datasource_limits *limits, struct err *err);
/* From now on it can only be read. */
void staging_lock(struct staging *staging);
/* Compiles without running, and runs, as a driver's slots do. The caller has asked the
 * guard. */
bool staging_check(struct staging *staging, const char *sql,
                   const struct datasource_limits *limits, struct err *err);
bool staging_run(struct staging *staging, const char *sql,
                 const struct datasource_limits *limits,
                 const struct datasource_sink *sink, struct err *err);

#endif
