/* The three protocols: what we send, and what we make of what comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/provider.h"

static const char strict_schema[] =
    "{\"type\":\"object\",\"properties\":{\"sql\":{\"type\":\"string\"}},"
    "\"required\":[\"sql\"],\"additionalProperties\":false}";
static const char loose_schema[] =
    "{\"type\":\"object\",\"properties\":{\"sql\":{\"type\":\"string\"}}}";

static struct llm_settings settings_for_test(void)
{
    return (struct llm_settings){.url = "",
                                 .safe_url = "https://x",
                                 .key = "k",
                                 .model = "the-model",
                                 .temperature = 0.3,
                                 .context_tokens = 4000,
                                 .reply_tokens = 500,
                                 .stream = true,
                                 .structured = true};
}

/* The request as a service would read it. */
static json_t *request_of(struct arena *arena, const struct llm_provider *provider,
                          const struct llm_settings *settings, const char *schema,
                          unsigned quirks)
{
    struct llm_ask ask = {.stage = "generate sql",
                          .schema = schema,
                          .schema_size = schema ? strlen(schema) : 0,
                          .max_tokens = 123,
                          .quirks = quirks};
    struct llm_call call = {.system = "be \"brief\"\n", .user = "how many ü?\x01\xFF"};
    struct llm_body body = {0};
    struct err err;
    buf_init(&body.json, 1 << 20);
    provider->head(settings, &ask, &body);
    body.texts_at = body.json.size;
    provider->texts(&call, &body.json);
    json_t *json = json_parse(arena, body.json.data, body.json.size, &err);
    assert_non_null(json);
    if (body.schema_size) { /* found again when the body is rebuilt */
        assert_int_equal(body.schema_size, strlen(schema));
        assert_memory_equal(body.json.data + body.schema_at, schema, body.schema_size);
    }
    buf_release(&body.json);
    return json;
}

static void check_messages(const json_t *request)
{
    json_t *messages = json_array_at(request, "messages");
    assert_int_equal(json_array_size(messages), 2);
    assert_string_equal(json_text_at(json_array_get(messages, 0), "role"), "system");
    assert_string_equal(json_text_at(json_array_get(messages, 0), "content"),
                        "be \"brief\"\n");
    assert_string_equal(json_text_at(json_array_get(messages, 1), "content"),
                        "how many ü?\x01\xEF\xBF\xBD");
}

static void test_openai_request(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct llm_settings settings = settings_for_test();
    json_t *json = request_of(arena, &llm_openai, &settings, strict_schema, 0);
    check_messages(json);
    assert_string_equal(json_text_at(json, "model"), "the-model");
    assert_true(json_real_at(json, "temperature", 0) == 0.3);
    assert_int_equal(json_int_at(json, "max_tokens", 0), 123);
    assert_true(json_bool_at(json, "stream", false));
    assert_true(
        json_bool_at(json_object_at(json, "stream_options"), "include_usage", false));
    json_t *format = json_object_at(json, "response_format");
    assert_string_equal(json_text_at(format, "type"), "json_schema");
    format = json_object_at(format, "json_schema");
    assert_string_equal(json_text_at(format, "name"), "generate_sql");
    assert_true(json_bool_at(format, "strict", false));
    assert_string_equal(json_text_at(json_object_at(format, "schema"), "type"), "object");

    json = request_of(arena, &llm_openai, &settings, loose_schema, 0);
    format = json_object_at(json_object_at(json, "response_format"), "json_schema");
    assert_false(json_bool_at(format, "strict", true));

    json = request_of(arena, &llm_openai, &settings, loose_schema,
                      QUIRK_NO_STRUCTURED | QUIRK_NO_STREAM_OPTIONS |
                          QUIRK_NO_TEMPERATURE | QUIRK_COMPLETION_TOKENS);
    assert_null(json_object_get(json, "response_format"));
    assert_null(json_object_get(json, "stream_options"));
    assert_null(json_object_get(json, "temperature"));
    assert_null(json_object_get(json, "max_tokens"));
    assert_int_equal(json_int_at(json, "max_completion_tokens", 0), 123);

    settings.stream = false;
    json = request_of(arena, &llm_openai, &settings, NULL, 0);
    assert_null(json_object_get(json, "stream"));
    assert_null(json_object_get(json, "response_format"));
    arena_free(arena);
}

