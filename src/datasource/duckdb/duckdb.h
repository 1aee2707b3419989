/*
 * The DuckDB driver, and what is built on it: files, staging and the processes that run
 * the library. Only those processes (engine.h) load and call the library, through struct
 * duckdb_library; all other code sends them requests.
 */
#ifndef DGM_DATASOURCE_DUCKDB_H
#define DGM_DATASOURCE_DUCKDB_H

#include <duckdb.h>
#include <pthread.h>
#include <sys/types.h>
#include <time.h>

#include "base/places.h"
#include "datasource/driver.h"
#include "datasource/engine/engine.h"
#include "datasource/staging/staging_types.h"

/*
 * The functions of libduckdb under their names without the prefix. execute_streaming is
 * NULL in versions without it (DuckDB has announced its removal); results are then
 * materialized.
 */
struct duckdb_library {
#define FUNCTION(name) __typeof__(&duckdb_##name) name; /* NOLINT: a member's name */
#include "datasource/duckdb/duckdb_library.def"
#undef FUNCTION
    __typeof__(&duckdb_execute_prepared) execute_streaming;
};

/* Loads the library once per process; NULL and DATASOURCE_KIND if it was not found. */
const struct duckdb_library *duckdb_library(struct err *err);

/* A connection for one query. It is never reused, so no state is left behind. */
struct duckdb_session {
    struct engine_session line;
    const struct datasource_limits *limits;
    bool staged; /* the database contains only what was staged */
    /* a source that can repeat the query; NULL: a repetition could lose data */
    struct datasource *source;
    bool lost;    /* the connection is lost */
    bool starved; /* the last statement ran out of memory */
    bool lone;    /* its process runs only this session */
    struct places_holder holder;
    /* A table that rows are appended to. */
    size_t columns;
    size_t waiting; /* number of rows not sent yet */
};

/* Creates a database in memory from something else than a database file. The caller fills
 * it in; it must outlive the state. */
struct duckdb_maker {
    bool (*changed)(void *context); /* has the origin changed? */
    /* Finds the files that it is made from; *count: how many. Its process may read only
     * these. */
    bool (*find)(void *context, size_t *count, struct err *err);
    /* Opens one of them; -1 on failure. */
    int (*file_open)(void *context, size_t index);
    /* Fills the empty database of the session and locks it; `places` are the numbers of
     * the files in its process. */
    bool (*make)(void *context, struct duckdb_session *session, const int *places,
                 struct err *err);
    void (*closed)(void *context); /* called when the database is closed */
    void *context;
    int64_t idle_ms; /* it is closed after this time without use */
};

enum { DUCK_BUSY_MOST = 64 }; /* maximum number of queries at once on one database */

/*
 * The state of a DuckDB datasource: one engine process per database, started when needed
 * and closed after `idle_ms` without a query. `lock` guards all fields that change.
 */
struct duckdb_source_state {
    /* NULL: made by a maker, or a private database in memory that spills to disk */
    const char *path;
    const char *spill; /* the folder that it spills to */
    bool locked;       /* the private database has become read-only */
    const struct duckdb_maker *maker;
    bool making; /* a thread is opening it, without holding the lock */
    const struct options *options;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct engine *engine; /* NULL while it is closed */
    struct places busy;
    size_t lone; /* number of processes that run a single query, besides the engine */
    int64_t idle_since_ms;
    int64_t idle_ms; /* it is closed after this time without use */
    bool opened;     /* it was opened at least once */
    bool ending;
    pthread_t watchman;
    struct stat_mark {
        dev_t device;
        ino_t inode;
        off_t size;
        struct timespec changed;
    } mark;             /* identifies the file that is open */
    char signature[33]; /* the schema's signature for `mark`; "" if unknown */
};

/* duckdb_pool.c */
bool duckdb_state_init(struct duckdb_source_state *state, struct datasource *source,
                       struct err *err);
/* The same with a database that is made at first use. The maker must outlive the
 * state. */
bool duckdb_state_init_maker(struct duckdb_source_state *state,
                             const struct options *options,
                             const struct duckdb_maker *maker, struct err *err);
void duckdb_state_release(struct duckdb_source_state *state);
/* The last signature, if the file has not changed since. */
bool duckdb_signature_known(struct duckdb_source_state *state, char out[33]);
/* Opens the file if necessary; waits while too many queries run. */
bool duckdb_begin(struct datasource *source, const struct datasource_limits *limits,
                  struct duckdb_session *session, struct err *err);
void duckdb_end(struct datasource *source, struct duckdb_session *session);
/* The engine has ended: moves the session to a new one. */
bool duckdb_renew(struct duckdb_session *session, struct err *err);
/* A shared engine ran out of memory: repeats the session in a process of its own, or once
 * more in the shared one. */
bool duckdb_renew_starved(struct duckdb_session *session, struct err *err);
/* Waits, with the lock held. */
void duckdb_wait(struct duckdb_source_state *state, int64_t most_ms);
struct engine_setting duckdb_setting(const struct duckdb_source_state *state,
                                     enum engine_mode mode);
/* Fills err from the engine's message about a file it could not open. Returns false. */
bool duckdb_open_failed(const struct duckdb_source_state *state, struct err *err);
/* Runs `work` on the file opened for writing, when no other session in this process has
 * it. */
bool duckdb_alone(struct datasource *source, const struct datasource_limits *limits,
                  bool (*work)(struct duckdb_session *session, void *context,
                               struct err *err),
                  void *context, struct err *err);

/* duckdb_lone.c: starts a process for a single session on a file. */
bool duckdb_lone_begin(struct duckdb_source_state *state, struct duckdb_session *session,
                       struct err *err);
