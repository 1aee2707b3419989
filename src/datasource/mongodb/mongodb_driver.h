/*
 * The MongoDB driver's data types. libmongoc's calls block, so each session gives it its
 * own stream implementation (mongodb_line.c), which polls in short slices and so notices
 * a stop or a deadline at any time.
 *
 * A collection becomes one table and, for each array in its documents, another one. Their
 * columns are learned from samples: the collection's shape.
 */
#ifndef DGM_DATASOURCE_MONGODB_DRIVER_H
#define DGM_DATASOURCE_MONGODB_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/map.h"
#include "base/vec.h"
#include "datasource/mongodb/mongodb_library.h"
#include "datasource/server/server_pool.h"
#include "datasource/server/server_rights.h"

/* ------------------------------------------------------------------ connections */

struct mongodb_session {
    struct server_session base; /* first, because the pool uses only this part */
    mongoc_client_t *client;
    struct mongodb_state *state;
    int64_t connect_until_ms; /* deadline while it is connecting; else 0 */
};

struct mongodb_state {
    struct server_pool pool;
    mongoc_uri_t *uri;      /* contains the password: never printed */
    const char *database;   /* its name */
    struct texts addresses; /* allowed addresses; empty: look the hosts up */
    bool here;              /* all hosts are this machine */
    bool tls_assumed;       /* the URL does not say whether to encrypt */
    struct server_rights rights;
    int64_t connect_timeout_ms;
    atomic_uint queries;  /* number of the next command, by which it can be killed */
    pthread_mutex_t lock; /* guards the fields below */
    /* collection -> struct mongodb_shape; the map has a reference to each */
    struct map shapes;
    /* all "collection\1path\1kind" that a signature has included so far */
    struct map noticed;
};

/* mongodb_url.c: the URL for libmongoc, with its secrets filled in. */
bool mongodb_url_read(struct datasource *source, struct mongodb_state *state,
                      struct err *err);

/* mongodb_line.c: libmongoc's stream initiator; the context is a session. */
mongoc_stream_t *mongodb_line_open(const mongoc_uri_t *uri,
                                   const mongoc_host_list_t *host, void *context,
                                   bson_error_t *error);

/* mongodb_pool.c */
void mongodb_pool_init(struct mongodb_state *state);
void mongodb_pool_release(struct mongodb_state *state);
/* Runs `work` on a connection. If a pooled connection turns out to be dead before any
 * reply, tries once more with another. */
bool mongodb_with(struct datasource *source, const struct datasource_limits *limits,
                  bool (*work)(struct mongodb_session *session, void *context,
                               struct err *err),
                  void *context, struct err *err);
/* A connection outside the pool, to kill the command of another one; the caller closes
 * it. */
struct mongodb_session *mongodb_connect(struct mongodb_state *state,
                                        const struct datasource_limits *limits,
                                        struct err *err);
void mongodb_disconnect(struct mongodb_session *session);

/* mongodb_inspect.c: the login and its rights. */
struct mongodb_login {
    struct arena *arena;
    const char *user; /* NULL: the server requires no login */
    struct texts dangers;
    struct texts ruling; /* roles for which a login is refused */
};
bool mongodb_login_ask(struct mongodb_session *session, struct mongodb_login *login,
                       struct err *err);

/* mongodb_error.c: fills err; returns false. */
bool mongodb_fail(struct mongodb_session *session, const bson_error_t *error,
                  struct err *err);

/* mongodb_run.c: runs a command with one reply document. If true, the caller destroys the
 * reply. */
bool mongodb_command(struct mongodb_session *session, const char *database,
                     const bson_t *command, bson_t *reply, struct err *err);
/* Passes each document to `row`, which returns false to stop. */
bool mongodb_read(struct mongodb_session *session, mongoc_cursor_t *cursor,
                  bool (*row)(void *context, const bson_t *document), void *context,
                  struct err *err);

struct mongodb_find {
    const char *collection;
    const bson_t *filter;     /* or NULL */
    const bson_t *projection; /* or NULL */
    int64_t limit;            /* 0: none */
    bool newest;              /* newest first, by the index on _id */
};
/* The same for documents of a collection. A stop or deadline also ends it on the
 * server. */