static void test_anthropic_request(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct llm_settings settings = settings_for_test();
    settings.temperature = 1.7;
    json_t *json = request_of(arena, &llm_anthropic, &settings, loose_schema, 0);
    assert_string_equal(json_text_at(json, "system"), "be \"brief\"\n");
    assert_int_equal(json_array_size(json_array_at(json, "messages")), 1);
    assert_int_equal(json_int_at(json, "max_tokens", 0), 123);
    assert_true(json_real_at(json, "temperature", 0) == 1.0); /* its range ends there */
    json_t *tool = json_array_get(json_array_at(json, "tools"), 0);
    assert_string_equal(json_text_at(tool, "name"), "reply");
    assert_string_equal(json_text_at(json_object_at(tool, "input_schema"), "type"),
                        "object");
    assert_string_equal(json_text_at(json_object_at(json, "tool_choice"), "name"),
                        "reply");
    json = request_of(arena, &llm_anthropic, &settings, NULL, 0);
    assert_null(json_object_get(json, "tools"));
    arena_free(arena);
}

static void test_ollama_request(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct llm_settings settings = settings_for_test();
    json_t *json = request_of(arena, &llm_ollama, &settings, loose_schema, 0);
    check_messages(json);
    assert_true(json_bool_at(json, "stream", false));
    assert_non_null(json_object_at(json, "format"));
    json_t *options = json_object_at(json, "options");
    assert_int_equal(json_int_at(options, "num_predict", 0), 123);
    assert_int_equal(json_int_at(options, "num_ctx", 0), 4123);
    settings.stream = false;
    json = request_of(arena, &llm_ollama, &settings, NULL, 0);
    assert_false(json_bool_at(json, "stream", true)); /* its default is to stream */
    arena_free(arena);
}

static void test_strict_schemas(void **state)
{
    (void)state;
    static const struct {
        const char *schema;
        bool strict;
    } cases[] = {
        {strict_schema, true},
        {strict_schema, true}, /* from memory */
        {loose_schema, false},
        {"{}", false},
        {"not json", false},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\"}},"
         "\"required\":[\"a\"],\"additionalProperties\":false}",
         false},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
         "{\"type\":\"object\",\"properties\":{\"b\":{}},\"required\":[]}}},"
         "\"required\":[\"a\"],\"additionalProperties\":false}",
         false},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
         "\"b\":{\"type\":\"string\"}},\"required\":[\"a\"],"
         "\"additionalProperties\":false}",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(schema_is_strict(cases[i].schema, strlen(cases[i].schema)),
                         cases[i].strict);
    }
}

struct hearing {
    struct llm_said said;
    struct err err;
};

static void hear(struct hearing *hearing)
{
    *hearing = (struct hearing){.said = {.tokens_in = -1, .tokens_out = -1}};
    buf_init(&hearing->said.text, 1000);
    hearing->said.error = &hearing->err;
}

static void hearing_release(struct hearing *hearing)
{
    buf_release(&hearing->said.text);
    memory_free(hearing->said.frame);
}

static bool event(const struct llm_provider *provider, struct hearing *hearing,
                  const char *data)
{
    return provider->event(&hearing->said, data, strlen(data));
}

static bool whole(const struct llm_provider *provider, struct hearing *hearing,
                  const char *data)
{
    return provider->whole(&hearing->said, data, strlen(data));
}

static void test_openai_stream(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    assert_true(
        event(&llm_openai, &h,
              "{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}"));
    assert_true(
        event(&llm_openai, &h, "{\"choices\":[{\"delta\":{\"content\":\"SEL\"}}]}"));
    assert_true(event(&llm_openai, &h,
                      "{\"choices\":[{\"delta\":{\"content\":\"ECT\\u0000 1\"},"
                      "\"finish_reason\":null}],\"usage\":null}"));
    assert_true(event(&llm_openai, &h,
                      "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}"));
    assert_false(h.said.finished);
    assert_true(event(&llm_openai, &h,
                      "{\"choices\":[],\"usage\":{\"prompt_tokens\":11,"
                      "\"completion_tokens\":7}}"));
    assert_true(event(&llm_openai, &h, "[DONE]"));
    assert_true(h.said.finished);
    assert_true(h.said.cut);
    assert_string_equal(buf_get(&h.said.text), "SELECT 1");
    assert_int_equal(h.said.tokens_in, 11);
    assert_int_equal(h.said.tokens_out, 7);
    hearing_release(&h);
}

static void test_openai_stream_trouble(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    assert_false(
        event(&llm_openai, &h,
              "{\"error\":{\"message\":\"Overloaded\",\"type\":\"server_error\"}}"));
    assert_int_equal(h.err.code, ERR_LLM_UNAVAILABLE);
    assert_non_null(strstr(h.err.detail, "Overloaded"));
    hear(&h);
    assert_false(event(&llm_openai, &h, "{\"choices\":[{\"delta\":{\"content\":"));
    assert_int_equal(h.err.code, ERR_LLM_NONSENSE);
    hear(&h);
    assert_false(
        event(&llm_openai, &h,
              "{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}"));
    assert_int_equal(h.err.code, ERR_LLM_REFUSED);
    hear(&h);
    assert_true(event(&llm_openai, &h, "{}")); /* keep-alives of some gateways */
    assert_true(event(&llm_openai, &h, "{\"choices\":[{}]}"));
    assert_true(event(&llm_openai, &h, "{\"choices\":[{\"delta\":{\"content\":null}}]}"));
    assert_int_equal(h.said.text.size, 0);
    char long_text[2200];
    memset(long_text, 'x', sizeof long_text);
    memcpy(long_text, "{\"choices\":[{\"delta\":{\"content\":\"", 33);
    memcpy(long_text + 2000, "\"}}]}", 6);
    assert_false(event(&llm_openai, &h, long_text));
    assert_int_equal(h.err.code, ERR_LLM_NONSENSE);
    assert_non_null(strstr(h.err.message, "max_reply_bytes"));
    hearing_release(&h);
}

