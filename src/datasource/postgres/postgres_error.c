/*
 * PostgreSQL's errors turned into dragoman's. The class (SQLSTATE) decides, never the
 * wording.
 */
#include "datasource/postgres/postgres_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "datasource/failures.h"

/* By SQLSTATE, five characters or the first two for a whole class. */
static const struct err_row classes[] = {
    {"25006", FAILS_WRITE, NULL},
    {"0A000", FAILS_NO_QUERY, NULL},
    {"42501", ERR_ACCESS, "The database role may not read this.", NULL},
    {"42712", FAILS_SAME_NAME, NULL},
    {"42702", FAILS_AMBIGUOUS, NULL},
    {"42803", FAILS_UNGROUPED, NULL},
    {"57014", FAILS_TOO_LONG, NULL},
    {"57P03", FAILS_STARTING, NULL},
    {"57", FAILS_CLOSED, NULL},
    {"08", FAILS_LOST, NULL},
    {"55P03", FAILS_TABLE_LOCKED, NULL},
    {"55006", ERR_DATABASE_LOCKED, "The database is in use.", NULL},
    {"40", FAILS_CONFLICT, NULL},
    {"53100", FAILS_DISK, NULL},
    {"53300", FAILS_CROWDED, NULL},
    {"53", FAILS_MEMORY, NULL},
    {"54", FAILS_LONG_SQL, NULL},
    {"23", FAILS_RULE, NULL},
    {"22", FAILS_VALUE, NULL},
    {"58", ERR_DATASOURCE_UNREACHABLE,
     "The database server reported an error with its files.", NULL},
    {"XX", ERR_DATASOURCE_UNREACHABLE, "The database server has an internal problem.",
     NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

/* The text between the first pair of quotes, or before the first bracket: the name that
 * the message is about. */
static const char *named(const char *message, char name[FAILURE_NAME])
{
    const char *from = strchr(message, '"');
    const char *to = from ? strchr(from + 1, '"') : NULL;
    if (!to) {
        from = strchr(message, ' '); /* column a.b does not exist, function f(x) … */
        to = from ? from + 1 + strcspn(from + 1, " (") : NULL;
    }
    return failure_name_copy(name, from ? from + 1 : "",
                             from && to ? (size_t)(to - from - 1) : 0);
}

static void phrase_invalid(const char *state, const char *message, struct err *err)
{
    char name[FAILURE_NAME];
    if (str_equal(state, "42703")) {
        (void)failure_tell_missing(FAILURE_COLUMN, named(message, name), err);
    } else if (str_equal(state, "42P01")) {
        (void)failure_tell_missing(FAILURE_TABLE, named(message, name), err);
    } else if (str_equal(state, "42883") && str_starts(message, "function ")) {
        (void)failure_tell_missing(FAILURE_FUNCTION_FOR, named(message, name), err);
    } else if (str_equal(state, "42601") && strstr(message, "multiple commands")) {
        (void)err_set(err, ERR_UNSAFE, "Only one statement may run at a time.");
    } else if (str_equal(state, "42601") && strstr(message, "end of input")) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL ends too early.");
    } else if (str_equal(state, "42601")) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%s'.",
                      named(message, name));
    } else {
        (void)failure_tell_refused(err);
    }
}

/* The server counts characters from 1, over the whole text that it was sent. */
static int position_of(const PGresult *result, const char *prefix, const char *sql)
{
    const char *field = PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
    long place = field ? strtol(field, NULL, 10) : 0;
    place -= 1 + (long)strlen(prefix);
    return field && place >= 0 ? failure_place_after(sql, 0, place) : -1;
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
    const struct err_row *class = err_rows_find(classes, ERR_ROWS_START, state);
    if (str_equal(state, "57014") && !limits_hold(session->base.limits, err)) {
        return false;
    }
    if (str_equal(state, "42601") && other_statement(result, prefix, sql)) {
        (void)err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    } else if (class) {
        (void)err_rows_tell(class, err);
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

/* Parts of what libpq says: classes of the server, words of its own. */
static const struct err_row connect_classes[] = {
    {"28P01", FAILS_LOGIN, HINT_LOGIN},
    {"28000", ERR_ACCESS, "The database refused this user.",
     "Check the user, and the server's rules for it (pg_hba.conf)."},
    {"no password supplied", FAILS_NO_PASSWORD, HINT_PASSWORD},
    {"3D000", ERR_DATASOURCE_NOT_FOUND, NULL, HINT_DATABASE},
    {"42501", ERR_ACCESS, "The user may not connect to this database.", NULL},
    {"53300", FAILS_CROWDED, HINT_CROWDED},
    {"57P03", FAILS_STARTING, HINT_LATER},
    {"certificate", FAILS_CERTIFICATE,
     "Check sslmode, sslrootcert and the host name in the URL."},
    {"SSL", FAILS_TLS,
     "Try again. If it stays so, check sslmode and the certificates in the URL, and the "
     "certificate and the TLS versions of the server (1.2 or newer)."},
    {NULL, ERR_COUNT, NULL, NULL},
};

bool postgres_connect_fail(const struct postgres_state *state, const char *text,
                           struct err *err)
{
    const struct err_row *class = err_rows_find(connect_classes, ERR_ROWS_PART, text);
    if (class && class->message) {
        return err_rows_tell(class, err);
    }
    if (class) {
        (void)err_set(err, class->code, "The server has no database '%s'.",
                      state->database);
        return err_hint(err, "%s", class->hint);
    }
    return err_set(err, FAILS_NO_SERVER);
}
