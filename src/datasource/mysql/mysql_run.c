/*
 * Other people's SQL: one statement, in a session that can only read. Before it runs the
 * server compiles it as a part of another query, which it does for a query only: so both
 * the words (see the gate) and the server's own grammar say that it is one.
 *
 * The text protocol: a million rows come as fast as the server's own client reads them,
 * and decimals, dates and large numbers come as the server writes them.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"
#include "sql/statement.h"

enum { SERVER_GRACE_MS = 1000 }; /* we end it ourselves; the server only if we cannot */

struct running {
    struct mysql_session *session;
    const struct datasource_sink *sink;
    enum mysql_kind *kinds;
    struct value *cells;
    size_t columns;
    int64_t left; /* rows that may still be handed out */
    bool enough;  /* the sink or the cap said stop */
    struct arena *arena;
    struct arena *scratch; /* for one row */
};

/* The server's own time limit, in case this process cannot end the query any more. It
 * is set again only if it differs much from what is needed, because that costs a round
 * trip. */
static bool limit_set(struct mysql_session *session, struct err *err)
{
    enum { MOST_MS = 3600000, LOOSE_MS = 10000 };
    int64_t wanted = limits_left_ms(session->base.limits, MOST_MS) + SERVER_GRACE_MS;
    if (session->limit_ms >= wanted && session->limit_ms <= 2 * wanted + LOOSE_MS) {
        return true;
    }
    char sql[100];
    if (session->mariadb) {
        (void)snprintf(sql, sizeof sql, "SET SESSION max_statement_time = %lld.%03lld",
                       (long long)(wanted / 1000), (long long)(wanted % 1000));
    } else {
        (void)snprintf(sql, sizeof sql, "SET SESSION max_execution_time = %lld",
                       (long long)wanted);
    }
    session->limit_ms = wanted;
    return mysql_rows(session, sql, NULL, NULL, err);
}

/* Is there more than one SELECT in it? What we cannot read may hold any number. */
static bool has_subquery(const struct mysql_session *session, const char *sql)
{
    struct arena *arena = arena_new();
    struct sql_statement statement;
    struct sql_nodes selects = {0};
    statement_read(arena, DIALECT_MYSQL, sql, session->base.limits, &statement);
    sql_collect(arena, statement.root, SQL_SELECT, &selects);
    sql_collect(arena, statement.root, SQL_VALUES, &selects);
    bool has = !statement.root || selects.count > 1;
    arena_free(arena);
    return has;
}

/* MariaDB 10.11.19 crashes when it moves a condition into a grouped view or derived table
 * and the condition holds a subquery of an outer one: any login can end the server for
 * all by a SELECT (tests/conformance/datasource/suite_mysql.c has it). So statements with
 * subqueries do without that; plain ones over a view keep it. */
static bool pushdown_set(struct mysql_session *session, const char *sql, struct err *err)
{
    bool careful = session->mariadb && has_subquery(session, sql);
    if (careful == session->careful) {
        return true;
    }
    session->careful = careful;
    return mysql_rows(session,
                      careful ? "SET SESSION optimizer_switch = "
                                "'condition_pushdown_for_derived=off'"
                              : "SET SESSION optimizer_switch = "
                                "'condition_pushdown_for_derived=default'",
                      NULL, NULL, err);
}

static bool only_query(struct mysql_session *session, const char *sql, struct err *err)
{
    struct arena *arena = arena_new();
    const char *inside = arena_format(arena, "SELECT EXISTS(%s\n)",
                                      statement_bare(arena, DIALECT_MYSQL, sql));
    bool ok = mysql_prepare(session, inside, sql, err);
    arena_free(arena);
    return ok;
}

static void columns_hand(struct running *work)
{
    MYSQL_RES *rows = work->session->rows;
    size_t count = maria.num_fields(rows);
    const MYSQL_FIELD *fields = maria.fetch_fields(rows);
    struct rows_column *columns = arena_array(work->arena, count, sizeof *columns);
    work->kinds = arena_array(work->arena, count, sizeof *work->kinds);
    work->cells = arena_array(work->arena, count, sizeof *work->cells);
    work->columns = count;
    for (size_t i = 0; i < count; i++) {
        size_t size = fields[i].name_length;
        columns[i].name = text_clean(work->arena, fields[i].name, &size);
        columns[i].type = mysql_type_of(&fields[i]);
        work->kinds[i] = mysql_kind_of(&fields[i]);
    }
    work->enough = !work->sink->columns(work->sink->context, columns, count);
}

static bool rows_hand(struct running *work, struct err *err)
{
    while (!work->enough) {
        MYSQL_ROW row = NULL;
        if (!mysql_fetch(work->session, &row, 0, err)) {
            return false;
        }
        if (!row) {
            return true;
        }
        const unsigned long *sizes = maria.fetch_lengths(work->session->rows);
        for (size_t i = 0; i < work->columns; i++) {
            struct value none = {.kind = VALUE_NULL};
            work->cells[i] =
                row[i] ? mysql_value(work->scratch, work->kinds[i], row[i], sizes[i])
                       : none;
        }
        work->enough =
            !work->sink->row(work->sink->context, work->cells) || --work->left < 0;
        arena_reset(work->scratch);
        if (!work->enough && !limits_hold(work->session->base.limits, err)) {
            return false; /* rows that are all here already need no waiting */
        }
    }
    return true;
}

static bool statement_run(struct running *work, const char *how, const char *sql,
                          struct err *err)
{
    struct mysql_session *session = work->session;
    const char *text = arena_format(work->arena, "%s%s", how, sql);
    if (!mysql_gate(sql, err) || !limit_set(session, err) ||
        !pushdown_set(session, sql, err) || !only_query(session, sql, err)) {
        return false;
    }
    session->base.worn = true;
    if (!mysql_run_text(session, text, 0, err)) {
        return false;
    }
    if (!session->rows) {
        return err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    }
    columns_hand(work);
    return rows_hand(work, err);
}

bool mysql_run(struct mysql_session *session, const char *how, const char *sql,
               const struct datasource_sink *sink, struct err *err)
{
    const struct datasource_limits *limits = session->base.limits;
    struct running work = {.session = session,
                           .sink = sink,
                           .left = limits && limits->max_rows > 0 ? limits->max_rows
                                                                  : INT64_MAX - 1,
                           .arena = arena_new(),
                           .scratch = arena_new()};
    bool ok = statement_run(&work, how, sql, err);
    mysql_cancel(session); /* whatever is left of it */
    arena_free(work.arena);
    arena_free(work.scratch);
    return ok;
}

bool mysql_check_one(struct mysql_session *session, const char *sql, struct err *err)
{
    return mysql_gate(sql, err) && mysql_prepare(session, sql, sql, err) &&
           only_query(session, sql, err);
}
