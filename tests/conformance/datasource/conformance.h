/* One suite over every datasource driver: what each test file needs of the others. */
#ifndef DGM_TESTS_CONFORMANCE_DATASOURCE_H
#define DGM_TESTS_CONFORMANCE_DATASOURCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "datasource/datasource.h"
#include "sql/dialect.h"

/* An expression, and how its value must come out. */
struct typed {
    const char *sql;
    enum value_kind value_kind;
    const char *text;
};

/* How a database on a server is named. */
enum kind_url {
    KIND_URL_GOOD,
    KIND_URL_WRONG_PASSWORD,
    KIND_URL_WRONG_HOST,
    KIND_URL_SECRET_IN_VARIABLE,
    KIND_URL_SECRET_IN_FILE,
    KIND_URL_ENCRYPTED, /* and the server's certificate checked */
    KIND_URL_UNTRUSTED, /* the same, and it is not known here */
};

/* How a server and its clients agree on encryption. */
enum kind_line { KIND_LINE_NONE, KIND_LINE_MYSQL, KIND_LINE_POSTGRES };

/* A private server; each test's path stands for a database of its own on it. */
struct kind_server {
    int (*start)(void); /* 0, or 77: this machine has none, or another failure */
    void (*stop)(void);
    void (*up)(void); /* again, after down */
    void (*down)(void);
    void (*url)(enum kind_url form, const char *path, char *out, size_t size);
    void (*drop)(const char *path);
    /* Queries of dragoman that the server is working on, seen by somebody else. */
    long (*running)(const char *path);
    /* The server ends all of dragoman's connections. */
    void (*terminate)(const char *path);
    /* Stops the processes behind dragoman's connections, as a dead line would, and lets
     * them go on. NULL where it cannot be done. */
    void (*freeze)(const char *path);
    void (*thaw)(void);
    enum kind_line line;
    int (*port)(void);
    void (*up_plain)(void); /* as up, but it has no TLS */
    /* What a URL says to reach another machine without encryption, where the two do not
     * agree on it while they connect; or NULL. */
    const char *relaxed;
    bool rights; /* its logins are tried by suite_rights */
};

/* A type of SQLite's, by its beginning, and what the engine calls it. */
struct kind_type {
    const char *there;
    const char *here;
};

/* How tables of SQLite are made on the engine, to run the same questions on both. */
struct kind_copy {
    const struct kind_type *types; /* ended by a NULL */
    const char *nullable;  /* format of the type of cells that may be NULL, or NULL */
    const char *table_end; /* after the bracket; NULL: keys are declared */
    bool booleans;         /* TRUE and FALSE instead of 1 and 0 */
};

/* Something that a statement could leave in a connection. */
struct leftover {
    const char *what;
    const char *leave;  /* a statement that leaves it, past the guard */
    bool refused;       /* the engine's lock does not even run that */
    const char *during; /* sees it in the same statement; NULL: nothing can */
    const char *probe;  /* sees it later; one cell */
    const char *clean;  /* what the probe says when there is none; NULL: it fails */
};

/* Of servers: what could stay in a session, and what that needs in the database. */
extern const struct leftover leftovers_postgres[];
extern const char leftovers_postgres_script[];
extern const struct leftover leftovers_mysql[];
extern const char leftovers_mysql_script[];

