/* The decisions: what a failure means, when to try again, who is asked, what it costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "llm/provider.h"

static void test_problems(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *body;
        enum err_code code;
        bool retry;
        unsigned quirk;
    } cases[] = {
        {401, "{\"error\":{\"message\":\"Incorrect API key\"}}", ERR_LLM_UNAUTHORIZED,
         false, 0},
        {403, "", ERR_LLM_UNAUTHORIZED, false, 0},
        {404, "{\"error\":{\"message\":\"no model x\"}}", ERR_LLM_MODEL_NOT_FOUND, false,
         0},
        {404, "<html>not here</html>", ERR_LLM_MODEL_NOT_FOUND, false, 0},
        {429, "{\"error\":{\"message\":\"Rate limit\",\"code\":\"rate_limit_exceeded\"}}",
         ERR_LLM_RATE_LIMITED, true, 0},
        {429, "{\"error\":{\"message\":\"quota\",\"code\":\"insufficient_quota\"}}",
         ERR_LLM_RATE_LIMITED, false, 0},
        {429, "", ERR_LLM_RATE_LIMITED, true, 0},
        {500, "{}", ERR_LLM_UNAVAILABLE, true, 0},
        {502, "<html>", ERR_LLM_UNAVAILABLE, true, 0},
        {503, "{\"error\":\"loading model\"}", ERR_LLM_UNAVAILABLE, true, 0},
        {529, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}",
         ERR_LLM_UNAVAILABLE, true, 0},
        {400, "{\"error\":{\"message\":\"bad\",\"code\":\"context_length_exceeded\"}}",
         ERR_LLM_TOO_LARGE, false, 0},
        {400, "{\"error\":{\"message\":\"This model's maximum context length is 8192\"}}",
         ERR_LLM_TOO_LARGE, false, 0},
        {400,
         "{\"type\":\"error\",\"error\":{\"message\":\"prompt is too long: 9 > 8\"}}",
         ERR_LLM_TOO_LARGE, false, 0},
        {413, "", ERR_LLM_TOO_LARGE, false, 0},
        {400, "{\"error\":{\"message\":\"something else\"}}", ERR_LLM_REFUSED, false, 0},
        {400,
         "{\"error\":{\"message\":\"Invalid parameter: 'response_format' of type "
         "'json_schema' is not supported\"}}",
         ERR_LLM_REFUSED, false, QUIRK_NO_STRUCTURED},
        {400,
         "{\"error\":{\"message\":\"Unrecognized request argument: stream_options\"}}",
         ERR_LLM_REFUSED, false, QUIRK_NO_STREAM_OPTIONS},
        {400,
         "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not supported "
         "with this model. Use 'max_completion_tokens' instead.\"}}",
         ERR_LLM_REFUSED, false, QUIRK_COMPLETION_TOKENS},
        {400, "{\"error\":{\"message\":\"'temperature' does not support 0.3\"}}",
         ERR_LLM_REFUSED, false, QUIRK_NO_TEMPERATURE},
        {422, "{\"detail\":\"extra field response_format\"}", ERR_LLM_REFUSED, false,
         QUIRK_NO_STRUCTURED},
        {301, "", ERR_LLM_REFUSED, false, 0},
        {418, "short and stout", ERR_LLM_REFUSED, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct llm_problem problem = {0};
        struct err err;
        problem_read(cases[i].status, cases[i].body, strlen(cases[i].body), &problem,
                     &err);
        if (err.code != cases[i].code || problem.retry != cases[i].retry ||
            problem.quirk != cases[i].quirk) {
            fail_msg("%d %s: %s, retry %d, quirk %u", cases[i].status, cases[i].body,
                     err_name(err.code), problem.retry, problem.quirk);
        }
        assert_true(err.message[0] && err.detail[0] && err.hint[0]);
    }
}

static void test_the_service_is_quoted(void **state)
{
    (void)state;
    struct llm_problem problem = {0};
    struct err err;
    const char *body = "{\"error\":{\"message\":\"You did X\",\"type\":\"bad_request\"}}";
    problem_read(400, body, strlen(body), &problem, &err);
    assert_string_equal(err.detail, "bad_request: You did X");
    body = "[{\"error\":{\"message\":\"in a list\"}}]";
    problem_read(400, body, strlen(body), &problem, &err);
    assert_string_equal(err.detail, "in a list");
}

static void test_the_wait_in_the_words_of_the_service(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): "
         "Limit 30000, Used 29000. Please try again in 1s. Visit https://x to learn "
         "more.",
         1000},
        {"rate_limit_exceeded: Please try again in 1.5s.", 1500},
        {"try again in 320ms", 320},
        {"Please try again in 6m0s.", 360000},
        {"Try again in 1m2.5s", 62500},
        {"Please retry after 20 seconds.", 20000},
        {"Please retry in 2 minutes", 120000},
        {"try again in 99999999999999999999h", -1},
        {"try again in a moment", -1},
        {"try again in 5 bananas", -1},
        {"try again later", -1},
        {"", -1},
        {NULL, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (problem_wait_ms(cases[i].text) != cases[i].ms) {
            fail_msg("%s: %lld", cases[i].text,
                     (long long)problem_wait_ms(cases[i].text));
        }
    }
}

static void test_retry_schedule(void **state)
{
    (void)state;
    struct llm_settings settings = {.max_retries = 3, .retry_base_ms = 2000};
    enum retry_kind again = retry_kind_of(ERR_LLM_RATE_LIMITED, true);
    assert_int_equal(again, RETRY_AGAIN);
    assert_int_equal(retry_wait_ms(&settings, again, 1, -1), 2000);
    assert_int_equal(retry_wait_ms(&settings, again, 2, -1), 4000);
    assert_int_equal(retry_wait_ms(&settings, again, 3, -1), 8000);
    assert_int_equal(retry_wait_ms(&settings, again, 4, -1), -1);
    assert_int_equal(retry_wait_ms(&settings, again, 1, 500), 500); /* Retry-After */
    assert_int_equal(retry_wait_ms(&settings, again, 1, 0), 0);
    assert_int_equal(retry_wait_ms(&settings, again, 1, 3600000), 60000);
    settings.max_retries = 10;
    settings.retry_base_ms = 600000;
    assert_int_equal(retry_wait_ms(&settings, again, 10, -1), 60000);
    enum retry_kind once = retry_kind_of(ERR_LLM_TIMEOUT, true);
    assert_int_equal(once, RETRY_ONCE);
    assert_true(retry_wait_ms(&settings, once, 1, -1) >= 0);
    assert_int_equal(retry_wait_ms(&settings, once, 2, -1), -1);
    settings.max_retries = 0;
    assert_int_equal(retry_wait_ms(&settings, once, 1, -1), -1);
    assert_int_equal(retry_wait_ms(&settings, again, 1, 0), -1);
}

