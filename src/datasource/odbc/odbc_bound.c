/*
 * Long cells bounded before an ODBC driver has them: drivers read whole rows, and many of
 * them, into our process before they hand out a byte.
 *
 * PostgreSQL cuts them itself: the statement stands inside of another one, which sends
 * the beginning of every cell that could be long (as postgres_bound.c does). MariaDB's
 * driver stands on the library of our own MySQL driver, which has a bound for a row; the
 * driver has no word for it, so it is set for the whole process.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/library.h"
#include "datasource/odbc/odbc_driver.h"

enum {
    LEAST_BYTES = 64, /* of a cell, however many columns there are */
    WRAPPED_MOST = 4 << 20,
    MARIADB_MAX_PACKET = 39, /* MYSQL_OPT_MAX_ALLOWED_PACKET of its mysql.h */
    ROW_LEAST = 33 << 20,    /* as the MySQL driver has it */
};

/* ------------------------------------------------------------------ MariaDB */

static int (*mariadb_option)(void *handle, int option, ...);

static const char *const mariadb_files[] = {"libmariadb.so.3", NULL};
static const struct library_function mariadb_list[] = {{"mysql_optionsv", 0, false}};

static struct library mariadb = {
    LIBRARY(mariadb_files, mariadb_list, &mariadb_option),
    .code = ERR_DATASOURCE_KIND,
    .message = "The library libmariadb was not found.",
};

void odbc_bound_rows(const struct odbc_habit *habit, int64_t max_bytes)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct err err; /* without it there is nothing to bound */
    if (!habit || !habit->mariadb || !library_load(&mariadb, &err)) {
        return;
    }
    size_t most = max_bytes > ROW_LEAST ? (size_t)max_bytes : ROW_LEAST;
    (void)pthread_mutex_lock(&lock);
    (void)mariadb_option(NULL, MARIADB_MAX_PACKET, &most);
    (void)pthread_mutex_unlock(&lock);
}

/* The library gives a row up that does not fit, and calls that a lost line. Which of the
 * two it was is not known here. */
bool odbc_bound_told(const struct odbc_state *state, struct err *err)
{
    return odbc_lost(err) && state->habit && state->habit->mariadb
               ? err_hint(err, "Check that the database is running. A row that is larger "
                               "than sql.max_bytes ends the connection, too: ask for "
                               "fewer columns, or for a part of a long one, such as "
                               "left(text, 1000).")
               : false;
}

/* ------------------------------------------------------------------ PostgreSQL */

/* What the statement's own columns are. */
struct described {
    struct arena *arena;
    struct rows_column *columns;
    enum odbc_kind *kinds;
    size_t count;
    size_t long_count;
};

static bool is_long(enum odbc_kind kind)
{
    return kind == ODBC_TEXT || kind == ODBC_BYTES;
}

static bool columns_keep(void *context, const struct rows_column *columns, size_t count)
{
    struct described *out = context;
    out->columns = arena_array(out->arena, count + 1, sizeof *out->columns);
    for (size_t i = 0; i < count; i++) {
        out->columns[i].name = arena_text(out->arena, columns[i].name);
        out->columns[i].type = arena_text(out->arena, columns[i].type);
    }
    out->count = count;
    return true;
}

static void kinds_keep(void *context, const enum odbc_kind *kinds, size_t count)
{
    struct described *out = context;
    out->kinds = arena_array(out->arena, count + 1, sizeof *out->kinds);
    for (size_t i = 0; i < count; i++) {
        out->kinds[i] = kinds[i];
        out->long_count += is_long(kinds[i]);
    }
}

/* All long cells of a row together take no more than an answer. */
static size_t cell_share(const struct datasource_limits *limits, size_t count)
{
    size_t most = limits_cell_bytes(limits);
    bool whole = !limits || limits->max_bytes <= 0 || limits->staged;
    size_t share = whole ? most : (size_t)limits->max_bytes / count;
    share = share > LEAST_BYTES ? share : LEAST_BYTES;
    return share < most ? share : most;
}

/* format() writes every type as it is shown; of NULL it would make an empty text. */
static void cell_write(struct buf *sql, size_t index, enum odbc_kind kind, size_t most)
{
    if (kind == ODBC_BYTES) {
        (void)buf_format(sql, "pg_catalog.substr(c%zu, 1, %zu)", index, most + 1);
    } else if (kind == ODBC_TEXT) {
        (void)buf_format(sql,
                         "CASE WHEN c%zu IS NOT DISTINCT FROM NULL THEN NULL ELSE "
                         "pg_catalog.substr(pg_catalog.format('%%s', c%zu), 1, %zu) END",
                         index, index, most + 1);
    } else {
        (void)buf_format(sql, "c%zu", index);
    }
}

static const char *wrap(struct arena *arena, const struct described *columns, size_t most,
                        const char *sql)
{
    struct buf text;
    buf_init(&text, WRAPPED_MOST);
    (void)buf_text(&text, "SELECT ");
    for (size_t i = 0; i < columns->count; i++) {
        (void)buf_text(&text, i ? ", " : "");
        cell_write(&text, i, columns->kinds[i], most);
    }
    /* OFFSET keeps the planner from computing a column twice that is named twice */
    (void)buf_format(&text, " FROM (SELECT * FROM (\n%s\n) AS whole OFFSET 0) AS cells (",
                     statement_bare(arena, DIALECT_POSTGRES, sql));
    for (size_t i = 0; i < columns->count; i++) {
        (void)buf_format(&text, "%sc%zu", i ? ", " : "", i);
    }
    (void)buf_char(&text, ')');
    const char *whole = text.full ? NULL : buf_clone(&text, arena);
    buf_release(&text);
    return whole;
}

/* When the line is gone its driver says of a statement that it was never run: whether it
 * is gone shows the next one. */
static bool describe(struct odbc_session *session, const char *sql, struct described *out,
                     struct err *err)
{
    struct err lost;
    const struct odbc_request request = {.call = ODBC_PREPARE, .text = sql};
    const struct odbc_sink keep = {
        .columns = columns_keep, .kinds = kinds_keep, .context = out};
    if (odbc_job(session, &request, &keep, err)) {
        return true;
    }
    err_clear(&lost);
    if (err->code == ERR_INVALID_SQL &&
        !odbc_ask(session, "SELECT 1", 1, NULL, NULL, &lost)) {
        *err = lost;
    }
    return false;
}

bool odbc_bound_run(struct odbc_session *session, const struct odbc_request *request,
                    const struct odbc_sink *sink, struct err *err)
{
    struct odbc_request wrapped = *request;
    struct odbc_sink rows = *sink;
    struct described columns = {.arena = arena_new()};
    bool ok = describe(session, request->text, &columns, err);
    if (ok && columns.long_count > 0) {
        wrapped.cell_most = cell_share(session->base.limits, columns.long_count);
        wrapped.text = wrap(columns.arena, &columns, wrapped.cell_most, request->text);
        ok = wrapped.text || err_set(err, ERR_INVALID_SQL, "The SQL is too long.");
        rows.columns = NULL; /* those of the wrapped one have no names */
        if (ok && !sink->columns(sink->context, columns.columns, columns.count)) {
            arena_free(columns.arena);
            return true;
        }
    }
    ok = ok && odbc_job(session, &wrapped, &rows, err);
    arena_free(columns.arena);
    return ok;
}
