/* Rows of any source in a private database: caps, stop, spilling, and the lock. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "staging_bench.h"

#ifdef DRAGOMAN_HAS_DUCKDB

/* A driver of the test's own: numbers without end, or a stop after so many. */
struct flow {
    int64_t stop_after;
    struct cancel *cancel;
    int64_t given;
    const char *payload;
};

static bool flow_execute(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits,
                         const struct datasource_sink *sink, struct err *err)
{
    static const struct rows_column columns[] = {{"n", "integer"}, {"s", "text"}};
    struct flow *flow = source->state;
    (void)sql;
    if (!sink->columns(sink->context, columns, 2)) {
        return true;
    }
    for (flow->given = 0; flow->given < limits->max_rows + 1;) {
        const struct value cells[2] = {integer(flow->given), text(flow->payload)};
        flow->given++;
        if (!sink->row(sink->context, cells)) {
            return true;
        }
        if (flow->given == flow->stop_after) {
            cancel_fire(flow->cancel);
        }
    }
    return limits->max_rows > 0 || err_set(err, ERR_INTERNAL, "no limit");
}

static bool flow_into(struct bench *bench, struct flow *flow,
                      const struct staging_shape *limits_of,
                      const struct datasource_limits *limits)
{
    static const struct rows_column columns[] = {{"n", "integer"}, {"s", "text"}};
    static const struct datasource_driver driver = {.name = "flow",
                                                    .execute = flow_execute};
    struct datasource source = {.id = "flow", .driver = &driver, .state = flow};
    struct staging_shape shape = *limits_of;
    shape.namespace = "s";
    shape.name = "flow";
    shape.columns = columns;
    shape.count = 2;
    flow->payload = flow->payload ? flow->payload : "x";
    struct staging_table *table =
        staging_table_new(bench->staging, &shape, limits, &bench->err);
    assert_non_null(table);
    bool ok = staging_table_fill(table, &source, "SELECT", &bench->err);
    struct err ignored;
    return staging_table_end(table, ok ? &bench->err : &ignored) && ok;
}

static void test_row_cap(void **state)
{
    struct bench *bench = *state;
    struct flow flow = {0};
    const struct staging_shape shape = {.max_rows = 5000};
    assert_false(flow_into(bench, &flow, &shape, NULL));
    assert_int_equal(bench->err.code, ERR_RESULT_TOO_LARGE);
    assert_int_equal(flow.given, 5001);
    assert_non_null(strstr(bench->err.message, "'s.flow'"));
    assert_non_null(strstr(bench->err.hint, "staging.max_rows"));
}

static void test_byte_cap(void **state)
{
    struct bench *bench = *state;
    struct flow flow = {.payload = "0123456789012345678901234567890123456789"};
    const struct staging_shape shape = {.max_rows = 1000000, .max_bytes = 48 * 1000};
    assert_false(flow_into(bench, &flow, &shape, NULL));
    assert_int_equal(bench->err.code, ERR_RESULT_TOO_LARGE);
    assert_int_equal(flow.given, 1001);
    assert_non_null(strstr(bench->err.hint, "staging.max_mb"));
}

static void test_stop_in_the_middle(void **state)
{
    struct bench *bench = *state;
    struct cancel cancel = {0};
    cancel_init(&cancel);
    struct flow flow = {.stop_after = 10000, .cancel = &cancel};
    const struct staging_shape shape = {.max_rows = 100000000};
    const struct datasource_limits limits = {.cancel = &cancel};
    assert_false(flow_into(bench, &flow, &shape, &limits));
    assert_int_equal(bench->err.code, ERR_STOPPED);
    assert_in_range(flow.given, 10000, 10000 + 2048);
    cancel_release(&cancel);
}

static void test_deadline_in_the_middle(void **state)
{
    struct bench *bench = *state;
    struct flow flow = {0};
    const struct staging_shape shape = {.max_rows = INT64_MAX / 2};
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 100};
    assert_false(flow_into(bench, &flow, &shape, &limits));
    assert_int_equal(bench->err.code, ERR_TIMEOUT);
}

static void count_progress(void *context, const struct staging_progress *progress)
{
    struct staging_progress *last = context;
    assert_true(progress->rows >= last->rows && !last->done);
    *last = *progress;
}

static void test_progress_is_told(void **state)
{
    struct bench *bench = *state;
    struct staging_progress last = {0};
    const struct staging_watcher watcher = {count_progress, &last};
    staging_watch(bench->staging, &watcher);
    struct value *values = arena_array(bench->arena, 5000, sizeof *values);
    stage(bench, DIALECT_SQLITE, "INTEGER", values, 5000);
    assert_true(last.done);
    assert_int_equal(last.rows, 5000);
}

/* 64 MB do not hold the 120 MB of rows. */
static void test_what_does_not_fit_spills(void **state)
{
    struct bench *bench = *state;
    staging_close(bench->staging);
    assert_true(options_set(bench->options, "sql.memory_mb", "64", &bench->err));
    bench->staging = staging_open(bench->options, &bench->err);
    assert_non_null(bench->staging);
    static const struct rows_column columns[] = {{"n", "bigint"}, {"s", "text"}};
    const struct staging_shape shape = {.namespace = "s",
                                        .name = "t",
                                        .columns = columns,
                                        .count = 2,
                                        .dialect = DIALECT_SQLITE};
    struct staging_table *table =
        staging_table_new(bench->staging, &shape, NULL, &bench->err);
    assert_non_null(table);
    char payload[500];
    for (int64_t i = 0; i < 300000; i++) {
        (void)snprintf(payload, sizeof payload, "%0400lld", (long long)i * 7919);
        const struct value cells[2] = {integer(i), text(payload)};
        if (!staging_table_add(table, cells, &bench->err)) {
            fail_msg("%s (%s)", bench->err.message, bench->err.detail);
        }
    }
    assert_true(staging_table_end(table, &bench->err));
    staging_lock(bench->staging);
    assert_string_equal(shown(bench, "SELECT count(*), max(n), count(s) FROM s.t"),
                        "300000|299999|300000");
}