static void test_what_is_never_tried_again(void **state)
{
    (void)state;
    struct llm_settings settings = {.max_retries = 3, .retry_base_ms = 1};
    static const enum err_code codes[] = {ERR_LLM_UNAUTHORIZED, ERR_LLM_MODEL_NOT_FOUND,
                                          ERR_LLM_REFUSED, ERR_LLM_TOO_LARGE,
                                          ERR_STOPPED};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        enum retry_kind kind = retry_kind_of(codes[i], true);
        assert_int_equal(retry_wait_ms(&settings, kind, 1, 0), -1);
    }
    assert_int_equal(retry_kind_of(ERR_LLM_RATE_LIMITED, false), RETRY_NEVER);
}

static void test_cost(void **state)
{
    (void)state;
    struct llm_settings settings = {.model = "gpt-4o", .price_in = -1, .price_out = -1};
    double cost = -1;
    assert_true(cost_of(&settings, 1000000, 1000000, &cost));
    assert_float_equal(cost, 12.5, 1e-9);
    settings.model = "gpt-4o-mini-2024-07-18"; /* the longer prefix wins */
    assert_true(cost_of(&settings, 1000000, 0, &cost));
    assert_float_equal(cost, 0.15, 1e-9);
    settings.model = "openai/gpt-4o";
    assert_true(cost_of(&settings, 2000, 0, &cost));
    assert_float_equal(cost, 0.005, 1e-9);
    settings.model = "my-own-model";
    assert_false(cost_of(&settings, 1000, 1000, &cost));
    assert_float_equal(cost, 0, 0);
    settings.price_in = 0; /* free is a price */
    assert_false(cost_of(&settings, 1000, 1000, &cost));
    settings.price_out = 2;
    assert_true(cost_of(&settings, 1000, 1000, &cost));
    assert_float_equal(cost, 0.002, 1e-9);
}

