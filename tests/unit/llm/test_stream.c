/* Streams cut at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "llm/stream.h"

struct events {
    struct buf text; /* each event, then "|" */
    int count;
    int stop_at;
};

static bool take(void *context, const char *data, size_t size)
{
    struct events *events = context;
    (void)buf_add(&events->text, data, size);
    (void)buf_char(&events->text, '|');
    events->count++;
    return events->count != events->stop_at;
}

/* Feeds the text in two pieces, cut at `cut`, or byte by byte when cut is SIZE_MAX. */
static bool feed(struct events *events, enum llm_framing framing, const char *text,
                 size_t cut)
{
    struct stream stream;
    struct stream_receiver receiver = {.receive = take, .context = events};
    size_t size = strlen(text);
    bool ok = true;
    stream_init(&stream, framing, 1 << 16);
    buf_init(&events->text, 1 << 16);
    if (cut == SIZE_MAX) {
        for (size_t i = 0; ok && i < size; i++) {
            ok = stream_feed(&stream, text + i, 1, &receiver);
        }
    } else {
        ok = stream_feed(&stream, text, cut, &receiver) &&
             stream_feed(&stream, text + cut, size - cut, &receiver);
    }
    ok = ok && stream_end(&stream, &receiver);
    if (stream.whole) {
        (void)buf_text(&events->text, "whole:");
        (void)buf_add(&events->text, buf_get(&stream.line), stream.line.size);
    }
    stream_release(&stream);
    return ok;
}

static void check(enum llm_framing framing, const char *text, const char *expected)
{
    for (size_t cut = 0; cut <= strlen(text) + 1; cut++) {
        struct events events = {0};
        assert_true(feed(&events, framing, text, cut > strlen(text) ? SIZE_MAX : cut));
        assert_string_equal(buf_get(&events.text), expected);
        buf_release(&events.text);
    }
}

static void test_sse(void **state)
{
    (void)state;
    check(LLM_FRAMING_SSE, "data: one\n\ndata: two\n\n", "one|two|");
    check(LLM_FRAMING_SSE, "data: one\r\n\r\ndata: two\r\n\r\n", "one|two|");
    check(LLM_FRAMING_SSE, "data: one\r\rdata: two\r\r", "one|two|");
    check(LLM_FRAMING_SSE, "data:one\n\ndata:  two\n\n", "one| two|");
    check(LLM_FRAMING_SSE, ": ping\n\nevent: x\nid: 7\nretry: 1\ndata: one\n\n: bye\n\n",
          "one|");
    check(LLM_FRAMING_SSE, "data: a\ndata: b\n\n", "a\nb|");
    check(LLM_FRAMING_SSE, "data\n\n", "|");
    check(LLM_FRAMING_SSE, "data: one\n\n\n\n\ndata: two\n\n", "one|two|");
    check(LLM_FRAMING_SSE, "data: one\n\ndata: [DONE]",
          "one|[DONE]|"); /* no last newline */
    check(LLM_FRAMING_SSE, "data: one\n", "one|");
    check(LLM_FRAMING_SSE, "database: no\ndata: yes\n\n", "yes|");
    check(LLM_FRAMING_SSE,
          "\xEF\xBB\xBF"
          "data: one\n\n",
          "one|");
    check(LLM_FRAMING_SSE, "", "");
    check(LLM_FRAMING_SSE, "\n\n\n", "");
}

static void test_lines(void **state)
{
    (void)state;
    check(LLM_FRAMING_LINES, "{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}|{\"b\":2}|");
    check(LLM_FRAMING_LINES, "{\"a\":1}\r\n\r\n{\"b\":2}", "{\"a\":1}|{\"b\":2}|");
}

static void test_a_service_that_does_not_stream(void **state)
{
    (void)state;
    check(LLM_FRAMING_SSE, "\n{\n \"a\": 1\n\n}\n", "whole:{\n \"a\": 1\n\n}\n");
}

static void test_stop(void **state)
{
    (void)state;
    struct events events = {.stop_at = 1};
    assert_false(feed(&events, LLM_FRAMING_SSE, "data: one\n\ndata: two\n\n", 0));
    assert_string_equal(buf_get(&events.text), "one|");
    buf_release(&events.text);
}

static void test_a_line_without_end_is_bounded(void **state)
{
    (void)state;
    struct stream stream;
    struct events events = {0};
    struct stream_receiver receiver = {.receive = take, .context = &events};
    buf_init(&events.text, 100);
    for (int framing = LLM_FRAMING_SSE; framing <= LLM_FRAMING_LINES; framing++) {
        stream_init(&stream, (enum llm_framing)framing, 1000);
        bool ok = true;
        int fed = 0;
        while (ok && fed < 5000) {
            ok = stream_feed(&stream, "data: xxxxx", 11, &receiver);
            fed++;
        }
        assert_false(ok);
        assert_true(fed < 100);
        stream_release(&stream);
    }
    /* many data lines that never make an event */
    stream_init(&stream, LLM_FRAMING_SSE, 1000);
    bool ok = true;
    int fed = 0;
    while (ok && fed < 5000) {
        ok = stream_feed(&stream, "data: xxxxx\n", 12, &receiver);
        fed++;
    }
    assert_false(ok);
    stream_release(&stream);
    buf_release(&events.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sse),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_a_service_that_does_not_stream),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_a_line_without_end_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
