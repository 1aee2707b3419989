/* MySQL's errors turned into dragoman's. The number decides, never the wording. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/mysql/mysql_driver.h"
#include "sql/lexer.h"

enum {
    BAD_COLUMN = 1054,
    BAD_TABLE = 1146,
    BAD_DATABASE = 1049,
    BAD_FUNCTION = 1305,
    BAD_FUNCTION_NAMED = 1630,
    BAD_SYNTAX = 1064,
    BAD_HANDSHAKE = 2026,
    CLIENT_ERRORS = 2000, /* the library's own: the line is lost */
    CLIENT_ERRORS_END = 2100,
    LIBRARY_ERRORS = 5000,
};

struct number_class {
    unsigned int number;
    enum err_code code;
    const char *message;
};

static const struct number_class classes[] = {
    {1792, ERR_UNSAFE, "The statement would change the database."},
    {1290, ERR_UNSAFE, "The statement would change the database."},
    {1295, ERR_UNSAFE, "Only a query that reads may run."},
    {1044, ERR_ACCESS, "The database user may not read this."},
    {1142, ERR_ACCESS, "The database user may not read this."},
    {1143, ERR_ACCESS, "The database user may not read this."},
    {1227, ERR_ACCESS, "The database user may not do this."},
    {1370, ERR_ACCESS, "The database user may not call this function."},
    {1356, ERR_ACCESS, "A view refers to something that its owner may not read."},
    {1052, ERR_INVALID_SQL, "A column is in several tables: say which."},
    {1066, ERR_INVALID_SQL, "A table or alias is named twice: say which is meant."},
    {1055, ERR_INVALID_SQL, "A column must be grouped by or aggregated."},
    {1140, ERR_INVALID_SQL, "A column must be grouped by or aggregated."},
    {1048, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {1062, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {1364, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {1451, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {1452, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {3819, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {4025, ERR_INVALID_SQL, "The change breaks a rule of the database."},
    {1065, ERR_INVALID_SQL, "There is no statement."},
    {1153, ERR_INVALID_SQL, "The query is too large for the database."},
    {1317, ERR_TIMEOUT, "The query was ended on the server."},
    {1969, ERR_TIMEOUT, "The query took too long and was ended."},
    {3024, ERR_TIMEOUT, "The query took too long and was ended."},
    {1205, ERR_DATABASE_LOCKED, "A table is locked by another session."},
    {1213, ERR_DATABASE_LOCKED, "The query conflicts with a concurrent change."},
    {1021, ERR_DISK_FULL, "The disk of the database server is full."},
    {1114, ERR_DISK_FULL, "The disk of the database server is full."},
    {1037, ERR_RESULT_TOO_LARGE, "The query needs more than the server has."},
    {1038, ERR_RESULT_TOO_LARGE, "The query needs more than the server has."},
    {1041, ERR_RESULT_TOO_LARGE, "The query needs more than the server has."},
    {1040, ERR_DATASOURCE_UNREACHABLE, "The database has too many connections."},
    {1203, ERR_DATASOURCE_UNREACHABLE, "The database has too many connections."},
    {1226, ERR_DATASOURCE_UNREACHABLE, "The database has too many connections."},
    {1053, ERR_DATASOURCE_UNREACHABLE, "The database server ended the connection."},
    {1927, ERR_DATASOURCE_UNREACHABLE, "The database server ended the connection."},
    {1152, ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {1158, ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {1159, ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {1160, ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {1161, ERR_DATASOURCE_UNREACHABLE, "The connection to the database was lost."},
    {4031, ERR_DATASOURCE_UNREACHABLE, "The database server ended the connection."},
};

bool mysql_interrupted(unsigned int number)
{
    return number == 1317 || number == 1969 || number == 3024;
}

static const struct number_class *class_find(unsigned int number)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (classes[i].number == number) {
            return &classes[i];
        }
    }
    return NULL;
}

/* What stands behind the last dot of the name in the first pair of quotes, or of the
 * second word: Unknown column 'a.b' in …, FUNCTION shop.f does not exist. */
static const char *named(const char *message, char name[128])
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
    size_t size = to > from ? (size_t)(to - from) : 0;
    size = utf8_cut(from, size, size < 127 ? size : 127);
    memcpy(name, from, size);
    name[size] = '\0';
    return name;
}

/* The first place where the SQL says this name. */
static int place_of_name(const char *sql, const char *name)
{
    struct arena *arena = arena_new();
    struct tokens tokens;
    int place = -1;
    lexer_run(arena, DIALECT_MYSQL, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count && place < 0; i++) {
        const struct token *token = &tokens.items[i];
        if ((token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
            str_equal_nocase(token->text, name)) {
            place = (int)token->start;
        }
    }
    arena_free(arena);
    return place;
}

/* … to use near 'item WHERE' at line 1: the text from the mistake on, cut at 80 bytes. */
static int place_of_near(const char *sql, const char *message, char near[128])
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
    size = size < 127 ? size : 127;
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

static void phrase_invalid(unsigned int number, const char *message, const char *sql,
                           struct err *err)
{
    char name[128];
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
    (void)named(message, name);
    switch (number) {
    case BAD_COLUMN:
        (void)err_set(err, ERR_INVALID_SQL, "Column '%s' does not exist.", name);
        break;
    case BAD_TABLE:
        (void)err_set(err, ERR_INVALID_SQL, "Table '%s' does not exist.", name);
        break;
    case BAD_DATABASE:
        (void)err_set(err, ERR_INVALID_SQL, "Database '%s' does not exist.", name);
        break;
    case BAD_FUNCTION:
    case BAD_FUNCTION_NAMED:
        (void)err_set(err, ERR_INVALID_SQL,
                      "Function '%s' does not exist for these arguments.", name);
        break;
    default:
        (void)err_set(err, ERR_INVALID_SQL, "The database did not accept the SQL.");
        return;
    }
    err->position = place_of_name(sql, name);
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
    const struct number_class *class = class_find(number);
    if (class) {
        (void)err_set(err, class->code, "%s", class->message);
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

struct connect_class {
    unsigned int number;
    enum err_code code;
    const char *message;
    const char *hint;
};

static const struct connect_class connect_classes[] = {
    {1045, ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file."},
    {1698, ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file."},
    {1044, ERR_ACCESS, "The user may not use this database.",
     "Ask for the right to read it, or name another database in the URL."},
    {1130, ERR_ACCESS, "The database refused connections from this machine.",
     "Check for which hosts the user was made on the server."},
    {1251, ERR_ACCESS, "The server asks for the password in a way that is not safe.",
     "Give the user a password of a newer kind, or use ssl_mode=required."},
    {2059, ERR_ACCESS, "The server asks for the password in a way that is not known.",
     "Give the user a password of the kind caching_sha2_password or ed25519."},
    {2061, ERR_ACCESS, "The password may only be sent over an encrypted connection.",
     "Use ssl_mode=required in the URL."},
    {1040, ERR_DATASOURCE_UNREACHABLE, "The database has too many connections.",
     "Close some, or raise max_connections on the server."},
    {1053, ERR_DATASOURCE_UNREACHABLE, "The database server is starting or stopping.",
     "Try again in a moment."},
    {BAD_HANDSHAKE, ERR_DATASOURCE_UNREACHABLE,
     "The TLS handshake with the database server failed, and nothing is sent without "
     "encryption.",
     "Try again. If it stays so, check ssl_mode, ssl_ca and the host name in the URL, "
     "and "
     "the certificate and the TLS versions of the server (1.2 or newer)."},
};

bool mysql_connect_fail(const struct mysql_session *session, struct err *err)
{
    unsigned int number = maria.error_number(session->handle);
    if (number == BAD_DATABASE) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "The server has no database '%s'.",
                      session->state->database);
        return err_hint(err, "Check the name after the last / in the URL.");
    }
    for (size_t i = 0; i < sizeof connect_classes / sizeof *connect_classes; i++) {
        if (connect_classes[i].number == number) {
            (void)err_set(err, connect_classes[i].code, "%s", connect_classes[i].message);
            return err_hint(err, "%s", connect_classes[i].hint);
        }
    }
    return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                   "The database server cannot be reached.");
}