static bool run_fails(struct bench *bench, const char *sql, enum err_code code)
{
    struct rows rows;
    rows_init(&rows, bench->arena);
    const struct datasource_sink sink = {
        .columns = collect_columns, .row = collect_row, .context = &rows};
    err_clear(&bench->err);
    bool ran = staging_run(bench->staging, sql, NULL, &sink, &bench->err);
    if (ran || bench->err.code != code) {
        print_error("%s: %s\n", sql, ran ? "ran" : bench->err.message);
    }
    return !ran && bench->err.code == code;
}

static void test_locked_it_only_reads(void **state)
{
    struct bench *bench = *state;
    const struct value one = integer(1);
    stage(bench, DIALECT_SQLITE, "INTEGER", &one, 1);
    staging_lock(bench->staging);
    static const char *const refused[] = {
        "INSERT INTO s.t VALUES (2)",
        "DELETE FROM s.t",
        "CREATE TABLE s.u AS SELECT 1",
        "CREATE TEMP TABLE u AS SELECT 1",
        "DROP TABLE s.t",
        "SET memory_limit = '100GB'",
        "ATTACH '/tmp/x.db'",
        "COPY s.t TO '/tmp/dragoman-never.csv'",
        "PRAGMA database_list",
        "SELECT 1; DELETE FROM s.t",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM duckdb_settings()",
        "SELECT getenv('HOME')",
        "EXPLAIN ANALYZE DELETE FROM s.t",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_true(run_fails(bench, refused[i], ERR_UNSAFE));
    }
    assert_false(
        staging_check(bench->staging, "SELECT * FROM '/etc/passwd'", NULL, &bench->err));
    assert_true(run_fails(bench, "SELECT nope FROM s.t", ERR_INVALID_SQL));
    assert_true(staging_check(bench->staging, "SELECT v FROM s.t", NULL, &bench->err));
    assert_string_equal(shown(bench, "SELECT v FROM s.t"), "1");
}

/* Names that a file's lock refuses are only names here. */
static void test_names_like_the_engines_own(void **state)
{
    struct bench *bench = *state;
    const struct rows_column column = {"read_at", "integer"};
    const struct staging_shape shape = {.namespace = "sqlite_shop",
                                        .name = "pg_orders",
                                        .columns = &column,
                                        .count = 1,
                                        .dialect = DIALECT_SQLITE};
    struct staging_table *table =
        staging_table_new(bench->staging, &shape, NULL, &bench->err);
    assert_non_null(table);
    const struct value one = integer(1);
    assert_true(staging_table_add(table, &one, &bench->err));
    assert_true(staging_table_end(table, &bench->err));
    staging_lock(bench->staging);
    assert_string_equal(shown(bench, "SELECT o.read_at FROM sqlite_shop.pg_orders o"),
                        "1");
}

static void test_a_query_can_be_stopped(void **state)
{
    struct bench *bench = *state;
    staging_lock(bench->staging);
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 50,
                                             .max_rows = 10};
    struct rows rows;
    rows_init(&rows, bench->arena);
    const struct datasource_sink sink = {
        .columns = collect_columns, .row = collect_row, .context = &rows};
    assert_false(staging_run(bench->staging,
                             "SELECT count(*) FROM range(10000000) a, range(10000000) b",
                             &limits, &sink, &bench->err));
    assert_int_equal(bench->err.code, ERR_TIMEOUT);
}

/* What a killed process left is swept away; what is in use, or young, is not. */
static void test_old_folders_are_swept(void **state)
{
    struct bench *bench = *state;
    const char *old =
        arena_format(bench->arena, "%s/dragoman-staging-old", bench->folder);
    const char *young =
        arena_format(bench->arena, "%s/dragoman-staging-young", bench->folder);
    const char *left = arena_format(bench->arena, "%s/rows.tmp", old);
    assert_int_equal(mkdir(old, 0700), 0);
    assert_int_equal(mkdir(young, 0700), 0);
    FILE *file = fopen(left, "w");
    assert_non_null(file);
    (void)fclose(file);
    const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, old, long_ago, 0), 0);
    struct staging *other = staging_open(bench->options, &bench->err);
    assert_non_null(other);
    staging_close(other);
    assert_int_not_equal(access(old, F_OK), 0);
    assert_int_equal(access(young, F_OK), 0);
    assert_int_equal(rmdir(young), 0);
    const struct value one = integer(1);
    stage(bench, DIALECT_SQLITE, "INTEGER", &one, 1); /* ours is still there */
}

static void test_no_folder(void **state)
{
    struct bench *bench = *state;
    struct err err;
    err_clear(&err);
    assert_true(options_set(bench->options, "staging.folder", "/nowhere/at/all", &err));
    assert_null(staging_open(bench->options, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    assert_null(strstr(err.message, "nowhere"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_row_cap),
        TEST(test_byte_cap),
        TEST(test_stop_in_the_middle),
        TEST(test_deadline_in_the_middle),
        TEST(test_progress_is_told),
        TEST(test_what_does_not_fit_spills),
        TEST(test_locked_it_only_reads),
        TEST(test_names_like_the_engines_own),
        TEST(test_a_query_can_be_stopped),
        TEST(test_old_folders_are_swept),
        TEST(test_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    struct err err;
    err_clear(&err);
    return staging_open(NULL, &err) == NULL && err.code == ERR_DATASOURCE_KIND ? 0 : 1;
}

#endif