bool mongodb_find(struct mongodb_session *session, const struct mongodb_find *find,
                  bool (*row)(void *context, const bson_t *document), void *context,
                  struct err *err);

/* ------------------------------------------------------------------ shapes */

enum mongodb_kind {
    MONGODB_NULL,
    MONGODB_BOOL,
    MONGODB_INT,
    MONGODB_REAL,
    MONGODB_DECIMAL,
    MONGODB_TEXT,
    MONGODB_ID,
    MONGODB_TIME,
    MONGODB_BYTES,
    MONGODB_UUID,
    MONGODB_DOCUMENT,
    MONGODB_ARRAY,
    MONGODB_OTHER, /* regular expressions, code and others: read as text */
    MONGODB_KINDS
};

struct mongodb_field;

struct mongodb_fields {
    struct mongodb_field **items;
    size_t count;
    size_t capacity;
};

/* What was seen under one field name. */
struct mongodb_field {
    const char *name;
    int64_t counts[MONGODB_KINDS];
    bool required;       /* the collection's validator requires it */
    const char *comment; /* from the validator */
    unsigned whole;      /* of decimals: maximum digits before and after the point */
    unsigned scale;
    bool uneven; /* a decimal that DuckDB's DECIMAL cannot hold */
    bool stamps; /* BSON timestamps, which compare by other rules */
    bool wide;   /* has too many keys to be a record: it is used as a map */
    struct mongodb_fields fields;  /* of documents */
    struct mongodb_field *element; /* of arrays */
    size_t hint; /* position where the next field name is probably found */
};

/* A column of a table, and where its values are in the documents. */
struct mongodb_column {
    const char *name;
    const char *type; /* DuckDB's name of the type */
    const char *comment;
    struct texts path; /* path from the document, or from the array element */
    /* MONGODB_OTHER: several kinds; MONGODB_DOCUMENT: shown as JSON */
    enum mongodb_kind kind;
    bool in_element;
    bool is_position;
    bool unlike; /* MongoDB compares these values by other rules than DuckDB */
    bool required;
    bool primary;
};

struct mongodb_columns {
    struct mongodb_column *items;
    size_t count;
    size_t capacity;
};

struct mongodb_table {
    const char *name;
    /* path of the array whose elements are the rows; empty: the collection */
    struct texts array;
    struct mongodb_columns columns;
};

struct mongodb_tables {
    struct mongodb_table *items;
    size_t count;
    size_t capacity;
};

struct mongodb_shape {
    struct arena *arena;
    int references; /* guarded by the state's lock */
    const char *collection;
    bool is_view;
    bool collated; /* the collection has a collation, so texts do not compare by bytes */
    int64_t documents; /* number of sampled documents */
    bool whole;        /* the collection has no others */
    struct mongodb_field *root;
    struct mongodb_tables tables; /* first the table of the collection itself */
    struct texts warnings;
};

/* What the database knows about a collection. */
struct mongodb_about {
    const char *name;
    bool is_view;
    bool has_index; /* there is an index on _id, so the newest documents can be read */
    bool collated;
    const uint8_t *validator; /* $jsonSchema as BSON, or NULL */
    size_t validator_size;
    const uint8_t *options; /* as BSON, for the signature; or NULL */
    size_t options_size;
};

struct mongodb_collections {
    struct mongodb_about *items;
    size_t count;
    size_t capacity;
};

/* mongodb_collections.c: all collections except system collections. */
bool mongodb_collections(struct mongodb_session *session, struct arena *arena,
                         struct mongodb_collections *out, struct err *err);
/*
 * Visits the collections in parallel, on separate connections. errors: one for each, set
 * if its visit fails. False if one failed for a general reason: lost connection, stop or
 * deadline.
 */
bool mongodb_each(struct datasource *source, const struct datasource_limits *limits,
                  size_t count,
                  bool (*visit)(struct mongodb_session *session, size_t index,
                                void *context, struct err *err),
                  void *context, struct err *errors, struct err *err);
/* Does the database exist? True if the login may not ask. */
bool mongodb_database_exists(struct mongodb_session *session);

