/* dragoman.yaml: nested and dotted keys, places in messages, variables, datasources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "model/options/options.h"

static int setup(void **state)
{
    (void)clearenv();
    *state = options_new();
    return 0;
}

static int teardown(void **state)
{
    options_free(*state);
    return 0;
}

static bool parse(struct options *options, const char *yaml, struct err *err)
{
    return options_parse(options, "dragoman.yaml", yaml, strlen(yaml), err);
}

static void nested_and_dotted_keys(void **state)
{
    struct options *options = *state;
    struct err err;
    assert_true(parse(options,
                      "llm:\n"
                      "  model: gpt-4o-mini\n"
                      "  temperature: 0\n"
                      "  url:\n"
                      "agent.max_sql_attempts: 5\n"
                      "agent: {ask_when_vague: no}\n"
                      "sql:\n"
                      "OPENAI_CONFIG:\n"
                      "  max_tokens: 900\n"
                      "SESSION_CONFIG: {session_timeout_seconds: 60}\n"
                      "max_sample_values: 4\n"
                      "agent.time_zone: '0'\n",
                      &err));
    assert_string_equal(options->llm_model, "gpt-4o-mini");
    assert_true(options->llm_temperature == 0);
    assert_false(options->given[OPTION_llm_url]); /* nothing after the colon */
    assert_int_equal(options->agent_max_sql_attempts, 5);
    assert_false(options->agent_ask_when_vague);
    assert_int_equal(options->llm_reply_tokens, 900);
    assert_int_equal(options->session_timeout_s, 60);
    assert_int_equal(options->prompt_samples, 4);
    assert_string_equal(options->agent_time_zone, "0");
}

static void an_empty_file_is_fine(void **state)
{
    struct err err;
    assert_true(parse(*state, "", &err));
    assert_true(parse(*state, "# nothing yet\n", &err));
    assert_true(parse(*state, "datasources:\n", &err));
    assert_true(parse(*state, "datasources: []\nllm: {}\n", &err));
}

struct refusal {
    const char *yaml;
    const char *message; /* how it starts */
};

