/*
 * The BigQuery driver's data types. Everything uses the REST interface: a query is a job
 * with an id that we choose, so that it can be cancelled at any time; its rows come in
 * pages. Tables are described and sampled without queries, which would cost money, and
 * every query is first compiled by a dry run.
 */
#ifndef DGM_DATASOURCE_BIGQUERY_DRIVER_H
#define DGM_DATASOURCE_BIGQUERY_DRIVER_H

#include <pthread.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/vec.h"
#include "base/webclient.h"
#include "datasource/driver.h"

struct bigquery_state {
    struct webclient *client;
    const char *address; /* "https://bigquery.googleapis.com" */
    const char *project;
    const char *dataset;
    struct texts datasets; /* further datasets to describe */
    const char *location;  /* where jobs run; from the URL or the dataset; "" */
    int64_t most_billed;   /* bytes that a query may cost; 0: no limit */
    /* Credentials; never printed. */
    bool anonymous;         /* an emulator */
    const char *token;      /* given; or NULL */
    const char *account;    /* of a service account; or NULL */
    const char *key;        /* its private key, PEM */
    const char *key_id;     /* or NULL */
    const char *token_url;  /* where it gets tokens */
    pthread_mutex_t lock;   /* guards what follows */
    char *fresh;            /* the token in use, of a service account */
    int64_t fresh_until_ms; /* clock_ms() */
};

/* bigquery_url.c */
bool bigquery_url_read(struct datasource *source, struct bigquery_state *state,
                       struct err *err);
void bigquery_state_release(struct bigquery_state *state);

/* bigquery_sign.c: an RS256 signature of the text as base64url; the caller frees it. */
char *bigquery_sign(const char *key, const char *text, size_t size, struct err *err);

/* bigquery_token.c: the header line with the token, "" if none is needed; in the arena.
 * renew: the last token was rejected. */
bool bigquery_authorize(struct bigquery_state *state,
                        const struct datasource_limits *limits, bool renew,
                        struct arena *arena, const char **header, struct err *err);

/* bigquery_call.c: one request. The answer is JSON, in the arena. */
struct bigquery_request {
    const char *method;
    const char *path; /* behind /bigquery/v2/projects/PROJECT/ */
    const char *body; /* JSON, or NULL */
    const char *sql;  /* for places in errors; or NULL */
};
const json_t *bigquery_call(struct bigquery_state *state,
                            const struct bigquery_request *request,
                            const struct datasource_limits *limits, struct arena *arena,
                            struct err *err);

/* bigquery_error.c: fills err from an error object of the service; returns false. */
bool bigquery_fail(int status, const json_t *error, const char *sql,
                   const struct datasource_limits *limits, struct err *err);
bool bigquery_unreachable(struct err *err);

/* bigquery_job.c */
/* Compiles it; anything but a query is refused. *statistics: of the job, or NULL. */
bool bigquery_dry_run(struct bigquery_state *state, const char *sql,
                      const struct datasource_limits *limits, struct arena *arena,
                      const json_t **statistics, struct err *err);
bool bigquery_run(struct bigquery_state *state, const char *sql,
                  const struct datasource_limits *limits,
                  const struct datasource_sink *sink, struct err *err);

/* bigquery_values.c */
/* "STRUCT<a INT64, b ARRAY<STRING>>" of a field */
const char *bigquery_type_name(struct arena *arena, const json_t *field);
/* A cell {"v": …} of a field. */
struct value bigquery_value(struct arena *arena, const json_t *field, const json_t *cell);

/* bigquery_tables.c: the tables of the datasets as the service describes them, sorted by
 * name; read in parallel. */
struct bigquery_table {
    const char *dataset;
    const char *name;
    const json_t *about; /* NULL: could not be read */
};
struct bigquery_tables {
    struct bigquery_table *items;
    size_t count;
    size_t capacity;
    bool more; /* there are more than the limit */
};
bool bigquery_tables_read(struct datasource *source,
                          const struct datasource_limits *limits, struct arena *arena,
                          struct bigquery_tables *out, struct err *err);

/* The slots that live in files of their own. */
bool bigquery_signature(struct datasource *source, const struct datasource_limits *limits,
                        char out[33], struct err *err);
bool bigquery_describe(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err);
bool bigquery_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, struct err *err);
bool bigquery_estimate(struct datasource *source, const char *sql, struct arena *arena,
                       const struct datasource_limits *limits,
                       struct datasource_estimate *out, struct err *err);

#endif
