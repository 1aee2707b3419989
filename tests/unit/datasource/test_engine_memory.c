/* One query that runs out of memory fails; those that share its process are answered, and
 * none is told something untrue about itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/sandbox/sandbox.h"
#include "datasource/datasource.h"
#include "unit/datasource/bench.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"

enum { MEMBERS = 20000, PATIENCE_MS = 60000, MEMORY_MB = 64, GREEDY = 2, ROUNDS = 12 };

static int setup(void **state)
{
    struct bench *bench = bench_begin("shop.duckdb");
    if (bench) {
        bench->options->sql_memory_mb = MEMORY_MB;
    }
    *state = bench;
    return bench ? 0 : -1;
}

static int teardown(void **state)
{
    return bench_end(*state);
}

static void script(const char *path, const char *sql)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    assert_non_null(library);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    assert_int_equal(library->open_ext(path, &database, NULL, NULL), DuckDBSuccess);
    assert_int_equal(library->connect(database, &connection), DuckDBSuccess);
    assert_int_equal(library->query(connection, sql, &result), DuckDBSuccess);
    library->destroy_result(&result);
    library->disconnect(&connection);
    library->close(&database);
}

static void open_at(struct bench *bench)
{
    struct err err;
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    bench->source = datasource_open(&setting, bench->options, &err);
    if (!bench->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
}

static void open_members(struct bench *bench)
{
    script(bench->path, "CREATE TABLE member AS SELECT i AS id, 'name ' || i AS name "
                        "FROM range(20000) t(i)");
    open_at(bench);
}

static void open_file_of_members(struct bench *bench)
{
    (void)snprintf(bench->path, sizeof bench->path, "%s/member.csv", bench->folder);
    FILE *file = fopen(bench->path, "we");
    assert_non_null(file);
    (void)fputs("id,name\n", file);
    for (int i = 0; i < MEMBERS; i++) {
        (void)fprintf(file, "%d,name %d\n", i, i);
    }
    assert_int_equal(fclose(file), 0);
    open_at(bench);
}

struct asked {
    struct datasource *source;
    const char *sql;
    int64_t rows;
    bool ok;
    struct err err;
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count > 0;
}

static bool take_row(void *context, const struct value *cells)
{
    struct asked *asked = context;
    (void)cells;
    asked->rows++;
    return true;
}

/* The driver itself: what the guard would refuse must be bounded, too. */
static void ask(struct asked *asked)
{
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = asked};
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + PATIENCE_MS,
                                             .max_rows = 1000000,
                                             .max_bytes = 100 << 20};
    asked->rows = 0;
    err_clear(&asked->err);
    asked->ok = asked->source->driver->execute(asked->source, asked->sql, &limits, &sink,
                                               &asked->err);
}

/* ------------------------------------------------------------------ the greedy ones */

struct greedy {
    struct datasource *source;
    const char *sql;
    atomic_bool *enough;
    atomic_int *failed;
    struct err err; /* of the last */
};

static void *greedy_main(void *context)
{
    struct greedy *greedy = context;
    while (!atomic_load(greedy->enough)) {
        struct asked asked = {.source = greedy->source, .sql = greedy->sql};
        ask(&asked);
        greedy->err = asked.err;
        (void)atomic_fetch_add(greedy->failed, !asked.ok);
    }
    return NULL;
}

/* A database made of files is not made once more for each: there a cheap one may be told
 * to ask again, but nothing that is not so. */
