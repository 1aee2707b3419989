/*
 * The DuckDB driver, and what the code that is built on it uses: files, staging and the
 * processes that run the library. The library is loaded and called only in the processes
 * that run it (engine.h), through one table; all else asks them.
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

/* Every function used: all of the library's stable interface of version 1.2. */
#define DUCK_FUNCTIONS(F)                                                                \
    F(create_config)                                                                     \
    F(set_config)                                                                        \
    F(destroy_config)                                                                    \
    F(open_ext)                                                                          \
    F(close)                                                                             \
    F(connect)                                                                           \
    F(disconnect)                                                                        \
    F(interrupt)                                                                         \
    F(free)                                                                              \
    F(library_version)                                                                   \
    F(query)                                                                             \
    F(extract_statements)                                                                \
    F(extract_statements_error)                                                          \
    F(prepare_extracted_statement)                                                       \
    F(destroy_extracted)                                                                 \
    F(prepare_error)                                                                     \
    F(prepared_statement_type)                                                           \
    F(destroy_prepare)                                                                   \
    F(execute_prepared)                                                                  \
    F(destroy_result)                                                                    \
    F(result_error)                                                                      \
    F(column_count)                                                                      \
    F(column_name)                                                                       \
    F(column_logical_type)                                                               \
    F(fetch_chunk)                                                                       \
    F(data_chunk_get_size)                                                               \
    F(data_chunk_get_vector)                                                             \
    F(destroy_data_chunk)                                                                \
    F(vector_get_data)                                                                   \
    F(vector_get_validity)                                                               \
    F(list_vector_get_child)                                                             \
    F(struct_vector_get_child)                                                           \
    F(array_vector_get_child)                                                            \
    F(get_type_id)                                                                       \
    F(destroy_logical_type)                                                              \
    F(logical_type_get_alias)                                                            \
    F(decimal_width)                                                                     \
    F(decimal_scale)                                                                     \
    F(decimal_internal_type)                                                             \
    F(enum_internal_type)                                                                \
    F(enum_dictionary_size)                                                              \
    F(enum_dictionary_value)                                                             \
    F(list_type_child_type)                                                              \
    F(array_type_child_type)                                                             \
    F(array_type_array_size)                                                             \
    F(map_type_key_type)                                                                 \
    F(map_type_value_type)                                                               \
    F(struct_type_child_count)                                                           \
    F(struct_type_child_name)                                                            \
    F(struct_type_child_type)                                                            \
    F(union_type_member_count)                                                           \
    F(union_type_member_type)                                                            \
    F(appender_create)                                                                   \
    F(appender_column_type)                                                              \
    F(appender_error)                                                                    \
    F(appender_flush)                                                                    \
    F(appender_destroy)                                                                  \
    F(append_data_chunk)                                                                 \
    F(create_data_chunk)                                                                 \
    F(data_chunk_reset)                                                                  \
    F(data_chunk_set_size)                                                               \
    F(vector_ensure_validity_writable)                                                   \
    F(vector_assign_string_element_len)                                                  \
    F(validity_set_row_invalid)                                                          \
    F(appender_end_row)                                                                  \
    F(append_varchar_length)                                                             \
    F(append_null)

/* The streaming call is marked for removal: when it is gone, results are whole. */
struct duckdb_library {
#define F(name) __typeof__(&duckdb_##name) name; /* NOLINT: a member's name */
    DUCK_FUNCTIONS(F)
#undef F
    __typeof__(&duckdb_execute_prepared) execute_streaming;
};

/* The library, loaded once for the process; NULL and DATASOURCE_KIND when it is not
 * there. */
const struct duckdb_library *duckdb_library(struct err *err);

/* One question's use of the database: a connection of its own, so that nothing stays. */
struct duckdb_session {
    struct engine_session line;
    const struct datasource_limits *limits;
    bool staged;               /* the database holds nothing but what was put into it */
    struct datasource *source; /* that can be asked once more; NULL: not without loss */
    bool lost;                 /* it has no connection any more */
    bool starved;              /* the last statement found no memory */
    bool lone;                 /* its process serves nobody else */
    struct places_holder holder;
    /* A table that rows are appended to. */
    size_t columns;
    size_t waiting; /* rows */
};

/* How a database comes to be that is no file at a path: made in memory from something
 * else. Filled by who makes it; everything else is as with a file. */
struct duckdb_maker {
    bool (*changed)(void *context); /* is what it was made from no longer the same? */
    /* Finds what it is made from: so many files, which its process may read. */
    bool (*find)(void *context, size_t *count, struct err *err);
    /* One of them, or -1. */
    int (*file_open)(void *context, size_t index);
    /* Fills the empty database that the session is connected to, and locks it; `places`
     * are the numbers that the files have for it. */
    bool (*make)(void *context, struct duckdb_session *session, const int *places,
                 struct err *err);
    void (*closed)(void *context); /* the database is gone */
    void *context;
    int64_t idle_ms; /* unused so long, it is given up */
};

enum { DUCK_BUSY_MOST = 64 }; /* queries at once on one database, on any machine */

struct duckdb_source_state {
    const char *path;  /* NULL: a maker, or a private database in memory, which spills */
    const char *spill; /* the folder that it spills to */
    bool locked;       /* a private database that may only be read from now on */
    const struct duckdb_maker *maker;
    bool making; /* somebody is at it, without holding the lock */
    const struct options *options;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct engine *engine; /* NULL while it is closed for want of questions */
    struct places busy;
    size_t lone; /* processes for one query each, beside the engine */
    int64_t idle_since_ms;
    int64_t idle_ms; /* unused so long, it is closed */
    bool opened;     /* once */
    bool ending;
    pthread_t watchman;
    struct stat_mark {
        dev_t device;
        ino_t inode;
        off_t size;
        struct timespec changed;
    } mark;             /* of the file that is open */
    char signature[33]; /* of that file; "" when not known */
};

