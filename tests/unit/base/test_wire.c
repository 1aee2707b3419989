/* HTTP responses cut at every byte, addresses, and what is not HTTP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fetch/fetch.h"
#include "base/wire.h"
#include "base/wire_parser.h"

struct heard {
    struct buf body;
    size_t stop_at;
};

static bool take(void *context, const char *data, size_t size)
{
    struct heard *heard = context;
    (void)buf_add(&heard->body, data, size);
    return !heard->stop_at || heard->body.size < heard->stop_at;
}

/* Feeds text in two pieces, each in memory of its own size. */
static enum wire_step feed(struct wire_parser *parser, struct heard *heard,
                           const char *text, size_t cut, size_t *used)
{
    enum wire_step step = WIRE_MORE;
    size_t total = strlen(text);
    size_t from[] = {0, cut};
    size_t to[] = {cut, total};
    *used = 0;
    for (int i = 0; i < 2 && step == WIRE_MORE; i++) {
        size_t size = to[i] - from[i];
        char *tight = malloc(size ? size : 1);
        memcpy(tight, text + from[i], size);
        size_t part = 0;
        step = wire_parser_feed(parser, tight, size, &part, take, heard);
        *used += part;
        free(tight);
    }
    return step;
}

struct response {
    const char *text;
    enum wire_step step;  /* at the end of the text */
    enum wire_step close; /* when the connection ends then */
    int status;
    const char *body;
    bool keep_alive;
};

static const struct response responses[] = {
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", WIRE_DONE, WIRE_BAD, 200,
     "hello", true},
    {"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", WIRE_DONE, WIRE_BAD, 200, "hello",
     true},
    {"HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", WIRE_DONE, WIRE_BAD, 200, "", true},
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", WIRE_DONE,
     WIRE_BAD, 200, "hello", false},
    {"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", WIRE_DONE, WIRE_BAD, 200,
     "hello", false},
    {"HTTP/1.1 200 OK\r\n\r\nuntil close", WIRE_MORE, WIRE_DONE, 200, "until close",
     false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=1\r\n "
     "worldwide"
     "\r\n0\r\n\r\n",
     WIRE_DONE, WIRE_BAD, 200, "hello worldwide", true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\nx\r\n0\r\nTrailer: "
     "y\r\n\r\n",
     WIRE_DONE, WIRE_BAD, 200, "x", true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: "
     "3\r\n\r\n1\r\nx\r\n0\r\n\r\n",
     WIRE_DONE, WIRE_BAD, 200, "x", false}, /* two framings: do not trust what follows */
    {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx",
     WIRE_DONE, WIRE_BAD, 201, "x", true},
    {"HTTP/1.1 204 No Content\r\n\r\n", WIRE_DONE, WIRE_BAD, 204, "", true},
    {"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", WIRE_DONE, WIRE_BAD, 304,
     "", true},
    {"HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 1\r\n\r\nx", WIRE_DONE, WIRE_BAD,
     200, "x", true},
    {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nxy", WIRE_DONE,
     WIRE_BAD, 200, "xy", true},
    {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nonly", WIRE_MORE, WIRE_BAD, 200,
     "only", true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", WIRE_MORE, WIRE_BAD,
     200, "hel", true},
};

static void test_responses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
        const struct response *response = &responses[i];
        for (size_t cut = 0; cut <= strlen(response->text); cut++) {
            struct wire_parser parser;
            struct heard heard = {0};
            size_t used;
            buf_init(&heard.body, 1000);
            wire_parser_init(&parser);
            assert_int_equal(feed(&parser, &heard, response->text, cut, &used),
                             response->step);
            assert_int_equal(wire_parser_close(&parser), response->close);
            assert_int_equal(used, strlen(response->text));
            assert_int_equal(parser.status, response->status);
            assert_int_equal(parser.keep_alive, response->keep_alive);
            assert_string_equal(buf_get(&heard.body), response->body);
            buf_release(&heard.body);
            wire_parser_release(&parser);
        }
    }
}

static void test_not_responses(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SSH-2.0-OpenSSH\r\n",
        "\r\n\r\n",
        "HTTP/2 200\r\n",
        "HTTP/1.1\r\n",
        "HTTP/1.1 2x0 OK\r\n",
        "HTTP/1.1 099 Low\r\n",
        "HTTP/1.1 20000\r\n",
        "HTTP/1.2 200 OK\r\n",
        "http/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t cut = 0; cut <= strlen(texts[i]); cut++) {
            struct wire_parser parser;
            struct heard heard = {0};
            size_t used;
            buf_init(&heard.body, 1000);
            wire_parser_init(&parser);
            if (feed(&parser, &heard, texts[i], cut, &used) != WIRE_BAD) {
                fail_msg("taken for a response: %s", texts[i]);
            }
            buf_release(&heard.body);
            wire_parser_release(&parser);
        }
    }
}

static void test_what_follows_is_not_taken(void **state)
{
    (void)state;
    struct wire_parser parser;
    struct heard heard = {0};
    size_t used = 0;
    const char *text =
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 Surprise";
    buf_init(&heard.body, 1000);
    wire_parser_init(&parser);
    assert_int_equal(wire_parser_feed(&parser, text, strlen(text), &used, take, &heard),
                     WIRE_DONE);
    assert_string_equal(text + used, "HTTP/1.1 500 Surprise");
    buf_release(&heard.body);
    wire_parser_release(&parser);
}

