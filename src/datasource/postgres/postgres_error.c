/*
 * PostgreSQL's errors turned into dragoman's. The class (SQLSTATE) decides, never the
 * wording.
 */
#include "datasource/postgres/postgres_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

struct state_class {
    const char *state; /* five characters, or the first two for a whole class */
    enum err_code code;
    const char *message;
};

/* The first row that fits decides. */
static const struct state_class classes[] = {
    {"25006", ERR_UNSAFE, "The statement would change the database."},
    {"0A000", ERR_UNSAFE, "Only a query that reads may run."},
    {"42501", ERR_ACCESS, "The database role may not read this."},
    {"42712", ERR_INVALID_SQL, "A table or alias is named twice: say which is meant."},
    {"42702", ERR_INVALID_SQL, "A column is in several tables: say which."},
    {"42803", ERR_INVALID_SQL, "A column must be grouped by or aggregated."},
    {"57014", ERR_TIMEOUT, "The query took too long and was ended."},
    {"57P03", ERR_DATASOURCE_UNREACHABLE, "The database server is starting or stopping."},
    {"57", ERR_DATASOURCE_UNREACHABLE, "The database server ended the connection."},
    {"08", ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {"55P03", ERR_DATABASE_LOCKED, "A table is locked by another session."},
    {"55006", ERR_DATABASE_LOCKED, "The database is in use."},
    {"40", ERR_DATABASE_LOCKED, "The query conflicts with a concurrent change."},
    {"53100", ERR_DISK_FULL, "The disk of the database server is full."},
    {"53300", ERR_DATASOURCE_UNREACHABLE, "The database has too many connections."},
    {"53", ERR_RESULT_TOO_LARGE, "The query needs more than the server has."},
    {"54", ERR_INVALID_SQL, "The query is too large for the database."},
    {"23", ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {"22", ERR_INVALID_SQL, "A value in the query cannot be used that way."},
    {"58", ERR_DATASOURCE_UNREACHABLE,
     "The database server reported an error with its files."},
    {"XX", ERR_DATASOURCE_UNREACHABLE, "The database server has an internal problem."},
};

static const struct state_class *class_find(const char *state)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (str_starts(state, classes[i].state)) {
            return &classes[i];
        }
    }
    return NULL;
}

/* The text between the first pair of quotes, or before the first bracket: the name that
 * the message is about. */
static const char *named(const char *message, char name[128])
{
    const char *from = strchr(message, '"');
    const char *to = from ? strchr(from + 1, '"') : NULL;
    if (!to) {
        from = strchr(message, ' '); /* column a.b does not exist, function f(x) … */
        to = from ? from + 1 + strcspn(from + 1, " (") : NULL;
    }
    size_t size = from && to ? (size_t)(to - from - 1) : 0;
    size = from ? utf8_cut(from + 1, size, size < 127 ? size : 127) : 0;
    memcpy(name, from ? from + 1 : "", size);
    name[size] = '\0';
    return name;
}

static void phrase_invalid(const char *state, const char *message, struct err *err)
{
    char name[128];
    if (str_equal(state, "42703")) {
        (void)err_set(err, ERR_INVALID_SQL, "Column '%s' does not exist.",
                      named(message, name));
    } else if (str_equal(state, "42P01")) {
        (void)err_set(err, ERR_INVALID_SQL, "Table '%s' does not exist.",
                      named(message, name));
    } else if (str_equal(state, "42883") && str_starts(message, "function ")) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "Function '%s' does not exist for these arguments.",
                      named(message, name));
    } else if (str_equal(state, "42601") && strstr(message, "multiple commands")) {
        (void)err_set(err, ERR_UNSAFE, "Only one statement may run at a time.");
    } else if (str_equal(state, "42601") && strstr(message, "end of input")) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL ends too early.");
    } else if (str_equal(state, "42601")) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%s'.",
                      named(message, name));
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "The database did not accept the SQL.");
    }
}

/* The server counts characters from 1, over the whole text that it was sent. */
static int position_of(const PGresult *result, const char *prefix, const char *sql)
{
    const char *field = PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
    long place = field ? strtol(field, NULL, 10) : 0;
    place -= 1 + (long)strlen(prefix);
    size_t size = strlen(sql);
    size_t at = 0;
    if (!field || place < 0) {
        return -1;
    }
    for (; place > 0 && at < size; place--) {
        uint32_t code = 0;
        size_t step = utf8_next(sql + at, size - at, &code);
        at += step ? step : 1;
    }
    return (int)at;
}

