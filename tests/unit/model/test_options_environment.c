/* The environment: our variables, and which model service it speaks of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/options/options.h"

static int setup(void **state)
{
    (void)clearenv();
    *state = options_new();
    return 0;
}

static int teardown(void **state)
{
    (void)clearenv();
    options_free(*state);
    return 0;
}

static void every_setting_has_a_variable(void **state)
{
    struct options *options = *state;
    struct err err;
    (void)setenv("DRAGOMAN_LLM_TEMPERATURE", "0.9", 1);
    (void)setenv("DRAGOMAN_AGENT_MAX_SQL_ATTEMPTS", "4", 1);
    (void)setenv("DRAGOMAN_AGENT_BRAIN", "parser", 1);
    (void)setenv("DRAGOMAN_SQL_TIMEOUT_S", "", 1); /* empty is not set */
    assert_true(options_parse(options, "f", "agent.max_sql_attempts: 9", 25, &err));
    assert_true(options_environment(options, &err));
    assert_true(options->llm_temperature == 0.9);
    assert_int_equal(options->agent_max_sql_attempts, 4); /* over the file */
    assert_string_equal(options->agent_brain, "parser");
    assert_int_equal(options->sql_timeout_s, 30);
    assert_true(options_set(options, "agent.max_sql_attempts", "6", &err));
    assert_int_equal(options->agent_max_sql_attempts, 6); /* a flag over both */
}

static void a_bad_variable_is_named(void **state)
{
    struct err err;
    (void)setenv("DRAGOMAN_LLM_TEMPERATURE", "hot", 1);
    assert_false(options_environment(*state, &err));
    assert_int_equal(err.code, ERR_CONFIG);
    assert_non_null(strstr(err.message, "'DRAGOMAN_LLM_TEMPERATURE' must be a number"));
}

static void a_misspelt_variable_is_noted(void **state)
{
    struct options *options = *state;
    struct err err;
    (void)setenv("DRAGOMAN_LLM_MODLE", "x", 1);
    (void)setenv("DRAGOMAN_OTHER", "x", 1); /* not like a setting */
    (void)setenv("DRAGOMANLLM_MODEL", "x", 1);
    assert_true(options_environment(options, &err));
    assert_int_equal(options->notes.count, 1);
    assert_string_equal(
        options->notes.items[0],
        "DRAGOMAN_LLM_MODLE is not a setting. Did you mean DRAGOMAN_LLM_MODEL?");
}

/* What is in the environment and the file, and what must come of it. */
struct example {
    const char *variables; /* "A=1 B=2" */
    const char *yaml;
    const char *provider;
    const char *url;
    const char *key;
    const char *model;
};

static const struct example examples[] = {
    {"", "", "", "", "", "gpt-4o"},
    {"OPENAI_API_KEY=k", "", "openai", "", "k", "gpt-4o"},
    {"OPENAI_API_KEY=", "", "", "", "", "gpt-4o"},
    {"OPENAI_BASE_URL=http://h/v1", "", "openai", "http://h/v1", "", "gpt-4o"},
    {"OPENAI_API_BASE=http://b", "", "openai", "http://b", "", "gpt-4o"},
    {"OPENAI_API_ENDPOINT=http://e OPENAI_MODEL=m", "", "openai", "http://e", "", "m"},
    {"ANTHROPIC_API_KEY=a", "", "anthropic", "", "a", "claude-sonnet-4-5"},
    {"ANTHROPIC_API_KEY=a OPENAI_API_KEY=k", "", "openai", "", "k", "gpt-4o"},
    {"ANTHROPIC_API_KEY=a OPENAI_API_KEY=k", "llm.model: claude-x", "anthropic", "", "a",
     "claude-x"},
    {"ANTHROPIC_API_KEY=a OPENAI_API_KEY=k", "llm.provider: anthropic", "anthropic", "",
     "a", "claude-sonnet-4-5"},
    {"ANTHROPIC_API_KEY=a OPENAI_API_KEY=k", "llm.model: anthropic/claude-y", "anthropic",
     "", "a", "claude-y"},
    {"OPENAI_API_KEY=k", "llm.model: openai/gpt-4o-mini", "openai", "", "k",
     "gpt-4o-mini"},
    {"OPENAI_API_KEY=k", "llm.model: 'ollama:llama3:8b'", "ollama", "", "", "llama3:8b"},
    {"OPENAI_API_KEY=k OPENAI_BASE_URL=http://gw", "llm.model: anthropic/claude-z",
     "openai", "http://gw", "k", "anthropic/claude-z"},
    {"OPENAI_API_KEY=k", "{llm.url: http://gw, llm.model: openai/gpt-4o}", "openai",
     "http://gw", "k", "openai/gpt-4o"},
    {"", "{llm.url: http://gw, llm.model: mistral/large}", "openai", "http://gw", "",
     "mistral/large"},
    {"OPENAI_API_KEY=k", "llm.model: meta/llama", "openai", "", "k", "meta/llama"},
    {"OLLAMA_HOST=box:1234", "", "ollama", "http://box:1234", "", "llama3.1"},
    {"OLLAMA_HOST=box", "", "ollama", "http://box:11434", "", "llama3.1"},
    {"OLLAMA_HOST=0.0.0.0", "", "ollama", "http://127.0.0.1:11434", "", "llama3.1"},
    {"OLLAMA_HOST=0.0.0.0:99", "", "ollama", "http://127.0.0.1:99", "", "llama3.1"},
    {"OLLAMA_HOST=https://box/x", "", "ollama", "https://box/x", "", "llama3.1"},
    {"OLLAMA_API_KEY=o", "", "", "", "", "gpt-4o"},
    {"OPENAI_API_KEY=k", "{llm.key: file, llm.url: http://file}", "openai", "http://file",
     "file", "gpt-4o"},
    {"", "llm.key: sk-ant-1", "anthropic", "", "sk-ant-1", "claude-sonnet-4-5"},
    {"", "llm.key: sk-1", "openai", "", "sk-1", "gpt-4o"},
    {"", "llm.url: https://api.anthropic.com", "anthropic", "https://api.anthropic.com",
     "", "claude-sonnet-4-5"},
    {"OPENAI_API_KEY=k", "llm.script: t.txt", "scripted", "", "", "scripted"},
    {"ANTHROPIC_API_KEY=a OPENAI_BASE_URL=http://gw", "llm.provider: anthropic",
     "anthropic", "", "a", "claude-sonnet-4-5"},
    {"DRAGOMAN_LLM_PROVIDER=ollama OPENAI_API_KEY=k", "", "ollama", "", "", "llama3.1"},
    {"OPENAI_BASE_URL=http://gw", "{llm.provider: openai, llm.model: openai/gpt-4o}",
     "openai", "http://gw", "", "openai/gpt-4o"},
    {"DRAGOMAN_LLM_KEY=d OPENAI_API_KEY=k", "", "openai", "", "d", "gpt-4o"},
};