static void cheap_ones_are_answered(struct bench *bench, const char *sql, bool made)
{
    struct datasource *source = bench->source;
    struct greedy greedy[GREEDY];
    pthread_t threads[GREEDY];
    atomic_bool enough = false;
    atomic_int failed = 0;
    for (size_t i = 0; i < GREEDY; i++) {
        greedy[i] = (struct greedy){
            .source = source, .sql = sql, .enough = &enough, .failed = &failed};
        assert_int_equal(pthread_create(&threads[i], NULL, greedy_main, &greedy[i]), 0);
    }
    struct asked cheap = {.source = source,
                          .sql = "SELECT name, count(*) AS n FROM member GROUP BY name "
                                 "ORDER BY n, name LIMIT 5"};
    struct err bad = {0};
    int lost = 0;
    for (int i = 0; i < ROUNDS || atomic_load(&failed) < GREEDY; i++) {
        ask(&cheap);
        bool told = made && !cheap.ok && cheap.err.code == ERR_BUSY;
        lost += !told && (!cheap.ok || cheap.rows != 5);
        bad = cheap.ok ? bad : cheap.err;
    }
    atomic_store(&enough, true);
    for (size_t i = 0; i < GREEDY; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    print_message("%.50s: %d failed; cheap lost %d: %s (%s)\n", sql, atomic_load(&failed),
                  lost, bad.message, bad.detail);
    assert_int_equal(lost, 0);
    for (size_t i = 0; i < GREEDY; i++) {
        assert_true(greedy[i].err.code == ERR_RESULT_TOO_LARGE ||
                    (made && greedy[i].err.code == ERR_BUSY));
        assert_non_null(strstr(greedy[i].err.message, "sql.memory_mb"));
    }
}

#define COUNTED                                                                          \
    "SELECT count(*) FROM (SELECT a.name || b.name AS x FROM member a, member b "        \
    "GROUP BY x)"

/* Memory that the engine counts: it says so itself, to whoever asks it for more. */
static void counted_memory_is_lost_by_who_took_it(void **state)
{
    struct bench *bench = *state;
    open_members(bench);
    cheap_ones_are_answered(bench, COUNTED, false);
}

static void files_share_memory_and_say_so(void **state)
{
    struct bench *bench = *state;
    open_file_of_members(bench);
    cheap_ones_are_answered(bench, COUNTED, true);
}

/* Memory that it does not count: the process ends. */
static void uncounted_memory_is_lost_by_who_took_it(void **state)
{
    struct bench *bench = *state;
    if (sandbox_with_sanitizer()) {
        return; /* memory has no limit in such a build */
    }
    open_members(bench);
    cheap_ones_are_answered(
        bench, "SELECT len(list_transform(range(3000), x -> range(1000000)))", false);
}

/* What was stopped in time may have left its memory behind in the process: the next one
 * that finds none is not to blame, if it can have a process of its own. */
static void stopped_ones_leave_their_memory_to_nobody(void **state)
{
    struct bench *bench = *state;
    struct err err;
    open_members(bench);
    struct duckdb_source_state *shop = bench->source->state;
    const struct datasource_sink nobody = {.columns = take_columns, .row = take_row};
    struct asked cheap = {.source = bench->source, .sql = "SELECT 1"};
    ask(&cheap);
    assert_true(cheap.ok && !atomic_load(&shop->engine->stopped));
    /* on a busy machine the time may be up before it has begun */
    for (int64_t ms = 50; !atomic_load(&shop->engine->stopped); ms *= 2) {
        const struct datasource_limits limits = {.deadline_ms = clock_ms() + ms};
        assert_true(ms < PATIENCE_MS);
        assert_false(bench->source->driver->execute(
            bench->source, "SELECT sum(i % 7) FROM range(100000000000000) AS t(i)",
            &limits, &nobody, &err));
        if (err.code != ERR_TIMEOUT) {
            fail_msg("%s (%s)", err.message, err.detail);
        }
        ask(&cheap);
        assert_true(cheap.ok);
    }
    struct engine engine = {.sessions = 2, .stopped = true};
    struct engine_session session = {.engine = &engine, .id = 2};
    assert_int_equal(pthread_mutex_init(&engine.lock, NULL), 0);
    assert_false(engine_starved_alone(&session, true));
    engine.strained = false;
    assert_true(engine_starved_alone(&session, false)); /* there is no other process */
    engine.strained = false;
    engine.stopped = false;
    assert_true(engine_starved_alone(&session, true));
    (void)pthread_mutex_destroy(&engine.lock);
}

#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(counted_memory_is_lost_by_who_took_it),
        BENCH_TEST(files_share_memory_and_say_so),
        BENCH_TEST(uncounted_memory_is_lost_by_who_took_it),
        BENCH_TEST(stopped_ones_leave_their_memory_to_nobody),
    };
    return cmocka_run_group_tests_name("engine_memory", tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
