/*
 * Errors of database engines in dragoman's words: sentences that several engines share,
 * and functions that find the name and the position that a message is about. Each
 * driver's *_error.c maps the engine's error numbers to them (base/err_rows.h).
 */
#ifndef DGM_DATASOURCE_FAILURES_H
#define DGM_DATASOURCE_FAILURES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err_rows.h"
#include "sql/dialect.h"

/* Code and sentence of a row: {"25006", FAILS_WRITE, NULL}. */
#define FAILS_WRITE       ERR_UNSAFE, "The statement would change the database."
#define FAILS_NO_QUERY    ERR_UNSAFE, "Only a query that reads may run."
#define FAILS_SETTINGS    ERR_UNSAFE, "The query may not change settings."
#define FAILS_READ_RIGHT  ERR_ACCESS, "The database user may not read this."
#define FAILS_LOGIN       ERR_ACCESS, "The database refused the user name or the password."
#define FAILS_NO_PASSWORD ERR_ACCESS, "The database asks for a password."
#define FAILS_ADDRESS     ERR_ACCESS, "The database refused connections from this machine."
#define FAILS_NO_DATABASE ERR_DATASOURCE_NOT_FOUND, "The server has no such database."
#define FAILS_AMBIGUOUS   ERR_INVALID_SQL, "A column is in several tables: say which."
#define FAILS_SAME_NAME                                                                  \
    ERR_INVALID_SQL, "A table or alias is named twice: say which is meant."
#define FAILS_UNGROUPED    ERR_INVALID_SQL, "A column must be grouped by or aggregated."
#define FAILS_VALUE        ERR_INVALID_SQL, "A value in the query cannot be used that way."
#define FAILS_TYPES        ERR_INVALID_SQL, "Values of different types cannot be used together."
#define FAILS_RULE         ERR_INVALID_SQL, "The change breaks a rule of the database."
#define FAILS_LONG_SQL     ERR_INVALID_SQL, "The query is too large for the database."
#define FAILS_TOO_LONG     ERR_TIMEOUT, "The query took too long and was ended."
#define FAILS_ENDED        ERR_TIMEOUT, "The query was ended on the server."
#define FAILS_TABLE_LOCKED ERR_DATABASE_LOCKED, "A table is locked by another session."
#define FAILS_CONFLICT                                                                   \
    ERR_DATABASE_LOCKED, "The query conflicts with a concurrent change."
#define FAILS_DISK   ERR_DISK_FULL, "The disk of the database server is full."
#define FAILS_MEMORY ERR_RESULT_TOO_LARGE, "The query needs more than the server has."
#define FAILS_READS_MUCH                                                                 \
    ERR_RESULT_TOO_LARGE, "The query would read more than the server allows."
#define FAILS_CROWDED ERR_DATASOURCE_UNREACHABLE, "The database has too many connections."
#define FAILS_STARTING                                                                   \
    ERR_DATASOURCE_UNREACHABLE, "The database server is starting or stopping."
#define FAILS_STOPPING ERR_DATASOURCE_UNREACHABLE, "The database server is stopping."
#define FAILS_CLOSED                                                                     \
    ERR_DATASOURCE_UNREACHABLE, "The database server ended the connection."
#define FAILS_LOST ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."
#define FAILS_NO_SERVER                                                                  \
    ERR_DATASOURCE_UNREACHABLE, "The database server cannot be reached."
#define FAILS_CLUSTER                                                                    \
    ERR_DATASOURCE_UNREACHABLE, "A server of the cluster cannot be reached."
#define FAILS_CERTIFICATE                                                                \
    ERR_DATASOURCE_UNREACHABLE, "The server's certificate could not be trusted."
#define FAILS_TLS                                                                        \
    ERR_DATASOURCE_UNREACHABLE,                                                          \
        "The TLS handshake with the database server failed, and nothing is sent "        \
        "without encryption."

/* Hints. */
#define HINT_LOGIN                                                                       \
    "Check the user and the password in the URL, password_env or password_file."
#define HINT_PASSWORD "Give one in the URL, or by password_env or password_file."
#define HINT_DATABASE "Check the name after the last / in the URL."
#define HINT_CROWDED  "Close some, or raise max_connections on the server."
#define HINT_LATER    "Try again in a moment."

/* Sentences with a name: it stands between two marks in the engine's message. */
struct failure_phrase {
    const char *before; /* NULL: after the last row */
    const char *after;  /* "": the name extends to the end of the message */
    const char *text;   /* with one %s, or none */
};

/* False: no phrase matches, and err only says that the SQL was refused. */
bool failure_phrase_tell(const struct failure_phrase *phrases, const char *said,
                         struct err *err);
/* "The database did not accept the SQL." Returns false. */
bool failure_tell_refused(struct err *err);

enum { FAILURE_NAME = 128 };

enum failure_thing {
    FAILURE_COLUMN,
    FAILURE_TABLE,
    FAILURE_DATABASE,
    FAILURE_FUNCTION,
    FAILURE_FUNCTION_FOR, /* "… for these arguments" */
};

/* Copies at most FAILURE_NAME bytes, whole characters only. */
const char *failure_name_copy(char name[FAILURE_NAME], const char *from, size_t size);
/* The word or quoted name after a text in the message; false (and an empty name) if the
 * text is missing. */
bool failure_name_after(char name[FAILURE_NAME], const char *said, const char *before);
/* shop.item -> item; borrowed. */
const char *failure_last_part(const char *name);
/* "Column 'price' does not exist." Returns false. */
bool failure_tell_missing(enum failure_thing thing, const char *name, struct err *err);

/* Byte offset in the SQL of the first use of a name; -1: not found. */
int failure_place_of(enum dialect dialect, const char *sql, const char *name);
/* Byte offset `count` characters (not bytes) after `from`; the end if the SQL is
 * shorter. */
int failure_place_after(const char *sql, size_t from, long characters);
/* "The SQL has a syntax error near 'item'.", or that it ends there. Sets the place, too,
 * and returns false. */
bool failure_tell_syntax(const char *sql, int place, struct err *err);

#endif
