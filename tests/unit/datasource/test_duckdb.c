/* What only DuckDB does: memory limits, streaming, a library that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "datasource/datasource.h"
#include "unit/datasource/bench.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"

static int setup(void **state)
{
    *state = bench_begin("shop.duckdb");
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    return bench_end(*state);
}

static struct datasource *open_with(struct bench *bench, const char *sql)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    assert_non_null(library);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    assert_int_equal(library->open_ext(bench->path, &database, NULL, NULL),
                     DuckDBSuccess);
    assert_int_equal(library->connect(database, &connection), DuckDBSuccess);
    assert_int_equal(library->query(connection, sql, &result), DuckDBSuccess);
    library->destroy_result(&result);
    library->disconnect(&connection);
    library->close(&database);
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    bench->source = datasource_open(&setting, bench->options, &err);
    if (!bench->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    return bench->source;
}

static size_t files(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    while (readdir(entries)) {
        count++;
    }
    (void)closedir(entries);
    return count - 2;
}

static bool no_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    (void)count;
    return true;
}

static bool count_row(void *context, const struct value *cells)
{
    (void)cells;
    (*(int64_t *)context)++;
    return true;
}

static bool run(struct bench *bench, const char *sql, int64_t max_rows, int64_t *rows,
                struct err *err)
{
    const struct datasource_sink sink = {
        .columns = no_columns, .row = count_row, .context = rows};
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                             .max_rows = max_rows};
    err_clear(err);
    return bench->source->driver->execute(bench->source, sql, &limits, &sink, err);
}

static void memory_has_an_end_and_no_disk_is_used(void **state)
{
    struct bench *bench = *state;
    bench->options->sql_memory_mb = 32;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    int64_t rows = 0;
    struct err err;
    assert_false(
        run(bench,
            "SELECT count(*) FROM (SELECT DISTINCT i, i::VARCHAR || 'some text' FROM"
            " range(20000000) AS t(i))",
            10, &rows, &err));
    assert_int_equal(err.code, ERR_RESULT_TOO_LARGE);
    assert_int_equal(files(bench->folder), 1);
    assert_true(run(bench, "SELECT 1", 10, &rows, &err));
}

/* Ten rows of a result that would take hours to have in whole. */
static void result_is_not_made_in_whole(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    int64_t rows = 0;
    struct err err;
    assert_true(
        run(bench, "SELECT i, i * 2 FROM range(1000000000000) AS t(i)", 10, &rows, &err));
    assert_int_equal(rows, 11);
}

static void place_is_found_in_a_long_line(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    const char *sql =
        "SELECT id\nFROM item WHERE id > 1 AND id > 2 AND id > 3 AND id > 4 AND id > 5 "
        "AND"
        " id > 6 AND id > 7 AND id > 8 AND id > 9 AND id > 10 AND id > 11 AND id > 12 AND"
        " prize > 13 AND id > 14 AND id > 15 AND id > 16 AND id > 17 AND id > 18 AND id "
        "> 19";
    struct err err;
    err_clear(&err);
    assert_false(datasource_check(bench->source, sql, NULL, &err));
    assert_int_equal(err.position, strstr(sql, "prize") - sql);
    assert_string_equal(err.message, "Column 'prize' does not exist.");
}

static void nothing_stays_from_one_query_to_the_next(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    struct err err;
    int64_t rows = 0;
    char before[33];
    char after[33];
    assert_true(datasource_signature(bench->source, NULL, before, &err));
    for (int i = 0; i < 50; i++) {
        assert_true(run(bench, "SELECT count(*) FROM item", 10, &rows, &err));
        assert_true(datasource_signature(bench->source, NULL, after, &err));
        assert_string_equal(before, after);
    }
    assert_int_equal(rows, 50);
}

static const char *program;

static void missing_library_is_said_so(void **state)
{
    struct bench *bench = *state;
    (void)open_with(bench, "CREATE TABLE item (id INTEGER)");
    pid_t child = fork();
    if (child == 0) {
        (void)setenv("DRAGOMAN_DUCKDB_LIBRARY", "/nowhere/libduckdb.so", 1);
        (void)execl(program, program, "without", bench->path, (char *)NULL);
        _exit(99);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), err_exit_status(ERR_DATASOURCE_KIND));
}

/* A process of its own, since the library is looked for only once. */
static int without_library(const char *path)
{
    struct options *options = options_new();
    struct err err;
    err_clear(&err);
    const struct datasource_setting setting = {.id = "shop", .url = path};
    struct datasource *source = datasource_open(&setting, options, &err);
    int result = source || !strstr(err.hint, "DRAGOMAN_DUCKDB_LIBRARY")
                     ? 98
                     : err_exit_status(err.code);
    datasource_close(source);
    options_free(options);
    return result;
}

#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(int count, char **arguments)
{
    program = arguments[0];
    if (count == 3 && strcmp(arguments[1], "without") == 0) {
        return without_library(arguments[2]);
    }
    const struct CMUnitTest tests[] = {
        BENCH_TEST(memory_has_an_end_and_no_disk_is_used),
        BENCH_TEST(result_is_not_made_in_whole),
        BENCH_TEST(place_is_found_in_a_long_line),
        BENCH_TEST(nothing_stays_from_one_query_to_the_next),
        BENCH_TEST(missing_library_is_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 0; /* not in this build */
}
#endif
