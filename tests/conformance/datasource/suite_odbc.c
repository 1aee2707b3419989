/* What only ODBC has: connection strings, and a dialect that is found out. */
#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "conformance.h"
#include "line_proxy.h"

/* The dialect is the one of the database, also in the schema and for the guard. */
static void dialect_is_found_out(void **state)
{
    struct place *place = *state;
    struct datasource *source = place_open(place, "CREATE TABLE item (id INTEGER)");
    assert_string_equal(source->driver->name, "odbc");
    assert_int_not_equal(datasource_dialect(source), DIALECT_ODBC);
    assert_string_equal(place_schema(place)->dialect,
                        dialect_name(datasource_dialect(source)));
    /* the guard is part of the driver: this never reaches the database */
    struct err err;
    assert_false(place_raw(place, "SELECT 1; SELECT 2", NULL, NULL, &err));
    assert_int_equal(err.code, ERR_UNSAFE);
    assert_false(
        place_raw(place, "SELECT no_such_function(id) FROM item", NULL, NULL, &err));
    assert_int_equal(err.code, ERR_UNSAFE);
}

struct user {
    struct datasource *source;
    enum dialect dialect;
    bool ok;
};

static void *use(void *context)
{
    struct user *user = context;
    char signature[33];
    struct err err;
    err_clear(&err);
    (void)datasource_dialect(user->source);
    user->ok = datasource_signature(user->source, NULL, signature, &err);
    user->dialect = datasource_dialect(user->source);
    return NULL;
}

/* Two need it at the same time, and somebody wants to see its calls from the first on. */
static void dialect_is_found_out_once_for_all(void **state)
{
    struct place *place = *state;
    struct datasource *open = place_open(place, "CREATE TABLE item (id INTEGER)");
    struct datasource_setting setting = {.id = "later", .url = place_url(place)};
    struct err err;
    struct datasource *source = datasource_attach(&setting, place->options, &err);
    assert_non_null(source);
    assert_int_equal(datasource_dialect(source), DIALECT_ODBC); /* nobody knows */
    datasource_trace(source);
    const struct datasource_driver *traced = source->driver;
    pthread_t threads[2];
    struct user users[2] = {{.source = source}, {.source = source}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(users[i].ok);
        assert_int_equal(users[i].dialect, datasource_dialect(open));
    }
    assert_ptr_equal(source->driver, traced);
    datasource_close(source);
}

static void strings_do_not_tell(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *url;
        enum err_code code;
    } wrong[] = {
        {"odbc:", ERR_DATASOURCE_NOT_FOUND},
        {"odbc:Server=host;PWD=hunter2", ERR_DATASOURCE_NOT_FOUND},
        {"odbc:DSN=no such name;UID=me;PWD=hunter2", ERR_DATASOURCE_NOT_FOUND},
        {"odbc:Driver={No Such Driver};UID=me;PWD={hunter2;}", ERR_DATASOURCE_NOT_FOUND},
        {"odbc:DSN=x;password_env=NO_SUCH_NAME", ERR_CONFIG},
        {"odbc:DSN=x;password_file=/nowhere/hunter2", ERR_CONFIG},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err;
        assert_null(place_try_open(place, wrong[i].url, &err));
        if (err.code != wrong[i].code) {
            fail_msg("%s: %s %s", wrong[i].url, err_name(err.code), err.message);
        }
        const char *const texts[] = {err.message, err.detail, err.hint};
        for (size_t j = 0; j < 3; j++) {
            assert_null(strstr(texts[j], "hunter2"));
        }
        assert_null(strstr(datasource_safe_url(place->arena, wrong[i].url), "PWD=h"));
        assert_true(err.hint[0]);
    }
}

/* Longer than any buffer of the driver's, and with pairs of UTF-16 on its edges. */
static void long_texts_come_out_whole(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    char *sql = arena_alloc(place->arena, 40000);
    char *at = sql;
    memcpy(at, "SELECT 'x", 9);
    at += 9;
    for (int i = 0; i < 5000; i++) {
        memcpy(at, "\xF0\x9F\x98\x80", 4);
        at += 4;
    }
    memcpy(at, "' AS v", 7);
    struct rows rows = place_raw_rows(place, sql);
    const struct value *value = rows_cell(&rows, 0, 0);
    assert_int_equal(value->kind, VALUE_TEXT);
    assert_int_equal(value->text.size, 20001);
    assert_memory_equal(value->text.data, sql + 8, 20001);
}

/* The place's database at another address. */
static const char *url_at(struct place *place, const char *host, int port,
                          const char *more)
{
    const char *good = place_url(place);
    const char *server = strstr(good, "Server=");
    const char *rest = strstr(good, "Database=");
    return arena_format(place->arena, "%.*sServer=%s;Port=%d;%s%s", (int)(server - good),
                        good, host, port, rest, more);
}

