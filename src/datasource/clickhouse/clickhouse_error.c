/* ClickHouse's errors turned into dragoman's. The number decides, never the wording. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/clickhouse/clickhouse_driver.h"
#include "sql/guard.h"
#include "sql/lexer.h"

static const struct failure {
    long number;
    enum err_code code;
    const char *message;
    const char *hint; /* or NULL */
} failures[] = {
    {27, ERR_INVALID_SQL, "A value in the query cannot be used that way.", NULL},
    {41, ERR_INVALID_SQL, "A date in the query cannot be read.", NULL},
    {42, ERR_INVALID_SQL, "A function has too many or too few arguments.", NULL},
    {43, ERR_INVALID_SQL, "A function cannot take a value of this type.", NULL},
    {53, ERR_INVALID_SQL, "Values of different types cannot be used together.", NULL},
    {81, ERR_DATASOURCE_NOT_FOUND, "The server has no such database.",
     "Check the name after the last / in the URL."},
    {82, ERR_DATASOURCE_NOT_FOUND, "The server has no such database.", NULL},
    {113, ERR_UNSAFE, "Only a query that reads may run.", NULL},
    {115, ERR_UNSAFE, "The query may not change settings.", NULL},
    {158, ERR_RESULT_TOO_LARGE, "The query would read more than the server allows.",
     NULL},
    {159, ERR_TIMEOUT, "The query took too long and was ended.", NULL},
    {160, ERR_TIMEOUT, "The query would take too long.", NULL},
    {164, ERR_UNSAFE, "The statement would change the database.", NULL},
    {173, ERR_RESULT_TOO_LARGE, "The server has no memory for the query.", NULL},
    {181, ERR_INVALID_SQL, "The table's engine does not know FINAL.", NULL},
    {184, ERR_INVALID_SQL, "An aggregate stands inside another aggregate.", NULL},
    {191, ERR_RESULT_TOO_LARGE, "A set in the query is too large.", NULL},
    {192, ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file."},
    {193, ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file."},
    {194, ERR_ACCESS, "The database asks for a password.",
     "Give one in the URL, or by password_env or password_file."},
    {195, ERR_ACCESS, "The database refused connections from this machine.", NULL},
    {201, ERR_TOO_EXPENSIVE, "The account has used up its quota.",
     "Wait until the server's interval ends, or raise the quota."},
    {202, ERR_DATASOURCE_UNREACHABLE, "The server works on too many queries.",
     "Try again in a moment."},
    {207, ERR_INVALID_SQL, "A column is in several tables: say which.", NULL},
    {209, ERR_DATASOURCE_UNREACHABLE, "A server of the cluster did not answer in time.",
     NULL},
    {210, ERR_DATASOURCE_UNREACHABLE, "A server of the cluster cannot be reached.", NULL},
    {215, ERR_INVALID_SQL, "A column must be grouped by or aggregated.", NULL},
    {241, ERR_RESULT_TOO_LARGE, "The query needs more memory than the server allows.",
     NULL},
    {243, ERR_DISK_FULL, "The disk of the database server is full.", NULL},
    {279, ERR_DATASOURCE_UNREACHABLE, "A server of the cluster cannot be reached.", NULL},
    {291, ERR_ACCESS, "The account may not read this database.", NULL},
    {307, ERR_RESULT_TOO_LARGE, "The query would read more than the server allows.",
     NULL},
    {352, ERR_INVALID_SQL, "A column is in several tables: say which.", NULL},
    {358, ERR_UNSAFE, "The query may not write a file.", NULL},
    {386, ERR_INVALID_SQL, "Values of different types cannot be used together.", NULL},
    {396, ERR_RESULT_TOO_LARGE, "The result is larger than the server allows.", NULL},
    {452, ERR_UNSAFE, "The query may not change settings.", NULL},
    {497, ERR_ACCESS, "The account may not read this.",
     "Grant SELECT on the tables, and on system.tables and system.columns."},
    {516, ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file."},
    {581, ERR_INVALID_SQL, "The query is too deep for the server.", NULL},
};

static const struct failure *failure_find(long number)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        if (failures[i].number == number) {
            return &failures[i];
        }
    }
    return NULL;
}

enum {
    NUMBER_UNKNOWN_FUNCTION = 46,
    NUMBER_UNKNOWN_NAME = 47,
    NUMBER_UNKNOWN_TABLE = 60,
    NUMBER_SYNTAX = 62,
    NUMBER_CANCELLED = 394,
    NAME_MOST = 128,
};

/* The name that the message is about: between quotes, or the word behind a text. */
static void name_of(const char *message, const char *const *before, char name[NAME_MOST])
{
    const char *from = NULL;
    for (; *before && !from; before++) {
        from = strstr(message, *before);
        from = from ? from + strlen(*before) : NULL;
    }
    from = from ? from : "";
    char quote = *from == '`' || *from == '\'' || *from == '"' ? *from++ : '\0';
    char stops[] = {quote ? quote : ' ', '\n', quote ? '\0' : ',', '\0'};
    size_t size = strcspn(from, stops);
    while (!quote && size > 0 && (from[size - 1] == '.' || from[size - 1] == ':')) {
        size--;
    }
    size = utf8_cut(from, size, size < NAME_MOST - 1 ? size : NAME_MOST - 1);
    memcpy(name, from, size);
    name[size] = '\0';
}

/* default.items -> items, items.price -> price */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot[1] ? dot + 1 : name;
}

