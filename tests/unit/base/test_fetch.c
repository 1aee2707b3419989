/* The HTTP client: what one request may come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../support/fetch_scene.h"

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
        cmocka_unit_test(test_streaming_and_stop),
        cmocka_unit_test(test_error_body_while_streaming),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_answers_of_all_kinds),
    };
    RUN_BOTH_WAYS(tests);
}
