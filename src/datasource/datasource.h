/*
 * The interface of a datasource driver, and the functions that callers use instead of it.
 * Callers never use the driver's table directly: the functions add the guard, limits,
 * timing and trace.
 *
 * Threads: a datasource is shared by all questions. Every function of a driver may be
 * called from several worker threads at once; a driver has its own pool of connections.
 */
#ifndef DGM_DATASOURCE_DATASOURCE_H
#define DGM_DATASOURCE_DATASOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/err.h"
#include "model/options/options.h"
#include "model/rows.h"
#include "model/schema.h"
#include "sql/dialect.h"
#include "sql/guard.h"

struct datasource;

/* The limits of one call. Every blocking driver function must respect all of them. */
struct sql_statement;

struct datasource_limits {
    int64_t deadline_ms; /* clock_ms() at which to give up; 0: none */
    /* A driver returns at most one row more than this; the extra row shows that there are
     * more. The functions below do not pass it on. */
    int64_t max_rows;
    int64_t max_bytes; /* enforced by the functions below, as value_bytes() counts */
    /* A driver reads little more than this of a longer cell, and marks it as cut or
     * leaves that to the functions below; 0: see limits_cell_bytes(). */
    int64_t max_cell_bytes;
    struct cancel *cancel; /* or NULL */
    const char *owner;     /* the account of the question; NULL: none, or unknown */
    /*
     * Steps of the engine that are left, counted down by drivers with counts_steps; at 0
     * the error is TIMEOUT. Unlike time, the same query always takes the same steps.
     * NULL: no limit.
     */
    int64_t *steps;
    /* Or NULL. Called repeatedly during the call; returns true (and fills err unless it
     * is NULL) to end it. */
    bool (*over)(void *context, struct err *err);
    void *over_context;
    /* The rows are staged for another query, not returned to a user. A policy's row limit
     * applies to the final result instead. */
    bool staged;
    /* The parsed SQL of the call in the source's dialect, to save parsing it again; not
     * changed. NULL, or of another text: the SQL is parsed. */
    const struct sql_statement *statement;
};

/* A receiver of rows. Both functions may return false to stop early, which is not an
 * error. */
struct datasource_sink {
    bool (*columns)(void *context, const struct rows_column *columns, size_t count);
    bool (*row)(void *context, const struct value *cells); /* borrowed for the call */
    void *context;
    /* Called if there were more rows that a policy does not allow to be returned; or
     * NULL. */
    void (*cut)(void *context);
};

/*
 * What a statement would read, as the engine's planner expects it. Texts are in the
 * arena of the call.
 */
struct datasource_estimate {
    int64_t rows;  /* rows read; -1 when not known */
    int64_t bytes; /* bytes read; -1 when not known */
    bool full_scan;
    /* A policy hides rows: `rows` is the size of the tables, rounded, whatever the
     * conditions of the query, and is shown to nobody. */
    bool by_size;
    const char *table; /* the table fully scanned, or NULL */
    const char *text;  /* the plan, for people */
};

enum datasource_lock {
    DATASOURCE_LOCK_UNKNOWN, /* nothing to try it on */
    DATASOURCE_LOCK_HOLDS, /* the engine itself refused a write that skipped our guard */
    DATASOURCE_LOCK_OPEN   /* it did not refuse it */
};

/* The result of an examination (dragoman doctor). */
struct datasource_inspection {
    const char *version;    /* "PostgreSQL 15.19"; or NULL */
    const char *user;       /* the login name; or NULL */
    const char *encryption; /* "TLSv1.3" or "none"; NULL where there is no network */
    bool remote;            /* the server is on another machine */
    int64_t clock_ms;       /* the server's clock, since 1970; 0: not known */
    /* What the login may do besides reading: "may change 3 tables". `ruling`: the rights
     * for which the login is refused unless that is allowed. */
    struct texts dangers;
    struct texts ruling;
    /* Statements that create a read-only login; empty: unknown. */
    struct texts reader;
    /* filled by datasource_inspect itself */
    enum datasource_lock lock;
    int64_t clock_off_ms; /* server clock minus ours */
    int64_t signature_us; /* how long one took */
};

/*
 * What a driver implements: one constant table per driver, listed in registry.c.
 * Optional functions may be NULL. A function that blocks must keep to the limits it
 * gets. The SQL has passed the guard before; a driver adds a lock of its own and that of
 * the engine.
 */
struct datasource_driver {
    const char *name;              /* "sqlite" */
    enum dialect dialect;          /* before it is open; then use datasource_dialect() */
    const char *const *schemes;    /* "sqlite": URL schemes it opens; NULL-ended */
    const char *const *extensions; /* ".db": extensions of paths it opens; NULL-ended */
    const char *engine; /* the engine that runs its SQL; NULL: the database itself */
    bool local;         /* runs in this process: trial queries cost nothing */
    bool counts_steps;  /* supports limits->steps */

