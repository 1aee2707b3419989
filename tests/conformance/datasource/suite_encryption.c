/* Encryption is not given up quietly: a real server with and without TLS, and somebody
 * between who spoils how both sides agree on it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "conformance.h"
#include "line_proxy.h"

static const char shop[] = "CREATE TABLE item (id INTEGER)";

/* What the URL of this kind calls them. */
static const char *mode_name(const char *mode)
{
    static const char *const names[][3] = {
        {"preferred", "ssl_mode=preferred", "sslmode=prefer"},
        {"required", "ssl_mode=required", "sslmode=require"},
        {"disabled", "ssl_mode=disabled", "sslmode=disable"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal(mode, names[i][0])) {
            return names[i][kind->server->line == KIND_LINE_MYSQL ? 1 : 2];
        }
    }
    return "";
}

/* The place's database at another address; mode "": what the URL means by itself. */
static const char *url_at(struct place *place, const char *host, int port,
                          const char *mode)
{
    const char *good = place_url(place);
    const char *at = strrchr(good, '@');
    const char *database = strchr(at, '/');
    return arena_format(place->arena, "%.*s@%s:%d%s%s%s", (int)(at - good), good, host,
                        port, database, mode[0] ? "?" : "", mode_name(mode));
}

static struct line_proxy *proxy_start(struct place *place)
{
    kind->script(place->path, shop);
    return line_proxy_new(kind->server->line, kind->server->port(), false);
}

static const char *encryption(struct place *place)
{
    struct datasource_inspection found;
    struct err err;
    err_clear(&err);
    if (!datasource_inspect(place->source, NULL, place->arena, &found, &err)) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
    return found.encryption;
}

