/* Engines in processes of their own: what cannot be stopped is ended, others go on, and
 * nothing is left when a process ends at any moment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/sandbox/sandbox.h"
#include "datasource/datasource.h"
#include "unit/datasource/bench.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"

enum { MEMBERS = 20000, PATIENCE_MS = 60000 };

static int setup(void **state)
{
    *state = bench_begin("shop.duckdb");
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    engine_fault_at(0);
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

static struct datasource *open_at(struct bench *bench, const char *path, bool writable)
{
    struct err err;
    const struct datasource_setting setting = {
        .id = "shop", .url = path, .writable = writable};
    struct datasource *source = datasource_open(&setting, bench->options, &err);
    if (!source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    return source;
}

static struct datasource *open_members(struct bench *bench)
{
    script(bench->path, "CREATE TABLE member AS SELECT i AS id, 'name ' || i AS name "
                        "FROM range(20000) t(i)");
    bench->source = open_at(bench, bench->path, true);
    return bench->source;
}

/* ------------------------------------------------------------------ asking */

struct asked {
    struct datasource *source;
    const char *sql;
    int64_t timeout_ms;
    struct cancel *cancel;
    bool ok;
    int64_t rows;
    int64_t sum;
    int64_t took_ms;
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
    asked->rows++;
    asked->sum += cells[0].kind == VALUE_INT ? cells[0].integer : 0;
    return true;
}

/* The driver itself: what the guard would refuse must be ended, too. */
static void *ask(void *context)
{
    struct asked *asked = context;
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = asked};
    int64_t begun_ms = clock_ms();
    const struct datasource_limits limits = {
        .deadline_ms = begun_ms + (asked->timeout_ms ? asked->timeout_ms : PATIENCE_MS),
        .cancel = asked->cancel,
        .max_rows = 1000000,
        .max_bytes = 100 << 20};
    asked->rows = asked->sum = 0;
    err_clear(&asked->err);
    asked->ok = asked->source->driver->execute(asked->source, asked->sql, &limits, &sink,
                                               &asked->err);
    asked->took_ms = clock_ms() - begun_ms;
    return NULL;
}

static void answers(struct datasource *source)
{
    struct asked asked = {.source = source, .sql = "SELECT id FROM member"};
    (void)ask(&asked);
    if (!asked.ok) {
        fail_msg("%s (%s)", asked.err.message, asked.err.detail);
    }
    assert_int_equal(asked.rows, MEMBERS);
    assert_int_equal(asked.sum, (int64_t)MEMBERS * (MEMBERS - 1) / 2);
}

/* ------------------------------------------------------------------ processes */

/* The parent of a process, and its name; 0 when it is gone. */
static pid_t parent_of(pid_t pid, char name[32], char *how)
{
    char path[64];
    char line[512] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    size_t size = fread(line, 1, sizeof line - 1, file);
    (void)fclose(file);
    line[size] = '\0';
    char *open = strchr(line, '(');
    char *close = strrchr(line, ')');
    if (!open || !close) {
        return 0;
    }
    (void)snprintf(name, 32, "%.*s", (int)(close - open - 1), open + 1);
    *how = close[2];
    return (pid_t)strtol(close + 4, NULL, 10);
}

/* Processes of this name whose parent is `of`; the last of them goes to *found. */
static int children(pid_t of, const char *name, bool zombies, pid_t *found)
{
    int count = 0;
    DIR *entries = opendir("/proc");
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        char is[32] = "";
        char how = 0;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && parent_of(pid, is, &how) == of && strcmp(is, name) == 0 &&
            (how == 'Z') == zombies) {
            count++;
            *found = pid;
        }
    }
    (void)closedir(entries);
    return count;
}

static pid_t spawner_now(void)
{
    pid_t pid = 0;
    assert_int_equal(children(getpid(), "dragoman-spawn", false, &pid), 1);
    return pid;
}

