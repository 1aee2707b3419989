/* The HTTP client against a small server in this process: everything twice, as it is and
 * with libcurl alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <time.h>

#include "../support/tiny_server.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fetch.h"
#include "base/memory.h"
#include "base/str.h"

/* What one request came to, and a way to wait for it. */
struct catch
{
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    int pieces;
    int stop_at; /* piece at which to say no */
    struct buf data;
    struct fetch_result result;
    char body[4096];
    struct fetch_ticket *cancel_at_piece;
};

static void catch_init(struct catch *catch)
{
    *catch = (struct catch){0};
    pthread_mutex_init(&catch->lock, NULL);
    pthread_cond_init(&catch->changed, NULL);
    buf_init(&catch->data, 1 << 20);
}

static bool on_data(void *context, const char *data, size_t size)
{
    struct catch *catch = context;
    pthread_mutex_lock(&catch->lock);
    (void)buf_add(&catch->data, data, size);
    catch->pieces++;
    bool go_on = catch->stop_at == 0 || catch->pieces < catch->stop_at;
    pthread_cond_broadcast(&catch->changed);
    pthread_mutex_unlock(&catch->lock);
    return go_on;
}

static void on_done(void *context, const struct fetch_result *result)
{
    struct catch *catch = context;
    pthread_mutex_lock(&catch->lock);
    catch->result = *result;
    (void)snprintf(catch->body, sizeof catch->body, "%.*s", 4000, result->body);
    catch->done++;
    pthread_cond_broadcast(&catch->changed);
    pthread_mutex_unlock(&catch->lock);
}

static void await_done(struct catch *catch)
{
    pthread_mutex_lock(&catch->lock);
    while (!catch->done) {
        pthread_cond_wait(&catch->changed, &catch->lock);
    }
    pthread_mutex_unlock(&catch->lock);
}

static void await_piece(struct catch *catch)
{
    pthread_mutex_lock(&catch->lock);
    while (!catch->pieces) {
        pthread_cond_wait(&catch->changed, &catch->lock);
    }
    pthread_mutex_unlock(&catch->lock);
}

static struct fetch_request request_to(const char *url, struct catch *catch)
{
    return (struct fetch_request){.method = "GET",
                                  .url = url,
                                  .connect_timeout_ms = 5000,
                                  .idle_timeout_ms = 20000,
                                  .total_timeout_ms = 30000,
                                  .max_bytes = 1 << 20,
                                  .on_done = on_done,
                                  .context = catch};
}

static struct fetch *client;
static bool libcurl_only;
static struct tiny_server *server;
static char base[64];
static atomic_bool release; /* lets a slow answer go */

