/*
 * The contract of a datasource driver, and the functions through which everybody else
 * uses one. Callers never touch the table: guard, limits, timing and trace live in the
 * wrappers.
 *
 * Threads: a datasource is shared by all questions. Every slot may be called from several
 * worker threads at once; a driver keeps its own pool of connections.
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

/* How far a call may go. Every blocking slot honours all of it. */
struct sql_statement;

struct datasource_limits {
    int64_t deadline_ms; /* clock_ms() at which to give up; 0: none */
    /* A driver hands out at most one row more than this: the extra one tells the sink
     * that there was more. Callers of the wrappers never see it. */
    int64_t max_rows;
    int64_t max_bytes; /* counted by the wrappers, as value_bytes() does */
    /* Of a longer cell a driver reads little more than this, and marks it as cut or lets
     * the wrappers do it; 0: see limits_cell_bytes(). */
    int64_t max_cell_bytes;
    struct cancel *cancel; /* or NULL */
    const char *owner;     /* the account it is done for; NULL: nobody's, or not known */
    /* Steps of the engine that are left, counted down by drivers that count_steps; none
     * left is a TIMEOUT. The same query takes the same steps whatever else the machine
     * does. NULL: as many as it takes. */
    int64_t *steps;
    /* Or NULL. Asked again and again while the call lasts: true, with err unless that is
     * NULL, ends it. */
    bool (*over)(void *context, struct err *err);
    void *over_context;
    /* The rows go into a staging and not to whoever asks: how many of them a policy lets
     * anybody see is held where they come out. */
    bool staged;
    /* The SQL of the call where it was read already, in the source's dialect: then nobody
     * reads it again. NULL, or another text: it is read. It stays as it is. */
    const struct sql_statement *statement;
};

/* Where rows go. Either may return false to stop early (that is not an error). */
struct datasource_sink {
    bool (*columns)(void *context, const struct rows_column *columns, size_t count);
    bool (*row)(void *context, const struct value *cells); /* borrowed for the call */
    void *context;
    /* Or NULL. There was more, but the policy of the source lets nobody see it. */
    void (*cut)(void *context);
};

struct datasource_estimate {
    int64_t rows;  /* rows read; -1 when not known */
    int64_t bytes; /* bytes read; -1 when not known */
    bool full_scan;
    const char *table; /* the table fully scanned, or NULL */
    const char *text;  /* the plan, for people */
};

enum datasource_lock {
    DATASOURCE_LOCK_UNKNOWN, /* there was nothing to try it on */
    DATASOURCE_LOCK_HOLDS,   /* the engine refused a write that came past our guard */
    DATASOURCE_LOCK_OPEN     /* it did not */
};

/* What an examination finds (dragoman doctor). */
struct datasource_inspection {
    const char *version;    /* "PostgreSQL 15.19"; or NULL */
    const char *user;       /* who we are there; or NULL */
    const char *encryption; /* "TLSv1.3" or "none"; NULL where there is no network */
    bool remote;            /* the server is on another machine */
    int64_t clock_ms;       /* the server's clock, since 1970; 0: not known */
    /* What the login may do beyond reading: "may change 3 tables"; and those of them for
     * which it is refused unless that is allowed. */
    struct texts dangers;
    struct texts ruling;
    /* Statements that make a login that can only read; none: not known here. */
    struct texts reader;
    /* filled by datasource_inspect itself */
    enum datasource_lock lock;
    int64_t clock_off_ms; /* the server's clock against ours */
    int64_t signature_us; /* how long one took */
};

struct datasource_driver {
    const char *name;           /* "sqlite" */
    enum dialect dialect;       /* before it is open: datasource_dialect() knows better */
    const char *const *schemes; /* "sqlite", NULL: URL schemes it opens */
    const char *const *extensions; /* ".db", NULL: bare paths it opens */
    const char *engine;            /* that runs its SQL; NULL: the database itself */
    bool local;        /* runs in this process: candidates may be tried freely */
    bool counts_steps; /* keeps to the limits' steps */

    /* Required. Opens what source->url names and sets source->state. Must not create
     * anything. Errors: DATASOURCE_NOT_FOUND, NOT_A_DATABASE, DATABASE_LOCKED, ACCESS,
     * DATASOURCE_UNREACHABLE. */
    bool (*open)(struct datasource *source, struct err *err);
    void (*close)(struct datasource *source);

    /* Required. A short text that changes whenever the schema does (names, types,
     * nullability, keys), cheap enough for every question. */
    bool (*signature)(struct datasource *source, const struct datasource_limits *limits,
                      char out[33], struct err *err);