static int engines_now(void)
{
    pid_t ignored = 0;
    return children(spawner_now(), "dragoman-engine", false, &ignored);
}

/* Those that have ended are gone soon, and no descriptor stays. */
static void settled(int engines)
{
    pid_t ignored = 0;
    int64_t until_ms = clock_ms() + PATIENCE_MS;
    while (engines_now() != engines ||
           children(spawner_now(), "dragoman-engine", true, &ignored) > 0) {
        assert_true(clock_ms() < until_ms);
        (void)usleep(5000);
    }
}

static void gone(pid_t pid)
{
    char name[32] = "";
    char how = 0;
    int64_t until_ms = clock_ms() + PATIENCE_MS;
    while (parent_of(pid, name, &how) != 0 && how != 'Z') {
        assert_true(clock_ms() < until_ms);
        (void)usleep(1000);
    }
}

static int descriptors(void)
{
    int count = 0;
    DIR *entries = opendir("/proc/self/fd");
    assert_non_null(entries);
    while (readdir(entries)) {
        count++;
    }
    (void)closedir(entries);
    return count;
}

/* ------------------------------------------------------------------ tests */

#define LONG_TEXT "string_agg(name, '')"

/* Each of these ran for minutes, or took many gigabytes, and heard no interrupt. */
static const char *const endless[] = {
    "SELECT len(list_transform(range(3000), x -> range(1000000)))",
    "SELECT damerau_levenshtein(" LONG_TEXT ", " LONG_TEXT " || 'x') FROM member",
    "SELECT levenshtein(" LONG_TEXT ", " LONG_TEXT " || 'x') FROM member",
    "SELECT length(bitstring('1', 1500000000)::varchar)",
    "SELECT length(list_reduce(['ab','1','1','1','1','1','1','1','1','1','1','1','1',"
    "'1','1','1','1','1','1','1','1','1','1','1','1','1','1','1','1','1','1','1','1',"
    "'1'], (x, y) -> x || x))",
};

static void endless_queries_end_and_others_are_answered(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    struct arena *arena = arena_new();
    const char *other_path = arena_format(arena, "%s/other.duckdb", bench->folder);
    script(other_path, "CREATE TABLE member AS SELECT i AS id FROM range(20000) t(i)");
    struct datasource *other = open_at(bench, other_path, false);
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        if (sandbox_with_sanitizer() && strstr(endless[i], "list_reduce")) {
            continue; /* memory has no limit in such a build */
        }
        struct asked bad = {.source = source, .sql = endless[i], .timeout_ms = 1500};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, ask, &bad), 0);
        (void)usleep(100000);
        answers(source);
        answers(other);
        assert_int_equal(pthread_join(thread, NULL), 0);
        print_message("%-60.60s %5d ms  %s %s\n", endless[i], (int)bad.took_ms,
                      bad.err.message, bad.err.detail);
        assert_false(bad.ok);
        assert_true(bad.err.code == ERR_TIMEOUT || bad.err.code == ERR_RESULT_TOO_LARGE);
        assert_true(strstr(bad.err.message, "sql.") || strstr(bad.err.hint, "sql."));
        answers(source);
        answers(other);
    }
    datasource_close(other);
    assert_int_equal(unlink(other_path), 0);
    settled(1);
    arena_free(arena);
}

static void process_that_ends_at_any_moment_loses_nothing(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    answers(source);
    int before = descriptors();
    int whole = 0;
    for (int nth = 1; nth <= 24; nth++) {
        struct asked asked = {.source = source, .sql = "SELECT id, name FROM member"};
        engine_fault_at(nth);
        (void)ask(&asked);
        engine_fault_at(0);
        whole += asked.ok;
        assert_true(asked.ok ? asked.rows == MEMBERS
                             : err_retryable(asked.err.code) && asked.rows > 0);
        answers(source);
    }
    assert_true(whole >= 3); /* before the first row, and after the last */
    assert_int_equal(descriptors(), before);
    settled(1);
}