/* The path says how to answer. */
static bool handle(void *context, int fd, const struct tiny_request *request)
{
    (void)context;
    const char *path = strchr(request->head, ' ') + 1;
    if (str_starts(path, "/echo")) {
        char answer[8192];
        (void)snprintf(answer, sizeof answer, "%s|%s", request->head, request->body);
        return tiny_answer(fd, 200, "", answer);
    }
    if (str_starts(path, "/busy")) {
        return tiny_answer(fd, 429, "Retry-After: 7\r\n", "{\"error\":\"slow down\"}");
    }
    if (str_starts(path, "/date")) {
        char header[80];
        time_t at = time(NULL) + 30;
        struct tm tm;
        (void)strftime(header, sizeof header,
                       "Retry-After: %a, %d %b %Y %H:%M:%S GMT\r\n", gmtime_r(&at, &tm));
        return tiny_answer(fd, 503, header, "");
    }
    if (str_starts(path, "/half")) {
        tiny_write(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this");
        return false;
    }
    if (str_starts(path, "/nothing")) {
        return false;
    }
    if (str_starts(path, "/redirect")) {
        return tiny_answer(fd, 302, "Location: /echo\r\n", "");
    }
    if (str_starts(path, "/drip")) {
        tiny_write(fd,
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        while (!atomic_load(&release) && !atomic_load(&server->ending)) {
            char byte;
            if (recv(fd, &byte, 1, MSG_DONTWAIT) == 0) {
                return false; /* the client hung up */
            }
            (void)usleep(1000);
        }
        tiny_write(fd, "3\r\ndef\r\n0\r\n\r\n");
        return true;
    }
    if (str_starts(path, "/once")) { /* hangs up after the answer, without a word */
        (void)tiny_answer(fd, 200, "", "once");
        return false;
    }
    if (str_starts(path, "/old")) {
        tiny_write(fd,
                   "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end");
        return false;
    }
    if (str_starts(path, "/empty")) {
        tiny_write(fd, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        return true;
    }
    if (str_starts(path, "/nonsense")) {
        tiny_write(fd, "SSH-2.0-OpenSSH_9.2\r\n\r\n");
        return false;
    }
    if (str_starts(path, "/early")) { /* answers without reading, and hangs up */
        return tiny_answer(fd, 413, "Connection: close\r\n", "too much") && false;
    }
    if (str_starts(path, "/endless")) {
        tiny_write(fd, "HTTP/1.1 200 OK\r\n\r\n");
        char block[1025];
        memset(block, 'x', 1024);
        block[1024] = '\0';
        while (!atomic_load(&server->ending) && send(fd, block, 1024, MSG_NOSIGNAL) > 0) {
        }
        return false;
    }
    return tiny_answer(fd, 404, "", "no such path");
}

static void url_of(char *out, const char *path)
{
    (void)snprintf(out, 128, "%s%s", base, path);
}

static void run(const char *path, struct fetch_request *request, struct catch *catch)
{
    char url[128];
    catch_init(catch);
    url_of(url, path);
    struct fetch_request plain = request_to(url, catch);
    if (request) {
        request->url = url;
        request->on_done = on_done;
        request->context = catch;
        plain = *request;
    }
    fetch_forget(fetch_start(client, &plain));
    await_done(catch);
}

static void test_get(void **state)
{
    (void)state;
    struct catch catch;
    run("/echo?q=1", NULL, &catch);
    assert_true(catch.result.ok);
    assert_int_equal(catch.result.status, 200);
    assert_true(str_starts(catch.body, "GET /echo?q=1 HTTP/1.1"));
    assert_int_equal(catch.result.retry_after_ms, -1);
}

static void test_post_with_headers_and_body(void **state)
{
    (void)state;
    struct catch catch;
    static const char *const headers[] = {"X-One: 1", "Content-Type: text/plain", NULL};
    char body[] = "hello body";
    struct fetch_request request = request_to("", &catch);
    request.method = "POST";
    request.headers = headers;
    request.body = body;
    request.body_size = strlen(body);
    run("/echo", &request, &catch);
    assert_true(str_starts(catch.body, "POST /echo"));
    assert_non_null(strstr(catch.body, "X-One: 1\r\n"));
    assert_non_null(strstr(catch.body, "|hello body"));
    assert_null(strcasestr(catch.body, "expect:"));
    assert_null(strcasestr(catch.body, "accept-encoding:"));
    /* a GET on the same handle afterwards is a GET again */
    run("/echo", NULL, &catch);
    assert_true(str_starts(catch.body, "GET /echo"));
    assert_null(strstr(catch.body, "X-One"));
}

static void test_large_body(void **state)
{
    (void)state;
    struct catch catch;
    enum { LARGE = 900000 }; /* more than a socket takes at once */
    char *body = memory_alloc(LARGE + 1);
    memset(body, 'b', LARGE);
    struct fetch_request request = request_to("", &catch);
    request.method = "POST";
    request.body = body;
    request.body_size = LARGE;
    request.body_borrowed = true;
    run("/busy", &request, &catch);
    assert_int_equal(catch.result.status, 429);
    memory_free(body);
}

static void test_retry_after(void **state)
{
    (void)state;
    struct catch catch;
    run("/busy", NULL, &catch);
    assert_true(catch.result.ok); /* an answer came, whatever it says */
    assert_int_equal(catch.result.status, 429);
    assert_int_equal(catch.result.retry_after_ms, 7000);
    run("/date", NULL, &catch);
    assert_int_equal(catch.result.status, 503);
    assert_in_range(catch.result.retry_after_ms, 20000, 31000);
}

static void test_redirects_are_not_followed(void **state)
{
    (void)state;
    struct catch catch;
    run("/redirect", NULL, &catch);
    assert_int_equal(catch.result.status, 302);
}

static void test_broken_answers(void **state)
{
    (void)state;
    struct catch catch;
    run("/half", NULL, &catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_NETWORK);
    assert_non_null(strstr(catch.result.error.message, "127.0.0.1"));
    run("/nothing", NULL, &catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_NETWORK);
}

static void test_nobody_listens(void **state)
{
    (void)state;
    struct catch catch;
    catch_init(&catch);
    struct fetch_request request =
        request_to("http://user:secret@127.0.0.1:1/path?key=hidden", &catch);
    fetch_forget(fetch_start(client, &request));
    await_done(&catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_NETWORK);
    assert_null(strstr(catch.result.error.message, "secret"));
    assert_null(strstr(catch.result.error.message, "hidden"));
    assert_null(strstr(catch.result.error.detail, "secret"));
}

static void test_bad_addresses(void **state)
{
    (void)state;
    static const char *const addresses[] = {"ftp://127.0.0.1/", "file:///etc/passwd",
                                            "http://",          "not a url",
                                            "http://[::1",      ""};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct catch catch;
        catch_init(&catch);
        struct fetch_request request = request_to(addresses[i], &catch);
        fetch_forget(fetch_start(client, &request));
        await_done(&catch);
        assert_false(catch.result.ok);
        assert_int_equal(catch.result.error.code, ERR_NETWORK);
    }
}

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

static void test_streaming_and_stop(void **state)
{
    (void)state;
    struct catch catch;
    atomic_store(&release, true);
    struct fetch_request request = request_to("", &catch);
    request.on_data = on_data;
    run("/drip", &request, &catch);
    assert_true(catch.result.ok);
    assert_string_equal(buf_get(&catch.data), "abcdef");
    assert_string_equal(catch.body, "");
    buf_release(&catch.data);

    char url[128];
    url_of(url, "/endless");
    catch_init(&catch);
    catch.stop_at = 2;
    request = request_to(url, &catch);
    request.on_data = on_data;
    fetch_forget(fetch_start(client, &request));
    await_done(&catch);
    assert_true(catch.result.ok);
    assert_true(catch.result.stopped);
    assert_int_equal(catch.pieces, 2);
    buf_release(&catch.data);
}

static void test_error_body_while_streaming(void **state)
{
    (void)state;
    struct catch catch;
    struct fetch_request request = request_to("", &catch);
    request.on_data = on_data;
    run("/busy", &request, &catch);
    assert_int_equal(catch.result.status, 429);
    assert_string_equal(catch.body, "{\"error\":\"slow down\"}");
    assert_int_equal(catch.pieces, 0);
}

static void test_too_large(void **state)
{
    (void)state;
    struct catch catch;
    struct fetch_request request = request_to("", &catch);
    request.max_bytes = 10000;
    run("/endless", &request, &catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_RESULT_TOO_LARGE);
    request.on_data = on_data;
    run("/endless", &request, &catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_RESULT_TOO_LARGE);
    assert_true(catch.data.size <= 10000);
    buf_release(&catch.data);
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

static void test_answers_of_all_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int status;
        const char *body;
    } cases[] = {
        {"/once", 200, "once"},         {"/once", 200, "once"},
        {"/old", 200, "until the end"}, {"/empty", 204, ""},
        {"/early", 413, "too much"},    {"/once", 200, "once"},
        {"/none", 404, "no such path"},
    };
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct catch catch;
            run(cases[i].path, NULL, &catch);
            assert_true(catch.result.ok);
            assert_int_equal(catch.result.status, cases[i].status);
            assert_string_equal(catch.body, cases[i].body);
        }
    }
    struct catch catch;
    run("/nonsense", NULL, &catch);
    assert_false(catch.result.ok);
    assert_int_equal(catch.result.error.code, ERR_NETWORK);
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

