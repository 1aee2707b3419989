/* What only SQLite does: WAL, files overwritten in place, broken views, plans, functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "datasource/datasource.h"
#include "unit/datasource/sqlite_bench.h"

static struct datasource *open_with(struct bench *bench, const char *sql)
{
    struct err err;
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    script(bench->path, sql);
    bench->source = datasource_open(&setting, bench->options, &err);
    if (!bench->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    return bench->source;
}

static struct rows ask(struct bench *bench, const char *sql)
{
    struct rows rows;
    struct err err;
    rows_init(&rows, bench->arena);
    if (!datasource_execute(bench->source, sql, NULL, NULL, &rows, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    return rows;
}

/* The first cell, past the guard. */
struct kept {
    struct arena *arena;
    const char *text;
};

static bool keep_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    (void)count;
    return true;
}

static bool keep_row(void *context, const struct value *cells)
{
    struct kept *kept = context;
    bool text = cells[0].kind == VALUE_TEXT;
    kept->text =
        text ? arena_copy(kept->arena, cells[0].text.data, cells[0].text.size) : "NULL";
    return false;
}

static bool keep_first(struct bench *bench, const char *sql, struct kept *kept)
{
    struct err err;
    const struct datasource_sink sink = {
        .columns = keep_columns, .row = keep_row, .context = kept};
    return bench->source->driver->execute(bench->source, sql, NULL, &sink, &err);
}

static void signature(struct bench *bench, char out[33])
{
    struct err err;
    assert_true(datasource_signature(bench->source, NULL, out, &err));
}

static void empty_file_is_an_empty_database(void **state)
{
    struct bench *bench = *state;
    int fd = open(bench->path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    (void)close(fd);
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    struct err err;
    bench->source = datasource_open(&setting, bench->options, &err);
    assert_non_null(bench->source);
    assert_null(datasource_describe(bench->source, NULL, &err));
    assert_int_equal(err.code, ERR_EMPTY_SCHEMA);
    struct stat status;
    assert_int_equal(stat(bench->path, &status), 0);
    assert_int_equal(status.st_size, 0);
}

static void change_by_another_program_is_seen_at_once(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    char before[33];
    char after[33];
    signature(bench, before);
    script(bench->path, "INSERT INTO item VALUES (1)");
    signature(bench, after);
    assert_string_equal(before, after);
    script(bench->path, "ALTER TABLE item RENAME COLUMN id TO number");
    signature(bench, after);
    assert_string_not_equal(before, after);
    assert_int_equal(ask(bench, "SELECT number FROM item").count, 1);
}

/* Commits that follow each other within one tick of the clock, in a file whose size does
 * not change: no file time tells of them. With a WAL file the header does not either. */
static void every_commit_is_seen_however_soon(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    char before[33];
    char after[33];
    for (int i = 0; i < 60; i++) {
        signature(bench, before);
        signature(bench, after); /* the same again: nothing was committed */
        assert_string_equal(before, after);
        script(bench->path, i == 30 ? "PRAGMA journal_mode = WAL" : "SELECT 1");
        script(bench->path, i % 2 ? "ALTER TABLE item RENAME COLUMN nr TO id"
                                  : "ALTER TABLE item RENAME COLUMN id TO nr");
        signature(bench, after);
        assert_string_not_equal(before, after);
    }
}

/* cp new.db shop.db: the same inode and the same schema number, another schema. */
static void file_overwritten_in_place_is_seen(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1)");
    char before[33];
    char after[33];
    signature(bench, before);
    assert_int_equal(ask(bench, "SELECT id FROM item").count, 1);
    const char *other = arena_format(bench->arena, "%s.other", bench->path);
    script(other, "CREATE TABLE item (nr INTEGER); INSERT INTO item VALUES (2)");
    struct err err;
    size_t size = 0;
    char *data = file_read(bench->arena, other, 1 << 20, &size, &err);
    assert_non_null(data);
    (void)usleep(20000); /* file times may be coarse */
    int fd = open(bench->path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, data, size, 0), (ssize_t)size);
    assert_int_equal(close(fd), 0);
    signature(bench, after);
    assert_string_not_equal(before, after);
    assert_int_equal(ask(bench, "SELECT nr FROM item").count, 1);
}

