/* Settings: defaults, single keys, bounds, secrets, datasources, clones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "model/options/options.h"
#include "model/options/options_table.h"

static int setup(void **state)
{
    *state = options_new();
    return 0;
}

static int teardown(void **state)
{
    options_free(*state);
    return 0;
}

static void defaults_are_those_of_the_design(void **state)
{
    const struct options *options = *state;
    assert_int_equal(options->agent_max_sql_attempts, 3);
    assert_true(options->agent_min_confidence == 0.5);
    assert_true(options->agent_join_confidence == 0.75);
    assert_int_equal(options->llm_context_tokens, 4000);
    assert_int_equal(options->llm_reply_tokens, 500);
    assert_string_equal(options->llm_model, "gpt-4o");
    assert_string_equal(options->llm_provider, "");
    assert_int_equal(options->sql_default_rows, 1000);
    assert_int_equal(options->sql_max_rows, 10000);
    assert_int_equal(options->session_timeout_s, 3600);
    assert_true(options->agent_allow_sql_diagnosis);
    assert_false(options->agent_ignore_sql_reasoning);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        assert_false(options->given[i]);
    }
}

static void every_default_may_be_set(void **state)
{
    struct options *options = *state;
    for (size_t i = 0; options_key(i); i++) {
        struct err err;
        const char *text = option_default(options->arena, option_row_at(i));
        if (!options_set(options, options_key(i), text, &err)) {
            fail_msg("%s: %s", options_key(i), err.message);
        }
        assert_non_null(options_help(i));
    }
    assert_null(options_key(OPTION_COUNT));
    assert_null(options_help(OPTION_COUNT));
}

static void every_older_name_leads_somewhere(void **state)
{
    (void)state;
    for (size_t i = 0; option_alias_at(i); i++) {
        const struct option_alias *alias = option_alias_at(i);
        assert_non_null(option_row_find(alias->from));
        assert_string_equal(option_row_find(alias->from)->key, alias->to);
    }
}

static void keys_are_unique(void **state)
{
    (void)state;
    struct map seen;
    map_init(&seen, true);
    for (size_t i = 0; options_key(i); i++) {
        assert_null(map_set(&seen, options_key(i), &seen));
    }
    for (size_t i = 0; option_alias_at(i); i++) {
        assert_null(map_set(&seen, option_alias_at(i)->from, &seen));
    }
    map_release(&seen);
}

static void setting_and_reading_back(void **state)
{
    static const char *const pairs[][2] = {
        {"agent.max_sql_attempts", "7"},           {"llm.temperature", "0.25"},
        {"agent.ask_when_vague", "false"},         {"agent.time_zone", "Europe/Berlin"},
        {"understanding.mode", "per_table"},       {"llm.price_in", "-1"},
        {"sql.max_scan_rows", "9000000000000000"}, {"llm.temperature", "2"}};
    struct options *options = *state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct err err;
        assert_true(options_set(options, pairs[i][0], pairs[i][1], &err));
        assert_string_equal(options_get(options, options->arena, pairs[i][0]),
                            pairs[i][1]);
    }
    assert_true(options->given[OPTION_llm_temperature]);
    assert_false(options->given[OPTION_llm_stream]);
    assert_null(options_get(options, options->arena, "no.such"));
    assert_string_equal(options_get(options, options->arena, "default_row_limit"),
                        "1000");
}

struct refusal {
    const char *key;
    const char *value;
    const char *message;
};

static void wrong_values_are_refused(void **state)
{
    static const struct refusal refusals[] = {
        {"agent.max_sql_attempts", "0", "a whole number from 1 to 10, but is '0'"},
        {"agent.max_sql_attempts", "11", "from 1 to 10"},
        {"agent.max_sql_attempts", "3.5", "whole number"},
        {"agent.max_sql_attempts", "", "whole number"},
        {"agent.max_sql_attempts", "99999999999999999999", "whole number"},
        {"llm.temperature", "hot", "a number from 0 to 2, but is 'hot'"},
        {"llm.temperature", "2.5", "a number from 0 to 2"},
        {"llm.temperature", "nan", "a number"},
        {"llm.stream", "perhaps", "true or false, but is 'perhaps'"},
        {"agent.brain", "human", "one of auto, parser, llm, but is 'human'"},
        {"understanding.mode", "AUTO", "one of auto, fused, phased, per_table"},
        {"agent.week_start", "friday", "one of monday, sunday"},
        {"llm.provider", "skynet", "one of openai, anthropic, ollama, mcp, scripted"},
        {"agent.time_zone", "\xFF", "UTF-8"},
        {"llm.modle", "x", "Unknown key 'llm.modle'. Did you mean 'llm.model'?"},
        {"max_row_limits", "x", "Did you mean 'max_row_limit'?"},
        {"weather", "x", "Unknown key 'weather'."},
        {"", "x", "Unknown key ''."},
    };
    struct options *options = *state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct err err;
        assert_false(options_set(options, refusals[i].key, refusals[i].value, &err));
        assert_int_equal(err.code, ERR_CONFIG);
        if (!strstr(err.message, refusals[i].message)) {
            fail_msg("'%s' does not say '%s'", err.message, refusals[i].message);
        }
    }
    assert_int_equal(options->agent_max_sql_attempts, 3); /* nothing changed */
    assert_string_equal(options->agent_brain, "auto");
}