/* To another machine nothing goes in plain text unless the connection string says so. */
static void another_machine_is_asked_over_tls(void **state)
{
    struct place *place = *state;
    char host[LINE_HOST_SIZE];
    struct datasource_inspection found;
    struct err err;
    if (!kind->server || !line_proxy_outer(host)) {
        skip();
    }
    bool postgres = str_equal(kind->speaks, "postgres");
    const char *relaxed = postgres ? "SSLmode=disable;" : "FORCETLS=0;";
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    struct line_proxy *proxy = line_proxy_new(
        postgres ? KIND_LINE_POSTGRES : KIND_LINE_MYSQL, kind->server->port(), true);
    int port = line_proxy_port(proxy);
    if (!place_try_open(place, url_at(place, host, port, ""), &err)) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_true(str_starts(found.encryption, "TLSv1."));
    assert_true(found.remote);
    line_proxy_set(proxy, LINE_STRIP);
    assert_null(place_try_open(place, url_at(place, host, port, ""), &err));
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_non_null(
        strstr(err.hint, arena_copy(place->arena, relaxed, strlen(relaxed) - 1)));
    assert_non_null(place_try_open(place, url_at(place, host, port, relaxed), &err));
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_string_equal(found.encryption, "none");
    if (postgres) { /* libpq would fall back without a word */
        assert_null(
            place_try_open(place, url_at(place, host, port, "SSLmode=prefer;"), &err));
        assert_int_equal(err.code, ERR_CONFIG);
    }
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

enum { STOPPERS = 4, STOPS = 60, STOP_STEP_MS = 7 };

struct stopper {
    struct place *place;
    int number;
    int wrong;
};

static bool stop_is_fine(enum err_code code)
{
    return code == ERR_TIMEOUT || code == ERR_STOPPED;
}

static void *stop_often(void *context)
{
    struct stopper *stopper = context;
    const char *const queries[] = {kind->endless, kind->many, "SELECT no_such FROM item"};
    for (int i = 0; i < STOPS; i++) {
        struct err err;
        int64_t wait_ms = (stopper->number + i * STOP_STEP_MS) % (STOP_STEP_MS * 10);
        struct datasource_limits limits = {.deadline_ms = clock_ms() + 1 + wait_ms,
                                           .max_rows = INT64_MAX - 1,
                                           .max_bytes = INT64_MAX};
        bool ok = place_raw(stopper->place, queries[i % 3], &limits, NULL, &err);
        stopper->wrong +=
            ok || (!stop_is_fine(err.code) && (i % 3 < 2 || err.code != ERR_INVALID_SQL));
    }
    return NULL;
}

/* A cancel may come while the driver reports an error, or as a call begins or ends. */
static void stops_come_at_every_moment(void **state)
{
    struct place *place = *state;
    if (!kind->server || kind->crowd_breaks) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    pthread_t threads[STOPPERS];
    struct stopper stoppers[STOPPERS];
    for (int i = 0; i < STOPPERS; i++) {
        stoppers[i] = (struct stopper){.place = place, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, stop_often, &stoppers[i]), 0);
    }
    for (int i = 0; i < STOPPERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(stoppers[i].wrong, 0);
    }
    assert_true(place_raw(place, "SELECT id FROM item", NULL, NULL, &(struct err){0}));
}

static size_t thread_count(void)
{
    DIR *folder = opendir("/proc/self/task");
    size_t count = 0;
    assert_non_null(folder);
    while (readdir(folder)) {
        count++;
    }
    (void)closedir(folder);
    return count - 2; /* without . and .. */
}

static void await_alone(void)
{
    int64_t until_ms = clock_ms() + 60000;
    while (thread_count() > 1 && clock_ms() < until_ms) {
        (void)usleep(1000);
    }
    assert_int_equal(thread_count(), 1);
}

static void *ask_endlessly(void *context)
{
    struct place *place = context;
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + 500, .max_rows = 10, .max_bytes = 1 << 20};
    struct err err;
    assert_false(place_raw(place, kind->endless, &limits, NULL, &err));
    return NULL;
}

/* A call that hears no cancel goes on when its source is long closed. */
static void call_left_behind_outlives_its_source(void **state)
{
    struct place *place = *state;
    if (!kind->server || !kind->server->freeze) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    await_alone();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask_endlessly, place), 0);
    while (kind->server->running(place->path) != 1) {
        (void)usleep(1000);
    }
    kind->server->freeze(place->path);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(thread_count(), 2);
    datasource_close(place->source);
    place->source = NULL;
    kind->server->thaw();
    await_alone();
}

int suite_odbc(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(dialect_is_found_out),
        PLACE_TEST(dialect_is_found_out_once_for_all),
        PLACE_TEST(strings_do_not_tell),
        PLACE_TEST(long_texts_come_out_whole),
        PLACE_TEST(another_machine_is_asked_over_tls),
        PLACE_TEST(stops_come_at_every_moment),
        PLACE_TEST(call_left_behind_outlives_its_source),
    };
    int failed = cmocka_run_group_tests_name("odbc", tests, NULL, NULL);
    return failed + (kind->speaks && strcmp(kind->speaks, "postgres") == 0
                         ? suite_postgres_own()
                         : 0);
}
