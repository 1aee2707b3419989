/* Statements that stay compiled: whatever changes under them, they answer as new ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "datasource/datasource.h"
#include "datasource/sqlite/sqlite_driver.h"
#include "unit/datasource/sqlite_bench.h"

static struct datasource *open_source(struct bench *bench)
{
    struct err err;
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    struct datasource *source = datasource_open(&setting, bench->options, &err);
    if (!source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    return source;
}

static void open_with(struct bench *bench, const char *sql)
{
    script(bench->path, sql);
    bench->source = open_source(bench);
}

/* "name,price|pen,2|cup,5", or how it failed. */
static const char *answer_of(struct bench *bench, struct datasource *source,
                             const char *sql, const struct datasource_limits *limits)
{
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, bench->arena);
    if (!datasource_execute(source, sql, NULL, limits, &rows, &err)) {
        return arena_format(bench->arena, "%d %s %s", (int)err.code, err.message,
                            err.detail);
    }
    const char *text = "";
    for (size_t i = 0; i < rows.column_count; i++) {
        text = arena_format(bench->arena, "%s%s%s", text, i ? "," : "",
                            rows.columns[i].name);
    }
    for (size_t r = 0; r < rows.count; r++) {
        for (size_t i = 0; i < rows.column_count; i++) {
            char cell[64];
            const struct value *value = rows_cell(&rows, r, i);
            (void)snprintf(cell, sizeof cell, "%lld", (long long)value->integer);
            text = arena_format(bench->arena, "%s%s%s", text, i ? "," : "|",
                                value->kind == VALUE_TEXT ? value->text.data : cell);
        }
    }
    return text;
}

static const char *ask(struct bench *bench, const char *sql)
{
    return answer_of(bench, bench->source, sql, NULL);
}

/* The compiled statement that the idle connection has for this SQL; NULL: none. */
static const sqlite3_stmt *compiled(struct bench *bench, const char *sql)
{
    struct err err;
    struct sqlite_connection *connection =
        sqlite_take(bench->source, SQLITE_FOR_READING, NULL, &err);
    sqlite3_stmt *statement = sqlite_kept_take(connection, sql);
    sqlite_kept_give(connection, statement);
    sqlite_give(bench->source, connection);
    return statement;
}

/* As somebody answers who never heard of this SQL. */
static void same_as_new(struct bench *bench, const char *sql)
{
    const char *kept = ask(bench, sql);
    struct datasource *other = open_source(bench);
    assert_string_equal(kept, answer_of(bench, other, sql, NULL));
    datasource_close(other);
}

static void follow_schema(struct bench *bench)
{
    char out[33];
    struct err err;
    assert_true(datasource_signature(bench->source, NULL, out, &err));
}

#define ITEMS                                                                            \
    "CREATE TABLE item (name TEXT, price INTEGER);"                                      \
    "INSERT INTO item VALUES ('pen', 2), ('cup', 5);"

static void check_and_runs_share_one(void **state)
{
    struct bench *bench = *state;
    const char *sql = "SELECT name FROM item";
    struct err err;
    open_with(bench, ITEMS);
    assert_null(compiled(bench, sql));
    assert_true(datasource_check(bench->source, sql, NULL, &err));
    const sqlite3_stmt *first = compiled(bench, sql);
    assert_non_null(first);
    assert_string_equal(ask(bench, sql), "name|pen|cup");
    assert_ptr_equal(compiled(bench, sql), first);
    script(bench->path, "INSERT INTO item VALUES ('hat', 9)");
    assert_string_equal(ask(bench, sql), "name|pen|cup|hat");
    assert_ptr_equal(compiled(bench, sql), first);
    /* the schema is the same one still, whatever was written */
    follow_schema(bench);
    assert_ptr_equal(compiled(bench, sql), first);
}

static void one_that_was_left_early_begins_anew(void **state)
{
    struct bench *bench = *state;
    const char *sql = "SELECT name FROM item";
    const struct datasource_limits one = {.max_rows = 1,
                                          .deadline_ms = clock_ms() + 60000};
    open_with(bench, ITEMS);
    assert_string_equal(answer_of(bench, bench->source, sql, &one), "name|pen");
    assert_non_null(compiled(bench, sql));
    assert_string_equal(answer_of(bench, bench->source, sql, &one), "name|pen");
    assert_string_equal(ask(bench, sql), "name|pen|cup");
    /* and it holds no lock meanwhile */
    script(bench->path, "DELETE FROM item WHERE name = 'pen'");
    assert_string_equal(ask(bench, sql), "name|cup");
}

