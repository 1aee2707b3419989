/*
 * The ODBC driver's data types. ODBC calls block, so each runs in its own thread, while
 * the calling thread waits for its end, a stop or the deadline. A call that does not end
 * even after SQLCancel is abandoned together with all objects that it uses.
 */
#ifndef DGM_DATASOURCE_ODBC_DRIVER_H
#define DGM_DATASOURCE_ODBC_DRIVER_H

#include "datasource/odbc/odbc_library.h"
#include "datasource/server/server_pool.h"
#include "datasource/server/server_rights.h"

/* How a cell is fetched and converted to a value. */
enum odbc_kind {
    ODBC_TEXT,
    ODBC_BOOL,
    ODBC_NUMBER,
    ODBC_REAL,
    ODBC_BYTES,
    ODBC_TIME, /* pure ASCII text */
    ODBC_UUID, /* the same, converted to lower case */
};

/* What is known about a database product behind ODBC. */
struct odbc_product {
    const char *name; /* SQL_DBMS_NAME begins with it */
    enum dialect dialect;
    const char *const *settings; /* statements that start every session; NULL-ended */
    const char *home; /* query for the home schema or database; NULL: there is none */
    /* Sent before each statement of dragoman's own, in the same transaction, so that it
     * calls only built-in functions and operators; or NULL. */
    const char *own_first;
    const char *const *schemas; /* system schemas; NULL-ended */
    const char *own_tables;     /* prefix of its system tables; or NULL */
    const char *column_missing; /* the texts before the missing name in its errors */
    const char *table_missing;  /* the same for tables */
    const char *function_missing;
    const char *rights; /* query for the rights of the login; NULL: unknown */
    /* query whose last column is "TLSv1.3", or that has no row; or NULL */
    const char *encryption;
    /* query for the schemas with tables, one per row; NULL: the home schema only */
    const char *places;
    bool grants;     /* rights are listed by SHOW GRANTS */
    bool sets_roles; /* those of a role only while it is taken on */
    bool reads;      /* statements for a read-only login are known: … */
    enum server_reader reader;
    bool own_types;   /* its type names say more than the standard's numbers */
    bool limits_rows; /* the row limit is set on the server, not in the driver */
    bool cuts_cells;  /* it has the functions LEFT and CHAR_LENGTH */
    bool catalogs;    /* what others call a schema is a catalog */
};

struct odbc_state {
    const char *text;                   /* the connection string: never printed */
    const struct odbc_product *product; /* set by the first connection */
    char quote;                         /* quotes for names */
    char home[128];                     /* default schema or catalog; "": unknown */
    bool here;                          /* the server is on this machine, or unknown */
    const struct odbc_habit *habit;     /* facts about the driver; NULL: unknown */
    bool tls_must;                      /* the connection must be encrypted */
    bool tls_assumed;     /* it must be, although the connection string does not say so */
    bool allow_own_types; /* types that call functions of a PostgreSQL database */
    struct server_rights rights;
    struct server_pool pool;
};

struct odbc_session {
    struct server_session base;
    struct odbc_state *state;
    SQLHDBC connection;
    int64_t rows_most; /* row limit that was set on the server; 0: none yet */
    bool ready;        /* its settings are made */
};

/* The kind of call. */
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

/* Receives the rows of a call, on its thread, while the caller waits. */
struct odbc_sink {
    bool (*columns)(void *context, const struct rows_column *columns, size_t count);
    bool (*row)(void *context, const struct value *cells); /* false: stop */
    void *context;
    /* Called before the columns; or NULL. */
    void (*kinds)(void *context, const enum odbc_kind *kinds, size_t count);
};

/* odbc_job.c: runs one call in its own thread; text is the SQL, or a table name within a
 * catalog and a schema (NULL: any). */
struct odbc_request {
    enum odbc_call call;
    const char *text;
    const char *catalog;
    const char *schema;
    const char *first; /* a statement without rows to run before it; or NULL */
    int64_t most;      /* maximum number of rows; 0: all */
    size_t cell_most;  /* maximum bytes of a cell; 0: as in the session's limits */
};
bool odbc_job(struct odbc_session *session, const struct odbc_request *request,
              const struct odbc_sink *sink, struct err *err);