    /*
     * Required. Opens source->url and sets source->state. Must not create anything.
     * Errors: DATASOURCE_NOT_FOUND, NOT_A_DATABASE, DATABASE_LOCKED, ACCESS,
     * DATASOURCE_UNREACHABLE.
     */
    bool (*open)(struct datasource *source, struct err *err);
    void (*close)(struct datasource *source);

    /* Required. A short text that changes whenever the schema does (names, types,
     * nullability, keys), cheap enough for every question. */
    bool (*signature)(struct datasource *source, const struct datasource_limits *limits,
                      char out[33], struct err *err);

    /* Required. Fills tables, columns, keys, indexes and comments. If one table fails,
     * adds a warning to the schema. */
    bool (*describe)(struct datasource *source, struct schema *schema,
                     const struct datasource_limits *limits, struct err *err);

    /* Optional. Adds samples, row_count and statistics to one table of a schema that is
     * still being built. Called in parallel for different tables. */
    bool (*profile)(struct datasource *source, struct schema *schema, struct table *table,
                    struct arena *arena, int samples,
                    const struct datasource_limits *limits, struct err *err);

    /* Required. Compiles without running; err->position is a byte offset in sql. */
    bool (*check)(struct datasource *source, const char *sql,
                  const struct datasource_limits *limits, struct err *err);

    /* Optional. What running it would read. */
    bool (*estimate)(struct datasource *source, const char *sql, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_estimate *out, struct err *err);

    /* Required. Runs a read-only statement. Errors: TIMEOUT, STOPPED, INVALID_SQL,
     * DATASOURCE_UNREACHABLE, DATABASE_LOCKED, UNSAFE (the engine's own lock). */
    bool (*execute)(struct datasource *source, const char *sql,
                    const struct datasource_limits *limits,
                    const struct datasource_sink *sink, struct err *err);

    /* Optional; NULL: the source cannot write. Runs one write in a transaction and counts
     * its rows (*touched). Commits only if writing_ends() says so. */
    bool (*write)(struct datasource *source, const char *sql, int64_t approved,
                  const struct datasource_limits *limits, int64_t *touched,
                  struct err *err);

    /* Optional. Version, login and rights. */
    bool (*inspect)(struct datasource *source, struct arena *arena,
                    const struct datasource_limits *limits,
                    struct datasource_inspection *out, struct err *err);
};

/*
 * A configured or added database. Its texts live in `arena`. It may exist before its
 * database can be reached: `opening` says whether it is open.
 */
struct datasource {
    const char *id;
    const char *url;         /* may hold a password */
    const char *description; /* or NULL */
    const char *dictionary;  /* path of a file that describes its tables; or NULL */
    bool writable;
    bool allow_superuser; /* accept a login with administrator rights */
    bool allow_own_types; /* accept types that call functions of the database */
    const struct datasource_driver *driver;
    const struct options *options; /* outlives the datasource */
    void *state;                   /* the driver's own */
    struct arena *arena;
    /* distinguishes it from other databases with the same id; no secrets */
    const char *place;
    const char *origin; /* a digest of `place`, see datasource_origin; or NULL */
    /* path of the file with descriptions that users wrote; or NULL */
    const char *described;
    const char *path;    /* of a file source, decoded from the URL; or NULL */
    bool imported;       /* a dataset: it is always replaced as a whole */
    bool added;          /* added at run time: allow.h decides whether it may be opened */
    const char *address; /* allowed addresses to connect to; or NULL */
    struct opening *opening;       /* state of opening at first use */
    struct datasource *base;       /* of a view: the open datasource; else NULL */
    struct restricted *restricted; /* the restrictions of its policy; NULL: none */
    /* The limits while `open` runs; NULL: none. */
    const struct datasource_limits *opening_limits;
};

/* Finds the driver by scheme or extension (then by the file's first bytes) and opens it.
 */
struct datasource *datasource_open(const struct datasource_setting *setting,
                                   const struct options *options, struct err *err);
/*
 * The same, but a server is connected to by the first call that needs it. If it cannot be
 * reached, later calls try again after pauses; meanwhile its last known schema can be
 * used.
 */
struct datasource *datasource_attach(const struct datasource_setting *setting,
                                     const struct options *options, struct err *err);
/* The same for files: a locked or missing file is tried again by every call. */
struct datasource *datasource_attach_later(const struct datasource_setting *setting,
                                           const struct options *options,
                                           struct err *err);
void datasource_close(struct datasource *source);

/*
 * The same database as seen by another account: shares the open connections, and must be
 * closed before `source`. The policy must outlive it; invalid conditions in it are
 * ERR_CONFIG. claims: those of the account's sign-in that conditions ask for, as a JSON
 * object; NULL: none.
 */
