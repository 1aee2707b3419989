/*
 * The ODBC driver's data types. ODBC's calls block, and few drivers have others: each
 * runs in a thread of its own, while the caller waits and hears a stop. A call that does
 * not end even when it is cancelled is left behind with all it uses.
 */
#ifndef DGM_DATASOURCE_ODBC_DRIVER_H
#define DGM_DATASOURCE_ODBC_DRIVER_H

#include "datasource/odbc/odbc_library.h"
#include "datasource/server/server_pool.h"
#include "datasource/server/server_rights.h"

/* How a cell is asked for and becomes a value. */
enum odbc_kind {
    ODBC_TEXT,
    ODBC_BOOL,
    ODBC_NUMBER,
    ODBC_REAL,
    ODBC_BYTES,
    ODBC_TIME, /* text that is plain ASCII */
    ODBC_UUID, /* the same in small letters */
};

/* What is known of one kind of database behind ODBC. */
struct odbc_product {
    const char *name; /* SQL_DBMS_NAME begins with it */
    enum dialect dialect;
    const char *const *settings; /* statements for every session; ended by NULL */
    const char *const *schemas;  /* that are the system's own; ended by NULL */
    const char *own_tables;      /* how the names of its own tables begin, or NULL */
    const char *column_missing;  /* how an error names what is not there: what comes */
    const char *table_missing;   /* before the name, in quotes or not */
    const char *function_missing;
    const char *rights;     /* a query for what the login may do; NULL: not known */
    const char *encryption; /* whose last column is "TLSv1.3", or has no row; or NULL */
    const char *places;     /* where its tables are, a line each; NULL: at home */
    bool grants;            /* its rights are the lines of SHOW GRANTS */
    bool reads;             /* it is known how to make a login that can only read: … */
    enum server_reader reader;
    bool own_types;   /* its names of types say more than the numbers of the standard */
    bool limits_rows; /* the server is told to end a result, not the driver */
    bool cuts_cells;  /* LEFT and CHAR_LENGTH are its words, too */
    bool catalogs;    /* what others call a schema is a catalog here */
};

struct odbc_state {
    const char *text;                   /* the connection string: never printed */
    const struct odbc_product *product; /* found by the first connection */
    char quote;                         /* around names */
    char home[128];                 /* the default schema or catalog; "" when not known */
    bool here;                      /* the server is on this machine, or is not known */
    const struct odbc_habit *habit; /* of the driver; NULL: it is not known */
    bool tls_must;                  /* the line must be encrypted */
    bool tls_assumed;               /* and the connection string does not say so */
    struct server_rights rights;
    struct server_pool pool;
};

struct odbc_session {
    struct server_session base;
    struct odbc_state *state;
    SQLHDBC connection;
    int64_t rows_most; /* what the server was told; 0: nothing yet */
};

/* What a job does. */
enum odbc_call {
    ODBC_CONNECT,
    ODBC_EXECUTE,
    ODBC_PREPARE,
    ODBC_TABLES,
    ODBC_COLUMNS,
    ODBC_PRIMARY,
    ODBC_FOREIGN,
    ODBC_STATISTICS,
};

/* Where the rows of a job go: called by the job's thread while the caller waits. */
struct odbc_sink {
    bool (*columns)(void *context, const struct rows_column *columns, size_t count);
    bool (*row)(void *context, const struct value *cells); /* false: enough */
    void *context;
    /* Before the columns; or NULL. */
    void (*kinds)(void *context, const enum odbc_kind *kinds, size_t count);
};

/* odbc_job.c: runs one call in its own thread; text is the SQL or the table's name,
 * within a catalog and a schema (NULL: any). */
struct odbc_request {
    enum odbc_call call;
    const char *text;
    const char *catalog;
    const char *schema;
    int64_t most;     /* rows to hand out; 0: all */
    size_t cell_most; /* bytes of a cell; 0: as the session's limits say */
};
bool odbc_job(struct odbc_session *session, const struct odbc_request *request,
              const struct odbc_sink *sink, struct err *err);

