/* Policies through the public header: each account sees its own part, whether a model
 * that does not care, the parser or a person writes the SQL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "base/err.h"
#include "base/file.h"
#include "unit/service/instance_of_one.h"

/* The model asks for everything, in whatever way. */
static const char greedy[] = ">>> understand repeat\n{\"tables\": [{\"name\": "
                             "\"users\"}], \"sql\": \"SELECT * FROM "
                             "users\"}\n<<<\n";

static const char policy[] = "datasources:\n"
                             "  - id: people\n"
                             "    url: %s\n"
                             "    policy:\n"
                             "      tables: {deny: [wages]}\n"
                             "      columns: {deny: [users.secret]}\n"
                             "      accounts:\n"
                             "        ada:\n"
                             "          rows: {users: \"owner = :account\"}\n"
                             "          columns: {mask: {users.name: redact}}\n"
                             "        careful: {approval: true, send_rows: false}\n"
                             "        short: {max_rows: 2}\n"
                             "        open: {show_filters: true}\n";

static void database(struct instance_of_one *instance)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(instance->database, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "ALTER TABLE users ADD COLUMN owner TEXT;"
                     "ALTER TABLE users ADD COLUMN secret TEXT;"
                     "UPDATE users SET owner = 'bob', secret = 'CANARY-' || id,"
                     " name = 'CANARY ' || name;"
                     "UPDATE users SET owner = 'ada', name = 'CANARY one' WHERE id = 1;"
                     "CREATE TABLE wages (id INTEGER, amount TEXT);"
                     "INSERT INTO wages VALUES (1, 'CANARY-wage');",
                     NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(db);
}

/* The instance again, with a policy in its configuration file. */
static void with_policy(struct instance_of_one *instance, const char *brain)
{
    struct dgm_error error;
    struct err err;
    char text[1024];
    char path[128];
    char script[128];
    char data[128];
    dgm_close(instance->dgm);
    database(instance);
    (void)snprintf(path, sizeof path, "%s/dragoman.yaml", instance->folder);
    (void)snprintf(script, sizeof script, "%s/script", instance->folder);
    (void)snprintf(data, sizeof data, "%s/data", instance->folder);
    (void)snprintf(text, sizeof text, policy, instance->database);
    assert_true(file_write(path, text, strlen(text), &err));
    struct dgm_config *config = dgm_config_new();
    assert_true(dgm_config_load(config, path, &error));
    assert_true(dgm_config_set(config, "llm.provider", "scripted", &error));
    assert_true(dgm_config_set(config, "llm.script", script, &error));
    assert_true(dgm_config_set(config, "agent.brain", brain, &error));
    assert_true(dgm_config_set(config, "parser.accept", "0", &error));
    assert_true(dgm_config_set(config, "store.folder", data, &error));
    instance->dgm = dgm_open(config, &error);
    dgm_config_free(config);
    assert_non_null(instance->dgm);
}

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, greedy, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

/* The answer's JSON. sql: run instead of asking. */
static char *answer(struct instance_of_one *instance, const char *account,
                    const char *text, bool sql)
{
    struct dgm_error error;
    struct dgm_request request = {.question = sql ? NULL : text, .account = account};
    struct dgm_question *question =
        sql ? dgm_run_sql(instance->dgm, text, &request, &error)
            : dgm_ask(instance->dgm, &request, &error);
    assert_non_null(question);
    const char *json = dgm_answer_json(dgm_question_wait(question, -1));
    assert_non_null(json);
    char *copy = strdup(json);
    dgm_question_free(question);
    return copy;
}

static void has(const char *json, const char *piece)
{
    if (!strstr(json, piece)) {
        fail_msg("no %s in %s", piece, json);
    }
}

static void lacks(const char *json, const char *piece)
{
    if (strstr(json, piece)) {
        fail_msg("%s in %s", piece, json);
    }
}

static void each_account_sees_its_part(void **state)
{
    struct instance_of_one *instance = *state;
    with_policy(instance, "llm");
    char *all = answer(instance, NULL, "Show all users", false);
    has(all, "\"row_count\":3");
    lacks(all, "CANARY-");
    free(all);
    char *ada = answer(instance, "ada", "Show all users", false);
    has(ada, "\"row_count\":1");
    has(ada, "only some rows of users");
    has(ada, "users.name masked");
    lacks(ada, "CANARY");
    lacks(ada, "owner = ");
    free(ada);
    char *few = answer(instance, "short", "Show all users", false);
    has(few, "\"row_count\":2");
    has(few, "\"truncated\":true");
    free(few);
    char *waits = answer(instance, "careful", "Show all users", false);
    has(waits, "Should this query be run?");
    lacks(waits, "CANARY");
    lacks(waits, "\"rows\"");
    free(waits);
}

static void the_parser_sees_no_more(void **state)
{
    static const char *const questions[] = {"Show all users",
                                            "How many users are there?",
                                            "What is the name of user 1?",
                                            "Show the secret of every user",
                                            "List all wages",
                                            "What is the highest amount?"};
    struct instance_of_one *instance = *state;
    with_policy(instance, "parser");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char *ada = answer(instance, "ada", questions[i], false);
        lacks(ada, "CANARY");
        lacks(ada, "\"wages");
        free(ada);
    }
    char *count = answer(instance, "ada", "How many users are there?", false);
    has(count, "[[1]]");
    free(count);
}

static void a_person_sees_no_more(void **state)
{
    static const char *const statements[] = {
        "SELECT * FROM wages",
        "SELECT secret FROM users",
        "SELECT w.amount FROM wages w",
        "SELECT wage FROM users",
        "SELECT u.* FROM users u",
        "SELECT * FROM wage",
        "SELECT name, owner FROM users WHERE owner <> 'ada'"};
    struct instance_of_one *instance = *state;
    with_policy(instance, "llm");
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char *ada = answer(instance, "ada", statements[i], true);
        lacks(ada, "CANARY");
        lacks(ada, "Did you mean 'wages'");
        free(ada);
    }
}

static void schemas_differ(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    with_policy(instance, "llm");
    static const char *const accounts[] = {NULL, "ada", "nobody"};
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        char *json = dgm_schema_for(instance->dgm, accounts[i], "people", "json", &error);
        assert_non_null(json);
        has(json, "owner");
        lacks(json, "wages");
        lacks(json, "secret");
        lacks(json, "CANARY-");
        assert_int_equal(strstr(json, "CANARY") != NULL, i != 1);
        dgm_free(json);
        char *questions =
            dgm_suggestions_for(instance->dgm, accounts[i], "people", &error);
        assert_non_null(questions);
        lacks(questions, "wages");
        dgm_free(questions);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(each_account_sees_its_part),
        TEST(the_parser_sees_no_more),
        TEST(a_person_sees_no_more),
        TEST(schemas_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
