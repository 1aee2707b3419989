/* Databases behind a network: passwords, encryption, and servers that go and come. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "conformance.h"
#include "line_proxy.h"

static const char shop[] = "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);"
                           "INSERT INTO item VALUES (1, 'pen'), (2, 'book')";

static void url_make(struct place *place, enum kind_url form, char url[400])
{
    kind->server->url(form, place->path, url, 400);
}

/* A refusal says what and how to go on, and gives nothing away. */
static void expect_refusal(struct place *place, enum kind_url form, enum err_code code)
{
    char url[400];
    struct err err;
    url_make(place, form, url);
    assert_null(place_try_open(place, url, &err));
    if (err.code != code) {
        fail_msg("%s instead of %s: %s", err_name(err.code), err_name(code), err.message);
    }
    const char *const texts[] = {err.message, err.detail, err.hint};
    for (size_t i = 0; i < 3; i++) {
        assert_null(strstr(texts[i], "hunter2"));
        assert_null(strstr(texts[i], "p@ss"));
        assert_null(strstr(texts[i], "p%40ss"));
    }
    assert_true(err.hint[0]);
}

static void expect_two(struct place *place)
{
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "2");
}

static void wrong_url_is_refused(void **state)
{
    struct place *place = *state;
    expect_refusal(place, KIND_URL_GOOD, ERR_DATASOURCE_NOT_FOUND); /* not yet there */
    kind->script(place->path, shop);
    expect_refusal(place, KIND_URL_WRONG_PASSWORD, ERR_ACCESS);
    expect_refusal(place, KIND_URL_WRONG_HOST, ERR_DATASOURCE_UNREACHABLE);
    expect_refusal(place, KIND_URL_UNTRUSTED, ERR_DATASOURCE_UNREACHABLE);
}

static void secrets_come_from_elsewhere(void **state)
{
    struct place *place = *state;
    static const enum kind_url forms[] = {KIND_URL_SECRET_IN_VARIABLE,
                                          KIND_URL_SECRET_IN_FILE, KIND_URL_ENCRYPTED};
    kind->script(place->path, shop);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char url[400];
        struct err err;
        url_make(place, forms[i], url);
        if (!place_try_open(place, url, &err)) {
            fail_msg("%s (%s)", err.message, err.detail);
        }
        expect_two(place);
        const char *safe = datasource_safe_url(place->arena, url);
        assert_null(strstr(safe, "p%40ss"));
        assert_null(strstr(safe, "DRAGOMAN_TEST_SECRET"));
    }
}

struct asking {
    struct place *place;
    const char *sql;
    struct datasource_limits limits;
    bool ok;
    struct err err;
};

static void *ask(void *context)
{
    struct asking *asking = context;
    asking->ok =
        place_raw(asking->place, asking->sql, &asking->limits, NULL, &asking->err);
    return NULL;
}

/* Waits until the server works on so many queries. */
static void await_running(struct place *place, long wanted)
{
    int64_t until_ms = clock_ms() + 120000;
    while (kind->server->running(place->path) != wanted) {
        if (clock_ms() > until_ms) {
            fail_msg("the server works on %ld queries instead of %ld",
                     kind->server->running(place->path), wanted);
        }
        (void)usleep(10000);
    }
}

static void stop_ends_the_query_on_the_server(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    const char *const queries[] = {kind->endless, kind->many};
    for (size_t i = 0; i < 2; i++) {
        struct cancel cancel;
        cancel_init(&cancel);
        struct asking asking = {.place = place,
                                .sql = queries[i],
                                .limits = {.deadline_ms = clock_ms() + 60000,
                                           .max_rows = INT64_MAX - 1,
                                           .max_bytes = INT64_MAX,
                                           .cancel = &cancel}};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
        await_running(place, 1);
        cancel_fire(&cancel);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_false(asking.ok);
        assert_int_equal(asking.err.code, ERR_STOPPED);
        await_running(place, 0);
        cancel_release(&cancel);
    }
    expect_two(place);
}

