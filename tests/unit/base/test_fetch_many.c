/* The HTTP client: connections, names, limits, cancelling; many requests at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../support/fetch_scene.h"

/* The first request to a name goes alone; when it fails the others fail with it. */
static void test_unknown_host_fails_all_at_once(void **state)
{
    (void)state;
    struct catch catches[20];
    for (int i = 0; i < 20; i++) {
        catch_init(&catches[i]);
        struct fetch_request request =
            request_to("http://no-such-host.invalid:8080/", &catches[i]);
        fetch_forget(fetch_start(client, &request));
    }
    for (int i = 0; i < 20; i++) {
        await_done(&catches[i]);
        assert_false(catches[i].result.ok);
        assert_int_equal(catches[i].result.error.code, ERR_NETWORK);
        assert_non_null(strstr(catches[i].result.error.message, "no-such-host.invalid"));
    }
}

static void test_name_is_resolved_and_shared(void **state)
{
    (void)state;
    struct catch catches[20];
    char url[128];
    (void)snprintf(url, sizeof url, "http://LocalHost:%d/echo", server->port);
    for (int i = 0; i < 20; i++) {
        catch_init(&catches[i]);
        struct fetch_request request = request_to(url, &catches[i]);
        fetch_forget(fetch_start(client, &request));
    }
    for (int i = 0; i < 20; i++) {
        await_done(&catches[i]);
        assert_int_equal(catches[i].result.status, 200);
    }
}

static void test_idle_and_total_timeouts(void **state)
{
    (void)state;
    struct catch catch;
    atomic_store(&release, false);
    struct fetch_request request = request_to("", &catch);
    request.idle_timeout_ms = 50;
    run("/drip", &request, &catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_TIMEOUT);
    assert_non_null(strstr(catch.result.error.message, "0.05 s"));
    request.idle_timeout_ms = 20000;
    request.total_timeout_ms = 50;
    run("/endless", &request, &catch);
    /* endless data keeps it from being idle, not from being over */
    assert_false(catch.result.ok);
    assert_true(catch.result.error.code == ERR_TIMEOUT ||
                catch.result.error.code == ERR_RESULT_TOO_LARGE);
    run("/drip", &request, &catch);
    assert_int_equal(catch.result.error.code, ERR_TIMEOUT);
}

static void test_cancel(void **state)
{
    (void)state;
    struct catch catch;
    char url[128];
    atomic_store(&release, false);
    catch_init(&catch);
    url_of(url, "/drip");
    struct fetch_request request = request_to(url, &catch);
    request.on_data = on_data;
    struct fetch_ticket *ticket = fetch_start(client, &request);
    await_piece(&catch);
    fetch_cancel(ticket);
    fetch_cancel(ticket); /* again is fine */
    await_done(&catch);
    assert_true(catch.result.cancelled);
    assert_int_equal(catch.result.error.code, ERR_STOPPED);
    fetch_cancel(ticket); /* after the end too */
    fetch_forget(ticket);
    assert_int_equal(catch.done, 1);
    buf_release(&catch.data);

    catch_init(&catch); /* before it began */
    ticket = fetch_start(client, &request);
    fetch_cancel(ticket);
    fetch_forget(ticket);
    await_done(&catch);
    assert_true(catch.result.cancelled);
    buf_release(&catch.data);
}

/* The server hangs up idle connections: the next request must not fail for it. */
static void test_a_kept_connection_that_died(void **state)
{
    (void)state;
    struct err err;
    struct fetch *one = fetch_new(
        &(struct fetch_settings){.loops = 1, .libcurl_only = libcurl_only}, &err);
    struct tiny_server *doomed = tiny_start(handle, NULL);
    char url[128];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/echo", doomed->port);
    for (int round = 0; round < 50; round++) {
        struct catch catch;
        catch_init(&catch);
        struct fetch_request request = request_to(url, &catch);
        fetch_forget(fetch_start(one, &request));
        await_done(&catch);
        assert_true(catch.result.ok);
        pthread_mutex_lock(&doomed->lock);
        for (size_t i = 0; i < doomed->peer_count; i++) {
            (void)shutdown(doomed->peers[i].fd, SHUT_RDWR);
        }
        pthread_mutex_unlock(&doomed->lock);
    }
    fetch_free(one);
    tiny_stop(doomed);
}

