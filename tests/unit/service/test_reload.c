/* The configuration read again: new questions go by it, and a bad one changes nothing. */
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

#define SAYS(number)                                                                     \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) + " number " AS n FROM users\"}\n<<<\n"
#define SLOW                                                                             \
    ">>> understand repeat\ndelay_ms: 400\n{\"tables\": [{\"name\": \"users\"}], "       \
    "\"sql\": \"SELECT COUNT(*) AS n FROM users\"}\n<<<\n"

static const char *const no_recall[] = {"agent.recall=false", NULL};

/* The instance's own configuration, to be changed. */
static struct dgm_config *same(struct instance_of_one *instance, const char *script)
{
    struct dgm_error error;
    struct err err;
    char path[128];
    char data[128];
    (void)snprintf(path, sizeof path, "%s/script2", instance->folder);
    (void)snprintf(data, sizeof data, "%s/data", instance->folder);
    assert_true(file_write(path, script, strlen(script), &err));
    struct dgm_config *config = dgm_config_new();
    assert_true(dgm_config_set(config, "llm.provider", "scripted", &error));
    assert_true(dgm_config_set(config, "llm.script", path, &error));
    assert_true(dgm_config_set(config, "agent.brain", "llm", &error));
    assert_true(dgm_config_set(config, "agent.recall", "false", &error));
    assert_true(dgm_config_set(config, "store.folder", data, &error));
    assert_true(dgm_config_add_datasource(config, NULL, instance->database, &error));
    return config;
}

static struct dgm_question *start(struct instance_of_one *instance)
{
    struct dgm_error error;
    struct dgm_request request = {.question = "How many users are there?"};
    struct dgm_question *question = dgm_ask(instance->dgm, &request, &error);
    assert_non_null(question);
    return question;
}

static void ends(struct dgm_question *question, const char *cell)
{
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    if (!dgm_answer_rows(answer)) {
        fail_msg("%s", dgm_answer_json(answer));
    }
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), cell);
    dgm_question_free(question);
}

static void new_questions_go_by_it(void **state)
{
    (void)state;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, SLOW, no_recall));
    struct dgm_question *before = start(&instance);
    struct dgm_config *config = same(&instance, SAYS("100"));
    assert_true(dgm_reload(instance.dgm, config, &error));
    struct dgm_question *after = start(&instance);
    ends(before, "3"); /* by the model it began with */
    ends(after, "103");
    /* A limit is another one, too. */
    assert_true(dgm_config_set(config, "question.max_bytes", "100", &error));
    assert_true(dgm_reload(instance.dgm, config, &error));
    char words[200];
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    struct dgm_request request = {.question = words};
    assert_null(dgm_ask(instance.dgm, &request, &error));
    assert_string_equal(error.code, "QUESTION_TOO_LONG");
    dgm_config_free(config);
    instance_of_one_close(&instance);
}

static void a_bad_one_changes_nothing(void **state)
{
    (void)state;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, SAYS("0"), no_recall));
    ends(start(&instance), "3");
    struct dgm_config *config = same(&instance, SAYS("100"));
    assert_true(dgm_config_set(config, "question.max_bytes", "100", &error));
    assert_true(dgm_config_set(config, "llm.script", "/nowhere/at/all", &error));
    assert_false(dgm_reload(instance.dgm, config, &error));
    assert_true(error.message[0] != '\0');
    ends(start(&instance), "3");
    dgm_config_free(config);
    config = same(&instance, SAYS("100"));
    assert_true(dgm_config_set(config, "log.level", "loud", &error));
    assert_false(dgm_reload(instance.dgm, config, &error));
    assert_string_equal(error.code, "CONFIG");
    ends(start(&instance), "3");
    dgm_config_free(config);
    instance_of_one_close(&instance);
}

static void ids(struct dgm *dgm, const char *id, bool wanted)
{
    char *list = dgm_datasources(dgm);
    assert_true((strstr(list, id) != NULL) == wanted);
    dgm_free(list);
}

static void datasources_come_and_go(void **state)
{
    (void)state;
    struct instance_of_one instance;
    struct dgm_error error;
    char path[128];
    assert_true(instance_of_one_open(&instance, SAYS("0"), no_recall));
    ends(start(&instance), "3"); /* it is open */
    (void)snprintf(path, sizeof path, "%s/more.db", instance.folder);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE users (id INTEGER);"
                                  "INSERT INTO users VALUES (1)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    struct dgm_config *config = same(&instance, SAYS("0"));
    assert_true(dgm_config_add_datasource(config, "more", path, &error));
    assert_true(dgm_reload(instance.dgm, config, &error));
    ids(instance.dgm, "\"more\"", true);
    ids(instance.dgm, "people", true);
    /* The same id elsewhere is another database. */
    dgm_config_clear_datasources(config);
    assert_true(dgm_config_add_datasource(config, "people", path, &error));
    assert_true(dgm_reload(instance.dgm, config, &error));
    ids(instance.dgm, "\"more\"", false);
    ends(start(&instance), "1");
    /* A setting that datasources are opened with: all are opened anew. */
    assert_true(dgm_config_set(config, "sql.timeout_s", "7", &error));
    assert_true(dgm_reload(instance.dgm, config, &error));
    ends(start(&instance), "1");
    dgm_config_free(config);
    instance_of_one_close(&instance);
}

static void what_is_built_once_stays(void **state)
{
    (void)state;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(&instance, SAYS("0"), no_recall));
    char *session = dgm_session_new(instance.dgm, NULL, NULL, &error);
    struct dgm_config *config = same(&instance, SAYS("0"));
    assert_true(dgm_config_set(config, "store.folder", "/nowhere/at/all", &error));
    assert_true(dgm_reload(instance.dgm, config, &error));
    char *got = dgm_session_get(instance.dgm, session, &error);
    assert_non_null(got);
    dgm_free(got);
    dgm_free(session);
    ends(start(&instance), "3");
    dgm_config_free(config);
    instance_of_one_close(&instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_questions_go_by_it),
        cmocka_unit_test(a_bad_one_changes_nothing),
        cmocka_unit_test(datasources_come_and_go),
        cmocka_unit_test(what_is_built_once_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
