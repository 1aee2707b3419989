/*
 * One approved write to MySQL or MariaDB, in a transaction that a preview rolls back. It
 * has a connection of its own, which is closed in any case: whatever goes wrong before
 * the commit, the server goes back to before. Tables whose engine knows no transactions
 * could not go back, so they are not written to.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "datasource/mysql/mysql_driver.h"
#include "sql/guard.h"
#include "sql/statement.h"

enum { COMMIT_PATIENCE_MS = 30000 }; /* a stop must not make us guess how it ended */

static bool yes_row(void *context, const char *const *texts)
{
    bool *yes = context;
    *yes = texts[0] && texts[0][0] == '1';
    return false;
}

/* "shop.item" or "item": is it a table that can go back? */
static bool goes_back(struct mysql_session *session, const char *table, struct err *err)
{
    const char *dot = strchr(table, '.');
    struct arena *arena = arena_new();
    struct buf sql;
    bool yes = false;
    buf_init(&sql, 4096);
    (void)buf_text(&sql, "SELECT count(*) FROM information_schema.TABLES t JOIN"
                         " information_schema.ENGINES e ON e.ENGINE = t.ENGINE WHERE"
                         " t.TABLE_TYPE = 'BASE TABLE' AND e.TRANSACTIONS = 'YES' AND"
                         " t.TABLE_NAME = ");
    mysql_literal(&sql, dot ? dot + 1 : table);
    (void)buf_text(&sql, " AND t.TABLE_SCHEMA = ");
    if (dot) {
        mysql_literal(&sql, arena_copy(arena, table, (size_t)(dot - table)));
    } else {
        (void)buf_text(&sql, "DATABASE()");
    }
    bool ok = mysql_rows(session, buf_get(&sql), yes_row, &yes, err);
    buf_release(&sql);
    arena_free(arena);
    if (ok && !yes) {
        (void)err_set(err, ERR_WRITE_NOT_ALLOWED,
                      "Changes of '%.100s' cannot be rolled back: it is a view, or its "
                      "engine has no transactions.",
                      table);
        return err_hint(err, "Only tables with transactions (InnoDB) can be changed.");
    }
    return ok;
}

/* The first table that the guard meets is the one that is written to. */
static bool target_goes_back(struct mysql_session *session, const char *sql,
                             struct err *err)
{
    struct arena *arena = arena_new();
    struct guard_result guard = {0};
    struct sql_statement statement;
    statement_read(arena, DIALECT_MYSQL, sql, session->base.limits, &statement);
    guard_check_statement(arena, &statement, NULL, &guard);
    bool ok = guard.verdict == GUARD_WRITE && guard.tables.count > 0
                  ? goes_back(session, guard.tables.items[0], err)
                  : err_set(err, ERR_UNSAFE,
                            "Only a plain INSERT, UPDATE or DELETE can be approved.");
    arena_free(arena);
    return ok;
}

static bool change(struct mysql_session *session, const char *sql, int64_t *touched,
                   struct err *err)
{
    if (!mysql_run_text(session, sql, 0, err)) {
        return false;
    }
    unsigned long long rows = maria.affected_rows(session->handle);
    *touched = rows < (unsigned long long)INT64_MAX ? (int64_t)rows : 0;
    return !session->rows || err_set(err, ERR_UNSAFE, "A write may not return rows.");
}

static bool commit_now(struct mysql_session *session, struct err *err)
{
    const struct datasource_limits patient = {.deadline_ms =
                                                  clock_ms() + COMMIT_PATIENCE_MS};
    session->base.limits = &patient;
    bool ok = mysql_run_text(session, "COMMIT", 0, err);
    session->base.limits = NULL;
    bool answered =
        ok || err->code == ERR_INVALID_SQL || err->code == ERR_DATABASE_LOCKED;
    return answered ? ok : writing_unsure(err);
}

bool mysql_write(struct datasource *source, const char *sql, int64_t approved,
                 const struct datasource_limits *limits, int64_t *touched,
                 struct err *err)
{
    *touched = 0;
    if (!writing_holds(DIALECT_MYSQL, sql, err)) {
        return false;
    }
    struct mysql_session *session = mysql_connect(source->state, limits, err);
    if (!session) {
        return false;
    }
    bool ok =
        target_goes_back(session, sql, err) &&
        mysql_rows(session, "SET SESSION TRANSACTION READ WRITE", NULL, NULL, err) &&
        mysql_rows(session, "START TRANSACTION", NULL, NULL, err) &&
        change(session, sql, touched, err);
    enum writing_end end = ok ? writing_ends(approved, *touched, err) : WRITING_DIFFERS;
    if (end == WRITING_COMMITS) {
        ok = commit_now(session, err);
    }
    if (!ok) {
        *touched = 0;
        mysql_cancel(session);
    }
    ok = ok && end != WRITING_DIFFERS; /* closing the connection takes it back */
    if (err->code == ERR_ACCESS && !ok) {
        (void)err_set(err, ERR_ACCESS, "The database user may not change this.");
    }
    mysql_disconnect(session);
    return ok;
}