static void expect_refused(struct place *place, const char *url, const char *said)
{
    struct err err;
    assert_null(place_try_open(place, url, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    if (!strstr(err.message, said)) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
    assert_true(err.hint[0]);
}

static void line_is_encrypted_where_the_server_can(void **state)
{
    struct place *place = *state;
    struct line_proxy *proxy = proxy_start(place);
    int port = line_proxy_port(proxy);
    static const char *const modes[] = {"", "preferred", "required"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const char *heard =
            place_open_heard(place, url_at(place, "127.0.0.1", port, modes[i]));
        assert_string_equal(heard, "");
        assert_true(str_starts(encryption(place), "TLSv1."));
    }
    assert_int_equal(line_proxy_plain_logins(proxy), 0);
    assert_true(line_proxy_handshakes(proxy) > 0);
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

/* A handshake that fails says nothing about what the server can. */
static void broken_handshake_is_no_reason_for_plain_text(void **state)
{
    struct place *place = *state;
    struct line_proxy *proxy = proxy_start(place);
    int port = line_proxy_port(proxy);
    static const char *const modes[] = {"", "preferred", "required"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const char *url = url_at(place, "127.0.0.1", port, modes[i]);
        line_proxy_set(proxy, LINE_BREAK);
        expect_refused(place, url, "TLS handshake");
        line_proxy_set(proxy, LINE_PASS);
        struct err err;
        assert_non_null(place_try_open(place, url, &err));
        assert_true(str_starts(encryption(place), "TLSv1."));
    }
    assert_int_equal(line_proxy_plain_logins(proxy), 0);
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

/* The same for a source that is open: its next connections are as its first. */
static void nothing_is_remembered_of_a_broken_handshake(void **state)
{
    struct place *place = *state;
    struct line_proxy *proxy = proxy_start(place);
    struct err err;
    char signature[33];
    const char *url = url_at(place, "127.0.0.1", line_proxy_port(proxy), "");
    assert_non_null(place_try_open(place, url, &err));
    line_proxy_set(proxy, LINE_BREAK);
    kind->server->terminate(place->path);
    int64_t until_ms = clock_ms() + 60000;
    do { /* a connection whose end is not seen yet may answer once more */
        err_clear(&err);
    } while (datasource_signature(place->source, NULL, signature, &err) &&
             clock_ms() < until_ms);
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    line_proxy_set(proxy, LINE_PASS);
    while (!datasource_signature(place->source, NULL, signature, &err)) {
        assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
        assert_true(clock_ms() < until_ms);
        (void)usleep(20000);
    }
    assert_true(str_starts(encryption(place), "TLSv1."));
    assert_int_equal(line_proxy_plain_logins(proxy), 0);
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

static void stripped_offer_ends_a_line_that_must_be_encrypted(void **state)
{
    struct place *place = *state;
    struct line_proxy *proxy = proxy_start(place);
    line_proxy_set(proxy, LINE_STRIP);
    expect_refused(place, url_at(place, "127.0.0.1", line_proxy_port(proxy), "required"),
                   "offers no TLS");
    assert_int_equal(line_proxy_plain_logins(proxy), 0);
    line_proxy_free(proxy);
}

/* Where TLS is only preferred, the word of the server counts; for this connection. */
static void going_without_is_told_and_not_remembered(void **state)
{
    struct place *place = *state;
    struct line_proxy *proxy = proxy_start(place);
    const char *url = url_at(place, "127.0.0.1", line_proxy_port(proxy), "preferred");
    line_proxy_set(proxy, LINE_STRIP);
    const char *heard = place_open_heard(place, url);
    assert_non_null(strstr(heard, "is not encrypted"));
    assert_string_equal(encryption(place), "none");
    assert_null(datasource_notice(place->source)); /* nobody is between here and here */
    assert_true(line_proxy_plain_logins(proxy) > 0);
    line_proxy_set(proxy, LINE_PASS);
    kind->server->terminate(place->path);
    int64_t until_ms = clock_ms() + 60000;
    while (!str_starts(encryption(place), "TLSv1.") && clock_ms() < until_ms) {
        (void)usleep(20000);
    }
    assert_true(str_starts(encryption(place), "TLSv1."));
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

/* A machine that has much to do answers late. */
static void slow_handshake_is_waited_for(void **state)
{
    struct place *place = *state;
    struct line_proxy *proxy = proxy_start(place);
    struct err err;
    line_proxy_set(proxy, LINE_SLOW);
    const char *url = url_at(place, "127.0.0.1", line_proxy_port(proxy), "");
    if (!place_try_open(place, url, &err)) {
        fail_msg("%s (%s)", err.message, err.hint);
    }
    assert_true(str_starts(encryption(place), "TLSv1."));
    assert_int_equal(line_proxy_plain_logins(proxy), 0);
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

struct stopping {
    struct line_proxy *proxy;
    struct cancel cancel;
};

/* Once the client has begun the handshake and waits for its answer. */
static void *stop_in_the_handshake(void *context)
{
    struct stopping *stopping = context;
    while (line_proxy_handshakes(stopping->proxy) == 0) {
        (void)usleep(1000);
    }
    cancel_fire(&stopping->cancel);
    return NULL;
}

static void stop_is_heard_in_the_handshake(void **state)
{
    struct place *place = *state;
    struct stopping stopping = {.proxy = proxy_start(place)};
    pthread_t thread;
    struct err err;
    char signature[33];
    cancel_init(&stopping.cancel);
    line_proxy_set(stopping.proxy, LINE_SILENT);
    const struct datasource_setting setting = {
        .id = "shop",
        .url = arena_format(
            place->arena, "%s&connect_timeout=600",
            url_at(place, "127.0.0.1", line_proxy_port(stopping.proxy), "required"))};
    const struct datasource_limits limits = {.cancel = &stopping.cancel};
    err_clear(&err);
    place->source = datasource_attach(&setting, place->options, &err);
    assert_non_null(place->source);
    assert_int_equal(pthread_create(&thread, NULL, stop_in_the_handshake, &stopping), 0);
    int64_t before_ms = clock_ms();
    assert_false(datasource_signature(place->source, &limits, signature, &err));
    assert_int_equal(err.code, ERR_STOPPED);
    assert_true(clock_ms() - before_ms < 300000);
    (void)pthread_join(thread, NULL);
    datasource_close(place->source);
    place->source = NULL;
    cancel_release(&stopping.cancel);
    line_proxy_free(stopping.proxy);
}

/* A server that has no TLS at all. */
static void server_without_encryption_is_told_of(void **state)
{
    struct place *place = *state;
    kind->script(place->path, shop);
    int port = kind->server->port();
    kind->server->down();
    kind->server->up_plain();
    const char *heard = place_open_heard(place, url_at(place, "127.0.0.1", port, ""));
    assert_non_null(strstr(heard, "is not encrypted"));
    assert_string_equal(encryption(place), "none");
    expect_refused(place, url_at(place, "127.0.0.1", port, "required"), "offers no TLS");
    /* whoever says that he wants none is told nothing */
    heard = place_open_heard(place, url_at(place, "127.0.0.1", port, "disabled"));
    assert_string_equal(heard, "");
    datasource_close(place->source);
    place->source = NULL;
    kind->server->down();
    kind->server->up();
}

/* To another machine nothing goes in plain text unless the URL says so. */
static void another_machine_is_reached_by_encryption_alone(void **state)
{
    struct place *place = *state;
    char host[LINE_HOST_SIZE];
    if (!line_proxy_outer(host)) {
        skip();
    }
    kind->script(place->path, shop);
    struct line_proxy *proxy =
        line_proxy_new(kind->server->line, kind->server->port(), true);
    int port = line_proxy_port(proxy);
    struct err err;
    assert_non_null(place_try_open(place, url_at(place, host, port, ""), &err));
    assert_true(str_starts(encryption(place), "TLSv1."));
    line_proxy_set(proxy, LINE_STRIP);
    expect_refused(place, url_at(place, host, port, ""), "offers no TLS");
    assert_int_equal(line_proxy_plain_logins(proxy), 0);
    const char *heard = place_open_heard(place, url_at(place, host, port, "preferred"));
    assert_non_null(strstr(heard, "is not encrypted"));
    assert_non_null(strstr(datasource_notice(place->source), "is not encrypted"));
    line_proxy_set(proxy, LINE_PASS);
    assert_non_null(place_try_open(place, url_at(place, host, port, "preferred"), &err));
    assert_null(datasource_notice(place->source));
    datasource_close(place->source);
    place->source = NULL;
    line_proxy_free(proxy);
}

int suite_encryption(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(line_is_encrypted_where_the_server_can),
        PLACE_TEST(broken_handshake_is_no_reason_for_plain_text),
        PLACE_TEST(nothing_is_remembered_of_a_broken_handshake),
        PLACE_TEST(stripped_offer_ends_a_line_that_must_be_encrypted),
        PLACE_TEST(going_without_is_told_and_not_remembered),
        PLACE_TEST(slow_handshake_is_waited_for),
        PLACE_TEST(stop_is_heard_in_the_handshake),
        PLACE_TEST(server_without_encryption_is_told_of),
        PLACE_TEST(another_machine_is_reached_by_encryption_alone),
    };
    return cmocka_run_group_tests_name("encryption", tests, NULL, NULL);
}