static void test_stop(void **state)
{
    (void)state;
    struct wire_parser parser;
    struct heard heard = {.stop_at = 3};
    size_t used = 0;
    const char *text = "HTTP/1.1 200 OK\r\n\r\nabcdef";
    buf_init(&heard.body, 1000);
    wire_parser_init(&parser);
    assert_int_equal(feed(&parser, &heard, text, strlen(text), &used), WIRE_STOPPED);
    buf_release(&heard.body);
    wire_parser_release(&parser);
}

static void test_heads_are_bounded(void **state)
{
    (void)state;
    static const char *const units[] = {"X: y\r\n", "x", "HTTP/1.1 100 Continue\r\n\r\n",
                                        "Trailer: x\r\n"};
    static const char *const starts[] = {
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n", "",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct wire_parser parser;
        struct heard heard = {0};
        size_t used;
        enum wire_step step = WIRE_MORE;
        int fed = 0;
        wire_parser_init(&parser);
        (void)wire_parser_feed(&parser, starts[i], strlen(starts[i]), &used, take,
                               &heard);
        while (step == WIRE_MORE && fed < 200000) {
            step = wire_parser_feed(&parser, units[i], strlen(units[i]), &used, take,
                                    &heard);
            fed++;
        }
        assert_int_equal(step, WIRE_BAD);
        wire_parser_release(&parser);
    }
}

static void test_retry_after(void **state)
{
    (void)state;
    assert_int_equal(wire_retry_after("7"), 7000);
    assert_int_equal(wire_retry_after("0"), 0);
    assert_int_equal(wire_retry_after("0.5"), 500);
    assert_int_equal(wire_retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), 0);
    assert_int_equal(wire_retry_after("soon"), -1);
    assert_int_equal(wire_retry_after(""), -1);
    assert_int_equal(wire_retry_after("-5"), -1);
    assert_int_equal(wire_retry_after("nan"), -1);
    assert_int_equal(wire_retry_after("1e300"), -1);
    struct wire_parser parser;
    struct heard heard = {0};
    size_t used;
    const char *text = "HTTP/1.1 429 Slow\r\nretry-after: 9\r\nRetry-After-Ms: 1500\r\n"
                       "Content-Length: 0\r\n\r\n";
    wire_parser_init(&parser);
    assert_int_equal(feed(&parser, &heard, text, 30, &used), WIRE_DONE);
    assert_int_equal(parser.retry_after_ms, 1500);
    wire_parser_release(&parser);
}

static void test_which_addresses(void **state)
{
    (void)state;
    static const char *const can[] = {
        "http://127.0.0.1",   "http://127.0.0.1:8080/v1?x=1", "HTTP://LocalHost:1/",
        "http://[::1]:8080/", "http://192.168.1.7/#x",        "http://localhost?q"};
    static const char *const cannot[] = {"https://127.0.0.1/",
                                         "http://example.com/",
                                         "http://user@127.0.0.1/",
                                         "http://127.0.0.1:0/",
                                         "http://127.0.0.1:99999/",
                                         "http://127.0.0.1:x/",
                                         "http://127.0.0.1:/",
                                         "http://127.1/",
                                         "http:///path",
                                         "http://[::1",
                                         "http://[::1]x/",
                                         "http://127.0.0.1/a b",
                                         "http://127.0.0.1/\r\nX: y",
                                         "http://127.0.0.1/ü",
                                         "127.0.0.1",
                                         "",
                                         "http://localhost.example/"};
    for (size_t i = 0; i < sizeof can / sizeof *can; i++) {
        if (!wire_can(can[i])) {
            fail_msg("refused: %s", can[i]);
        }
    }
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++) {
        if (wire_can(cannot[i])) {
            fail_msg("taken: %s", cannot[i]);
        }
    }
}

static void test_heads(void **state)
{
    (void)state;
    static const char *const headers[] = {"X-One: 1", "X-Two: 2\r\nEvil: 3", NULL};
    struct fetch_request request = {.method = "POST",
                                    .url = "http://127.0.0.1:8080/v1/chat?x=1#frag",
                                    .headers = headers,
                                    .body = "hello",
                                    .body_size = 5};
    struct buf head;
    buf_init(&head, 1000);
    wire_head(&request, &head);
    assert_string_equal(buf_get(&head),
                        "POST /v1/chat?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"
                        "User-Agent: dragoman\r\nAccept: */*\r\nX-One: 1\r\n"
                        "Content-Length: 5\r\n\r\n");
    buf_clear(&head);
    request = (struct fetch_request){.method = "GET", .url = "http://localhost?q"};
    wire_head(&request, &head);
    assert_string_equal(buf_get(&head), "GET /?q HTTP/1.1\r\nHost: localhost\r\n"
                                        "User-Agent: dragoman\r\nAccept: */*\r\n\r\n");
    buf_release(&head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_responses),
        cmocka_unit_test(test_not_responses),
        cmocka_unit_test(test_what_follows_is_not_taken),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_heads_are_bounded),
        cmocka_unit_test(test_retry_after),
        cmocka_unit_test(test_which_addresses),
        cmocka_unit_test(test_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
