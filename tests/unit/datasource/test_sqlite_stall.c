/*
 * Operations that once could not be stopped: ours say what SQLite's own say, and end when
 * they are told to. Without the bounds each of the statements here runs for hours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "datasource/datasource.h"
#include "datasource/sqlite/sqlite_driver.h"
#include "unit/datasource/bench.h"

static int setup(void **state)
{
    struct err err;
    sqlite3 *db = NULL;
    struct bench *bench = bench_begin("shop.db");
    if (!bench) {
        return -1;
    }
    (void)sqlite3_open(bench->path, &db);
    (void)sqlite3_exec(db,
                       "CREATE TABLE item (id INTEGER, photo BLOB);"
                       "INSERT INTO item VALUES (1, zeroblob(5000000))",
                       NULL, NULL, NULL);
    (void)sqlite3_close(db);
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    bench->source = datasource_open(&setting, bench->options, &err);
    *state = bench;
    return bench->source ? 0 : -1;
}

static int teardown(void **state)
{
    return bench_end(*state);
}

struct answer {
    struct arena *arena;
    const char *text;
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    (void)count;
    return true;
}

static bool take_row(void *context, const struct value *cells)
{
    struct answer *answer = context;
    const struct value *cell = &cells[0];
    answer->text = cell->kind == VALUE_NULL ? "NULL"
                   : cell->kind == VALUE_INT
                       ? arena_format(answer->arena, "%lld", (long long)cell->integer)
                       : arena_copy(answer->arena, cell->text.data, cell->text.size);
    return true;
}

/* Past the guard, as an attacker would who found a hole in it. */
static bool run(struct bench *bench, const char *sql,
                const struct datasource_limits *limits, struct answer *answer,
                struct err *err)
{
    answer->arena = bench->arena;
    answer->text = "nothing";
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = answer};
    err_clear(err);
    return bench->source->driver->execute(bench->source, sql, limits, &sink, err);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 16;
}

/* A literal of a few characters that patterns like. */
static const char *literal(struct bench *bench, uint32_t *seed, uint32_t most)
{
    static const char *const parts[] = {"a", "b", "A", "%", "_",  "*", "?", "[", "]",
                                        "^", "-", "x", "é", "日", "É", "!", " ", "''"};
    char text[120] = "'";
    uint32_t count = next(seed) % most;
    if (next(seed) % 40 == 0) {
        return "NULL";
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *part = parts[next(seed) % (sizeof parts / sizeof *parts)];
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s", part);
    }
    return arena_format(bench->arena, "%s'", text);
}