static void columns_are_those_of_now(void **state)
{
    struct bench *bench = *state;
    const char *sql = "SELECT * FROM item";
    open_with(bench, ITEMS);
    assert_string_equal(ask(bench, sql), "name,price|pen,2|cup,5");
    script(bench->path, "ALTER TABLE item ADD COLUMN stock INTEGER DEFAULT 7");
    assert_string_equal(ask(bench, sql), "name,price,stock|pen,2,7|cup,5,7");
    script(bench->path, "ALTER TABLE item DROP COLUMN price");
    follow_schema(bench);
    assert_null(compiled(bench, sql));
    assert_string_equal(ask(bench, sql), "name,stock|pen,7|cup,7");
    same_as_new(bench, sql);
}

static void what_is_gone_is_said_so(void **state)
{
    struct bench *bench = *state;
    struct err err;
    const char *sql = "SELECT price FROM item";
    open_with(bench, ITEMS);
    assert_string_equal(ask(bench, sql), "price|2|5");
    script(bench->path, "ALTER TABLE item DROP COLUMN price");
    same_as_new(bench, sql);
    follow_schema(bench);
    assert_false(datasource_check(bench->source, sql, NULL, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    script(bench->path, "DROP TABLE item");
    same_as_new(bench, sql);
}

/* The authorizer looks at what a view has become, too. */
static void view_that_turned_bad_is_refused(void **state)
{
    static const char *const views[] = {
        "SELECT name FROM sqlite_master",
        "SELECT sqlite_version() AS name",
        "SELECT load_extension('x') AS name",
    };
    struct bench *bench = *state;
    const char *sql = "SELECT name FROM shown";
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        (void)unlink(bench->path);
        open_with(bench, ITEMS "CREATE VIEW shown AS SELECT name FROM item;");
        assert_string_equal(ask(bench, sql), "name|pen|cup");
        assert_non_null(compiled(bench, sql));
        script(bench->path,
               arena_format(bench->arena, "DROP VIEW shown; CREATE VIEW shown AS %s;",
                            views[i]));
        assert_null(strstr(ask(bench, sql), "name|"));
        same_as_new(bench, sql);
        follow_schema(bench);
        struct err err;
        assert_false(datasource_check(bench->source, sql, NULL, &err));
        datasource_close(bench->source);
        bench->source = NULL;
    }
}

/* A virtual table's constructor needs our help, which a first step cannot give. */
static void table_may_become_virtual(void **state)
{
    struct bench *bench = *state;
    const char *sql = "SELECT name FROM item";
    open_with(bench, ITEMS);
    assert_string_equal(ask(bench, sql), "name|pen|cup");
    script(bench->path, "DROP TABLE item; CREATE VIRTUAL TABLE item USING fts5(name);"
                        "INSERT INTO item VALUES ('lamp')");
    assert_string_equal(ask(bench, sql), "name|lamp");
    assert_string_equal(ask(bench, sql), "name|lamp");
}

static void file_may_be_another_one(void **state)
{
    struct bench *bench = *state;
    const char *sql = "SELECT name FROM item";
    const char *other = arena_format(bench->arena, "%s.other", bench->path);
    open_with(bench, ITEMS);
    assert_string_equal(ask(bench, sql), "name|pen|cup");
    script(other, "CREATE TABLE item (name TEXT); INSERT INTO item VALUES ('moon');");
    assert_int_equal(rename(other, bench->path), 0);
    assert_string_equal(ask(bench, sql), "name|moon");
}

/* LIKE by index changes the function under all statements of the connection. */
static void like_goes_back_and_forth(void **state)
{
    static const char *const texts[] = {
        "SELECT name FROM item WHERE name LIKE 'p%'",
        "SELECT name FROM item WHERE name LIKE '%e%'",
        "SELECT name FROM item ORDER BY price",
    };
    static const char *const answers[] = {"name|pen", "name|pen", "name|pen|cup"};
    struct bench *bench = *state;
    open_with(bench, ITEMS "CREATE INDEX item_name ON item (name COLLATE NOCASE);");
    for (int round = 0; round < 9; round++) {
        for (int i = 0; i < 3; i++) {
            int which = round < 3 ? i : (i * round) % 3;
            assert_string_equal(ask(bench, texts[which]), answers[which]);
        }
    }
    assert_null(compiled(bench, texts[0])); /* with SQLite's own LIKE: never kept */
}

static void second_statement_is_refused(void **state)
{
    struct bench *bench = *state;
    struct err err;
    open_with(bench, ITEMS);
    assert_true(datasource_check(bench->source, "SELECT 1", NULL, &err));
    assert_true(datasource_check(bench->source, "SELECT 1;", NULL, &err));
    assert_true(datasource_check(bench->source, "SELECT 1; -- done", NULL, &err));
    assert_false(
        datasource_check(bench->source, "SELECT 1; DELETE FROM item", NULL, &err));
    assert_int_equal(err.code, ERR_UNSAFE);
    assert_false(datasource_check(bench->source, "SELECT 1; SELECT 2", NULL, &err));
    assert_false(datasource_check(bench->source, "DELETE FROM item", NULL, &err));
    assert_false(datasource_check(bench->source, "DELETE FROM item", NULL, &err));
    assert_string_equal(ask(bench, "SELECT name FROM item"), "name|pen|cup");
}

/* A question's steps are the same whether others asked before it or not. */
static void steps_are_counted_from_zero(void **state)
{
    struct bench *bench = *state;
    const char *sql = "SELECT count(*) FROM item AS a, item AS b, item AS c WHERE"
                      " upper(a.name) <> b.name";
    open_with(bench, "CREATE TABLE item (name TEXT);"
                     "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                     " WHERE i < 12) INSERT INTO item SELECT 'item' || i FROM n;");
    int64_t spent[4];
    for (size_t i = 0; i < 4; i++) {
        int64_t steps = 10000000;
        const struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                                 .steps = &steps};
        assert_string_equal(answer_of(bench, bench->source, sql, &limits),
                            "count(*)|1728");
        spent[i] = 10000000 - steps;
        assert_non_null(compiled(bench, sql));
    }
    assert_true(spent[0] > 0);
    for (size_t i = 1; i < 4; i++) {
        assert_int_equal(spent[i], spent[0]);
    }
}