static void set_variables(const char *text)
{
    char copy[300];
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *pair = copy; *pair;) {
        char *value = strchr(pair, '=');
        *value++ = '\0';
        char *end = value + strcspn(value, " ");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        (void)setenv(pair, value, 1);
        pair = next;
    }
}

static char *four(struct arena *arena, const char *a, const char *b, const char *c,
                  const char *d)
{
    return arena_format(arena, "[%s] [%s] [%s] [%s]", a, b, c, d);
}

static void the_provider_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *example = &examples[i];
        struct err err;
        struct options *options = options_new();
        (void)clearenv();
        set_variables(example->variables);
        assert_true(
            options_parse(options, "f", example->yaml, strlen(example->yaml), &err));
        assert_true(options_environment(options, &err));
        const char *got = four(options->arena, options->llm_provider, options->llm_url,
                               options->llm_key, options->llm_model);
        const char *wanted = four(options->arena, example->provider, example->url,
                                  example->key, example->model);
        if (strcmp(got, wanted) != 0) {
            fail_msg("%s | %s: %s instead of %s", example->variables, example->yaml, got,
                     wanted);
        }
        options_free(options);
    }
}

static void a_flag_afterwards_decides_anew(void **state)
{
    struct options *options = *state;
    struct err err;
    set_variables("OPENAI_API_KEY=k ANTHROPIC_API_KEY=a OPENAI_BASE_URL=http://gw");
    assert_true(options_environment(options, &err));
    assert_string_equal(options->llm_url, "http://gw");
    assert_true(options_set(options, "llm.provider", "anthropic", &err));
    assert_string_equal(options->llm_key, "a");
    assert_string_equal(options->llm_url, "");
    assert_string_equal(options->llm_model, "claude-sonnet-4-5");
    assert_true(options_set(options, "llm.model", "anthropic/claude-q", &err));
    assert_string_equal(options->llm_model, "claude-q");
    assert_true(options_set(options, "llm.provider", "openai", &err));
    assert_string_equal(options->llm_key, "k");
    assert_string_equal(options->llm_model, "anthropic/claude-q");
}

static void without_the_environment_it_is_not_looked_at(void **state)
{
    struct options *options = *state;
    struct err err;
    set_variables("OPENAI_API_KEY=k ANTHROPIC_API_KEY=a");
    assert_true(options_set(options, "llm.temperature", "1", &err));
    assert_string_equal(options->llm_provider, "");
    assert_true(options_set(options, "llm.script", "t.txt", &err));
    assert_string_equal(options->llm_provider, "scripted");
    assert_true(options_set(options, "llm.provider", "openai", &err));
    assert_string_equal(options->llm_key, "");
}

static void a_database_stands_in_until_one_is_named(void **state)
{
    struct options *options = *state;
    struct err err;
    set_variables("DATABASE_URL=postgres://h/x DSN=y.db");
    assert_true(options_environment(options, &err));
    assert_int_equal(options->datasources.count, 1);
    assert_string_equal(options->datasources.items[0].id, "default");
    assert_string_equal(options->datasources.items[0].url, "postgres://h/x");
    assert_true(options_add_datasource(options, NULL, "shop.db", &err));
    assert_true(options_add_datasource(options, NULL, "more.db", &err));
    assert_int_equal(options->datasources.count, 2);
    assert_string_equal(options->datasources.items[0].id, "shop");
}

static void a_database_of_the_file_comes_first(void **state)
{
    struct options *options = *state;
    struct err err;
    set_variables("DSN=y.db");
    assert_true(options_add_datasource(options, "shop", "shop.db", &err));
    assert_true(options_environment(options, &err));
    assert_int_equal(options->datasources.count, 1);
    assert_string_equal(options->datasources.items[0].id, "shop");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_setting_has_a_variable),
        TEST(a_bad_variable_is_named),
        TEST(a_misspelt_variable_is_noted),
        TEST(the_provider_is_found),
        TEST(a_flag_afterwards_decides_anew),
        TEST(without_the_environment_it_is_not_looked_at),
        TEST(a_database_stands_in_until_one_is_named),
        TEST(a_database_of_the_file_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