    /* Required. Fills tables, columns, keys, indexes, comments. One failing table is a
     * warning in the schema. */
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

struct datasource {
    const char *id;
    const char *url;         /* may hold a password */
    const char *description; /* or NULL */
    const char *dictionary;  /* path of a file that describes its tables; or NULL */
    bool writable;
    bool allow_superuser; /* its login may be one that rules the server */
    bool allow_own_types; /* its types may call functions of the database's own */
    const struct datasource_driver *driver;
    const struct options *options; /* outlives the datasource */
    void *state;                   /* the driver's own */
    struct arena *arena;
    const char *place;     /* what tells it from another of the same id; no secrets */
    const char *origin;    /* of the place alone, as datasource_origin; or NULL */
    const char *described; /* path of what people wrote of it here; or NULL: not known */
    const char *path;      /* of a file source, decoded from the URL; or NULL */
    bool imported;         /* a dataset: when it is replaced, all its rows are others */
    bool added;            /* at run time: may it be opened at all? (allow.h) */
    const char *address;   /* those that were allowed, to connect to; or NULL */
    struct opening *opening;       /* has it been opened? */
    struct datasource *base;       /* of a view: the one that is open; else NULL */
    struct restricted *restricted; /* what its policy leaves; NULL: all of it */
    /* How far `open` may go, while it runs; NULL: as long as it takes. */
    const struct datasource_limits *opening_limits;
};

/* Finds the driver by scheme or extension (then by the file's first bytes) and opens it.
 */
struct datasource *datasource_open(const struct datasource_setting *setting,
                                   const struct options *options, struct err *err);
/* The same, but a server is opened by the first call that needs it, and tried again (with
 * pauses) until it answers: what is known of it can be used meanwhile. */
struct datasource *datasource_attach(const struct datasource_setting *setting,
                                     const struct options *options, struct err *err);
/* The same for files, too: one that is locked or gone is tried again by every call. */
struct datasource *datasource_attach_later(const struct datasource_setting *setting,
                                           const struct options *options,
                                           struct err *err);
void datasource_close(struct datasource *source);

/* The same database as another account sees it: shares what is open, and must be closed
 * before it. The policy outlives it; conditions in it that cannot be used are ERR_CONFIG.
 */
struct datasource *datasource_view(struct datasource *source, const struct policy *policy,
                                   const char *account, struct err *err);
/* What it is held to; NULL: nothing. */
const struct policy *datasource_policy(const struct datasource *source);
/* Does a condition of the policy ask who is looking (:account)? */
bool policy_asks_account(const struct policy *policy);

/* How every signature of this datasource begins, reachable or not; ends in "*". */
enum { DATASOURCE_ORIGIN_SIZE = 18 };
void datasource_origin(const struct datasource *source, char out[DATASOURCE_ORIGIN_SIZE]);

/* What its SQL is written in: some databases tell only once they are open. May be asked
 * by any thread at any time. */
enum dialect datasource_dialect(const struct datasource *source);
/* What whoever gets an answer should know of the connection; NULL: nothing. */
const char *datasource_notice(const struct datasource *source);
/* Opens it now if it is not open, so that the dialect is the one it really speaks. */
bool datasource_ready(struct datasource *source, const struct datasource_limits *limits,
                      struct err *err);

/* In all of these limits may be NULL, and a field that is 0 is filled from sql.*. */
bool datasource_signature(struct datasource *source,
                          const struct datasource_limits *limits, char out[33],
                          struct err *err);
/* Describes into a new schema (not yet normalized, hashed or enriched). No table at all
 * is EMPTY_SCHEMA. */
struct schema *datasource_describe(struct datasource *source,
                                   const struct datasource_limits *limits,
                                   struct err *err);
/* Samples and statistics for the whole schema, within schema.enrich_*; several tables at
 * once. False only when nothing could be read. */
bool datasource_enrich(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err);
bool datasource_check(struct datasource *source, const char *sql,
                      const struct datasource_limits *limits, struct err *err);
bool datasource_estimate(struct datasource *source, const char *sql, struct arena *arena,
                         const struct datasource_limits *limits,
                         struct datasource_estimate *out, struct err *err);
/* Guard, then run, then collect: rows are truthful about what was cut. schema may be NULL
 * (names are then not resolved by the guard). rows: after rows_init(). */
bool datasource_execute(struct datasource *source, const char *sql,
                        const struct schema *schema,
                        const struct datasource_limits *limits, struct rows *rows,
                        struct err *err);
/* The same, but each row goes to the sink as it comes: memory stays flat. */
bool datasource_stream(struct datasource *source, const char *sql,
                       const struct schema *schema,
                       const struct datasource_limits *limits,
                       const struct datasource_sink *sink, struct err *err);
/* Both: every row that datasource_execute would collect goes to the sink as it comes, and
 * the first `keep` of them stay in rows, which says how many there were. */
bool datasource_pass(struct datasource *source, const char *sql,
                     const struct schema *schema, const struct datasource_limits *limits,
                     const struct datasource_sink *sink, size_t keep, struct rows *rows,
                     struct err *err);
/* How many rows a write was approved for. */
enum {
    WRITE_PREVIEW = -1,  /* none: it is only counted, and rolled back */
    WRITE_ANY_ROWS = -2, /* the caller does not mind */
};

/* Commits only if the write changes exactly `approved` rows; else nothing is changed and
 * the error is WRITE_CHANGED. *touched: rows that it changes, in both cases. */
bool datasource_write(struct datasource *source, const char *sql,
                      const struct schema *schema, int64_t approved,
                      const struct datasource_limits *limits, int64_t *touched,
                      struct err *err);

/* Examines it: what the driver says, how long a signature takes, and whether a write that
 * comes past our guard is refused. schema may be NULL. Texts are in the arena. */
bool datasource_inspect(struct datasource *source, const struct schema *schema,
                        struct arena *arena, struct datasource_inspection *out,
                        struct err *err);

/* What it comes to: "can only read", "may do more than read", "has administrator rights";
 * NULL: that is not known. */
const char *datasource_verdict(const struct datasource_inspection *inspection);
/* The driver's part of an examination of a login that is refused: on a connection of its
 * own that nobody else uses, closed again. */
bool datasource_inspect_login(const struct datasource_setting *setting,
                              const struct options *options, struct arena *arena,
                              struct datasource_inspection *out, struct err *err);

/* The registry: drivers in this build; NULL after the last. */
const struct datasource_driver *datasource_driver_at(size_t index);
/* Replaces credentials in a URL by ***: the only form that may be shown. */
char *datasource_safe_url(struct arena *arena, const char *url);

/* Decorators for tests and tracing: wrap the driver of a datasource, open or not, before
 * other threads use it. */
/* Fails the nth driver call from now (1 = the next) with a code; 0 switches it off. */
void datasource_fail_at(struct datasource *source, int nth, enum err_code code);
void datasource_trace(struct datasource *source); /* each call is a debug log line */

#endif