struct choice {
    const char *provider, *url, *key, *model, *script;
    const char *name; /* expected; NULL: an error */
    const char *chosen_model;
    enum err_code code;
};

static const struct choice choices[] = {
    {"", "", "", "gpt-4o", "", NULL, NULL, ERR_LLM_NOT_CONFIGURED},
    {"", "", "sk-x", "gpt-4o", "", "openai", "gpt-4o", 0},
    {"", "", "sk-ant-x", "gpt-4o", "", "anthropic", "claude-sonnet-4-5", 0},
    {"", "", "k", "claude-haiku-4", "", "anthropic", "claude-haiku-4", 0},
    {"", "", "k", "anthropic/claude-x", "", "anthropic", "claude-x", 0},
    {"", "", "", "ollama:llama3:8b", "", "ollama", "llama3:8b", 0},
    {"", "http://localhost:11434", "", "gpt-4o", "", "ollama", "llama3.1", 0},
    {"", "http://localhost:11434/v1", "", "qwen", "", "openai", "qwen", 0},
    {"", "https://openrouter.ai/api/v1", "k", "anthropic/claude-x", "", "openai",
     "anthropic/claude-x", 0},
    {"openai", "https://openrouter.ai/api/v1", "k", "anthropic/claude-x", "", "openai",
     "anthropic/claude-x", 0},
    {"openai", "", "k", "openai/gpt-4o-mini", "", "openai", "gpt-4o-mini", 0},
    {"openai", "", "", "gpt-4o", "", NULL, NULL, ERR_LLM_NOT_CONFIGURED},
    {"openai", "http://localhost:1234", "", "gpt-4o", "", "openai", "gpt-4o", 0},
    {"anthropic", "", "k", "gpt-4o", "", "anthropic", "claude-sonnet-4-5", 0},
    {"ollama", "", "", "gpt-4o", "", "ollama", "llama3.1", 0},
    {"", "", "", "gpt-4o", "file", "scripted", "script", 0},
    {"scripted", "", "k", "gpt-4o", "file", "scripted", "script", 0},
    {"chatgtp", "", "k", "gpt-4o", "", NULL, NULL, ERR_CONFIG},
    {"openai", "", "two words", "gpt-4o", "", NULL, NULL, ERR_CONFIG},
    {"openai", "", "line\nbreak", "gpt-4o", "", NULL, NULL, ERR_CONFIG},
    {"openai", "", " trimmed\n", "gpt-4o", "", "openai", "gpt-4o", 0},
};

static void test_who_is_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct choice *choice = &choices[i];
        struct options *options = options_new();
        struct arena *arena = arena_new();
        struct llm_settings settings = {0};
        struct err err = {0};
        options->llm_provider = choice->provider;
        options->llm_url = choice->url;
        options->llm_key = choice->key;
        options->llm_model = choice->model;
        options->llm_script = choice->script;
        const struct llm_provider *provider =
            llm_resolve(options, arena, &settings, &err);
        if (!choice->name) {
            assert_null(provider);
            assert_int_equal(err.code, choice->code);
            assert_null(strstr(err.message, "two words"));
        } else {
            assert_non_null(provider);
            assert_string_equal(provider->name, choice->name);
            assert_string_equal(settings.model, choice->chosen_model);
        }
        arena_free(arena);
        options_free(options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_the_service_is_quoted),
        cmocka_unit_test(test_the_wait_in_the_words_of_the_service),
        cmocka_unit_test(test_retry_schedule),
        cmocka_unit_test(test_what_is_never_tried_again),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_who_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