/* A statement of another kind stands where only a query may: the first word is the
 * mistake, unless the word is none that begins a statement. */
static bool other_statement(const PGresult *result, const char *prefix, const char *sql)
{
    static const char *const words[] = {
        "insert",   "update",   "delete",  "merge",    "create",     "drop",
        "alter",    "truncate", "grant",   "revoke",   "copy",       "begin",
        "start",    "commit",   "end",     "rollback", "abort",      "savepoint",
        "set",      "reset",    "show",    "explain",  "analyze",    "vacuum",
        "reindex",  "cluster",  "refresh", "comment",  "lock",       "listen",
        "notify",   "unlisten", "load",    "call",     "do",         "prepare",
        "execute",  "declare",  "fetch",   "move",     "close",      "discard",
        "security", "import",   "release", "reassign", "deallocate", "checkpoint"};
    int at = prefix[0] ? position_of(result, prefix, sql) : -1;
    if (at < 0 || strspn(sql, " \t\r\n(") < (size_t)at) {
        return false; /* comments before it make it a plain mistake */
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts_nocase(sql + at, words[i])) {
            return true;
        }
    }
    return false;
}

bool postgres_fail(struct postgres_session *session, const PGresult *result,
                   const char *prefix, const char *sql, struct err *err)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    state = state ? state : "";
    message = message ? message : "";
    if (state[0] == '\0' || PQstatus(session->connection) == CONNECTION_BAD) {
        return postgres_lost(session, err);
    }
    const struct state_class *class = class_find(state);
    if (str_equal(state, "57014") && !limits_hold(session->base.limits, err)) {
        return false;
    }
    if (str_equal(state, "42601") && other_statement(result, prefix, sql)) {
        (void)err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    } else if (class) {
        (void)err_set(err, class->code, "%s", class->message);
    } else {
        phrase_invalid(state, message, err);
    }
    if (class && class->code == ERR_DATASOURCE_UNREACHABLE) {
        session->base.broken = true;
    }
    if (err->code == ERR_INVALID_SQL) {
        err->position = position_of(result, prefix, sql);
    }
    return err_detail(err, "%s", message);
}

bool postgres_lost(struct postgres_session *session, struct err *err)
{
    session->base.broken = true;
    return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                   "The connection to the database was lost.");
}

/* ------------------------------------------------------------------ connecting */

struct connect_class {
    const char *part; /* of what libpq says: classes of the server, words of its own */
    enum err_code code;
    const char *message;
    const char *hint; /* or NULL */
};

static const struct connect_class connect_classes[] = {
    {"28P01", ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file."},
    {"28000", ERR_ACCESS, "The database refused this user.",
     "Check the user, and the server's rules for it (pg_hba.conf)."},
    {"no password supplied", ERR_ACCESS, "The database asks for a password.",
     "Give one in the URL, or by password_env or password_file."},
    {"3D000", ERR_DATASOURCE_NOT_FOUND, NULL,
     "Check the name after the last / in the "
     "URL."},
    {"42501", ERR_ACCESS, "The user may not connect to this database.", NULL},
    {"53300", ERR_DATASOURCE_UNREACHABLE, "The database has too many connections.",
     "Close some, or raise max_connections on the server."},
    {"57P03", ERR_DATASOURCE_UNREACHABLE, "The database server is starting or stopping.",
     "Try again in a moment."},
    {"certificate", ERR_DATASOURCE_UNREACHABLE,
     "The server's certificate could not be trusted.",
     "Check sslmode, sslrootcert and the host name in the URL."},
    {"SSL", ERR_DATASOURCE_UNREACHABLE,
     "The TLS handshake with the database server failed, and nothing is sent without "
     "encryption.",
     "Try again. If it stays so, check sslmode and the certificates in the URL, and the "
     "certificate and the TLS versions of the server (1.2 or newer)."},
};

bool postgres_connect_fail(const struct postgres_state *state, const char *text,
                           struct err *err)
{
    for (size_t i = 0; i < sizeof connect_classes / sizeof *connect_classes; i++) {
        const struct connect_class *class = &connect_classes[i];
        if (!strstr(text, class->part)) {
            continue;
        }
        if (class->message) {
            (void)err_set(err, class->code, "%s", class->message);
        } else {
            (void)err_set(err, class->code, "The server has no database '%s'.",
                          state->database);
        }
        return class->hint ? err_hint(err, "%s", class->hint) : false;
    }
    (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                  "The database server cannot be reached.");
    return false;
}