/* duckdb_pool.c */
bool duckdb_state_init(struct duckdb_source_state *state, struct datasource *source,
                       struct err *err);
/* The same with a database that is made at first use; the maker outlives the state. */
bool duckdb_state_init_maker(struct duckdb_source_state *state,
                             const struct options *options,
                             const struct duckdb_maker *maker, struct err *err);
void duckdb_state_release(struct duckdb_source_state *state);
/* The signature, when the file is as it was when that was computed. */
bool duckdb_signature_known(struct duckdb_source_state *state, char out[33]);
/* Opens the file when it must; waits while too many queries run. */
bool duckdb_begin(struct datasource *source, const struct datasource_limits *limits,
                  struct duckdb_session *session, struct err *err);
void duckdb_end(struct datasource *source, struct duckdb_session *session);
/* The engine is gone: the same session on another one. */
bool duckdb_renew(struct duckdb_session *session, struct err *err);
/* Memory ran out in an engine that others used as well: the same session where it can be
 * seen whose doing that was, or once more beside the others. */
bool duckdb_renew_starved(struct duckdb_session *session, struct err *err);
/* With the lock held; for who waits for something. */
void duckdb_wait(struct duckdb_source_state *state, int64_t most_ms);
struct engine_setting duckdb_setting(const struct duckdb_source_state *state,
                                     enum engine_mode mode);
/* What the engine said when it did not open a file, in our words. Returns false. */
bool duckdb_open_failed(const struct duckdb_source_state *state, struct err *err);
/* Runs `work` on the file opened for writing, when nobody else here has it. */
bool duckdb_alone(struct datasource *source, const struct datasource_limits *limits,
                  bool (*work)(struct duckdb_session *session, void *context,
                               struct err *err),
                  void *context, struct err *err);

/* duckdb_lone.c: a process of its own for one session on a file. */
bool duckdb_lone_begin(struct duckdb_source_state *state, struct duckdb_session *session,
                       struct err *err);
void duckdb_lone_end(struct duckdb_source_state *state, struct duckdb_session *session);
/* The error of a query that ran out of memory beside others. Returns false. */
bool duckdb_crowded(struct err *err);

/* duckdb.c: the slots that need nothing but a database. */
bool duckdb_check(struct datasource *source, const char *sql,
                  const struct datasource_limits *limits, struct err *err);
bool duckdb_execute(struct datasource *source, const char *sql,
                    const struct datasource_limits *limits,
                    const struct datasource_sink *sink, struct err *err);

/* duckdb_write.c */
bool duckdb_write(struct datasource *source, const char *sql, int64_t approved,
                  const struct datasource_limits *limits, int64_t *touched,
                  struct err *err);

/* duckdb_error.c: the engine's text as an error; sql may be NULL. Returns false. */
bool duckdb_fail(const struct datasource_limits *limits, const char *text,
                 const char *sql, struct err *err);
/* Does it say that there was no memory, or that nothing works any more? */
bool duckdb_says_starved(const char *text);
bool duckdb_open_fail(const char *path, const char *text, struct err *err);

/* duckdb_lock.c: what the configuration cannot forbid. */
bool duckdb_lock_holds(const char *sql, bool staged, struct err *err);
/* duckdb_count.c: does this token call something that makes much out of little? */
struct token;
bool duckdb_count_holds(const struct token *name, bool method);
/* spill: the folder of a private database in memory; NULL: a file that is only read. */
bool duckdb_lock_configure(const struct duckdb_library *library, duckdb_config config,
                           const struct options *options, const char *spill);
/* The same for a file that one approved write changes: locked, but writable. */
bool duckdb_lock_writable(const struct duckdb_library *library, duckdb_config config,
                          const struct options *options);
bool duckdb_lock_finish(const struct duckdb_library *library, duckdb_database database,
                        const char *spill);
/* Bounded, no extensions, but not locked yet: for a database that is being made. */
bool duckdb_lock_prepare(const struct duckdb_library *library, duckdb_config config,
                         const struct options *options, const char *spill);

/* duckdb_run.c: one statement; our own SQL is not asked to pass the lock. */
/* Compiles without running; *type: which kind of statement it is. */
bool duckdb_check_one(struct duckdb_session *session, const char *sql, bool own,
                      uint64_t *type, struct err *err);
bool duckdb_run(struct duckdb_session *session, const char *sql, bool own,
                const struct datasource_sink *sink, struct err *err);
/* Our own SQL whose columns are all texts; each row goes to `row` as NUL-ended texts. */
bool duckdb_rows(struct duckdb_session *session, const char *sql,
                 bool (*row)(void *context, const char *const *texts), void *context,
                 struct err *err);
/* Our own SQL without rows, one statement or several. */
bool duckdb_statement(struct duckdb_session *session, const char *sql, struct err *err);

/* duckdb_append.c: rows into a table, one table of a session at a time. */
struct duckdb_table {
    const char *namespace; /* "": the default one */
    const char *name;
    bool wanted; /* it is to be made; else it is there */
    const char *const *names;
    const struct staged_type *types;
    size_t count;
};
bool duckdb_append_begin(struct duckdb_session *session, const struct duckdb_table *table,
                         struct err *err);
/* Rows go in batches; a failure may be told by a later one. */
bool duckdb_append_row(struct duckdb_session *session, const struct value *cells,
                       struct err *err);
bool duckdb_append_end(struct duckdb_session *session, struct err *err);

/* duckdb_shape.c: how the values of a column lie in memory. */
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

/* duckdb_values.c: one cell; texts are borrowed from the vector or live in the arena. */
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