/* odbc_bound.c: limits the size of cells on the server, or of rows in the library. */
struct odbc_habit;
void odbc_bound_rows(const struct odbc_habit *habit, int64_t max_bytes);
/* Explains a lost connection that may be due to a row limit. Returns false. */
bool odbc_bound_told(const struct odbc_state *state, struct err *err);
/* Runs a query on PostgreSQL. */
bool odbc_bound_run(struct odbc_session *session, const struct odbc_request *request,
                    const struct odbc_sink *sink, struct err *err);

/* odbc_intake.c: limits what the libraries of the drivers for PostgreSQL and MariaDB
 * receive during a call. The fields belong to it. */
struct odbc_intake {
    size_t left; /* bytes that may still come */
    bool over;   /* more wanted to come, and the connection is gone */
};
void odbc_intake_load(void);
/* Counts for this thread until odbc_intake_end(). */
void odbc_intake_begin(struct odbc_intake *intake, size_t most);
void odbc_intake_end(void);
/* True, with err: it went over. */
bool odbc_intake_refuse(const struct odbc_intake *intake, struct err *err);

/* odbc_connect.c */
struct odbc_session *odbc_connect(struct odbc_state *state,
                                  const struct datasource_limits *limits,
                                  struct err *err);
void odbc_disconnect(struct odbc_session *session);

/* odbc_string.c: the connection string with its secrets filled in. */
bool odbc_string_read(struct datasource *source, struct odbc_state *state,
                      struct err *err);

/* Facts about an ODBC driver: options that keep its results small, and how encryption is
 * requested. */
struct odbc_habit {
    const char *const words[3]; /* words in its name */
    const char *pairs;
    const char *tls_key; /* the option that decides; NULL: it has no network connection */
    const char *tls_on;
    const char *tls_off;
    bool mariadb; /* it uses libmariadb */
};

/* odbc_inspect.c: false with err if the login has too many rights, or the connection must
 * be encrypted and is not. */
bool odbc_login_judge(struct odbc_session *session, struct err *err);

/* odbc_roles.c: adds what the login could do with the roles of these grants. False, with
 * err: the connection is not to be used. */
struct server_grants;
bool odbc_roles_ask(struct odbc_session *session, struct server_grants *grants,
                    struct err *err);

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
/* "VARCHAR(20)"; size or digits 0: omitted. */
const char *odbc_type_name(struct arena *arena, SQLSMALLINT type, const char *own,
                           int64_t size, int64_t digits);
/* Reads a cell of the current row, up to a little more than `most` bytes, and marks it if
 * it was cut. False: the driver failed. */
bool odbc_cell(SQLHSTMT statement, SQLUSMALLINT number, enum odbc_kind kind, size_t most,
               struct arena *scratch, struct value *out);

/* odbc_error.c: converts the driver's error; returns false. The product is NULL if
 * unknown. */
bool odbc_fail(const struct odbc_product *product, SQLSMALLINT kind, SQLHANDLE handle,
               const char *sql, struct err *err);
/* Does the error mean that the connection is lost? */
bool odbc_lost(const struct err *err);

struct buf;
void odbc_quote(const struct odbc_state *state, struct buf *out, const char *name);

/* odbc_run.c: runs SQL of users or models after the guard has accepted it. */
bool odbc_run(struct odbc_session *session, enum odbc_call call, const char *sql,
              const struct datasource_sink *sink, struct err *err);
/* Runs dragoman's own SQL. */
bool odbc_ask(struct odbc_session *session, const char *sql, int64_t most,
              bool (*row)(void *context, const struct value *cells), void *context,
              struct err *err);

/* odbc_own.c: adds the functions of the database's own to the schema, which has its
 * tables. */
bool odbc_own(struct odbc_session *session, struct schema *schema, struct err *err);

/* odbc_virtual.c: marks SQLite's virtual tables, and those that keep their rows. */
bool odbc_virtual(struct odbc_session *session, struct schema *schema, struct err *err);

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
