/* Steps of a plan, wherever the network cut the reply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/understand/plan_stream.h"
#include "base/buf.h"

static void note(void *context, const char *step)
{
    (void)buf_format(context, "%s|", step);
}

/* What is told of a reply that comes in pieces of this size. */
static void expect(const char *reply, size_t piece, const char *told)
{
    struct buf buf;
    buf_init(&buf, 1 << 16);
    struct plan_stream *stream = plan_stream_new(note, &buf);
    for (size_t at = 0; at < strlen(reply); at += piece) {
        size_t rest = strlen(reply) - at;
        plan_stream_feed(stream, reply + at, rest < piece ? rest : piece);
    }
    assert_string_equal(buf_get(&buf), told);
    plan_stream_free(stream);
    buf_release(&buf);
}

static void steps_wherever_the_reply_is_cut(void **unused)
{
    (void)unused;
    static const struct {
        const char *reply;
        const char *told;
    } list[] = {
        {"{\"steps\": [\"1. Read.\", \"2. Count.\"]}", "1. Read.|2. Count.|"},
        {"{\"intent\": \"TEXT_TO_SQL\", \"tables\": [{\"name\": \"plan\"}], \"plan\": "
         "[\"a\", \"b\"], \"sql\": \"SELECT [1]\"}",
         "a|b|"},
        {"Here \"it\" is:\n```json\n{\"steps\": [{\"step\": \"a\", \"why\": \"no\"}, "
         "{\"step\": \"b\"}]}\n```",
         "a|b|"},
        {"{\"steps\": [\"say \\\"hello\\\" \\u00e4 \\\\\", \"\", \"next\"]}",
         "say \"hello\" \xc3\xa4 \\|next|"},
        {"{\"plan\": \"not a list\", \"x\": [\"y\"]}", ""},
        {"{\"plan\": {\"a\": \"b\"}}", ""},
        {"{\"other\": {\"steps\": [\"deeper\"]}}", ""},
        {"{\"steps\": [[\"deeper\"]], \"plan\": []}", ""},
        {"steps:\n  - \"yaml\"\n", ""},
        {"]]}}{\"steps\": [\"a\"", "a|"},
        {"{\"steps\": [\"\\q bad\", \"b\"]}", "b|"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        for (size_t piece = 1; piece < 40; piece += 3) {
            expect(list[i].reply, piece, list[i].told);
        }
    }
}

static void a_reply_that_begins_anew(void **unused)
{
    (void)unused;
    static const char first[] = "{\"steps\": [\"a\", \"b";
    static const char again[] = "{\"steps\": [\"a\", \"b\", \"c\"]}";
    struct buf buf;
    buf_init(&buf, 1 << 16);
    struct plan_stream *stream = plan_stream_new(note, &buf);
    plan_stream_feed(stream, first, strlen(first));
    assert_string_equal(buf_get(&buf), "a|");
    plan_stream_feed(stream, NULL, 0);
    plan_stream_feed(stream, again, strlen(again));
    assert_string_equal(buf_get(&buf), "a|b|c|");
    assert_int_equal(plan_stream_told(stream), 3);
    plan_stream_free(stream);
    plan_stream_free(NULL);
    buf_release(&buf);
}

static void a_step_that_is_too_long(void **unused)
{
    (void)unused;
    struct buf buf;
    struct buf reply;
    buf_init(&buf, 1 << 16);
    buf_init(&reply, 1 << 16);
    (void)buf_text(&reply, "{\"steps\": [\"a\", \"");
    for (int i = 0; i < 5000; i++) {
        (void)buf_char(&reply, 'x');
    }
    (void)buf_text(&reply, "\", \"c\"]}");
    struct plan_stream *stream = plan_stream_new(note, &buf);
    plan_stream_feed(stream, reply.data, reply.size);
    /* What follows it waits for the end as well: the order stays. */
    assert_string_equal(buf_get(&buf), "a|");
    assert_int_equal(plan_stream_told(stream), 1);
    plan_stream_free(stream);
    buf_release(&buf);
    buf_release(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_wherever_the_reply_is_cut),
        cmocka_unit_test(a_reply_that_begins_anew),
        cmocka_unit_test(a_step_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
