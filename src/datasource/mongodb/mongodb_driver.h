/*
 * The MongoDB driver's data types. libmongoc blocks, so each session has a line of ours
 * under it (mongodb_line.c) whose every wait is a poll with a short slice: a stop or a
 * deadline is seen at every moment.
 *
 * A collection is one table and, for each array in its documents, one more. What columns
 * they have is learned from samples: its shape.
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
    struct server_session base; /* first: the pool sees only this */
    mongoc_client_t *client;
    struct mongodb_state *state;
    int64_t connect_until_ms; /* while it is being connected; else 0 */
};

struct mongodb_state {
    struct server_pool pool;
    mongoc_uri_t *uri;      /* with the password: never printed */
    const char *database;   /* its name */
    struct texts addresses; /* those that were allowed; none: hosts are looked up */
    bool here;              /* all hosts are this machine */
    bool tls_assumed;       /* the URL does not say whether to encrypt */
    struct server_rights rights;
    int64_t connect_timeout_ms;
    atomic_uint queries;  /* numbers what is sent, so that it can be ended */
    pthread_mutex_t lock; /* guards all below */
    struct map shapes;    /* collection -> struct mongodb_shape, each with a reference */
    struct map noticed;   /* "collection\1path\1kind" ever seen by a signature */
};

/* mongodb_url.c: the URL for libmongoc, with secrets from where it says. */
bool mongodb_url_read(struct datasource *source, struct mongodb_state *state,
                      struct err *err);

/* mongodb_line.c: libmongoc's stream initiator; the context is a session. */
mongoc_stream_t *mongodb_line_open(const mongoc_uri_t *uri,
                                   const mongoc_host_list_t *host, void *context,
                                   bson_error_t *error);

/* mongodb_pool.c */
void mongodb_pool_init(struct mongodb_state *state);
void mongodb_pool_release(struct mongodb_state *state);
/* Runs `work` on a connection. When one from the pool turns out to be dead before it has
 * answered anything, once more on another. */
bool mongodb_with(struct datasource *source, const struct datasource_limits *limits,
                  bool (*work)(struct mongodb_session *session, void *context,
                               struct err *err),
                  void *context, struct err *err);
/* A connection outside the pool, for ending what another one does; yours to close. */
struct mongodb_session *mongodb_connect(struct mongodb_state *state,
                                        const struct datasource_limits *limits,
                                        struct err *err);
void mongodb_disconnect(struct mongodb_session *session);

/* mongodb_inspect.c: who the server says we are. */
struct mongodb_login {
    struct arena *arena;
    const char *user; /* NULL: it asks for no login */
    struct texts dangers;
    struct texts ruling; /* roles for which a login is refused */
};
bool mongodb_login_ask(struct mongodb_session *session, struct mongodb_login *login,
                       struct err *err);

/* mongodb_error.c: fills err; returns false. */
bool mongodb_fail(struct mongodb_session *session, const bson_error_t *error,
                  struct err *err);

/* mongodb_run.c: reads of ours. One command whose answer is one document; reply is
 * yours to bson_destroy when true. */
bool mongodb_command(struct mongodb_session *session, const char *database,
                     const bson_t *command, bson_t *reply, struct err *err);
/* Hands each document to `row`, which may stop by false. */
bool mongodb_read(struct mongodb_session *session, mongoc_cursor_t *cursor,
                  bool (*row)(void *context, const bson_t *document), void *context,
                  struct err *err);

struct mongodb_find {
    const char *collection;
    const bson_t *filter;     /* or NULL */
    const bson_t *projection; /* or NULL */
    int64_t limit;            /* 0: none */
    bool newest;              /* from the end of the index on _id */
};
/* The same for documents of a collection. A stop or deadline ends it on the server. */
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
    MONGODB_OTHER, /* regular expressions, code and others: as text */
    MONGODB_KINDS
};

struct mongodb_field;

struct mongodb_fields {
    struct mongodb_field **items;
    size_t count;
    size_t capacity;
};

/* What was seen under one name. */
struct mongodb_field {
    const char *name;
    int64_t counts[MONGODB_KINDS];
    bool required;       /* by the collection's validator */
    const char *comment; /* from there too */
    unsigned whole;      /* of decimals: most digits before and after the point */
    unsigned scale;
    bool uneven; /* a decimal that is no number of DuckDB's */
    bool stamps; /* times of MongoDB's own kind, which compare otherwise */
    bool wide;   /* too many names: it is a map rather than a record */
    struct mongodb_fields fields;  /* of documents */
    struct mongodb_field *element; /* of arrays */
    size_t hint;                   /* where the next name will probably be */
};

/* A column of a table, and where its values are. */
struct mongodb_column {
    const char *name;
    const char *type; /* in DuckDB's words */
    const char *comment;
    struct texts path;      /* from the document, or from the element */
    enum mongodb_kind kind; /* MONGODB_OTHER: mixed; MONGODB_DOCUMENT: as JSON */
    bool in_element;
    bool is_position;
    bool unlike; /* MongoDB compares its values by other rules than DuckDB */
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
    struct texts array; /* path of the array whose elements are its rows; or empty */
    struct mongodb_columns columns;
};