/* What the suite must know of a driver to test it. */
struct kind {
    const char *name;
    const char *called; /* on the command line; NULL: by its name */
    bool dialect_only;  /* nothing that a server does is tested */
    const char *extension;
    bool folder; /* a database is a folder of files: tables and their columns, no more */
    const struct kind_server *server; /* NULL: databases are files */
    /* How a file is named; NULL: by its path. */
    void (*url)(const char *path, char *out, size_t size);
    /* Runs statements on a database file, creating it when it is not there. */
    void (*script)(const char *path, const char *sql);
    /* Holds the file so that nobody else can use it; the result goes to unlock. */
    void *(*lock)(const char *path);
    void (*unlock)(void *held);
    bool documents;       /* no tables: keys, defaults and DDL are not its words */
    const char *integer;  /* its name for INTEGER; NULL: that very one */
    const char *text;     /* and for VARCHAR */
    bool no_foreign_keys; /* and no indexes */
    bool no_indexes;
    bool login_may_write;  /* only each request forbids it; the doctor says so */
    bool views_not_read;   /* samples of views would have to be paid for */
    bool comments;         /* the engine stores comments */
    bool namespaces;       /* and schemas */
    bool writes;           /* the driver has the write slot */
    const char *may_write; /* gives the login the right to; NULL: it has it */
    /* The suite's SQL in the words of this driver; NULL: as it is. */
    const char *(*translate)(struct arena *arena, const char *sql);
    const char *endless;        /* a query without end */
    const char *many;           /* a query with rows without end; servers only */
    const struct typed *values; /* ended by a NULL sql */
    const char *const *changes; /* DDL that must change the signature; NULL-ended */
    const char *const *attacks; /* what the engine's lock must refuse; NULL-ended */
    int (*more)(void);          /* tests of this driver alone, or NULL */
    bool crowd_breaks; /* the server itself crashes when many ask it in this way */
    const struct kind_copy *copy; /* NULL: its dialect is not tested */
    const char *speaks;           /* the driver whose dialect it speaks; NULL: its own */
    size_t honest_most; /* honest queries that the engine, not the guard, may refuse */
    const struct leftover *leftovers; /* ended by a NULL; NULL: nothing is kept open */
    const char *leftovers_script;     /* what they need in the database */
    const char *leave_many; /* leaves something and has rows without end; or NULL */
    const char *session;    /* tells one connection from another; or NULL */
    bool honest;            /* runs the honest queries of its dialect */
    bool keys_measured;     /* declares no keys: suite_counting measures them */
    bool no_windows;        /* has no window functions */
    /* One row with a cell of some hundred megabytes, and what that needs in the database.
     * NULL: the engine makes none. */
    const char *huge;
    const char *huge_script;
    const char *huge_error; /* fails, and says so in some hundred megabytes; or NULL */
    bool huge_refused;      /* it cannot be cut before it is read */
};

extern const struct kind *kind; /* the driver under test */

/* A folder of its own for each test, removed afterwards. */
struct place {
    char folder[64];
    char path[128]; /* of the database in it */
    struct options *options;
    struct datasource *source;
    struct arena *arena;
};

int place_setup(void **state);
int place_teardown(void **state);
/* Writes the database with these statements and opens it; fails the test if it cannot. */
struct datasource *place_open(struct place *place, const char *sql);
/* Opens it once more, under a policy ("tables: {deny: [x]}"); yours to close. */
struct datasource *place_open_policy(struct place *place, const char *policy);
struct datasource *place_try_open(struct place *place, const char *url, struct err *err);
/* Opens it, and gives what was logged meanwhile; fails the test if it cannot. */
const char *place_open_heard(struct place *place, const char *url);
/* Through guard and wrappers; fails the test when it fails. */
struct rows place_rows(struct place *place, const char *sql);
/* Straight to the driver, past the guard. */
bool place_raw(struct place *place, const char *sql,
               const struct datasource_limits *limits, int64_t *rows, struct err *err);
struct rows place_raw_rows(struct place *place, const char *sql);
struct schema *place_schema(struct place *place);
void place_signature(struct place *place, char out[33]);
/* How a cell is shown to people. */
const char *cell_text(struct place *place, const struct rows *rows, size_t row,
                      size_t column);
size_t folder_files(const char *folder);
uint64_t file_digest(const char *path);

/* The good URL of the place's database, or its path. */
const char *place_url(struct place *place);

/* Statements that make the tables and rows of an SQLite file on the engine. */
char *everyday_copy(struct arena *arena, enum dialect dialect, const char *path);
/* Makes an everyday database as an SQLite file. */
void everyday_make(struct arena *arena, const char *name, const char *path);

int suite_open(void);
int suite_dialect(void);
int suite_honest(void);
int suite_mend(void);
int suite_counting(void);
int suite_server(void);
int suite_encryption(void);
int suite_rights(void);
int suite_files(void);
int suite_postgres(void);
int suite_postgres_own(void); /* a part of it, and of the next over PostgreSQL */
int suite_mysql(void);
int suite_mysql_stop(void); /* a part of it */
int suite_odbc(void);
int suite_clickhouse(void);
int suite_clickhouse_today(void);
int suite_bigquery(void);
int suite_mongodb(void);
int suite_schema(void);
int suite_values(void);
int suite_limits(void);
int suite_cells(void);
int suite_safety(void);
int suite_session(void);
int suite_write(void);
int suite_policy(void);

#define PLACE_TEST(test)                                                                 \
    cmocka_unit_test_setup_teardown(test, place_setup, place_teardown)

#endif