struct datasource *datasource_view(struct datasource *source, const struct policy *policy,
                                   const char *account, const char *claims,
                                   struct err *err);
/* The policy in force; NULL: none. */
const struct policy *datasource_policy(const struct datasource *source);
/* Is a claim missing that a condition of the policy asks for ({claim.NAME})? */
bool datasource_lacks_claim(const struct datasource *source);
/* Does a condition of the policy depend on the account (:account)? */
bool policy_asks_account(const struct policy *policy);

/* The prefix of all signatures of this datasource, also if it cannot be reached; ends in
 * "*". */
enum { DATASOURCE_ORIGIN_SIZE = 18 };
void datasource_origin(const struct datasource *source, char out[DATASOURCE_ORIGIN_SIZE]);

/* The SQL dialect; for some databases known only once they are open. Thread-safe. */
enum dialect datasource_dialect(const struct datasource *source);
/* A notice about the connection for users; NULL: none. */
const char *datasource_notice(const struct datasource *source);
/* Opens it if necessary, so that the dialect is known. */
bool datasource_ready(struct datasource *source, const struct datasource_limits *limits,
                      struct err *err);

/* In all functions below, limits may be NULL; fields that are 0 are set from sql.*. */
bool datasource_signature(struct datasource *source,
                          const struct datasource_limits *limits, char out[33],
                          struct err *err);
/* Reads the schema (not yet normalized, hashed or enriched). No table at all:
 * EMPTY_SCHEMA. */
struct schema *datasource_describe(struct datasource *source,
                                   const struct datasource_limits *limits,
                                   struct err *err);
/* Adds samples and statistics to the whole schema, within schema.enrich_*, several tables
 * in parallel. False only if nothing could be read. */
bool datasource_enrich(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err);
bool datasource_check(struct datasource *source, const char *sql,
                      const struct datasource_limits *limits, struct err *err);
bool datasource_estimate(struct datasource *source, const char *sql, struct arena *arena,
                         const struct datasource_limits *limits,
                         struct datasource_estimate *out, struct err *err);
/* Checks the SQL with the guard, runs it and collects the rows, which say what was cut.
 * schema may be NULL; the guard then does not resolve names. rows: after rows_init(). */
bool datasource_execute(struct datasource *source, const char *sql,
                        const struct schema *schema,
                        const struct datasource_limits *limits, struct rows *rows,
                        struct err *err);
/* The same, but rows go to the sink as they are read and are not kept. */
bool datasource_stream(struct datasource *source, const char *sql,
                       const struct schema *schema,
                       const struct datasource_limits *limits,
                       const struct datasource_sink *sink, struct err *err);
/* Both: the sink gets all rows as they are read, and the first `keep` stay in rows, which
 * also has their total number. */
bool datasource_pass(struct datasource *source, const char *sql,
                     const struct schema *schema, const struct datasource_limits *limits,
                     const struct datasource_sink *sink, size_t keep, struct rows *rows,
                     struct err *err);
/* The number of rows that a write was approved for. */
enum {
    WRITE_PREVIEW = -1,  /* none: the write is counted and rolled back */
    WRITE_ANY_ROWS = -2, /* any number */
};

/* Commits only if the write changes exactly `approved` rows; otherwise it is rolled back
 * with WRITE_CHANGED. *touched: the number of rows it changes, in both cases. */
bool datasource_write(struct datasource *source, const char *sql,
                      const struct schema *schema, int64_t approved,
                      const struct datasource_limits *limits, int64_t *touched,
                      struct err *err);

/* Examines it: version and rights, the time for a signature, and whether the engine
 * refuses a write that skips our guard. schema may be NULL. Texts are in the arena. */
bool datasource_inspect(struct datasource *source, const struct schema *schema,
                        struct arena *arena, struct datasource_inspection *out,
                        struct err *err);

/* The result in words: "can only read", "may do more than read", "has administrator
 * rights"; NULL: unknown. */
const char *datasource_verdict(const struct datasource_inspection *inspection);
/* Examines a login that was refused, on a separate connection that is closed
 * afterwards. */
bool datasource_inspect_login(const struct datasource_setting *setting,
                              const struct options *options, struct arena *arena,
                              struct datasource_inspection *out, struct err *err);

/* The drivers of this build; NULL after the last. */
const struct datasource_driver *datasource_driver_at(size_t index);
/* Replaces credentials in a URL by ***. Only this form may be shown. */
char *datasource_safe_url(struct arena *arena, const char *url);

/* Wrappers for tests and tracing; add them before other threads use the datasource. */
/* Makes the nth driver call from now (1 = the next) fail with a code; 0: none. */
void datasource_fail_at(struct datasource *source, int nth, enum err_code code);
void datasource_trace(struct datasource *source); /* each call is a debug log line */

#endif
