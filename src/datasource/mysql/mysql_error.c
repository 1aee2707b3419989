/* MySQL's errors turned into dragoman's. The number decides, never the wording. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "datasource/failures.h"
#include "datasource/mysql/mysql_driver.h"

enum {
    BAD_COLUMN = 1054,
    BAD_TABLE = 1146,
    BAD_DATABASE = 1049,
    BAD_FUNCTION = 1305,
    BAD_FUNCTION_NAMED = 1630,
    BAD_SYNTAX = 1064,
    CLIENT_ERRORS = 2000, /* the library's own: the line is lost */
    CLIENT_ERRORS_END = 2100,
    LIBRARY_ERRORS = 5000,
};

static const struct err_row classes[] = {
    {"1792", FAILS_WRITE, NULL},
    {"1290", FAILS_WRITE, NULL},
    {"1295", FAILS_NO_QUERY, NULL},
    {"1044", FAILS_READ_RIGHT, NULL},
    {"1142", FAILS_READ_RIGHT, NULL},
    {"1143", FAILS_READ_RIGHT, NULL},
    {"1227", ERR_ACCESS, "The database user may not do this.", NULL},
    {"1370", ERR_ACCESS, "The database user may not call this function.", NULL},
    {"1356", ERR_ACCESS, "A view refers to something that its owner may not read.", NULL},
    {"1052", FAILS_AMBIGUOUS, NULL},
    {"1066", FAILS_SAME_NAME, NULL},
    {"1055", FAILS_UNGROUPED, NULL},
    {"1140", FAILS_UNGROUPED, NULL},
    {"1048", FAILS_RULE, NULL},
    {"1062", FAILS_RULE, NULL},
    {"1364", FAILS_RULE, NULL},
    {"1451", FAILS_RULE, NULL},
    {"1452", FAILS_RULE, NULL},
    {"3819", FAILS_RULE, NULL},
    {"4025", FAILS_RULE, NULL},
    {"1065", ERR_INVALID_SQL, "There is no statement.", NULL},
    {"1153", FAILS_LONG_SQL, NULL},
    {"1317", FAILS_ENDED, NULL},
    {"1969", FAILS_TOO_LONG, NULL},
    {"3024", FAILS_TOO_LONG, NULL},
    {"1205", FAILS_TABLE_LOCKED, NULL},
    {"1213", FAILS_CONFLICT, NULL},
    {"1021", FAILS_DISK, NULL},
    {"1114", FAILS_DISK, NULL},
    {"1037", FAILS_MEMORY, NULL},
    {"1038", FAILS_MEMORY, NULL},
    {"1041", FAILS_MEMORY, NULL},
    {"1040", FAILS_CROWDED, NULL},
    {"1203", FAILS_CROWDED, NULL},
    {"1226", FAILS_CROWDED, NULL},
    {"1053", FAILS_CLOSED, NULL},
    {"1927", FAILS_CLOSED, NULL},
    {"1152", FAILS_LOST, NULL},
    {"1158", FAILS_LOST, NULL},
    {"1159", FAILS_LOST, NULL},
    {"1160", FAILS_LOST, NULL},
    {"1161", FAILS_LOST, NULL},
    {"4031", FAILS_CLOSED, NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

bool mysql_interrupted(unsigned int number)
{
    return number == 1317 || number == 1969 || number == 3024;
}

/* What stands behind the last dot of the name in the first pair of quotes, or of the
 * second word: Unknown column 'a.b' in …, FUNCTION shop.f does not exist. */
static const char *named(const char *message, char name[FAILURE_NAME])
{
    const char *from = strchr(message, '\'');
    const char *to = from ? strchr(from + 1, '\'') : NULL;
    if (!to) {
        from = strchr(message, ' ');
        to = from ? from + 1 + strcspn(from + 1, " ") : message;
    }
    from = from ? from + 1 : message;
    for (const char *at = from; at < to; at++) {
        from = *at == '.' ? at + 1 : from;
    }
    return failure_name_copy(name, from, to > from ? (size_t)(to - from) : 0);
}

/* … to use near 'item WHERE' at line 1: the text from the mistake on, cut at 80 bytes. */
static int place_of_near(const char *sql, const char *message, char near[FAILURE_NAME])
{
    const char *from = strstr(message, " near '");
    const char *end = message + strlen(message);
    while (end > message && *end != '\'') {
        end--;
    }
    from = from ? from + 7 : NULL;
    if (!from || end <= from) {
        near[0] = '\0';
        return -1;
    }
    size_t size = (size_t)(end - from);
    size = size < FAILURE_NAME - 1 ? size : FAILURE_NAME - 1;
    memcpy(near, from, size);
    near[size] = '\0';
    if (str_ends(near, "\n)")) { /* of the query around it */
        near[size - 2] = '\0';
    }
    /* The text goes on to the end of the SQL unless it was cut: the last place that fits
     * is the right one then. */
    const char *found = NULL;
    for (const char *at = sql; near[0] && (at = strstr(at, near)); at++) {
        found = at;
    }
    near[strcspn(near, " \t\r\n")] = '\0';
    return found ? (int)(found - sql) : -1;
}

static const struct {
    unsigned int number;
    enum failure_thing thing;
} missing[] = {
    {BAD_COLUMN, FAILURE_COLUMN},
    {BAD_TABLE, FAILURE_TABLE},
    {BAD_DATABASE, FAILURE_DATABASE},
    {BAD_FUNCTION, FAILURE_FUNCTION_FOR},
    {BAD_FUNCTION_NAMED, FAILURE_FUNCTION_FOR},
};

static void phrase_invalid(unsigned int number, const char *message, const char *sql,
                           struct err *err)
{
    char name[FAILURE_NAME];
    int place = -1;
    if (number == BAD_SYNTAX) {
        place = place_of_near(sql, message, name);
        if (name[0]) {
            (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%s'.",
                          name);
        } else {
            (void)err_set(err, ERR_INVALID_SQL, "The SQL ends too early.");
        }
        err->position = place;
        return;
    }
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        if (missing[i].number == number) {
            (void)failure_tell_missing(missing[i].thing, named(message, name), err);
            err->position = failure_place_of(DIALECT_MYSQL, sql, name);
            return;
        }
    }
    (void)failure_tell_refused(err);
}

bool mysql_lost(struct mysql_session *session, struct err *err)
{
    session->base.broken = true;
    /* A stop shuts the line of a session that is just connecting: that is no loss. */
    return limits_hold(session->base.limits, err) &&
           err_set(err, ERR_DATASOURCE_UNREACHABLE,
                   "The connection to the database was lost.");
}

/* The library gives a row up that does not fit, and calls that a lost line. It reads rows
 * in packets of 16 MB: the next one would have been too much. */
static bool row_too_large(const struct mysql_session *session)
{
    enum { PACKET = 1 << 24 };
    return session->step == MARIA_FETCH &&
           session->handle->net.max_packet + PACKET >= session->state->row_most;
}

static bool mysql_error_fail(struct mysql_session *session, unsigned int number,
                             const char *message, const char *sql, struct err *err)
{
    if (number == 0 || (number >= CLIENT_ERRORS && number < CLIENT_ERRORS_END) ||
        number >= LIBRARY_ERRORS) {
        if (!row_too_large(session)) {
            return mysql_lost(session, err);
        }
        session->base.broken = true;
        (void)err_set(err, ERR_RESULT_TOO_LARGE,
                      "A row of the result has more than %zu MB.",
                      session->state->row_most >> 20);
        return err_hint(err, "Ask for fewer columns or for a part of a long one, such "
                             "as left(text, 1000), or raise sql.max_bytes.");
    }
    if (mysql_interrupted(number) && !limits_hold(session->base.limits, err)) {
        return false;
    }
    const struct err_row *class = err_rows_number(classes, number);
    if (class) {
        (void)err_rows_tell(class, err);
    } else {
        phrase_invalid(number, message, sql, err);
    }
    if (err->code == ERR_DATASOURCE_UNREACHABLE) {
        session->base.broken = true;
    }
    return err_detail(err, "%s", message);
}

bool mysql_fail(struct mysql_session *session, const char *sql, struct err *err)
{
    return mysql_error_fail(session, maria.error_number(session->handle),
                            maria.error(session->handle), sql, err);
}

bool mysql_fail_statement(struct mysql_session *session, const char *sql, struct err *err)
{
    return mysql_error_fail(session, maria.stmt_errno(session->statement),
                            maria.stmt_error(session->statement), sql, err);
}

/* ------------------------------------------------------------------ connecting */

static const struct err_row connect_classes[] = {
    {"1045", FAILS_LOGIN, HINT_LOGIN},
    {"1698", FAILS_LOGIN, HINT_LOGIN},
    {"1044", ERR_ACCESS, "The user may not use this database.",
     "Ask for the right to read it, or name another database in the URL."},
    {"1130", FAILS_ADDRESS, "Check for which hosts the user was made on the server."},
    {"1251", ERR_ACCESS, "The server asks for the password in a way that is not safe.",
     "Give the user a password of a newer kind, or use ssl_mode=required."},
    {"2059", ERR_ACCESS, "The server asks for the password in a way that is not known.",
     "Give the user a password of the kind caching_sha2_password or ed25519."},
    {"2061", ERR_ACCESS, "The password may only be sent over an encrypted connection.",
     "Use ssl_mode=required in the URL."},
    {"1040", FAILS_CROWDED, HINT_CROWDED},
    {"1053", FAILS_STARTING, HINT_LATER},
    {"2026", FAILS_TLS,
     "Try again. If it stays so, check ssl_mode, ssl_ca and the host name in the URL, "
     "and the certificate and the TLS versions of the server (1.2 or newer)."},
    {NULL, ERR_COUNT, NULL, NULL},
};

bool mysql_connect_fail(const struct mysql_session *session, struct err *err)
{
    unsigned int number = maria.error_number(session->handle);
    if (number == BAD_DATABASE) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "The server has no database '%s'.",
                      session->state->database);
        return err_hint(err, "Check the name after the last / in the URL.");
    }
    const struct err_row *class = err_rows_number(connect_classes, number);
    return class ? err_rows_tell(class, err) : err_set(err, FAILS_NO_SERVER);
}