static int set_up(void **state)
{
    (void)state;
    struct err err;
    client = fetch_new(&(struct fetch_settings){.libcurl_only = libcurl_only}, &err);
    server = tiny_start(handle, NULL);
    (void)snprintf(base, sizeof base, "http://127.0.0.1:%d", server->port);
    return client ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    fetch_free(client);
    tiny_stop(server);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_get),
        cmocka_unit_test(test_post_with_headers_and_body),
        cmocka_unit_test(test_large_body),
        cmocka_unit_test(test_retry_after),
        cmocka_unit_test(test_redirects_are_not_followed),
        cmocka_unit_test(test_broken_answers),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_bad_addresses),
        cmocka_unit_test(test_unknown_host_fails_all_at_once),
        cmocka_unit_test(test_name_is_resolved_and_shared),
        cmocka_unit_test(test_streaming_and_stop),
        cmocka_unit_test(test_error_body_while_streaming),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_idle_and_total_timeouts),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_answers_of_all_kinds),
        cmocka_unit_test(test_a_kept_connection_that_died),
        cmocka_unit_test(test_connect_timeout),
        cmocka_unit_test(test_localhost_by_name),
        cmocka_unit_test(test_connections_are_reused),
        cmocka_unit_test(test_connection_limit),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_free_ends_what_is_in_flight),
        cmocka_unit_test(test_ca_file_must_be_readable),
    };
    int failed = 0;
    for (int way = 0; way < 2; way++) {
        libcurl_only = way == 1;
        failed += cmocka_run_group_tests_name(way ? "libcurl" : "wire", tests, set_up,
                                              tear_down);
    }
    return failed;
}