static void complaints_name_the_place(void **state)
{
    static const struct refusal refusals[] = {
        {"llm:\n  model: x\n  modle: y\n",
         "dragoman.yaml:3:3: unknown key 'llm.modle'. Did you mean 'llm.model'?"},
        {"a: 1\n", "dragoman.yaml:1:1: unknown key 'a'."},
        {"lmm:\n  model: x\n",
         "dragoman.yaml:1:1: unknown key 'lmm'. Did you mean 'llm'?"},
        {"\n\nagent: {max_sql_attempts: many}\n",
         "dragoman.yaml:3:9: 'agent.max_sql_attempts' must be a whole number from 1 to "
         "10, "
         "but is 'many'."},
        {"llm.temperature: 9\n", "dragoman.yaml:1:1: 'llm.temperature' must be a number"},
        {"llm.stream: maybe\n", "dragoman.yaml:1:1: 'llm.stream' must be true or false"},
        {"llm:\n  provider: skynet\n",
         "dragoman.yaml:2:3: 'llm.provider' must be one of"},
        {"llm:\n  model: [a]\n", "dragoman.yaml:2:3: 'llm.model' must be one value"},
        {"llm: 5\n", "dragoman.yaml:1:1: unknown key 'llm'"},
        {"llm: [a]\n", "dragoman.yaml:1:1: unknown key 'llm'"},
        {"- a\n", "dragoman.yaml:1:1: the file must be a map"},
        {"hello\n", "dragoman.yaml:1:1: the file must be a map"},
        {"llm:\n  model: x\n  model: y\n",
         "dragoman.yaml:3:3: not valid YAML: the key 'model' is there twice."},
        {"llm: {\n", "dragoman.yaml:2:1: not valid YAML: "},
        {"llm:\n  key: ${NO_SUCH_VARIABLE}\n",
         "dragoman.yaml:2:3: the environment variable 'NO_SUCH_VARIABLE' is not set."},
        {"llm:\n  key: ${OPEN\n", "dragoman.yaml:2:3: a ${ stands here without its }."},
        {"datasources: 5\n", "dragoman.yaml:1:1: 'datasources' must be a list"},
        {"datasources:\n- id: a\n  ulr: b\n",
         "dragoman.yaml:3:3: unknown key 'ulr'. Did you mean 'url'?"},
        {"datasources:\n- id: a\n  weather: b\n",
         "dragoman.yaml:3:3: unknown key 'weather'. A"},
        {"datasources:\n- id: a\n", "dragoman.yaml:2:3: the datasource 'a' needs a url."},
        {"datasources:\n- {id: a, url: x, writable: 7}\n",
         "dragoman.yaml:2:19: 'writable' must be true or false"},
        {"datasources:\n- {id: a, url: x, allow_superuser: 7}\n",
         "dragoman.yaml:2:19: 'allow_superuser' must be true or false"},
        {"datasources:\n- {id: a, url: [x]}\n",
         "dragoman.yaml:2:11: 'url' must be one value"},
        {"datasources:\n- {id: a, url: x}\n- {id: a, url: y}\n",
         "dragoman.yaml:3:3: the datasource id 'a' is there twice."},
        {"datasources:\n- {id: 'a b', url: x}\n",
         "dragoman.yaml:2:3: the datasource id 'a b'"},
        {"datasources:\n- [a]\n", "dragoman.yaml:2:3: a datasource must be"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct err err;
        struct options *options = options_new();
        assert_false(parse(options, refusals[i].yaml, &err));
        assert_int_equal(err.code, ERR_CONFIG);
        if (strncmp(err.message, refusals[i].message, strlen(refusals[i].message)) != 0) {
            fail_msg("'%s' instead of '%s'", err.message, refusals[i].message);
        }
        options_free(options);
    }
}

static void variables_are_filled_in(void **state)
{
    struct options *options = *state;
    struct err err;
    (void)setenv("MY_KEY", "sk-1", 1);
    (void)setenv("EMPTY", "", 1);
    (void)setenv("ROWS", "50", 1);
    assert_true(parse(options,
                      "llm.key: ${MY_KEY}\n"
                      "llm.url: http://${HOST_NAME:localhost}:${PORT:80}/v1\n"
                      "llm.record: a${EMPTY}b${EMPTY:c}\n"
                      "sql.default_rows: ${ROWS}\n"
                      "agent.time_zone: ${ZONE:}\n"
                      "prompt.folder: $${MY_KEY}$5\n",
                      &err));
    assert_string_equal(options->llm_key, "sk-1");
    assert_string_equal(options->llm_url, "http://localhost:80/v1");
    assert_string_equal(options->llm_record, "abc");
    assert_int_equal(options->sql_default_rows, 50);
    assert_string_equal(options->agent_time_zone, "");
    assert_string_equal(options->prompt_folder, "${MY_KEY}$5");
}

static void a_filled_in_value_meets_the_bounds(void **state)
{
    struct options *options = *state;
    struct err err;
    char *huge = arena_alloc(options->arena, 100001);
    memset(huge, 'x', 100000);
    (void)setenv("HUGE_ONE", huge, 1);
    assert_false(parse(options, "llm.record: ${HUGE_ONE}\n", &err));
    assert_non_null(strstr(err.message, "too long"));
}

static void datasources_as_list_or_map(void **state)
{
    struct options *options = *state;
    struct err err;
    (void)setenv("HOME", "/home/ann", 1);
    assert_true(parse(options,
                      "datasources:\n"
                      "- id: shop\n"
                      "  url: data/shop.db\n"
                      "  description: the shop\n"
                      "  dictionary: words.xlsx\n"
                      "  writable: true\n"
                      "- plain.csv\n"
                      "- {url: 'postgres://h/sales', allow_superuser: true, "
                      "allow_own_types: true}\n"
                      "- {id: '', url: odd.db, description: no id}\n",
                      &err));
    assert_int_equal(options->datasources.count, 4);
    const struct datasource_setting *items = options->datasources.items;
    assert_string_equal(items[0].description, "the shop");
    assert_string_equal(items[0].dictionary, "words.xlsx");
    assert_null(items[1].dictionary);
    assert_true(items[0].writable);
    assert_string_equal(items[0].url, "data/shop.db");
    assert_string_equal(items[1].id, "plain");
    assert_false(items[1].writable);
    assert_string_equal(items[2].id, "sales");
    assert_true(items[2].allow_superuser);
    assert_false(items[0].allow_superuser);
    assert_true(items[2].allow_own_types && !items[0].allow_own_types);
    struct options *copy = options_clone(options);
    assert_true(copy->datasources.items[2].allow_superuser);
    assert_true(copy->datasources.items[2].allow_own_types);
    options_free(copy);
    assert_string_equal(items[3].id, "odd");
    assert_string_equal(items[3].description, "no id");
    assert_true(parse(options,
                      "datasources:\n"
                      "  shop: sqlite:///new.db\n"
                      "  notes: ~/notes.db\n",
                      &err));
    assert_int_equal(options->datasources.count, 5);
    assert_string_equal(options->datasources.items[0].url, "sqlite:///new.db");
    assert_null(options->datasources.items[0].description);
    assert_string_equal(options->datasources.items[4].url, "/home/ann/notes.db");
}

static void paths_start_at_the_file(void **state)
{
    struct options *options = *state;
    struct err err;
    char folder[] = "/tmp/dragoman-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = arena_format(options->arena, "%s/dragoman.yaml", folder);
    const char *yaml = "datasources:\n"
                       "  a: data/shop.db\n"
                       "  b: /abs/shop.db\n"
                       "  c: sqlite:///abs/shop.db\n"
                       "  d: ':memory:'\n"
                       "  e: ../up.csv\n"
                       "  f: {url: x.db, dictionary: words.yaml}\n";
    assert_true(file_write(path, yaml, strlen(yaml), &err));
    assert_true(options_load(options, path, &err));
    const struct datasource_setting *items = options->datasources.items;
    assert_string_equal(items[0].url,
                        arena_format(options->arena, "%s/data/shop.db", folder));
    assert_string_equal(items[1].url, "/abs/shop.db");
    assert_string_equal(items[2].url, "sqlite:///abs/shop.db");
    assert_string_equal(items[3].url, ":memory:");
    assert_string_equal(items[4].url,
                        arena_format(options->arena, "%s/../up.csv", folder));
    assert_string_equal(items[5].dictionary,
                        arena_format(options->arena, "%s/words.yaml", folder));
    assert_true(file_write(path, "x: 1\n", 5, &err));
    assert_false(options_load(options, path, &err));
    assert_memory_equal(err.message, "dragoman.yaml:1:1: ", 19); /* without the folder */
    (void)unlink(path);
    assert_false(options_load(options, path, &err));
    assert_int_equal(err.code, ERR_FILE_NOT_FOUND);
    (void)rmdir(folder);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(nested_and_dotted_keys),
        TEST(an_empty_file_is_fine),
        TEST(complaints_name_the_place),
        TEST(variables_are_filled_in),
        TEST(a_filled_in_value_meets_the_bounds),
        TEST(datasources_as_list_or_map),
        TEST(paths_start_at_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