static void test_openai_whole(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    assert_true(whole(&llm_openai, &h,
                      "{\"choices\":[{\"message\":{\"content\":\"hello\"},"
                      "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,"
                      "\"completion_tokens\":1}}"));
    assert_string_equal(buf_get(&h.said.text), "hello");
    assert_int_equal(h.said.tokens_in, 3);
    hearing_release(&h);
    hear(&h);
    assert_true(whole(&llm_openai, &h,
                      "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\","
                      "\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}}]}"));
    assert_string_equal(buf_get(&h.said.text), "ab");
    hearing_release(&h);
    static const struct {
        const char *data;
        enum err_code code;
    } bad[] = {
        {"", ERR_LLM_NONSENSE},
        {"<html>", ERR_LLM_NONSENSE},
        {"{}", ERR_LLM_NONSENSE},
        {"[]", ERR_LLM_NONSENSE},
        {"{\"choices\":7}", ERR_LLM_NONSENSE},
        {"{\"choices\":[{\"message\":{\"refusal\":\"no\",\"content\":null}}]}",
         ERR_LLM_REFUSED},
        {"{\"error\":{\"message\":\"m\",\"code\":\"context_length_exceeded\"}}",
         ERR_LLM_TOO_LARGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hear(&h);
        assert_false(whole(&llm_openai, &h, bad[i].data));
        assert_int_equal(h.err.code, bad[i].code);
    }
}

static void test_anthropic_stream(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    static const char *const events[] = {
        "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":10,"
        "\"cache_read_input_tokens\":5,\"output_tokens\":1}}}",
        "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{}}",
        "{\"type\":\"ping\"}",
        "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
        "\"partial_json\":\"{\\\"sql\\\":\"}}",
        "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
        "\"partial_json\":\"\\\"SELECT 1\\\"}\"}}",
        "{\"type\":\"something_new\",\"delta\":{\"text\":\"no\"}}",
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"},"
        "\"usage\":{\"output_tokens\":42}}",
        "{\"type\":\"message_stop\"}",
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        assert_true(event(&llm_anthropic, &h, events[i]));
    }
    assert_string_equal(buf_get(&h.said.text), "{\"sql\":\"SELECT 1\"}");
    assert_int_equal(h.said.tokens_in, 15);
    assert_int_equal(h.said.tokens_out, 42);
    assert_true(h.said.cut);
    assert_true(h.said.finished);
    hearing_release(&h);
    hear(&h);
    assert_false(event(&llm_anthropic, &h,
                       "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                       "\"message\":\"Overloaded\"}}"));
    assert_int_equal(h.err.code, ERR_LLM_UNAVAILABLE);
    hear(&h);
    assert_false(event(&llm_anthropic, &h, "nonsense"));
    assert_int_equal(h.err.code, ERR_LLM_NONSENSE);
}

static void test_anthropic_whole(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    assert_true(
        whole(&llm_anthropic, &h,
              "{\"content\":[{\"type\":\"text\",\"text\":\"\"},{\"type\":\"tool_use\","
              "\"input\":{\"sql\":\"SELECT 1\"}}],\"stop_reason\":\"tool_use\","
              "\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}"));
    assert_string_equal(buf_get(&h.said.text), "{\"sql\":\"SELECT 1\"}");
    assert_int_equal(h.said.tokens_out, 2);
    hearing_release(&h);
    hear(&h);
    assert_false(
        whole(&llm_anthropic, &h, "{\"content\":[],\"stop_reason\":\"refusal\"}"));
    assert_int_equal(h.err.code, ERR_LLM_REFUSED);
    hear(&h);
    assert_false(whole(&llm_anthropic, &h, "{}"));
    assert_int_equal(h.err.code, ERR_LLM_NONSENSE);
}

static void test_ollama_replies(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    assert_true(
        event(&llm_ollama, &h, "{\"message\":{\"content\":\"a\"},\"done\":false}"));
    assert_true(event(&llm_ollama, &h,
                      "{\"message\":{\"content\":\"b\"},\"done\":true,\"done_reason\":"
                      "\"length\",\"prompt_eval_count\":9,\"eval_count\":2}"));
    assert_string_equal(buf_get(&h.said.text), "ab");
    assert_true(h.said.finished && h.said.cut);
    assert_int_equal(h.said.tokens_in, 9);
    hearing_release(&h);
    hear(&h);
    assert_false(event(&llm_ollama, &h, "{\"error\":\"model runner stopped\"}"));
    assert_non_null(strstr(h.err.detail, "runner"));
    hear(&h);
    assert_false(whole(&llm_ollama, &h, "{\"weather\":1}"));
}

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const struct llm_provider *provider;
        const char *from;
        const char *to;
    } cases[] = {
        {&llm_openai, "https://api.openai.com/v1",
         "https://api.openai.com/v1/chat/completions"},
        {&llm_openai, "https://api.openai.com/v1/",
         "https://api.openai.com/v1/chat/completions"},
        {&llm_openai, "https://api.openai.com",
         "https://api.openai.com/v1/chat/completions"},
        {&llm_openai, "https://api.openai.com/",
         "https://api.openai.com/v1/chat/completions"},
        {&llm_openai, "http://h:8000/v1/chat/completions",
         "http://h:8000/v1/chat/completions"},
        {&llm_openai, "http://h/v1/chat/completions/", "http://h/v1/chat/completions"},
        {&llm_openai, "https://openrouter.ai/api/v1",
         "https://openrouter.ai/api/v1/chat/completions"},
        {&llm_openai, "https://g.example/v1beta/openai/",
         "https://g.example/v1beta/openai/chat/completions"},
        {&llm_openai,
         "https://x.openai.azure.com/openai/deployments/d?api-version=2024-06-01",
         "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version="
         "2024-06-01"},
        {&llm_openai, "localhost:8000", "http://localhost:8000/v1/chat/completions"},
        {&llm_openai, " 127.0.0.1:8000/v1 ", "http://127.0.0.1:8000/v1/chat/completions"},
        {&llm_openai, "api.example.com", "https://api.example.com/v1/chat/completions"},
        {&llm_anthropic, "https://api.anthropic.com",
         "https://api.anthropic.com/v1/messages"},
        {&llm_anthropic, "https://api.anthropic.com/v1/",
         "https://api.anthropic.com/v1/messages"},
        {&llm_anthropic, "https://p.example/a/v1/messages",
         "https://p.example/a/v1/messages"},
        {&llm_ollama, "http://127.0.0.1:11434", "http://127.0.0.1:11434/api/chat"},
        {&llm_ollama, "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/api/chat"},
        {&llm_ollama, "http://127.0.0.1:11434/api", "http://127.0.0.1:11434/api/chat"},
        {&llm_ollama, "0.0.0.0", "http://0.0.0.0:11434/api/chat"},
        {&llm_ollama, "gpu-box:11434", "http://gpu-box:11434/api/chat"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(cases[i].provider->address(arena, cases[i].from),
                            cases[i].to);
    }
    assert_string_equal(address_safe(arena, "https://user:pass@host:1/p/q?key=secret#x"),
                        "https://host:1/p/q");
    arena_free(arena);
}