static void vanished_file_is_said_so(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    assert_int_equal(unlink(bench->path), 0);
    char out[33];
    struct err err;
    assert_false(datasource_signature(bench->source, NULL, out, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_NOT_FOUND);
    assert_int_not_equal(access(bench->path, F_OK), 0);
}

static void wal_database_is_read_while_it_is_written(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "PRAGMA journal_mode = WAL; CREATE TABLE item (id INTEGER);"
                           "INSERT INTO item VALUES (1)");
    sqlite3 *writer = NULL;
    assert_int_equal(sqlite3_open(bench->path, &writer), SQLITE_OK);
    assert_int_equal(sqlite3_exec(writer, "BEGIN IMMEDIATE; INSERT INTO item VALUES (2)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(ask(bench, "SELECT id FROM item").count, 1);
    assert_int_equal(sqlite3_exec(writer, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(ask(bench, "SELECT id FROM item").count, 2);
    assert_int_equal(sqlite3_close(writer), SQLITE_OK);
}

static void broken_view_is_a_warning(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench,
                    "CREATE TABLE item (id INTEGER); CREATE TABLE gone (id INTEGER);"
                    "CREATE VIEW lost AS SELECT * FROM gone; DROP TABLE gone;"
                    "CREATE TABLE sale (item INTEGER REFERENCES nowhere (id))");
    struct err err;
    struct schema *schema = datasource_describe(bench->source, NULL, &err);
    assert_non_null(schema);
    assert_int_equal(schema->tables.count, 2);
    assert_int_equal(schema->warnings.count, 2);
    assert_non_null(strstr(schema->warnings.items[0], "lost"));
    assert_int_equal(schema_table(schema, "sale")->foreign_keys.count, 0);
    schema_unref(schema);
}

static void shadow_tables_are_left_out(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE VIRTUAL TABLE note USING fts5(title, body);"
                           "INSERT INTO note VALUES ('tea', 'green and black');"
                           "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT);"
                           "CREATE VIRTUAL TABLE place USING rtree(id, low, high);"
                           "INSERT INTO place VALUES (1, 2, 3)");
    struct err err;
    struct schema *schema = datasource_describe(bench->source, NULL, &err);
    assert_non_null(schema);
    assert_int_equal(schema->tables.count, 3);
    assert_int_equal(schema_table(schema, "note")->columns.count, 2);
    assert_true(datasource_enrich(bench->source, schema, NULL, &err));
    assert_int_equal(schema_table(schema, "note")->row_count, 1);
    schema_unref(schema);
    assert_int_equal(ask(bench, "SELECT title FROM note WHERE note MATCH 'black'").count,
                     1);
    assert_int_equal(ask(bench, "SELECT value FROM json_each('[1, 2]')").count, 2);
    assert_int_equal(ask(bench, "SELECT id FROM place WHERE low > 1").count, 1);
}

static void estimate(struct bench *bench, const char *sql, int64_t rows, bool full)
{
    struct datasource_estimate out;
    struct err err;
    if (!datasource_estimate(bench->source, sql, bench->arena, NULL, &out, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    if (out.rows != rows || out.full_scan != full) {
        fail_msg("%s: %lld rows, full %d\n%s", sql, (long long)out.rows, out.full_scan,
                 out.text);
    }
}

static void plans_are_counted_from_the_program(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench,
                    "CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER);"
                    "CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER);"
                    "CREATE INDEX a_y ON a (y);"
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
                    " i < 300) INSERT INTO a SELECT i, i, i FROM n;"
                    "INSERT INTO b SELECT id, x FROM a WHERE id <= 20");
    estimate(bench, "SELECT * FROM a AS other", 300, true);
    estimate(bench, "SELECT count(*) FROM a", 300, true);
    estimate(bench, "SELECT * FROM a WHERE id = 5", 0, false);
    estimate(bench, "SELECT * FROM a WHERE y = 5", 0, false);
    estimate(bench, "SELECT max(y) FROM a", 0, false);
    estimate(bench, "SELECT * FROM b JOIN a ON a.id = b.id", 20, true);
    estimate(bench, "SELECT 1", 0, false);
    /* a cross product reads the inner table once for each outer row */
    estimate(bench, "SELECT * FROM b CROSS JOIN a", 20 + 20 * 300, true);
    estimate(bench, "SELECT * FROM a UNION ALL SELECT *, 1 FROM b", 320, true);
}

static void useful_functions_are_allowed(void **state)
{
    static const char *const expressions[] = {"abs(-1)",
                                              "coalesce(NULL, 1)",
                                              "strftime('%Y', '2024-01-01')",
                                              "julianday('now')",
                                              "CURRENT_DATE",
                                              "CURRENT_TIMESTAMP",
                                              "round(1.234, 2)",
                                              "substr('abc', 2)",
                                              "replace('a', 'a', 'b')",
                                              "instr('abc', 'c')",
                                              "upper('a') || lower('B')",
                                              "trim(' a ')",
                                              "iif(1, 2, 3)",
                                              "nullif(1, 1)",
                                              "json_extract('[1]', '$[0]')",
                                              "'[1]' -> 0",
                                              "'[1]' ->> 0",
                                              "unixepoch('2024-01-01')",
                                              "sqrt(4)",
                                              "pow(2, 3)",
                                              "typeof(1)",
                                              "'abc' LIKE 'a%'",
                                              "'abc' GLOB 'a*'",
                                              "char(65)",
                                              "unicode('A')",
                                              "hex('a')",
                                              "quote('a')",
                                              "length('abc')",
                                              "min(1, 2)",
                                              "max(1, 2)",
                                              "sign(-2)",
                                              "ceil(1.2)",
                                              "floor(1.8)",
                                              "mod(5, 3)",
                                              "ln(2)",
                                              "log10(100)",
                                              "exp(1)",
                                              "pi()"};
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        struct err err;
        if (!datasource_check(bench->source,
                              arena_format(bench->arena, "SELECT %s", expressions[i]),
                              NULL, &err)) {
            fail_msg("%s: %s (%s)", expressions[i], err.message, err.detail);
        }
    }
    static const char *const queries[] = {
        "SELECT avg(id), sum(id), count(*), total(id), group_concat(id) FROM item",
        "SELECT row_number() OVER (ORDER BY id), rank() OVER (ORDER BY id),"
        " lag(id) OVER (ORDER BY id), ntile(4) OVER (ORDER BY id) FROM item",
        "SELECT value FROM json_each('[1, 2]')",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5) SELECT x"
        " FROM n"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct err err;
        if (!datasource_check(bench->source, queries[i], NULL, &err)) {
            fail_msg("%s: %s (%s)", queries[i], err.message, err.detail);
        }
    }
}

/* Our printf says what SQLite's own says, and refuses what would stall. */
static void printf_is_bounded(void **state)
{
    static const char *const same[] = {
        "'%d|%5d|%-5d|%05d|%+d', 42, 42, 42, 42, 42",
        "'%.2f|%8.3f|%e|%g', 1.005, 2.5, 1234.5, 0.1",
        "'%s|%10s|%-10s|%.2s', 'abc', 'abc', 'abc', 'abc'",
        "'%,d', 1234567",
        "'%x %X %o', 255, 255, 8",
        "'100%%'",
        "'%s %s', 'only one'",
        "'%d', NULL",
        "'%s', NULL",
        "'%c%c', 'hello', 'w'",
        "'%lld', 9223372036854775807",
        "'%Q %q', 'it''s', 'it''s'",
        "'plain'",
        "NULL",
        "'%04d-%02d', 2024, 3",
        "'%s', 1.5",
        "'%d', '12abc'",
    };
    static const char *const refused[] = {"'%.*c', 900000000, 'x'",
                                          "'%900000000d', 1",
                                          "'%.900000000f', 1.0",
                                          "'%', 1",
                                          "'%z', 1",
                                          "'%n', 1",
                                          "'%*d', 100000000, 1",
                                          "'%201s', 'x'"};
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    sqlite3 *plain = NULL;
    assert_int_equal(sqlite3_open(":memory:", &plain), SQLITE_OK);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const char *sql = arena_format(bench->arena, "SELECT printf(%s)", same[i]);
        sqlite3_stmt *statement = NULL;
        assert_int_equal(sqlite3_prepare_v2(plain, sql, -1, &statement, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
        const char *expected = (const char *)sqlite3_column_text(statement, 0);
        struct kept kept = {.arena = bench->arena};
        assert_true(keep_first(bench, sql, &kept));
        if (strcmp(expected ? expected : "NULL", kept.text) != 0) {
            fail_msg("%s: '%s' instead of '%s'", sql, kept.text, expected);
        }
        (void)sqlite3_finalize(statement);
    }
    (void)sqlite3_close(plain);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct kept kept = {.arena = bench->arena};
        const char *sql = arena_format(bench->arena, "SELECT format(%s)", refused[i]);
        if (keep_first(bench, sql, &kept)) {
            fail_msg("%s ran", sql);
        }
    }
}

/* How many names begin so, and did that take less than a look at each of them? */
static bool found_by_index(struct bench *bench, const char *sql, const char *wanted)
{
    enum { FEW = 20000 }; /* steps; a look at each row takes several of them a row */
    int64_t steps = FEW;
    struct rows rows;
    struct err err;
    rows_init(&rows, bench->arena);
    const struct datasource_limits counted = {.steps = &steps};
    err_clear(&err);
    bool few = datasource_execute(bench->source, sql, NULL, &counted, &rows, &err);
    if (!few) {
        assert_int_equal(err.code, ERR_TIMEOUT);
        rows = ask(bench, sql);
    }
    struct buf text;
    buf_init(&text, 100);
    value_print(&text, rows_cell(&rows, 0, 0));
    assert_string_equal(buf_get(&text), wanted);
    buf_release(&text);
    return few;
}

/* SQLite's own LIKE is used where a pattern asks how texts begin, ours everywhere else:
 * in what a view holds, too. */
static void beginnings_are_found_by_index(void **state)
{
    struct bench *bench = *state;
    (void)open_with(
        bench,
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, s TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <"
        " 50000) INSERT INTO item SELECT i, 'Name' || i, 'Name' || i FROM n;"
        "CREATE INDEX by_name ON item (name); CREATE INDEX by_s ON item (s);"
        "CREATE VIEW odd AS SELECT * FROM item WHERE name LIKE '%9%' || id");
    static const char plain[] = "SELECT count(*) FROM item WHERE name LIKE 'name4999%'";
    for (int i = 0; i < 3; i++) { /* ours and SQLite's take turns on one connection */
        assert_true(found_by_index(bench, plain, "11"));
        assert_false(found_by_index(
            bench, "SELECT count(*) FROM item WHERE name LIKE '%e4999%'", "11"));
        assert_false(found_by_index(
            bench, "SELECT count(*) FROM item WHERE name LIKE 'Name' || '4999%'", "11"));
    }
    assert_true(
        found_by_index(bench,
                       "SELECT count(*) FROM item AS a WHERE name LIKE 'NAME4999%'"
                       " AND name NOT LIKE 'name49991%'",
                       "10"));
    /* by that column's own order 'n' and 'N' are far apart: no index can help */
    assert_false(found_by_index(
        bench, "SELECT count(*) FROM item WHERE s LIKE 'name4999%'", "11"));
    /* a computed pattern in a view is not for SQLite's own, whatever stands around it */
    assert_false(found_by_index(
        bench, "SELECT count(*) FROM odd WHERE name LIKE 'name4999%'", "0"));
}

#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(empty_file_is_an_empty_database),
        BENCH_TEST(change_by_another_program_is_seen_at_once),
        BENCH_TEST(every_commit_is_seen_however_soon),
        BENCH_TEST(file_overwritten_in_place_is_seen),
        BENCH_TEST(vanished_file_is_said_so),
        BENCH_TEST(wal_database_is_read_while_it_is_written),
        BENCH_TEST(broken_view_is_a_warning),
        BENCH_TEST(shadow_tables_are_left_out),
        BENCH_TEST(plans_are_counted_from_the_program),
        BENCH_TEST(useful_functions_are_allowed),
        BENCH_TEST(beginnings_are_found_by_index),
        BENCH_TEST(printf_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