/* odbc_bound.c: long cells are cut in the server, or rows refused by the library. */
struct odbc_habit;
void odbc_bound_rows(const struct odbc_habit *habit, int64_t max_bytes);
/* What a lost connection may mean then. Returns false. */
bool odbc_bound_told(const struct odbc_state *state, struct err *err);
/* A query for PostgreSQL. */
bool odbc_bound_run(struct odbc_session *session, const struct odbc_request *request,
                    const struct odbc_sink *sink, struct err *err);

/* odbc_connect.c */
struct odbc_session *odbc_connect(struct odbc_state *state,
                                  const struct datasource_limits *limits,
                                  struct err *err);
void odbc_disconnect(struct odbc_session *session);

/* odbc_string.c: the connection string, with secrets from where it says. */
bool odbc_string_read(struct datasource *source, struct odbc_state *state,
                      struct err *err);

/* What is known of one driver: pairs that keep its results small, and how it is told to
 * encrypt or not to. */
struct odbc_habit {
    const char *const words[3]; /* in its name */
    const char *pairs;
    const char *tls_key; /* the pair that decides; NULL: there is no line */
    const char *tls_on;
    const char *tls_off;
    bool mariadb; /* it stands on libmariadb */
};

/* odbc_inspect.c: false, with err, when the login may not be used, or the line is not
 * encrypted although it must be. */
bool odbc_login_judge(struct odbc_session *session, struct err *err);

/* odbc_product.c */
const struct odbc_product *odbc_product_find(const char *name);
bool odbc_product_hides(const struct odbc_product *product, const char *schema);

/* odbc_pool.c */
void odbc_pool_init(struct odbc_state *state);
bool odbc_with(struct datasource *source, const struct datasource_limits *limits,
               bool (*work)(struct odbc_session *session, void *context, struct err *err),
               void *context, struct err *err);

/* odbc_values.c */
struct arena;
struct odbc_column {
    enum odbc_kind kind;
    SQLSMALLINT type;
};
enum odbc_kind odbc_kind_of(SQLSMALLINT type);
/* "VARCHAR(20)"; size and digits 0: without. */
const char *odbc_type_name(struct arena *arena, SQLSMALLINT type, const char *own,
                           int64_t size, int64_t digits);
/* One cell of the current row; of a long one a little more than `most` bytes, marked as
 * cut. False: the driver failed. */
bool odbc_cell(SQLHSTMT statement, SQLUSMALLINT number, enum odbc_kind kind, size_t most,
               struct arena *scratch, struct value *out);

/* odbc_error.c: what the driver says of a handle, in our words; false. The product is
 * NULL when it is not known yet. */
bool odbc_fail(const struct odbc_product *product, SQLSMALLINT kind, SQLHANDLE handle,
               const char *sql, struct err *err);
/* Is the line gone? */
bool odbc_lost(const struct err *err);

struct buf;
void odbc_quote(const struct odbc_state *state, struct buf *out, const char *name);

/* odbc_run.c: other people's SQL, once the guard has said that it reads. */
bool odbc_run(struct odbc_session *session, enum odbc_call call, const char *sql,
              const struct datasource_sink *sink, struct err *err);
/* Own SQL. */
bool odbc_ask(struct odbc_session *session, const char *sql, int64_t most,
              bool (*row)(void *context, const struct value *cells), void *context,
              struct err *err);

/* The slots that live in files of their own. */
bool odbc_signature(struct datasource *source, const struct datasource_limits *limits,
                    char out[33], struct err *err);
bool odbc_inspect(struct datasource *source, struct arena *arena,
                  const struct datasource_limits *limits,
                  struct datasource_inspection *out, struct err *err);
bool odbc_describe(struct datasource *source, struct schema *schema,
                   const struct datasource_limits *limits, struct err *err);
bool odbc_profile(struct datasource *source, struct schema *schema, struct table *table,
                  struct arena *arena, int samples,
                  const struct datasource_limits *limits, struct err *err);

#endif