static bool has_header(const struct texts *headers, const char *text)
{
    for (size_t i = 0; i < headers->count; i++) {
        if (str_equal(headers->items[i], text)) {
            return true;
        }
    }
    return false;
}

static void test_headers(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct llm_settings settings = settings_for_test();
    struct texts headers = {0};
    llm_openai.headers(arena, &settings, &headers);
    assert_true(has_header(&headers, "Authorization: Bearer k"));
    assert_true(has_header(&headers, "Content-Type: application/json"));
    headers = (struct texts){0};
    llm_anthropic.headers(arena, &settings, &headers);
    assert_true(has_header(&headers, "x-api-key: k"));
    assert_true(has_header(&headers, "anthropic-version: 2023-06-01"));
    headers = (struct texts){0};
    settings.safe_url = "https://x.openai.azure.com/openai";
    llm_openai.headers(arena, &settings, &headers);
    assert_true(has_header(&headers, "api-key: k"));
    settings.key = "";
    headers = (struct texts){0};
    llm_openai.headers(arena, &settings, &headers);
    assert_int_equal(headers.count, 1); /* a local server needs no key */
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openai_request),
        cmocka_unit_test(test_anthropic_request),
        cmocka_unit_test(test_ollama_request),
        cmocka_unit_test(test_strict_schemas),
        cmocka_unit_test(test_openai_stream),
        cmocka_unit_test(test_openai_stream_trouble),
        cmocka_unit_test(test_openai_whole),
        cmocka_unit_test(test_anthropic_stream),
        cmocka_unit_test(test_anthropic_whole),
        cmocka_unit_test(test_ollama_replies),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