static void spawner_that_ends_is_started_again(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    for (int i = 0; i < 5; i++) {
        answers(source);
        pid_t engine = 0;
        assert_int_equal(children(spawner_now(), "dragoman-engine", false, &engine), 1);
        assert_int_equal(kill(spawner_now(), SIGKILL), 0);
        struct asked asked = {.source = source, .sql = "SELECT id FROM member"};
        (void)ask(&asked);
        assert_true(asked.ok ? asked.rows == MEMBERS
                             : err_retryable(asked.err.code) && asked.rows > 0);
        gone(engine); /* with its spawner */
        answers(source);
    }
    settled(1);
}

static void stop_is_heard_at_any_moment(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    for (int i = 0; i < 12; i++) {
        struct cancel cancel;
        cancel_init(&cancel);
        struct asked asked = {.source = source, .sql = endless[2], .cancel = &cancel};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, ask, &asked), 0);
        (void)usleep((unsigned)(1 << i) * 50);
        cancel_fire(&cancel);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(asked.err.code, ERR_STOPPED);
        assert_true(asked.took_ms < PATIENCE_MS / 2);
        cancel_release(&cancel);
        answers(source);
    }
    settled(1);
}

/* A write that is cut short anywhere was made, or was not. */
static void write_that_is_cut_short_is_whole_or_nothing(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    int64_t members = MEMBERS;
    for (int nth = 1; nth <= 14; nth++) {
        struct err err;
        int64_t touched = 0;
        const struct datasource_limits limits = {.deadline_ms = clock_ms() + PATIENCE_MS};
        err_clear(&err);
        engine_fault_at(nth);
        bool ok = source->driver->write(source,
                                        "INSERT INTO member SELECT i, 'x' FROM "
                                        "range(1000) t(i)",
                                        WRITE_ANY_ROWS, &limits, &touched, &err);
        engine_fault_at(0);
        struct asked asked = {.source = source, .sql = "SELECT id FROM member"};
        (void)ask(&asked);
        assert_true(asked.ok);
        assert_true(asked.rows == members + 1000 || (!ok && asked.rows == members));
        assert_true(!ok || touched == 1000);
        members = asked.rows;
    }
    assert_true(members > MEMBERS);
    settled(1);
}

static void closing_does_not_wait_for_what_does_not_end(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    pid_t engine = 0;
    answers(source);
    assert_int_equal(children(spawner_now(), "dragoman-engine", false, &engine), 1);
    assert_int_equal(kill(engine, SIGSTOP), 0); /* it hears nothing at all */
    int64_t begun_ms = clock_ms();
    datasource_close(source);
    bench->source = NULL;
    assert_true(clock_ms() - begun_ms < PATIENCE_MS / 2);
    settled(0);
}

static void process_may_reach_nothing_but_its_file(void **state)
{
    struct bench *bench = *state;
    struct datasource *source = open_members(bench);
    pid_t engine = 0;
    char path[64];
    char line[256];
    char found[8] = "";
    answers(source);
    assert_int_equal(children(spawner_now(), "dragoman-engine", false, &engine), 1);
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)engine);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "Seccomp:", 8) == 0) {
            (void)sscanf(line + 8, "%7s", found);
        }
    }
    (void)fclose(file);
    struct sandbox_report report = {0};
    sandbox_probe(&report);
    assert_string_equal(found, report.layers[SANDBOX_CALLS] == SANDBOX_HOLDS ? "2" : "0");
}

#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(endless_queries_end_and_others_are_answered),
        BENCH_TEST(process_that_ends_at_any_moment_loses_nothing),
        BENCH_TEST(spawner_that_ends_is_started_again),
        BENCH_TEST(stop_is_heard_at_any_moment),
        BENCH_TEST(write_that_is_cut_short_is_whole_or_nothing),
        BENCH_TEST(closing_does_not_wait_for_what_does_not_end),
        BENCH_TEST(process_may_reach_nothing_but_its_file),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