static void same_as_sqlite(void **state)
{
    static const char *const forms[] = {
        "%s LIKE %s",
        "%s GLOB %s",
        "%s LIKE %s ESCAPE '!'",
        "instr(%s, %s)",
        "trim(%s, %s)",
        "ltrim(%s, %s)",
        "rtrim(%s, %s)",
        "trim(%s || %s)",
        "replace(%s, %s, 'é-')",
        "instr(CAST(%s AS BLOB), CAST(%s AS BLOB))",
        "%s LIKE %s ESCAPE '%%'",
    };
    struct bench *bench = *state;
    sqlite3 *plain = NULL;
    uint32_t seed = 20261115;
    assert_int_equal(sqlite3_open(":memory:", &plain), SQLITE_OK);
    for (int i = 0; i < 12000; i++) {
        const char *form = forms[next(&seed) % (sizeof forms / sizeof *forms)];
        const char *text = literal(bench, &seed, 9);
        const char *other = literal(bench, &seed, 6);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char part[400];
        (void)snprintf(part, sizeof part, form, text, other);
#pragma GCC diagnostic pop
        const char *sql = arena_format(bench->arena, "SELECT %s", part);
        sqlite3_stmt *statement = NULL;
        struct answer answer;
        struct err err;
        assert_int_equal(sqlite3_prepare_v2(plain, sql, -1, &statement, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
        const char *expected = (const char *)sqlite3_column_text(statement, 0);
        if (!run(bench, sql, NULL, &answer, &err) ||
            strcmp(expected ? expected : "NULL", answer.text) != 0) {
            fail_msg("%s: '%s' instead of '%s'", sql, answer.text, expected);
        }
        (void)sqlite3_finalize(statement);
    }
    (void)sqlite3_close(plain);
}

static void *fire_soon(void *context)
{
    (void)usleep(30000);
    cancel_fire(context);
    return NULL;
}

#define LONG_TEXT                                                                        \
    "WITH RECURSIVE d(n, v) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, v || v FROM d"     \
    " WHERE n < 22), s AS MATERIALIZED (SELECT v FROM d ORDER BY n DESC LIMIT 1) "

/* Every one of them ends soon after a stop: by it, or because a value grew too large. */
static void stop_reaches(void **state)
{
    static const char *const statements[] = {
        "SELECT instr(v || v, v || 'y') FROM s",
        "SELECT length(replace(v || v, v || 'y', '')) FROM s",
        "SELECT length(trim(v, replace(v, 'x', 'y') || 'x')) FROM s",
        "SELECT length(rtrim(v, replace(v, 'x', 'y') || 'x')) FROM s",
        "SELECT sum(length(upper(s.v || g.n)) + length(hex(s.v))) FROM s, d, d AS e,"
        " d AS g, d AS h",
        "SELECT s.v LIKE '%' || substr(s.v, 1, 400) || 'y' FROM s, d, d AS e, d AS f, d "
        "AS g",
        "SELECT s.v GLOB '*' || substr(s.v, 1, 400) || 'y' FROM s, d, d AS e, d AS f, d "
        "AS g",
        "SELECT count(*) FROM s, d, d AS e, d AS f, d AS g, d AS h, d AS i, d AS j",
    };
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const char *sql = arena_format(bench->arena, "%s%s", LONG_TEXT, statements[i]);
        struct cancel cancel;
        pthread_t thread;
        struct answer answer;
        struct err err;
        cancel_init(&cancel);
        const struct datasource_limits limits = {.cancel = &cancel, .max_rows = 10};
        assert_int_equal(pthread_create(&thread, NULL, fire_soon, &cancel), 0);
        bool ran = run(bench, sql, &limits, &answer, &err);
        (void)pthread_join(thread, NULL);
        if (!ran && err.code != ERR_STOPPED && err.code != ERR_RESULT_TOO_LARGE) {
            fail_msg("%s: %s (%s)", sql, err.message, err.detail);
        }
        cancel_release(&cancel);
    }
}

/* The more a statement computes, the shorter its values may be; plain reading is free. */
static void length_follows_the_work(void **state)
{
    struct bench *bench = *state;
    struct answer answer;
    struct err err;
    assert_true(
        run(bench, "SELECT hex(substr(photo, 1, 3)) FROM item", NULL, &answer, &err));
    assert_string_equal(answer.text, "000000");
    assert_true(run(bench, "SELECT photo FROM item", NULL, &answer, &err));
    char sql[16384] = "SELECT 0";
    for (int i = 0; i < 600; i++) {
        (void)snprintf(sql + strlen(sql), sizeof sql - strlen(sql), ", photo || %d", i);
    }
    (void)snprintf(sql + strlen(sql), sizeof sql - strlen(sql), " FROM item");
    assert_false(run(bench, sql, NULL, &answer, &err));
    assert_int_equal(err.code, ERR_RESULT_TOO_LARGE);
}

/* One operation that reads for long hears of a stop by the watchman alone. */
static void watchman_interrupts(void **state)
{
    struct bench *bench = *state;
    struct err err;
    const struct datasource_limits late = {.deadline_ms = clock_ms() - 1};
    struct sqlite_connection *connection =
        sqlite_take(bench->source, SQLITE_FOR_SCHEMA, &late, &err);
    assert_non_null(connection);
    sqlite3_progress_handler(connection->db, 0, NULL, NULL);
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(connection->db,
                                  "WITH RECURSIVE f(i) AS (SELECT 1 UNION ALL SELECT"
                                  " i + 1 FROM f) SELECT count(*) FROM f",
                                  -1, &statement, NULL);
    /* the deadline has passed already: on a busy machine it may be heard here */
    code = code == SQLITE_OK ? sqlite3_step(statement) : code;
    assert_int_equal(code, SQLITE_INTERRUPT);
    (void)sqlite3_finalize(statement);
    sqlite_give(bench->source, connection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_as_sqlite, setup, teardown),
        cmocka_unit_test_setup_teardown(stop_reaches, setup, teardown),
        cmocka_unit_test_setup_teardown(length_follows_the_work, setup, teardown),
        cmocka_unit_test_setup_teardown(watchman_interrupts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
