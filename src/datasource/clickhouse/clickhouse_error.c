/* ClickHouse's errors turned into dragoman's. The number decides, never the wording. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/clickhouse/clickhouse_driver.h"
#include "datasource/failures.h"
#include "sql/guard.h"

static const struct err_row failures[] = {
    {"27", FAILS_VALUE, NULL},
    {"41", ERR_INVALID_SQL, "A date in the query cannot be read.", NULL},
    {"42", ERR_INVALID_SQL, "A function has too many or too few arguments.", NULL},
    {"43", ERR_INVALID_SQL, "A function cannot take a value of this type.", NULL},
    {"53", FAILS_TYPES, NULL},
    {"81", FAILS_NO_DATABASE, HINT_DATABASE},
    {"82", FAILS_NO_DATABASE, NULL},
    {"113", FAILS_NO_QUERY, NULL},
    {"115", FAILS_SETTINGS, NULL},
    {"158", FAILS_READS_MUCH, NULL},
    {"159", FAILS_TOO_LONG, NULL},
    {"160", ERR_TIMEOUT, "The query would take too long.", NULL},
    {"164", FAILS_WRITE, NULL},
    {"173", ERR_RESULT_TOO_LARGE, "The server has no memory for the query.", NULL},
    {"181", ERR_INVALID_SQL, "The table's engine does not know FINAL.", NULL},
    {"184", ERR_INVALID_SQL, "An aggregate stands inside another aggregate.", NULL},
    {"191", ERR_RESULT_TOO_LARGE, "A set in the query is too large.", NULL},
    {"192", FAILS_LOGIN, HINT_LOGIN},
    {"193", FAILS_LOGIN, HINT_LOGIN},
    {"194", FAILS_NO_PASSWORD, HINT_PASSWORD},
    {"195", FAILS_ADDRESS, NULL},
    {"201", ERR_TOO_EXPENSIVE, "The account has used up its quota.",
     "Wait until the server's interval ends, or raise the quota."},
    {"202", ERR_DATASOURCE_UNREACHABLE, "The server works on too many queries.",
     HINT_LATER},
    {"207", FAILS_AMBIGUOUS, NULL},
    {"209", ERR_DATASOURCE_UNREACHABLE, "A server of the cluster did not answer in time.",
     NULL},
    {"210", FAILS_CLUSTER, NULL},
    {"215", FAILS_UNGROUPED, NULL},
    {"241", ERR_RESULT_TOO_LARGE, "The query needs more memory than the server allows.",
     NULL},
    {"243", FAILS_DISK, NULL},
    {"279", FAILS_CLUSTER, NULL},
    {"291", ERR_ACCESS, "The account may not read this database.", NULL},
    {"307", FAILS_READS_MUCH, NULL},
    {"352", FAILS_AMBIGUOUS, NULL},
    {"358", ERR_UNSAFE, "The query may not write a file.", NULL},
    {"386", FAILS_TYPES, NULL},
    {"396", ERR_RESULT_TOO_LARGE, "The result is larger than the server allows.", NULL},
    {"452", FAILS_SETTINGS, NULL},
    {"497", ERR_ACCESS, "The account may not read this.",
     "Grant SELECT on the tables, and on system.tables and system.columns."},
    {"516", FAILS_LOGIN, HINT_LOGIN},
    {"581", ERR_INVALID_SQL, "The query is too deep for the server.", NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

enum {
    NUMBER_UNKNOWN_FUNCTION = 46,
    NUMBER_UNKNOWN_NAME = 47,
    NUMBER_UNKNOWN_TABLE = 60,
    NUMBER_SYNTAX = 62,
    NUMBER_CANCELLED = 394,
};

static void phrase_missing(enum failure_thing thing, const char *message,
                           const char *const *before, const char *sql, struct err *err)
{
    char name[FAILURE_NAME] = "";
    for (; *before && !failure_name_after(name, message, *before); before++) {}
    const char *last = failure_last_part(name);
    (void)failure_tell_missing(thing, thing == FAILURE_TABLE ? last : name, err);
    err->position = failure_place_of(DIALECT_CLICKHOUSE, sql, last);
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
    (void)failure_tell_syntax(question->sql, (int)place, err);
}

static void phrase(long number, const char *message,
                   const struct clickhouse_question *question, struct err *err)
{
    static const char *const functions[] = {"unction with name ", "function ",
                                            "Function ", NULL};
    static const char *const columns[] = {"identifier: ", "identifier ",
                                          "columns: ", "column ", NULL};
    static const char *const tables[] = {"identifier ", "Table ", "table ", NULL};
    const struct err_row *failure = err_rows_number(failures, number);
    if (failure) {
        (void)err_rows_tell(failure, err);
    } else if (number == NUMBER_UNKNOWN_FUNCTION) {
        phrase_missing(FAILURE_FUNCTION, message, functions, question->sql, err);
    } else if (number == NUMBER_UNKNOWN_NAME) {
        phrase_missing(FAILURE_COLUMN, message, columns, question->sql, err);
    } else if (number == NUMBER_UNKNOWN_TABLE) {
        phrase_missing(FAILURE_TABLE, message, tables, question->sql, err);
    } else if (number == NUMBER_SYNTAX) {
        phrase_syntax(message, question, err);
    } else if (number > 0) {
        (void)failure_tell_refused(err);
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
    return err_set(err, FAILS_LOST);
}