static void deadline_and_cap_end_the_query_on_the_server(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct err err;
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + 200, .max_rows = 10, .max_bytes = 1 << 20};
    assert_false(place_raw(place, kind->endless, &limits, NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    await_running(place, 0);
    int64_t rows = 0;
    assert_true(place_raw(place, kind->many, NULL, &rows, &err));
    assert_int_equal(rows, 101);
    await_running(place, 0);
    expect_two(place);
}

static void lost_connection_in_the_middle_is_said(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct asking asking = {.place = place,
                            .sql = kind->endless,
                            .limits = {.deadline_ms = clock_ms() + 60000,
                                       .max_rows = 10,
                                       .max_bytes = 1 << 20}};
    asking.sql = kind->many; /* rows were handed out: it must not start again */
    asking.limits.max_rows = INT64_MAX - 1;
    asking.limits.max_bytes = INT64_MAX / 8; /* nor does a limit end it first */
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
    await_running(place, 1);
    (void)usleep(200000);
    kind->server->terminate(place->path);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_false(asking.ok);
    if (asking.err.code != ERR_DATASOURCE_UNREACHABLE) {
        fail_msg("%s: %s (%s)", err_name(asking.err.code), asking.err.message,
                 asking.err.detail);
    }
    expect_two(place);
}

/* The server's process hears nothing, not even the cancel: the caller must not wait. */
static void dead_line_is_given_up(void **state)
{
    struct place *place = *state;
    if (!kind->server->freeze) {
        skip();
    }
    (void)place_open(place, shop);
    struct cancel cancel;
    cancel_init(&cancel);
    struct asking asking = {.place = place,
                            .sql = kind->endless,
                            .limits = {.deadline_ms = clock_ms() + 60000,
                                       .max_rows = 10,
                                       .max_bytes = 1 << 20,
                                       .cancel = &cancel}};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
    await_running(place, 1);
    kind->server->freeze(place->path);
    int64_t before_ms = clock_ms();
    cancel_fire(&cancel);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(clock_ms() - before_ms < 30000);
    assert_false(asking.ok);
    assert_int_equal(asking.err.code, ERR_STOPPED);
    expect_two(place); /* on another connection */
    kind->server->thaw();
    await_running(place, 0); /* the cancel was waiting there */
    cancel_release(&cancel);
}

static void ended_connections_are_made_again(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    expect_two(place);
    kind->server->terminate(place->path);
    expect_two(place); /* nobody notices */
    char signature[33];
    kind->server->terminate(place->path);
    place_signature(place, signature);
}

static void server_may_be_restarted(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    char before[33];
    char after[33];
    place_signature(place, before);
    kind->server->down();
    struct err err;
    for (int i = 0; i < 3; i++) {
        err_clear(&err);
        assert_false(datasource_signature(place->source, NULL, after, &err));
        assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    }
    kind->server->up();
    int64_t until_ms = clock_ms() + 120000;
    while (!datasource_signature(place->source, NULL, after, &err)) {
        assert_true(clock_ms() < until_ms);
        (void)usleep(20000);
    }
    assert_string_equal(before, after);
    expect_two(place);
}

static void settings_of_a_query_end_with_it(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct err err;
    if (strcmp(kind->name, "postgres") != 0) {
        skip();
    }
    assert_true(place_raw(place,
                          "SELECT set_config('default_transaction_read_only', 'off', "
                          "false), set_config('search_path', 'nowhere', false),"
                          " pg_advisory_lock(7)",
                          NULL, NULL, &err));
    struct rows rows = place_raw_rows(
        place, "SELECT current_setting('default_transaction_read_only'),"
               " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')");
    assert_string_equal(cell_text(place, &rows, 0, 0), "on");
    assert_string_equal(cell_text(place, &rows, 0, 1), "0");
    expect_two(place);
}

/* What dragoman is attached to need not be there yet. */
static void attached_source_waits_for_its_server(void **state)
{
    struct place *place = *state;
    kind->script(place->path, shop);
    char url[400];
    url_make(place, KIND_URL_GOOD, url);
    struct datasource_setting setting = {.id = "shop", .url = url};
    struct err err;
    err_clear(&err);
    kind->server->down();
    place->source = datasource_attach(&setting, place->options, &err);
    assert_non_null(place->source);
    char origin[DATASOURCE_ORIGIN_SIZE];
    char signature[33];
    datasource_origin(place->source, origin);
    for (int i = 0; i < 3; i++) { /* the second comes while it is left alone */
        assert_false(datasource_signature(place->source, NULL, signature, &err));
        assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    }
    kind->server->up();
    int64_t until_ms = clock_ms() + 120000;
    while (!datasource_signature(place->source, NULL, signature, &err)) {
        assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
        assert_true(clock_ms() < until_ms);
        (void)usleep(20000);
    }
    assert_int_equal(strncmp(signature, origin, strlen(origin) - 1), 0);
    expect_two(place);
}

/* To another machine nothing goes in plain text unless the URL says so. */
static void another_machine_is_asked_over_tls(void **state)
{
    struct place *place = *state;
    char host[LINE_HOST_SIZE];
    struct err err;
    if (!kind->server->relaxed || !line_proxy_outer(host)) {
        skip();
    }
    kind->script(place->path, shop);
    struct line_proxy *proxy = line_proxy_new(KIND_LINE_NONE, kind->server->port(), true);
    const char *good = place_url(place);
    const char *at = strrchr(good, '@');
    const char *url = arena_format(place->arena, "%.*s@%s:%d%s", (int)(at - good), good,
                                   host, line_proxy_port(proxy), strchr(at, '/'));
    assert_null(place_try_open(place, url, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_non_null(strstr(err.hint, kind->server->relaxed));
    url = arena_format(place->arena, "%s&%s", url, kind->server->relaxed);
    if (!place_try_open(place, url, &err)) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
    struct datasource_inspection found;
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_true(found.remote);
    assert_string_equal(found.encryption, "none");
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

int suite_server(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(wrong_url_is_refused),
        PLACE_TEST(secrets_come_from_elsewhere),
        PLACE_TEST(stop_ends_the_query_on_the_server),
        PLACE_TEST(deadline_and_cap_end_the_query_on_the_server),
        PLACE_TEST(lost_connection_in_the_middle_is_said),
        PLACE_TEST(dead_line_is_given_up),
        PLACE_TEST(ended_connections_are_made_again),
        PLACE_TEST(server_may_be_restarted),
        PLACE_TEST(settings_of_a_query_end_with_it),
        PLACE_TEST(attached_source_waits_for_its_server),
        PLACE_TEST(another_machine_is_asked_over_tls),
    };
    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