struct mongodb_tables {
    struct mongodb_table *items;
    size_t count;
    size_t capacity;
};

struct mongodb_shape {
    struct arena *arena;
    int references; /* under the state's lock */
    const char *collection;
    bool is_view;
    bool collated;     /* texts compare by other rules than bytes */
    int64_t documents; /* looked at */
    bool whole;        /* they are all there are */
    struct mongodb_field *root;
    struct mongodb_tables tables; /* the collection itself first */
    struct texts warnings;
};

/* What the database says about a collection. */
struct mongodb_about {
    const char *name;
    bool is_view;
    bool has_index; /* on _id, so that its newest documents can be read */
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

/* mongodb_collections.c: what there is; system collections are left out. */
bool mongodb_collections(struct mongodb_session *session, struct arena *arena,
                         struct mongodb_collections *out, struct err *err);
/* Visits each collection, several at once, on connections of their own. errors: one for
 * each, filled where a visit fails. False when one failed for a reason that is not its
 * own: a lost server, a stop, the deadline. */
bool mongodb_each(struct datasource *source, const struct datasource_limits *limits,
                  size_t count,
                  bool (*visit)(struct mongodb_session *session, size_t index,
                                void *context, struct err *err),
                  void *context, struct err *errors, struct err *err);
/* Is there such a database? Where that may not be asked: yes. */
bool mongodb_database_exists(struct mongodb_session *session);

/* mongodb_shape.c */
enum mongodb_kind mongodb_kind_of(const bson_iter_t *iter);
const char *mongodb_kind_name(enum mongodb_kind kind);
void mongodb_shape_add(struct mongodb_shape *shape, const bson_t *document);
/* The field of that name, made when it is new; NULL when there are too many. */
struct mongodb_field *mongodb_field_at(struct mongodb_shape *shape,
                                       struct mongodb_field *parent, const char *name,
                                       size_t most);
/* mongodb_validator.c: adds what a $jsonSchema says. */
void mongodb_shape_validator(struct mongodb_shape *shape, const uint8_t *schema,
                             size_t size);
struct mongodb_shape *mongodb_shape_new(const struct mongodb_about *about);
void mongodb_shape_free(struct mongodb_shape *shape);
/* Reads up to so many documents, from both ends of the collection, into the shape. */
bool mongodb_shape_sample(struct mongodb_session *session, struct mongodb_shape *shape,
                          const struct mongodb_about *about, int64_t documents,
                          struct err *err);

/* mongodb_columns.c: the tables of a shape. */
void mongodb_columns_make(struct mongodb_shape *shape);

/* mongodb_shapes.c: shapes kept in the state; both results are yours to unref. */
struct mongodb_shape *mongodb_shape_known(struct mongodb_state *state,
                                          const char *collection); /* or NULL */
/* The known one that has a table of that name, which is *table then. */
struct mongodb_shape *mongodb_shape_of_table(struct mongodb_state *state,
                                             const char *name,
                                             struct mongodb_table **table);
/* Samples the collection and keeps the shape, in place of the one that was known. */
struct mongodb_shape *mongodb_shape_read(struct mongodb_session *session,
                                         const struct mongodb_about *about,
                                         struct err *err);
void mongodb_shape_unref(struct mongodb_state *state, struct mongodb_shape *shape);
/* Forgets those of collections that are no more. */
void mongodb_shapes_keep(struct mongodb_state *state,
                         const struct mongodb_collections *all);

/* ------------------------------------------------------------------ rows */

/* mongodb_values.c: one value as a cell; texts live in the arena or the document. */
struct value mongodb_value(struct arena *arena, const bson_iter_t *iter);
/* The same as JSON, whatever it is. */
struct value mongodb_value_json(struct arena *arena, const bson_iter_t *iter);
/* "2024-02-29 10:00:00.5", UTC */
const char *mongodb_time_text(struct arena *arena, int64_t ms);

/* mongodb_rows.c: documents as rows of one table. */
struct mongodb_reading {
    const struct mongodb_shape *shape;
    const struct mongodb_table *table;
    const size_t *columns; /* which of the table's, in this order */
    size_t count;
    const bson_t *filter; /* or NULL */
    int64_t limit;        /* documents; 0: all */
    bool newest;
};
bool mongodb_rows(struct mongodb_session *session, const struct mongodb_reading *reading,
                  bool (*row)(void *context, const struct value *cells), void *context,
                  struct err *err);

/* mongodb_schema.c: the indexes of a collection, as documents. */
bool mongodb_indexes(struct mongodb_session *session, const char *collection,
                     bool (*row)(void *context, const bson_t *document), void *context,
                     struct err *err);

/* About how many documents there are; -1: not known. */
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