static void a_long_text_is_refused(void **state)
{
    char text[5000];
    struct err err;
    memset(text, 'k', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(options_set(*state, "llm.key", text, &err));
    assert_null(strstr(err.message, "kkkk")); /* a key is not shown */
}

static void older_names_and_their_notes(void **state)
{
    struct options *options = *state;
    struct err err;
    assert_true(options_set(options, "connectchain.max_tokens", "8000", &err));
    assert_int_equal(options->llm_context_tokens, 8000);
    assert_true(options_set(options, "agent.confidence_threshold", "0.9", &err));
    assert_true(options->agent_join_confidence == 0.9);
    assert_true(options_set(options, "ttl", "60", &err));
    assert_int_equal(options->ask_ttl_s, 60);
    assert_int_equal(options->notes.count, 0);
    assert_true(options_set(options, "agent.table_ambiguity_threshold", "0.7", &err));
    assert_int_equal(options->notes.count, 1);
    assert_non_null(strstr(options->notes.items[0], "accepted, but not used"));
    assert_true(options_set(options, "SQL_CONFIG.max_retries", "2", &err));
    assert_int_equal(options->agent_max_sql_attempts, 2);
    assert_int_equal(options->notes.count, 2);
    assert_true(options_set(options, "llm.max_retries", "2", &err));
    assert_int_equal(options->notes.count, 2);
}

static void secrets_are_not_read_back(void **state)
{
    struct options *options = *state;
    struct arena *arena = options->arena;
    struct err err;
    assert_string_equal(options_get(options, arena, "llm.key"), "");
    assert_true(options_set(options, "llm.key", "sk-secret", &err));
    assert_string_equal(options_get(options, arena, "llm.key"), "***");
    assert_true(
        options_set(options, "store.url", "postgres://me:pw@host/db?a=b@c", &err));
    assert_string_equal(options_get(options, arena, "store.url"),
                        "postgres://***@host/db?a=b@c");
    assert_true(options_set(options, "llm.url", "http://u:p@ss@localhost:80/v1", &err));
    assert_string_equal(options_get(options, arena, "llm.url"),
                        "http://***@localhost:80/v1");
    assert_true(options_set(options, "llm.url", "http://localhost/a@b", &err));
    assert_string_equal(options_get(options, arena, "llm.url"), "http://localhost/a@b");
}

static void datasources_get_ids(void **state)
{
    struct options *options = *state;
    struct err err;
    static const char *const pairs[][2] = {
        {"data/My Shop.db", "My_Shop"},
        {"/abs/My Shop.db", "My_Shop-2"},
        {"postgres://me:secret@host:5432/sales?x=1", "sales"},
        {"postgres://me:secret@host", "default"},
        {"sqlite:///tmp/a.b.sqlite", "a.b"},
        {"plain", "plain"},
        {"folder/", "default-2"},
        {".hidden", ".hidden"},
        {"postgres://shophost:5432", "shophost"},
        {"mysql://me:12345", "me"}, /* could be a password */
        {"mongodb://a:1,b:2,[::1]:3/stock_room", "stock_room"},
        {"mongodb://[::1]:3", "default-3"},
        {"clickhouse://host:8123/wares", "wares"},
        {"mysql://${USER}:${PASSWORD}@${HOST}:${PORT}/goods", "goods"},
        {"sqlite://folder:a/b:c.db", "c"},
        {"odbc:PWD={x;database=secret};UID=me;Driver={D};Database={crm}", "crm"},
        {"odbc:Driver=SQLite3;Database=/data/My Files.db;PWD=x", "My_Files"},
        {"odbc:PWD=secret;Driver={D}", "odbc"},
        {"odbc:DSN=stock", "stock"},
        {"odbc:house", "house"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(
            options_add_datasource(options, i % 2 ? NULL : "", pairs[i][0], &err));
        assert_string_equal(options->datasources.items[i].id, pairs[i][1]);
        assert_string_equal(options->datasources.items[i].url, pairs[i][0]);
    }
    size_t count = options->datasources.count;
    assert_true(options_add_datasource(options, "plain", "other.db", &err));
    assert_int_equal(options->datasources.count, count); /* replaced */
    assert_string_equal(options->datasources.items[5].url, "other.db");
}

static void bad_datasources_are_refused(void **state)
{
    struct err err;
    assert_false(options_add_datasource(*state, "a", "", &err));
    assert_false(options_add_datasource(*state, "a", NULL, &err));
    assert_false(options_add_datasource(*state, "a b", "x.db", &err));
    assert_false(options_add_datasource(*state, "../a", "x.db", &err));
    char id[80];
    memset(id, 'a', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    assert_false(options_add_datasource(*state, id, "x.db", &err));
    assert_int_equal(err.code, ERR_CONFIG);
    assert_int_equal(((struct options *)*state)->datasources.count, 0);
}

/* Without a host the password would be taken for a port, and become a name. */
static void passwords_are_no_names(void **state)
{
    static const char *const urls[] = {
        "postgres://reader:SECRETPW",      "mysql://reader:SECRETPW",
        "mongodb://reader:SECRETPW",       "clickhouse://reader:SECRETPW",
        "MariaDB://reader:SECRETPW?x=1",   "postgresql:reader:SECRETPW",
        "postgres://reader:SECRETPW/shop", "postgres://reader:SEC/RETPW",
        "postgres://me:x@host:SECRETPW",   "mongodb://a:1,reader:SECRETPW/x",
        "mongodb+srv://reader:SECRETPW",   "clickhouses://reader:1SECRETPW",
        "postgres://[::1]:SECRETPW",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err err;
        err_clear(&err);
        if (options_add_datasource(*state, NULL, urls[i], &err)) {
            fail_msg("%s is taken", urls[i]);
        }
        assert_int_equal(err.code, ERR_CONFIG);
        assert_null(strstr(err.message, "RET"));
        assert_null(strstr(err.detail, "RET"));
        assert_non_null(strstr(err.message, "names no host"));
    }
    assert_int_equal(((struct options *)*state)->datasources.count, 0);
}

static void a_clone_stands_alone(void **state)
{
    (void)state;
    struct err err;
    struct options *options = options_new();
    assert_true(options_set(options, "llm.model", "ollama:llama3", &err));
    assert_true(options_set(options, "agent.table_ambiguity_threshold", "1", &err));
    assert_true(options_add_datasource(options, "shop", "shop.db", &err));
    options->datasources.items[0].description = "the shop";
    options->datasources.items[0].dictionary = "words.csv";
    struct options *copy = options_clone(options);
    options_free(options);
    assert_string_equal(copy->llm_model, "llama3");
    assert_string_equal(copy->llm_provider, "ollama");
    assert_true(copy->given[OPTION_llm_model]);
    assert_string_equal(copy->datasources.items[0].url, "shop.db");
    assert_string_equal(copy->datasources.items[0].description, "the shop");
    assert_string_equal(copy->datasources.items[0].dictionary, "words.csv");
    assert_int_equal(copy->notes.count, 1);
    assert_true(options_set(copy, "llm.temperature", "1", &err));
    assert_string_equal(copy->llm_model, "llama3");
    options_free(copy);
    options_free(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(defaults_are_those_of_the_design),
        TEST(every_default_may_be_set),
        TEST(every_older_name_leads_somewhere),
        TEST(keys_are_unique),
        TEST(setting_and_reading_back),
        TEST(wrong_values_are_refused),
        TEST(a_long_text_is_refused),
        TEST(older_names_and_their_notes),
        TEST(secrets_are_not_read_back),
        TEST(datasources_get_ids),
        TEST(bad_datasources_are_refused),
        TEST(passwords_are_no_names),
        TEST(a_clone_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