/* mongodb_shape.c */
enum mongodb_kind mongodb_kind_of(const bson_iter_t *iter);
const char *mongodb_kind_name(enum mongodb_kind kind);
void mongodb_shape_add(struct mongodb_shape *shape, const bson_t *document);
/* Finds the field or adds it; NULL if there are too many. */
struct mongodb_field *mongodb_field_at(struct mongodb_shape *shape,
                                       struct mongodb_field *parent, const char *name,
                                       size_t most);
/* mongodb_validator.c: adds the fields of a $jsonSchema. */
void mongodb_shape_validator(struct mongodb_shape *shape, const uint8_t *schema,
                             size_t size);
struct mongodb_shape *mongodb_shape_new(const struct mongodb_about *about);
void mongodb_shape_free(struct mongodb_shape *shape);
/* Adds a sample of the documents, from both ends of the collection, to the shape. */
bool mongodb_shape_sample(struct mongodb_session *session, struct mongodb_shape *shape,
                          const struct mongodb_about *about, int64_t documents,
                          struct err *err);

/* mongodb_columns.c: derives the tables of a shape. */
void mongodb_columns_make(struct mongodb_shape *shape);

/* The cached shape that has a table of this name; *table is set to it. */
struct mongodb_shape *mongodb_shape_of_table(struct mongodb_state *state,
                                             const char *name,
                                             struct mongodb_table **table);
/* Samples the collection and replaces the cached shape. */
struct mongodb_shape *mongodb_shape_read(struct mongodb_session *session,
                                         const struct mongodb_about *about,
                                         struct err *err);
void mongodb_shape_unref(struct mongodb_state *state, struct mongodb_shape *shape);
/* Removes collections that no longer exist from the cache. */
void mongodb_shapes_keep(struct mongodb_state *state,
                         const struct mongodb_collections *all);

/* ------------------------------------------------------------------ rows */

/* mongodb_values.c: converts a value to a cell; texts are in the arena or borrowed from
 * the document. */
struct value mongodb_value(struct arena *arena, const bson_iter_t *iter);
/* The same as JSON, for every kind. */
struct value mongodb_value_json(struct arena *arena, const bson_iter_t *iter);

/* mongodb_rows.c: converts documents to rows of one table. */
struct mongodb_reading {
    const struct mongodb_shape *shape;
    const struct mongodb_table *table;
    const size_t *columns; /* indexes of the table's columns to return */
    size_t count;
    const bson_t *filter; /* or NULL */
    int64_t limit;        /* maximum number of documents; 0: all */
    bool newest;
};
bool mongodb_rows(struct mongodb_session *session, const struct mongodb_reading *reading,
                  bool (*row)(void *context, const struct value *cells), void *context,
                  struct err *err);

/* mongodb_schema.c: the indexes of a collection, as documents. */
bool mongodb_indexes(struct mongodb_session *session, const char *collection,
                     bool (*row)(void *context, const bson_t *document), void *context,
                     struct err *err);

/* Estimated number of documents; -1: unknown. */
int64_t mongodb_count(struct mongodb_session *session, const struct mongodb_shape *shape);

/* mongodb_query.c: checks (sink NULL) or runs SQL over the database's tables. */
bool mongodb_query(struct datasource *source, const char *sql,
                   const struct datasource_limits *limits,
                   const struct datasource_sink *sink, struct err *err);

/* The slots that live in files of their own. */
bool mongodb_inspect(struct datasource *source, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_inspection *out, struct err *err);
bool mongodb_estimate(struct datasource *source, const char *sql, struct arena *arena,
                      const struct datasource_limits *limits,
                      struct datasource_estimate *out, struct err *err);
bool mongodb_signature(struct datasource *source, const struct datasource_limits *limits,
                       char out[33], struct err *err);
bool mongodb_describe(struct datasource *source, struct schema *schema,
                      const struct datasource_limits *limits, struct err *err);
bool mongodb_profile(struct datasource *source, struct schema *schema,
                     struct table *table, struct arena *arena, int samples,
                     const struct datasource_limits *limits, struct err *err);

#endif
