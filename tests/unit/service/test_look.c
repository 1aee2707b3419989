/* Looking around without asking: schemas, states, guard, doctor, sessions, replay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

#define COUNT_USERS                                                                      \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) AS n FROM users\"}\n<<<\n>>> doctor repeat\nok\n<<<\n"

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, COUNT_USERS, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

static void holds(char *text, const char *piece)
{
    assert_non_null(text);
    if (!strstr(text, piece)) {
        fail_msg("no '%s' in %s", piece, text);
    }
    dgm_free(text);
}

static void schemas_in_every_form(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    holds(dgm_schema(instance->dgm, NULL, "text", &error), "users");
    holds(dgm_schema(instance->dgm, "people", "json", &error), "\"status\"");
    holds(dgm_schema(instance->dgm, NULL, "mermaid", &error), "erDiagram");
    assert_null(dgm_schema(instance->dgm, NULL, "woodcut", &error));
    assert_string_equal(error.code, "USAGE");
    assert_null(dgm_schema(instance->dgm, "atlantis", "text", &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
}

static void what_is_there(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    holds(dgm_datasources(instance->dgm), "\"id\":\"people\"");
    holds(dgm_suggestions(instance->dgm, NULL, &error), "How many users are there?");
    holds(dgm_states("text"), "EVALUATE_TABLES");
    assert_null(dgm_states("woodcut"));
    holds(dgm_explain_sql("sqlite", "SELECT COUNT(*) FROM users"), "users");
    assert_null(dgm_explain_sql("klingon", "SELECT 1"));
    holds(dgm_error_table(), "NO_RELEVANT_DATA");
    holds(dgm_config_reference(), "agent.timeout_s");
}

static void the_guard_alone_and_with_a_schema(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_verdict verdict;
    static const char read[] = "SELECT * FROM elsewhere";
    static const char drop[] = "DROP TABLE users";
    static const char wrong[] = "SELECT nmae FROM users";
    static const char write[] = "DELETE FROM users";
    assert_true(dgm_guard(NULL, NULL, "sqlite", read, sizeof read - 1, &verdict, &error));
    assert_true(verdict.allowed);
    assert_true(dgm_guard(NULL, NULL, "sqlite", drop, sizeof drop - 1, &verdict, &error));
    assert_false(verdict.allowed || verdict.is_write);
    assert_true(verdict.reason[0] != '\0');
    assert_true(
        dgm_guard(NULL, NULL, "sqlite", write, sizeof write - 1, &verdict, &error));
    assert_true(verdict.is_write && !verdict.allowed);
    assert_true(dgm_guard(instance->dgm, "people", NULL, read, sizeof read - 1, &verdict,
                          &error));
    assert_false(verdict.allowed); /* no such table */
    assert_true(dgm_guard(instance->dgm, "people", NULL, wrong, sizeof wrong - 1,
                          &verdict, &error));
    assert_false(verdict.allowed); /* no such column */
    assert_false(
        dgm_guard(NULL, NULL, "klingon", read, sizeof read - 1, &verdict, &error));
    assert_string_equal(error.code, "USAGE");
    assert_false(dgm_guard(instance->dgm, "atlantis", NULL, read, sizeof read - 1,
                           &verdict, &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
}

static void count_checks(void *context, const struct dgm_check *check)
{
    int *checks = context;
    (*checks)++;
    assert_non_null(check->name);
    assert_non_null(check->text);
}

static void the_doctor_finds_what_is_missing(void **state)
{
    struct instance_of_one *instance = *state;
    int checks = 0;
    assert_int_equal(dgm_doctor(instance->dgm, count_checks, &checks), 0);
    assert_true(checks >= 3);
    assert_int_equal(unlink(instance->database), 0);
    assert_int_equal(dgm_doctor(instance->dgm, count_checks, &checks), 1);
}

static void sessions_come_and_go(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char *id = dgm_session_new(instance->dgm, NULL, "people", &error);
    assert_non_null(id);
    assert_null(dgm_session_new(instance->dgm, NULL, "atlantis", &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
    struct dgm_request request = {.question = "How many users are there?",
                                  .session_id = id};
    struct dgm_question *question = dgm_ask(instance->dgm, &request, &error);
    assert_string_equal(dgm_answer_text(dgm_question_wait(question, -1), "session_id"),
                        id);
    dgm_question_free(question);
    holds(dgm_session_get(instance->dgm, id, &error), "How many users are there?");
    holds(dgm_session_get(instance->dgm, id, &error), "SELECT COUNT(*) AS n FROM users");
    holds(dgm_session_list(instance->dgm, NULL, &error), id);
    assert_true(dgm_session_delete(instance->dgm, id, &error));
    assert_null(dgm_session_get(instance->dgm, id, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    assert_null(dgm_ask(instance->dgm, &request, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    dgm_free(id);
}

static void a_trace_is_replayed_and_a_false_one_is_not(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_request request = {.question = "How many users are there?"};
    struct dgm_question *question = dgm_ask(instance->dgm, &request, &error);
    const char *json = dgm_answer_json(dgm_question_wait(question, -1));
    holds(dgm_replay(json, strlen(json), &error), "EXECUTE_QUERY");
    dgm_question_free(question);
    static const char *const bad[] = {
        "",
        "{}",
        "[]",
        "[{}]",
        "[{\"state\":\"NOWHERE\"}]",
        "[{\"state\":\"INITIALIZING\",\"event\":\"HIT\"},{\"state\":\"FINISHED\"}]",
        "[{\"state\":\"INITIALIZING\",\"event\":\"DONE\"},{\"state\":\"FINISHED\"}]",
        "[{\"state\":\"INITIALIZING\",\"event\":\"SNEEZE\"}]",
        "[{\"state\":\"INITIALIZING\"},{\"state\":\"PARSE_INTENT\"}]",
        "[{\"state\":\"FINISHED\",\"event\":\"DONE\"}]",
        "{\"trace\":7}",
        "[1,2,3]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = dgm_replay(bad[i], strlen(bad[i]), &error);
        if (text) {
            fail_msg("%s was replayed", bad[i]);
        }
        assert_string_equal(error.code, "INVALID_DATA");
    }
}

static void settings_by_key(void **unused)
{
    (void)unused;
    struct dgm_error error;
    struct dgm_config *config = dgm_config_new();
    assert_true(dgm_config_set(config, "agent.timeout_s", "7", &error));
    holds(dgm_config_get(config, "agent.timeout_s"), "7");
    assert_true(dgm_config_set(config, "llm.key", "hush", &error));
    holds(dgm_config_get(config, "llm.key"), "***");
    assert_false(dgm_config_set(config, "agent.timeout", "7", &error));
    assert_string_equal(error.code, "CONFIG");
    assert_false(dgm_config_set(config, "agent.timeout_s", "soon", &error));
    assert_null(dgm_config_get(config, "no.such_key"));
    size_t keys = 0;
    while (dgm_config_key(keys)) {
        keys++;
    }
    assert_true(keys > 40);
    /* A level nobody knows is refused when it is set or when the instance is opened. */
    bool taken = dgm_config_set(config, "log.level", "loudest", &error);
    assert_true(!taken || !dgm_open(config, &error));
    assert_string_equal(error.code, "CONFIG");
    dgm_config_free(config);
}

static void keeping_and_bringing_back(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/kept", instance->folder);
    char *id = dgm_session_new(instance->dgm, NULL, NULL, &error);
    assert_non_null(id);
    assert_true(dgm_backup(instance->dgm, path, &error));
    assert_false(dgm_backup(instance->dgm, "/nowhere/at/all", &error));
    assert_true(error.message[0] != '\0');
    assert_true(dgm_session_delete(instance->dgm, id, &error));
    dgm_close(instance->dgm);
    instance->dgm = NULL;
    char data[128];
    (void)snprintf(data, sizeof data, "%s/data", instance->folder);
    struct dgm_config *config = dgm_config_new();
    assert_true(dgm_config_set(config, "store.folder", data, &error));
    assert_true(dgm_restore(config, path, &error));
    assert_false(dgm_restore(config, instance->database, &error));
    dgm_config_free(config);
    assert_true(instance_of_one_reopen(instance, COUNT_USERS, NULL));
    holds(dgm_session_get(instance->dgm, id, &error), id);
    dgm_free(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(schemas_in_every_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_guard_alone_and_with_a_schema, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_doctor_finds_what_is_missing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sessions_come_and_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_trace_is_replayed_and_a_false_one_is_not,
                                        set_up, tear_down),
        cmocka_unit_test(settings_by_key),
        cmocka_unit_test_setup_teardown(keeping_and_bringing_back, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