/* Where a name stands in the SQL. The server does not say. */
static int place_of(const char *sql, const char *name)
{
    struct arena *arena = arena_new();
    struct tokens tokens = {0};
    int place = -1;
    lexer_run(arena, DIALECT_CLICKHOUSE, sql, strlen(sql), &tokens);
    for (size_t i = 0; place < 0 && i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        if ((token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
            str_equal(token->text, name)) {
            place = (int)token->start;
        }
    }
    arena_free(arena);
    return place;
}

static void phrase_missing(const char *what, const char *message,
                           const char *const *before, const char *sql, struct err *err)
{
    char name[NAME_MOST];
    name_of(message, before, name);
    const char *shown = what[0] == 'T' ? last_part(name) : name;
    (void)err_set(err, ERR_INVALID_SQL, "%s '%s' does not exist.", what, shown);
    err->position = place_of(sql, last_part(name));
}

/* Old servers sometimes take our brackets around the SQL for the mistake. Where reading
 * fails here is the next best answer. */
static long place_by_guard(const char *sql)
{
    struct arena *arena = arena_new();
    struct guard_result guard = {0};
    guard_check(arena, DIALECT_CLICKHOUSE, sql, strlen(sql), NULL, &guard);
    long place = guard.verdict == GUARD_REFUSED && guard.unparsable ? guard.position : -1;
    arena_free(arena);
    return place;
}

static void phrase_syntax(const char *message, const struct clickhouse_question *question,
                          struct err *err)
{
    static const char sign[] = "failed at position ";
    const char *found = strstr(message, sign);
    long place = found ? strtol(found + sizeof sign - 1, NULL, 10) - 1 : -1;
    place -= (long)strlen(str_or_empty(question->prefix));
    size_t size = strlen(question->sql);
    if (strstr(message, "Multi-statements")) {
        (void)err_set(err, ERR_UNSAFE, "Only one statement may run at a time.");
        return;
    }
    if (place < 0) {
        place = place_by_guard(question->sql);
    }
    if (place < 0) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error.");
        return;
    }
    if ((size_t)place >= size) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL ends too early.");
        return;
    }
    const char *at = question->sql + place;
    size_t word = strcspn(at, " \t\r\n,;()");
    word = word > 0 ? word : 1;
    word = utf8_cut(at, word, word < 60 ? word : 60);
    (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%.*s'.",
                  (int)word, at);
    err->position = (int)place;
}

static void phrase(long number, const char *message,
                   const struct clickhouse_question *question, struct err *err)
{
    static const char *const functions[] = {"unction with name ", "function ",
                                            "Function ", NULL};
    static const char *const columns[] = {"identifier: ", "identifier ",
                                          "columns: ", "column ", NULL};
    static const char *const tables[] = {"identifier ", "Table ", "table ", NULL};
    const struct failure *failure = failure_find(number);
    if (failure) {
        (void)err_set(err, failure->code, "%s", failure->message);
        if (failure->hint) {
            (void)err_hint(err, "%s", failure->hint);
        }
    } else if (number == NUMBER_UNKNOWN_FUNCTION) {
        phrase_missing("Function", message, functions, question->sql, err);
    } else if (number == NUMBER_UNKNOWN_NAME) {
        phrase_missing("Column", message, columns, question->sql, err);
    } else if (number == NUMBER_UNKNOWN_TABLE) {
        phrase_missing("Table", message, tables, question->sql, err);
    } else if (number == NUMBER_SYNTAX) {
        phrase_syntax(message, question, err);
    } else if (number > 0) {
        (void)err_set(err, ERR_INVALID_SQL, "The database did not accept the SQL.");
    } else {
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                      "The server's answer cannot be read.");
        (void)err_hint(err, "Check that the URL names the HTTP port of a ClickHouse "
                            "server (8123, or 8443 with secure=1).");
    }
}

bool clickhouse_fail(const char *text, const struct clickhouse_question *question,
                     const struct datasource_limits *limits, struct err *err)
{
    static const char sign[] = "DB::Exception: ";
    const char *found = strstr(text, "Code: ");
    long number = found ? strtol(found + strlen("Code: "), NULL, 10) : 0;
    const char *message = found ? strstr(found, sign) : NULL;
    message = message ? message + sizeof sign - 1 : "";
    if (number == NUMBER_CANCELLED) {
        return limits_hold(limits, err)
                   ? err_set(err, ERR_TIMEOUT, "The server ended the query.")
                   : false;
    }
    phrase(number, message, question, err);
    const char *tail = strstr(message, ", e.what()");
    tail = tail ? tail : strstr(message, " (version ");
    size_t size = tail ? (size_t)(tail - message) : strcspn(message, "\n");
    size = utf8_cut(message, size, size < 600 ? size : 600);
    return err_detail(err, "%.*s", (int)size, message);
}

bool clickhouse_lost(struct err *err)
{
    return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                   "The connection to the database was lost.");
}
