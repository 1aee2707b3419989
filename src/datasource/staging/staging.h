/*
 * A private DuckDB in memory into which rows of any datasource are streamed, so that one
 * SQL statement can combine several sources, or query a store without SQL. What does not
 * fit into memory spills to a private folder, which is deleted with it. It can never
 * access anything outside; once locked, it is read-only.
 *
 *     struct staging *staging = staging_open(options, err);
 *     struct staging_table *table = staging_table_new(staging, &shape, &limits, err);
 *     staging_table_fill(table, source, "SELECT id, name FROM customers", err);
 *     staging_table_end(table, err);
 *     staging_lock(staging);
 *     staging_run(staging, "SELECT count(*) FROM crm.customers", &limits, &sink, err);
 *     staging_close(staging);
 *
 * Threads: different threads may fill different tables of one staging; each table is used
 * by one thread. Lock, run and check come after all tables have ended.
 */
#ifndef DGM_DATASOURCE_STAGING_H
#define DGM_DATASOURCE_STAGING_H

#include "datasource/datasource.h"

struct staging;
struct staging_table;

/* Progress of a table; reported after each batch, by the thread that fills it. */
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

/* The definition of a table. Names and types are copied. */
struct staging_shape {
    const char *namespace; /* schema in the staging database; "": its default schema */
    const char *name;
    const struct rows_column *columns; /* types as the source names them */
    size_t count;
    enum dialect dialect; /* dialect of these type names */
    /* Beyond these the table is refused with RESULT_TOO_LARGE; 0: staging.max_*. */
    int64_t max_rows;
    int64_t max_bytes;
};

/* Is the engine available? Otherwise DATASOURCE_KIND. */
bool staging_ready(const struct options *options, struct err *err);
/* Errors: DATASOURCE_KIND if DuckDB is missing; ACCESS if no folder can be created. */
struct staging *staging_open(const struct options *options, struct err *err);
void staging_close(struct staging *staging); /* NULL is fine */
void staging_watch(struct staging *staging, const struct staging_watcher *watcher);

/* Creates an empty table. limits: deadline and stop for all calls that use it; the struct
 * is copied, what it points to must live until the table ends. */
struct staging_table *staging_table_new(struct staging *staging,
                                        const struct staging_shape *shape,
                                        const struct datasource_limits *limits,
                                        struct err *err);
/* Adds a row; cells are copied. Rows are sent in batches. If a cell does not fit the type
 * of its column, the column gets a wider type. */
bool staging_table_add(struct staging_table *table, const struct value *cells,
                       struct err *err);
/* Adds all rows of a read-only query of the source; its columns must be those of the
 * table in the same order. The caller has checked it with the guard. */
bool staging_table_fill(struct staging_table *table, struct datasource *source,
                        const char *sql, struct err *err);
/* The same with the guard: names are checked against the source's schema. */
bool staging_table_read(struct staging_table *table, struct datasource *source,
                        const char *sql, const struct schema *schema, struct err *err);
/* Sends the last batch and frees the table, also on failure. */
bool staging_table_end(struct staging_table *table, struct err *err);

/* Writes a finished table of the default schema as a Parquet file: first to the private
 * folder, then copied to `fd`. Call it before staging_lock. */
bool staging_parquet(struct staging *staging, const char *table, int fd,
                     const struct datasource_limits *limits, struct err *err);

/* The error for SQL that we cannot parse: DuckDB's syntax error, or our own reason.
 * Returns false. */
bool staging_unreadable(struct staging *staging, const struct sql_statement *statement,
                        const struct datasource_limits *limits, struct err *err);
/* Makes it read-only. */
void staging_lock(struct staging *staging);
/* Compile and run SQL, like the functions of a driver. The caller has checked it with the
 * guard. */
bool staging_check(struct staging *staging, const char *sql,
                   const struct datasource_limits *limits, struct err *err);
bool staging_run(struct staging *staging, const char *sql,
                 const struct datasource_limits *limits,
                 const struct datasource_sink *sink, struct err *err);

#endif
