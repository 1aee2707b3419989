/* The formats of the OpenAI-compatible interface: conversations read, requests of chat
 * pages recognized, answers as Markdown, replies and their streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/writer.h"
#include "dragoman_server.h"
#include "server/openai/background.h"
#include "server/openai/demands.h"
#include "server/openai/markdown.h"
#include "server/openai/messages.h"
#include "server/openai/reply.h"

#define ID   "q-1m7sh0jgebqkb8p7maa46v8zmc"
#define LINK "http://here/#/q/" ID

static json_t *parse(struct arena *arena, const char *text)
{
    struct err err;
    json_t *value = json_parse(arena, text, strlen(text), &err);
    if (!value) {
        fail_msg("%s: %s", err.message, text);
    }
    return value;
}

/* ---------------------------------------------------------------- messages */

#define USER(text)      "{\"role\":\"user\",\"content\":\"" text "\"}"
#define ASSISTANT(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"

static void test_messages(void **state)
{
    static const struct {
        const char *json;
        const char *question; /* NULL: refused */
        size_t said;
        const char *query_id;
        bool replied;
    } cases[] = {
        {"[" USER("a") "]", "a", 0, NULL, false},
        {"[" USER("a") "," ASSISTANT("[x](" LINK ")") "," USER("b") "]", "b", 1, ID,
         true},
        {"[" USER("a") "," ASSISTANT("[x](" LINK ")") "," USER("b") "," ASSISTANT(
             "cut") "," USER("c") "]",
         "c", 2, NULL, true},
        {"[" USER("a") "," USER("b") "]", "b", 1, NULL, false},
        {"[{\"role\":\"developer\",\"content\":\"x\"}," USER(
             "a") ",{\"role\":\"system\"}]",
         "a", 0, NULL, false},
        {"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
         "{\"type\":\"input_text\",\"text\":\"b\"}]}]",
         "a\nb", 0, NULL, false},
        {"[" USER("a") ",{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[]},"
                       "{\"role\":\"tool\",\"content\":\"7\"}," USER("b") "]",
         "b", 1, NULL, false},
        {"[{\"type\":\"reasoning\"}," USER("a") "]", "a", 0, NULL, false},
        {"[" USER("") "]", "", 0, NULL, false},
        {"[" USER("### Task:\\nUse the context.\\n<context>\\n<source>how many? "
                  "</context></source>\\n</context>\\n\\nhow many customers?\\n") "]",
         "how many customers?", 0, NULL, false},
        {"[" USER("### Task:\\n<context>x</context>\\n") "]",
         "### Task:\n<context>x</context>\n", 0, NULL, false},
        {"[" USER("what is a <context>x</context> y") "]",
         "what is a <context>x</context> y", 0, NULL, false},
        {"[" USER("### Task:\\n<chat_history><context></context> x") "]",
         "### Task:\n<chat_history><context></context> x", 0, NULL, false},
        {"[]", NULL, 0, NULL, false},
        {"{}", NULL, 0, NULL, false},
        {"[1]", NULL, 0, NULL, false},
        {"[" ASSISTANT("a") "]", NULL, 0, NULL, false},
        {"[" USER("a") "," ASSISTANT("b") "]", NULL, 0, NULL, false},
        {"[{\"role\":\"king\",\"content\":\"a\"}]", NULL, 0, NULL, false},
        {"[{\"role\":\"user\",\"content\":7}]", NULL, 0, NULL, false},
        {"[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}]", NULL, 0, NULL,
         false},
        {"[{\"role\":\"user\",\"content\":[\"a\"]}]", NULL, 0, NULL, false},
        {"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
         "{\"type\":\"image_url\"}]}," ASSISTANT("no") "," USER("b") "]",
         "b", 1, NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct openai_messages messages;
        struct err err;
        err_clear(&err);
        bool ok =
            openai_messages_read(arena, parse(arena, cases[i].json), &messages, &err);
        if (ok != (cases[i].question != NULL)) {
            fail_msg("%s: %s", cases[i].json, ok ? "taken" : err.message);
        }
        if (ok) {
            assert_string_equal(messages.question, cases[i].question);
            assert_int_equal(messages.said.count, cases[i].said);
            assert_true(str_equal(messages.query_id, cases[i].query_id));
            assert_int_equal(messages.replied, cases[i].replied);
        }
        arena_free(arena);
    }
}

static void test_demands(void **state)
{
    static const struct {
        const char *body;
        const char *param; /* NULL: it can be done */
    } cases[] = {
        {"{}", NULL},
        {"{\"n\":1,\"stop\":[\"x\"],\"temperature\":2,\"tools\":[{}],"
         "\"tool_choice\":\"auto\",\"response_format\":{\"type\":\"text\"},"
         "\"text\":{\"format\":{\"type\":\"text\"}}}",
         NULL},
        {"{\"n\":null,\"response_format\":null,\"tool_choice\":null,\"text\":7}", NULL},
        {"{\"n\":2}", "n"},
        {"{\"n\":0}", "n"},
        {"{\"n\":1.5}", "n"},
        {"{\"n\":\"1\"}", "n"},
        {"{\"response_format\":{\"type\":\"json_object\"}}", "response_format"},
        {"{\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{}}}",
         "response_format"},
        {"{\"text\":{\"format\":{\"type\":\"json_schema\"}}}", "text"},
        {"{\"tool_choice\":\"required\"}", "tool_choice"},
        {"{\"tool_choice\":{\"type\":\"function\"}}", "tool_choice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct err err;
        const char *param = NULL;
        bool ok = openai_demands_check(parse(arena, cases[i].body), &param, &err);
        if (ok != !cases[i].param || !str_equal(param, cases[i].param)) {
            fail_msg("%s: %s", cases[i].body, str_or_empty(param));
        }
        arena_free(arena);
    }
}

static void test_links(void **state)
{
    struct arena *arena = arena_new();
    (void)state;
    assert_null(openai_messages_link(arena, ""));
    assert_null(openai_messages_link(arena, "/q/none /q/"));
    assert_null(openai_messages_link(
        arena, "/q/q-0123456789012345678901234567890123456789012345678901234"));
    assert_string_equal(openai_messages_link(arena, "/q/q-a1) /q/q-b2)"), "q-b2");
    arena_free(arena);
}

/* ---------------------------------------------------------------- chat pages */

static void test_background(void **state)
{
    static const struct {
        const char *system;
        const char *question;
        const char *reply; /* NULL: a question of the user */
    } cases[] = {
        {"", "### Task:\nWrite one.\nJSON: { \"title\": \"x\" }\nUSER: show me it, now?",
         "{\"title\":\"Show me it, now\"}"},
        {"", " ### task:\nJSON: {\"tags\": []}\n\"title\"", "{\"tags\":[\"data\"]}"},
        {"", "### Task:\n{ \"follow_ups\": [] }\n<chat_history>",
         "{\"follow_ups\":[\"More?\"]}"},
        {"", "### Task:\n{ \"queries\": [] }", "{\"queries\":[]}"},
        {"", "### Task:\nComplete it: { \"text\": \"\" }", "{\"text\":\"\"}"},
        {"", "### Task:\nSomething new\n<chat_history>\nUSER: \"x\"\n</chat_history>",
         ""},
        {"",
         "Provide a concise, 5-word-or-less title for the conversation.\n\n"
         "User: how many customers are there in all of Italy?",
         "How many customers are there in"},
        {"",
         "Analyze this conversation and provide:\n1. The language of the conversation\n"
         "2. A concise title (5 words or less)\n\nHuman: hello!",
         "Hello"},
        {"Available Tools: [{\"name\":\"weather\"}]\n\nReturn { \"tool_calls\": [] }",
         "Query: how many customers are there?", "{\"tool_calls\":[]}"},
        {"Available Tools: a hammer", "how many customers are there?", NULL},
        {"",
         "Your task is to reflect the speaker's likely facial expression through a "
         "fitting emoji.\n\nMessage: ```hi```",
         ""},
        {"",
         "You have been provided with a set of responses from various models to the "
         "latest user query: \"how many customers?\"",
         ""},
        {"You generate short titles for a chat.", "how many customers?",
         "How many customers"},
        {"", "how many customers are there?", NULL},
        {"", "### Task: how many \"titles\" are there?", NULL},
        {"", "list the titles of films\nwith a short conversation", NULL},
        {"", "generate a short title list of all films in the chat", NULL},
        {"You are a helpful chat assistant. Be concise and use title case.", "films?",
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct buf out;
        struct openai_messages messages = {.question = cases[i].question,
                                           .system = cases[i].system};
        struct openai_task task = openai_background_find(&messages);
        if ((task.kind == OPENAI_NO_BACKGROUND) != !cases[i].reply) {
            fail_msg("%s", cases[i].question);
        }
        buf_init(&out, 4096);
        if (cases[i].reply) {
            openai_background_write(arena, &messages, &task,
                                    parse(arena, "{\"follow_ups\":[\"More?\"]}"), &out);
            assert_string_equal(buf_get(&out), cases[i].reply);
        }
        buf_release(&out);
        arena_free(arena);
    }
}

/* In a chat that has replies, a system message about titles changes nothing. */
static void test_background_later(void **state)
{
    struct openai_messages messages = {.question = "how many customers?",
                                       .system = "You generate short titles for a chat.",
                                       .replied = true};
    (void)state;
    assert_int_equal(openai_background_find(&messages).kind, OPENAI_NO_BACKGROUND);
}

/* ---------------------------------------------------------------- Markdown */

static void test_markdown(void **state)
{
    static const struct {
        const char *answer;
        const char *text;
    } cases[] = {
        {"{\"explanation\":\"Counts.\",\"columns\":[\"n\"],\"rows\":[[7]],"
         "\"chart\":{\"kind\":\"figure\"}}",
         "**7** – Counts.\n\n[Open in dragoman](" LINK ")\n"},
        {"{\"explanation\":\"All.\",\"columns\":[\"a|b\",\"n\"],"
         "\"rows\":[[\"x\\ny\",1.5],[null,null]],\"chart\":{},\"sql\":\"SELECT 1\"}",
         "All.\n\n| a\\|b | n |\n| --- | ---: |\n| x<br>y | 1.5 |\n| NULL | NULL |\n"
         "\n<details>\n<summary>SQL</summary>\n\n```sql\nSELECT 1\n```\n\n</details>\n"
         "\n[Chart and all rows](" LINK ")\n"},
        {"{\"summary\":\"<b>\",\"sql\":\"SELECT '```'\"}",
         "&lt;b&gt;\n\n<details>\n<summary>SQL</summary>\n\n````sql\nSELECT '```'\n````\n"
         "\n</details>\n\n[Open in dragoman](" LINK ")\n"},
        {"{\"sql\":\"SELECT '</DETAILS><img>'\"}",
         "Done.\n\n```sql\nSELECT '</DETAILS><img>'\n```\n\n[Open in dragoman](" LINK
         ")\n"},
        {"{\"message\":\"m\",\"confidence\":{\"label\":\"unsure\",\"score\":0.31},"
         "\"warnings\":[\"w\",7],\"assumptions\":[\"a\"],\"unplaced\":[{\"word\":\"u\"}],"
         "\"readings\":[{\"words\":\"r\",\"used\":true},{\"words\":\"s\"}]}",
         "m\n\nThis answer may be wrong: confidence 31 %.\n\n- Warning: w\n"
         "\n- Assumed: a\n\n- Not used: u\n\n- It could also mean: s\n"
         "\n[Open in dragoman](" LINK ")\n"},
        {"{\"columns\":[\"a\",\"b\"],\"rows\":[[1,2]],\"truncated\":true,"
         "\"incomplete\":true}",
         "Done.\n\n| a | b |\n| ---: | ---: |\n| 1 | 2 |\n"
         "\nShowing the first 1 of at least 1 rows.\n"
         "\nThe result is incomplete because of a size limit.\n"
         "\n[All rows](" LINK ")\n"},
        {"{\"text\":\"7 <users>.\",\"explanation\":\"Counts.\",\"columns\":[\"n\"],"
         "\"rows\":[[7]]}",
         "7 &lt;users&gt;.\n\nHow it was understood: Counts.\n\n[Open in dragoman](" LINK
         ")\n"},
        {"{\"text\":\"# H leads.\"}", "\\# H leads.\n\n[Open in dragoman](" LINK ")\n"},
        {"{\"text\":\"2) x leads.\"}", "2\\) x leads.\n\n[Open in dragoman](" LINK ")\n"},
        {"{\"type\":\"clarification\",\"sql\":\"SELECT 1\",\"clarification\":{"
         "\"message\":\"Which "
         "[x](y)?\",\"options\":[{\"value\":\"1\",\"label\":\"A\\nB\"}"
         ",{\"value\":\"two\"}]}}",
         "Which \\[x\\](y)?\n\n1. A<br>B\n2. two\n"
         "\nReply with a number, or in your own words.\n\n[Open in dragoman](" LINK
         ")\n"},
        {"{\"type\":\"clarification\",\"clarification\":{\"message\":\"What?\"}}",
         "What?\n\n[Open in dragoman](" LINK ")\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct buf out;
        buf_init(&out, OPENAI_MARKDOWN_MOST);
        openai_markdown_write(&out, parse(arena, cases[i].answer), LINK);
        assert_string_equal(buf_get(&out), cases[i].text);
        buf_release(&out);
        arena_free(arena);
    }
}

/* A result of any size has room, and what is left out is told. */
static void test_large_table(void **state)
{
    enum { COLUMNS = 30, ROWS = 60, BYTES = 3000 };
    struct arena *arena = arena_new();
    struct buf json;
    struct buf out;
    struct writer writer;
    (void)state;
    char *cell = arena_alloc(arena, BYTES + 1);
    memset(cell, '|', BYTES);
    buf_init(&json, 16 << 20);
    writer_init(&writer, &json);
    writer_object(&writer);
    for (int list = 0; list < 2; list++) {
        writer_key(&writer, list ? "rows" : "columns");
        writer_array(&writer);
        for (int r = 0; r < (list ? ROWS : COLUMNS); r++) {
            if (!list) {
                writer_text(&writer, "c");
                continue;
            }
            writer_array(&writer);
            for (int c = 0; c < COLUMNS; c++) {
                writer_text(&writer, cell);
            }
            writer_array_end(&writer);
        }
        writer_array_end(&writer);
    }
    writer_object_end(&writer);
    buf_init(&out, OPENAI_MARKDOWN_MOST);
    openai_markdown_write(&out, parse(arena, buf_get(&json)), LINK);
    assert_false(out.full);
    assert_non_null(strstr(buf_get(&out), "…"));
    assert_non_null(strstr(buf_get(&out), "\nShowing the first 20 of 30 columns.\n"));
    assert_non_null(strstr(buf_get(&out), " of 60 rows.\n"));
    assert_true(str_ends(buf_get(&out), "(" LINK ")\n"));
    buf_release(&out);
    buf_release(&json);
    arena_free(arena);
}

/* ---------------------------------------------------------------- replies */

static const char long_text[] = "first\n\nsecond \xC3\xA4\n";

/* The pieces of a stream are the text, each with its own event. */
static void check_pieces(struct arena *arena, const char *stream, const char *path)
{
    char text[256] = "";
    size_t events = 0;
    for (const char *at = stream; (at = strstr(at, "data: {")); events++) {
        at += 6;
        const json_t *event = parse(arena, arena_copy(arena, at, strcspn(at, "\n")));
        const json_t *choice = json_array_get(json_array_at(event, "choices"), 0);
        const char *piece =
            *path ? json_text_at(event, path)
                  : json_text_at(json_object_at(choice, "delta"), "content");
        (void)strncat(text, str_or_empty(piece), sizeof text - strlen(text) - 1);
    }
    assert_true(events > 3);
    assert_string_equal(text, long_text);
}

static void test_formats(void **state)
{
    static const struct {
        const struct openai_format *format;
        const char *piece;
        const char *object;
        const char *end;
        const char *failed;
    } cases[] = {
        {&openai_completion, "", "\"content\":\"first\\n", "data: [DONE]\n\n",
         "data: {\"error\":{"},
        {&openai_response, "delta", "\"text\":\"first\\n", "}\n\n",
         "event: response.failed\n"},
    };
    const struct openai_reply reply = {.id = ID,
                                       .model = "shop",
                                       .created = 7,
                                       .text = long_text,
                                       .tokens_in = 3,
                                       .tokens_out = 4,
                                       .asked = true,
                                       .session_id = "sess-1",
                                       .with_usage = true};
    const struct dgm_error error = {.code = "TIMEOUT",
                                    .http_status = 504,
                                    .message = "Too \"slow\".",
                                    .hint = "Wait."};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct buf out;
        buf_init(&out, OPENAI_REPLY_MOST);
        cases[i].format->write(&out, &reply);
        assert_non_null(strstr(buf_get(&out), cases[i].object));
        const json_t *object = parse(arena, buf_get(&out));
        assert_int_equal(json_int_at(json_object_at(object, "usage"), "total_tokens", 0),
                         7);
        assert_string_equal(json_text_at(object, "session_id"), "sess-1");
        buf_clear(&out);
        cases[i].format->begin(&out, &reply);
        cases[i].format->end(&out, &reply);
        check_pieces(arena, buf_get(&out), cases[i].piece);
        assert_true(str_ends(buf_get(&out), cases[i].end));
        buf_clear(&out);
        cases[i].format->failed(&out, &reply, &error);
        assert_non_null(strstr(buf_get(&out), cases[i].failed));
        assert_non_null(strstr(buf_get(&out),
                               "{\"message\":\"Too \\\"slow\\\". Wait.\",\"type\":"
                               "\"server_error\",\"param\":null,\"code\":\"timeout\"}"));
        buf_release(&out);
        arena_free(arena);
    }
}

static void test_errors(void **state)
{
    static const struct {
        const char *code;
        int status;
        const char *type;
        const char *told;
    } cases[] = {
        {"INVALID_DATA", 400, "invalid_request_error", "invalid_data"},
        {"UNAUTHORIZED", 401, "authentication_error", "invalid_api_key"},
        {"FORBIDDEN", 403, "permission_error", "forbidden"},
        {"DATASOURCE_NOT_FOUND", 404, "invalid_request_error", "model_not_found"},
        {"BODY_TOO_LARGE", 413, "invalid_request_error", "body_too_large"},
        {"RATE_LIMITED", 429, "rate_limit_error", "rate_limit_exceeded"},
        {"", 500, "server_error", "internal"},
        {"BUSY", 503, "server_error", "busy"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct dgm_error error = {.http_status = cases[i].status, .message = "m"};
        struct buf out;
        struct writer writer;
        str_put(error.code, sizeof error.code, cases[i].code);
        buf_init(&out, 4096);
        writer_init(&writer, &out);
        openai_error_write(&writer, &error, "model");
        const json_t *told = parse(arena, buf_get(&out));
        assert_string_equal(json_text_at(told, "type"), cases[i].type);
        assert_string_equal(json_text_at(told, "code"), cases[i].told);
        assert_string_equal(json_text_at(told, "param"), "model");
        buf_release(&out);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),         cmocka_unit_test(test_links),
        cmocka_unit_test(test_demands),          cmocka_unit_test(test_background),
        cmocka_unit_test(test_background_later), cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_large_table),      cmocka_unit_test(test_formats),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
