/*
 * The ClickHouse driver's data types. Everything uses the server's HTTP interface: one
 * request is one statement, with settings that only allow reading and an id by which it
 * can be killed. Rows come as tab-separated lines, which all versions can stream without
 * loss.
 */
#ifndef DGM_DATASOURCE_CLICKHOUSE_DRIVER_H
#define DGM_DATASOURCE_CLICKHOUSE_DRIVER_H

#include <pthread.h>

#include "base/buf.h"
#include "base/vec.h"
#include "base/webclient.h"
#include "datasource/driver.h"
#include "datasource/server/server_rights.h"

/* Which settings the account may change for its own queries. */
enum clickhouse_rights {
    CLICKHOUSE_MAY_SET,    /* readonly=0: we set readonly=1 and limits */
    CLICKHOUSE_LIMITS,     /* readonly=2: limits only */
    CLICKHOUSE_READS_ONLY, /* readonly=1: no setting may be changed */
};

/*
 * The state of a ClickHouse datasource. There are no connections to keep: each statement
 * is an HTTP request. Fields above `lock` never change after it is opened.
 */
struct clickhouse_state {
    struct webclient *client;
    const char *address;    /* "http://host:8123/" */
    bool here;              /* the server is on this machine */
    bool tls_assumed;       /* the URL does not say whether to encrypt */
    const char *headers[4]; /* user and password: never printed */
    const char *user;
    const char *database;
    struct texts databases; /* further databases to describe */
    int64_t connect_timeout_ms;
    struct server_rights login;
    /* found out when it is opened */
    enum clickhouse_rights rights;
    bool has_users;        /* users are managed by SQL: servers from 20.5 on */
    bool ends_with_client; /* the server ends a query when its client disconnects */
    bool has_explain;      /* EXPLAIN is known: servers from 20.6 on */
    bool comments;         /* and tables have comments */
    bool counts;           /* and rows: system.tables.total_rows */
    /* The last signature, and the facts that it was computed from. Guarded by `lock`. */
    pthread_mutex_t lock;
    char facts[80]; /* "": none */
    char signature[33];
};

/* How the text of a cell is converted to a value. */
enum clickhouse_kind {
    CLICKHOUSE_TEXT,
    CLICKHOUSE_STRING, /* text, or bytes when it is none */
    CLICKHOUSE_FIXED,  /* padded with NUL bytes */
    CLICKHOUSE_BOOL,
    CLICKHOUSE_INT,
    CLICKHOUSE_REAL,
    CLICKHOUSE_DECIMAL,
    CLICKHOUSE_ARRAY,
    CLICKHOUSE_TUPLE,
    CLICKHOUSE_MAP,
    CLICKHOUSE_JSON,
};

struct clickhouse_type {
    enum clickhouse_kind kind;
    bool nullable;
    const char *name; /* as shown: without Nullable and LowCardinality */
    size_t count;     /* of an array 1, of a map 2, of a tuple its fields */
    struct clickhouse_type *parts;
    const char **fields; /* names of a tuple's; NULL when they have none */
};

/* clickhouse_url.c */
bool clickhouse_url_read(struct datasource *source, struct clickhouse_state *state,
                         struct err *err);

/* clickhouse_call.c: runs one statement; the rows go to the sink. */
struct clickhouse_question {
    const char *sql;
    /* comes before the SQL; positions in errors are corrected for it; or "" */
    const char *prefix;
    const char *suffix; /* comes after it */
    bool bare;          /* without settings: to find out which may be set */
};
bool clickhouse_call(struct clickhouse_state *state,
                     const struct clickhouse_question *question,
                     const struct datasource_limits *limits,
                     const struct datasource_sink *sink, struct err *err);
/* Runs dragoman's own SQL; the row function gets the cells as text (NULL for NULL) and
 * returns false to stop. */
bool clickhouse_rows(struct clickhouse_state *state, const char *sql,
                     const struct datasource_limits *limits,
                     bool (*row)(void *context, const char *const *texts), void *context,
                     struct err *err);

/* clickhouse_stream.c: converts lines to rows. */
struct clickhouse_stream {
    const struct datasource_sink *sink;
    struct arena *arena;   /* columns and types */
    struct arena *scratch; /* one row */
    struct buf line;       /* an incomplete line */
    size_t cell_most;      /* maximum bytes of a cell; the rest is skipped */
    size_t cell_size;      /* of the cell at the end of `line` */
    struct buf failure;    /* an error message that the server sent after some rows */
    int lines;             /* head lines seen: 0, 1, 2 */
    const char **names;
    struct clickhouse_type *types;
    struct value *cells;
    size_t columns;
    int64_t left; /* rows that may still be passed on */
    bool failing; /* the rest of the reply is an error message */
    bool odd;     /* it is not a valid table */
    bool long_line;
    bool held; /* a row that may be an error message is held back in `failure` */
};
void clickhouse_stream_init(struct clickhouse_stream *stream,
                            const struct datasource_sink *sink,
                            const struct datasource_limits *limits);
void clickhouse_stream_release(struct clickhouse_stream *stream);
bool clickhouse_stream_feed(void *context, const char *data, size_t size);
void clickhouse_stream_end(struct clickhouse_stream *stream);

/* clickhouse_types.c */
struct clickhouse_type clickhouse_type_read(struct arena *arena, const char *name);

/* clickhouse_values.c: a cell between two tabs. */
struct value clickhouse_value(struct arena *scratch, const struct clickhouse_type *type,
                              const char *text, size_t size);
/* Replaces escapes such as \t,
 *  and \\; the result ends with NUL. */
char *clickhouse_unescape(struct arena *arena, const char *text, size_t *size);
/* clickhouse_literal.c: ['a',NULL], (1,'x') and {'k':1} as JSON. */
struct value clickhouse_literal(struct arena *scratch, const struct clickhouse_type *type,
                                const char *text, size_t size);

/* clickhouse_error.c: fill err; return false. */
bool clickhouse_fail(const char *text, const struct clickhouse_question *question,
                     const struct datasource_limits *limits, struct err *err);
bool clickhouse_lost(struct err *err);

/* clickhouse_query.c: is it a single query that neither changes settings nor writes?
 * *size: its length without a trailing semicolon or FORMAT. */
bool clickhouse_query_only(const char *sql, size_t *size, struct err *err);

void clickhouse_quote(struct buf *out, const char *name);
void clickhouse_quote_text(struct buf *out, const char *text);
#define CLICKHOUSE_WRITER "may write, as its profile has readonly = 0"
/* May dragoman use this account? By the server's setting "readonly". */
bool clickhouse_rights_judge(struct clickhouse_state *state, const char *readonly,
                             struct err *err);
/* The described databases as a list of literals: ('sales', 'other') */
void clickhouse_databases(struct buf *out, const struct clickhouse_state *state);

/* The slots that live in files of their own. */
bool clickhouse_signature(struct datasource *source,
                          const struct datasource_limits *limits, char out[33],
                          struct err *err);
bool clickhouse_describe(struct datasource *source, struct schema *schema,
                         const struct datasource_limits *limits, struct err *err);
bool clickhouse_profile(struct datasource *source, struct schema *schema,
                        struct table *table, struct arena *arena, int samples,
                        const struct datasource_limits *limits, struct err *err);
bool clickhouse_estimate(struct datasource *source, const char *sql, struct arena *arena,
                         const struct datasource_limits *limits,
                         struct datasource_estimate *out, struct err *err);
bool clickhouse_inspect(struct datasource *source, struct arena *arena,
                        const struct datasource_limits *limits,
                        struct datasource_inspection *out, struct err *err);

#endif
