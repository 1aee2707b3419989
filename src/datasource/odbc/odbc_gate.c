/* May a statement be sent over ODBC? Without ODBC's headers, whose names are those of our
 * tree. */
#include "datasource/odbc/odbc_gate.h"

#include <string.h>

#include "base/arena.h"
#include "datasource/driver.h"
#include "sql/guard.h"
#include "sql/statement.h"

static bool guard_says(struct arena *arena, const struct sql_statement *statement,
                       bool *unlisted, struct err *err)
{
    struct guard_result guard = {0};
    guard_check_statement(arena, statement, NULL, &guard);
    bool ok = guard.verdict == GUARD_READ;
    *unlisted = guard.unlisted;
    if (!ok && guard.unparsable && guard.position >= 0) {
        const char *near = statement->text + guard.position;
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%.*s'.",
                      (int)strcspn(near, " \t\r\n"), near);
        err->position = guard.position;
        (void)err_detail(err, "%s", guard.reason);
    } else if (!ok) {
        (void)err_set(err, guard.unparsable ? ERR_INVALID_SQL : ERR_UNSAFE, "%s",
                      guard.reason && guard.reason[0] ? guard.reason
                                                      : "The SQL is not allowed.");
        err->position = guard.position;
        (void)err_detail(err, "%s", guard.word ? guard.word : "The guard refused it.");
    }
    return ok;
}

/* MariaDB's driver ends the process at the next statement after one that begins with
 * VALUES. */
static bool driver_stands(const struct sql_statement *statement, struct err *err)
{
    const struct sql_node *first = statement->root;
    while (sql_is(first, SQL_SET_OPERATION) ||
           (sql_is(first, SQL_QUERY) && !first->children[QUERY_WITH])) {
        bool set = first->kind == SQL_SET_OPERATION;
        first = first->children[set ? (size_t)PAIR_LEFT : (size_t)QUERY_BODY];
    }
    if (statement->dialect != DIALECT_MYSQL || !sql_is(first, SQL_VALUES)) {
        return true;
    }
    (void)err_set(err, ERR_INVALID_SQL,
                  "The ODBC driver of this database cannot run a statement that "
                  "begins with VALUES.");
    (void)err_hint(err, "Write SELECT * FROM (VALUES …) AS t.");
    err->position = (int)first->start;
    return false;
}

bool odbc_gate(enum dialect dialect, const char *sql,
               const struct datasource_limits *limits, bool *unlisted, struct err *err)
{
    struct arena *arena = arena_new();
    struct sql_statement statement;
    statement_read(arena, dialect, sql, limits, &statement);
    bool ok =
        guard_says(arena, &statement, unlisted, err) && driver_stands(&statement, err);
    arena_free(arena);
    return ok;
}