void duckdb_lone_end(struct duckdb_source_state *state, struct duckdb_session *session);
/* The error of a query that ran out of memory while others ran. Returns false. */
bool duckdb_crowded(struct err *err);

/* duckdb.c: driver functions that need only a database. */
bool duckdb_check(struct datasource *source, const char *sql,
                  const struct datasource_limits *limits, struct err *err);
bool duckdb_execute(struct datasource *source, const char *sql,
                    const struct datasource_limits *limits,
                    const struct datasource_sink *sink, struct err *err);

/* duckdb_write.c */
bool duckdb_write(struct datasource *source, const char *sql, int64_t approved,
                  const struct datasource_limits *limits, int64_t *touched,
                  struct err *err);

/* duckdb_error.c: fills err from the engine's message; sql may be NULL. Returns false. */
bool duckdb_fail(const struct datasource_limits *limits, const char *text,
                 const char *sql, struct err *err);
/* Does the message say that memory ran out, or that the database was invalidated? */
bool duckdb_says_starved(const char *text);
bool duckdb_open_fail(const char *path, const char *text, struct err *err);

/* duckdb_lock.c: refuses what DuckDB's configuration cannot forbid. */
bool duckdb_lock_holds(const char *sql, bool staged, struct err *err);
/* duckdb_count.c: does this token call a function whose result can be huge for small
 * arguments? */
struct token;
bool duckdb_count_holds(const struct token *name, bool method);
/* spill: the spill folder of a private database in memory; NULL: a file opened for
 * reading. */
bool duckdb_lock_configure(const struct duckdb_library *library, duckdb_config config,
                           const struct options *options, const char *spill);
/* The same for a file that one approved write changes: locked, but writable. */
bool duckdb_lock_writable(const struct duckdb_library *library, duckdb_config config,
                          const struct options *options);
bool duckdb_lock_finish(const struct duckdb_library *library, duckdb_database database,
                        const char *spill);
/* With limits and without extensions, but not locked yet: for a database that is being
 * made. */
bool duckdb_lock_prepare(const struct duckdb_library *library, duckdb_config config,
                         const struct options *options, const char *spill);

/* duckdb_run.c: runs one statement; dragoman's own SQL need not pass
 * duckdb_lock_holds. */
/* Compiles without running; *type: which kind of statement it is. */
bool duckdb_check_one(struct duckdb_session *session, const char *sql, bool own,
                      uint64_t *type, struct err *err);
bool duckdb_run(struct duckdb_session *session, const char *sql, bool own,
                const struct datasource_sink *sink, struct err *err);
/* Runs dragoman's own SQL whose columns are all texts; `row` gets each row as NUL-ended
 * texts. */
bool duckdb_rows(struct duckdb_session *session, const char *sql,
                 bool (*row)(void *context, const char *const *texts), void *context,
                 struct err *err);
/* Runs dragoman's own SQL without rows, one statement or several. */
bool duckdb_statement(struct duckdb_session *session, const char *sql, struct err *err);

/* duckdb_append.c: appends rows to a table; one table of a session at a time. */
struct duckdb_table {
    const char *namespace; /* "": the default one */
    const char *name;
    bool wanted; /* create the table; else it exists */
    const char *const *names;
    const struct staged_type *types;
    size_t count;
};
bool duckdb_append_begin(struct duckdb_session *session, const struct duckdb_table *table,
                         struct err *err);
/* Rows are sent in batches, so an error may be reported by a later call. */
bool duckdb_append_row(struct duckdb_session *session, const struct value *cells,
                       struct err *err);
bool duckdb_append_end(struct duckdb_session *session, struct err *err);

/* duckdb_shape.c: how the values of a column are laid out in memory. */
struct duckdb_shape {
    duckdb_type type;
    duckdb_type internal; /* of decimals and enums */
    uint8_t width;
    uint8_t scale;
    bool is_json;
    uint64_t array_size;
    const char *name;         /* of the type, for people */
    const char *const *words; /* enum values or member names */
    uint64_t child_count;
    struct duckdb_shape *children;
};
void duckdb_shape_read(const struct duckdb_library *library, struct arena *arena,
                       duckdb_logical_type type, struct duckdb_shape *out, int depth);

/* duckdb_values.c: one cell; texts are borrowed from the vector or in the arena. */
struct value duckdb_cell(const struct duckdb_library *library, struct arena *arena,
                         const struct duckdb_shape *shape, duckdb_vector vector,
                         uint64_t row);
/* duckdb_format.c: numbers and times as text. */
struct value duckdb_decimal_value(struct arena *arena, duckdb_hugeint number,
                                  unsigned scale);
struct value duckdb_unsigned_value(struct arena *arena, uint64_t upper, uint64_t lower);
const char *duckdb_date_text(struct arena *arena, int32_t days);
const char *duckdb_time_text(struct arena *arena, int64_t units, int64_t per_second);
const char *duckdb_timestamp_text(struct arena *arena, int64_t units, int64_t per_second,
                                  const char *zone);
const char *duckdb_interval_text(struct arena *arena, duckdb_interval interval);
const char *duckdb_uuid_text(struct arena *arena, duckdb_hugeint number);

/* The slots that live in files of their own. */
bool duckdb_signature(struct datasource *source, const struct datasource_limits *limits,
                      char out[33], struct err *err);
bool duckdb_describe(struct datasource *source, struct schema *schema,
                     const struct datasource_limits *limits, struct err *err);
bool duckdb_profile(struct datasource *source, struct schema *schema, struct table *table,
                    struct arena *arena, int samples,
                    const struct datasource_limits *limits, struct err *err);
bool duckdb_estimate(struct datasource *source, const char *sql, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_estimate *out, struct err *err);

#endif