/* One that ran out of steps half way is as good as new. */
static void a_stopped_one_runs_again(void **state)
{
    struct bench *bench = *state;
    const char *sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                      " WHERE i < 50000) SELECT count(*) FROM n";
    open_with(bench, ITEMS);
    for (int round = 0; round < 2; round++) {
        int64_t few = 3000;
        const struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                                 .steps = &few};
        assert_null(strstr(answer_of(bench, bench->source, sql, &limits), "50000"));
        assert_true(few <= 0);
        assert_non_null(compiled(bench, sql));
        assert_string_equal(ask(bench, sql), "count(*)|50000");
        assert_string_equal(ask(bench, "SELECT name FROM item"), "name|pen|cup");
    }
}

static void only_a_few_and_small_ones_are_kept(void **state)
{
    struct bench *bench = *state;
    open_with(bench, ITEMS);
    for (int i = 0; i < 20; i++) {
        const char *sql =
            arena_format(bench->arena, "SELECT name FROM item WHERE price > %d", i);
        assert_string_equal(ask(bench, sql), i < 2   ? "name|pen|cup"
                                             : i < 5 ? "name|cup"
                                                     : "name");
        assert_non_null(compiled(bench, sql));
    }
    assert_null(compiled(bench, "SELECT name FROM item WHERE price > 1"));
    const char *many = "SELECT name FROM item WHERE price IN (0";
    for (int i = 0; i < 1000; i++) {
        many = arena_format(bench->arena, "%s, %d", many, i + 100);
    }
    many = arena_format(bench->arena, "%s)", many);
    assert_string_equal(ask(bench, many), "name");
    assert_null(compiled(bench, many));
}

#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(check_and_runs_share_one),
        BENCH_TEST(one_that_was_left_early_begins_anew),
        BENCH_TEST(columns_are_those_of_now),
        BENCH_TEST(what_is_gone_is_said_so),
        BENCH_TEST(view_that_turned_bad_is_refused),
        BENCH_TEST(table_may_become_virtual),
        BENCH_TEST(file_may_be_another_one),
        BENCH_TEST(like_goes_back_and_forth),
        BENCH_TEST(second_statement_is_refused),
        BENCH_TEST(steps_are_counted_from_zero),
        BENCH_TEST(a_stopped_one_runs_again),
        BENCH_TEST(only_a_few_and_small_ones_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