/* Nobody takes the connection: 192.0.2.0/24 leads nowhere, by decree. */
static void test_connect_timeout(void **state)
{
    (void)state;
    struct catch catch;
    catch_init(&catch);
    struct fetch_request request = request_to("http://192.0.2.1:81/", &catch);
    request.connect_timeout_ms = 80;
    fetch_forget(fetch_start(client, &request));
    await_done(&catch);
    assert_false(catch.result.ok);
    /* a machine without a network knows at once that it cannot */
    assert_true(catch.result.error.code == ERR_TIMEOUT ||
                catch.result.error.code == ERR_NETWORK);
}

static void test_localhost_by_name(void **state)
{
    (void)state;
    struct catch catch;
    char url[128];
    catch_init(&catch);
    (void)snprintf(url, sizeof url, "http://localhost:%d?q=2#part", server->port);
    struct fetch_request request = request_to(url, &catch);
    fetch_forget(fetch_start(client, &request));
    await_done(&catch);
    assert_int_equal(catch.result.status, 404); /* arrived, at "/?q=2" */
}

static void test_connections_are_reused(void **state)
{
    (void)state;
    struct err err;
    struct fetch *one = fetch_new(
        &(struct fetch_settings){.loops = 1, .libcurl_only = libcurl_only}, &err);
    int before = atomic_load(&server->connections);
    char url[128];
    url_of(url, "/echo");
    for (int i = 0; i < 20; i++) {
        struct catch catch;
        catch_init(&catch);
        struct fetch_request request = request_to(url, &catch);
        fetch_forget(fetch_start(one, &request));
        await_done(&catch);
    }
    assert_int_equal(atomic_load(&server->connections) - before, 1);
    fetch_free(one);
}

static void test_connection_limit(void **state)
{
    (void)state;
    struct err err;
    struct fetch *narrow = fetch_new(
        &(struct fetch_settings){
            .loops = 1, .connections = 3, .libcurl_only = libcurl_only},
        &err);
    int before = atomic_load(&server->connections);
    struct catch catches[30];
    char url[128];
    url_of(url, "/echo");
    for (int i = 0; i < 30; i++) {
        catch_init(&catches[i]);
        struct fetch_request request = request_to(url, &catches[i]);
        fetch_forget(fetch_start(narrow, &request));
    }
    for (int i = 0; i < 30; i++) {
        await_done(&catches[i]);
        assert_int_equal(catches[i].result.status, 200);
    }
    assert_in_range(atomic_load(&server->connections) - before, 1, 3);
    fetch_free(narrow);
}

/* More requests than one multi handle takes. */
static void test_many_at_once(void **state)
{
    (void)state;
    enum { MANY = 600 };
    struct catch *catches = memory_array(MANY, sizeof *catches);
    char url[128];
    url_of(url, "/echo");
    for (int i = 0; i < MANY; i++) {
        catch_init(&catches[i]);
        struct fetch_request request = request_to(url, &catches[i]);
        fetch_forget(fetch_start(client, &request));
    }
    for (int i = 0; i < MANY; i++) {
        await_done(&catches[i]);
        assert_int_equal(catches[i].result.status, 200);
        assert_int_equal(catches[i].done, 1);
    }
    memory_free(catches);
}

static void test_free_ends_what_is_in_flight(void **state)
{
    (void)state;
    struct err err;
    struct fetch *doomed = fetch_new(
        &(struct fetch_settings){.loops = 2, .libcurl_only = libcurl_only}, &err);
    struct catch catches[10];
    char url[128];
    url_of(url, "/drip");
    atomic_store(&release, false);
    for (int i = 0; i < 10; i++) {
        catch_init(&catches[i]);
        struct fetch_request request = request_to(url, &catches[i]);
        fetch_forget(fetch_start(doomed, &request));
    }
    fetch_free(doomed);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(catches[i].done, 1);
        assert_true(catches[i].result.cancelled);
    }
}

static void test_ca_file_must_be_readable(void **state)
{
    (void)state;
    struct err err;
    assert_null(
        fetch_new(&(struct fetch_settings){.ca_file = "/no/such/file.pem"}, &err));
    assert_int_equal(err.code, ERR_CONFIG);
    assert_null(strstr(err.message, "/no/such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_host_fails_all_at_once),
        cmocka_unit_test(test_name_is_resolved_and_shared),
        cmocka_unit_test(test_idle_and_total_timeouts),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_a_kept_connection_that_died),
        cmocka_unit_test(test_connect_timeout),
        cmocka_unit_test(test_localhost_by_name),
        cmocka_unit_test(test_connections_are_reused),
        cmocka_unit_test(test_connection_limit),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_free_ends_what_is_in_flight),
        cmocka_unit_test(test_ca_file_must_be_readable),
    };
    RUN_BOTH_WAYS(tests);
}
