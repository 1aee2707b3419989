/* What belongs to one account is not there for another, and a key for one datasource sees
 * nothing of the others: every function that takes an id. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "unit/service/instance_of_one.h"

#define SCRIPT                                                                           \
    ">>> understand repeat\nwhen: vault\n{\"tables\": [{\"name\": \"vault\"}], "         \
    "\"sql\": \"SELECT secret FROM vault\"}\n<<<\n"                                      \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) AS n FROM users\"}\n<<<\n"

static const char *const settings[] = {"sources.folders=/tmp", NULL};

static struct dgm_access local; /* all zero */
static struct dgm_access ann = {
    .key_id = "", .account = "ann", .scopes = DGM_SCOPE_READ | DGM_SCOPE_ASK};
static struct dgm_access bob = {
    .key_id = "", .account = "bob", .scopes = DGM_SCOPE_READ | DGM_SCOPE_ASK};
/* Keys of ann's for one datasource. */
static struct dgm_access ann_people, ann_vault;

static void narrow(struct dgm *dgm, const char *datasource, struct dgm_access *out)
{
    struct dgm_error error;
    struct dgm_key key = {.account = "ann", .datasources = datasource};
    char *json = dgm_key_add(dgm, &key, &error);
    assert_non_null(json);
    char text[128];
    const char *at = strstr(json, "dgm_");
    (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\""), at);
    dgm_free(json);
    assert_true(dgm_access_open(dgm, text, DGM_SCOPE_ASK, out, &error));
    assert_string_equal(out->datasources, datasource);
}

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    struct dgm_error error = {.code = ""};
    char path[128];
    *state = instance;
    if (!instance_of_one_open(instance, SCRIPT, settings)) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/vault.db", instance->folder);
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(path, &db) == SQLITE_OK &&
              sqlite3_exec(db,
                           "CREATE TABLE vault (id INTEGER, secret TEXT);"
                           "INSERT INTO vault VALUES (1, 'treasure')",
                           NULL, NULL, NULL) == SQLITE_OK;
    (void)sqlite3_close(db);
    char *id =
        ok ? dgm_source_add(instance->dgm, "vault", path, "treasure", &error) : NULL;
    if (!id) {
        (void)fprintf(stderr, "%s: %s\n", error.code, error.message);
        return -1;
    }
    dgm_free(id);
    narrow(instance->dgm, "people", &ann_people);
    narrow(instance->dgm, "vault", &ann_vault);
    return 0;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

/* The answer's JSON, and its id. */
static char *ask(struct dgm *dgm, struct dgm_request request, char id[64])
{
    struct dgm_error error;
    struct dgm_question *question = dgm_ask(dgm, &request, &error);
    if (!question) {
        fail_msg("%s: %s", error.code, error.message);
    }
    char *json = strdup(dgm_answer_json(dgm_question_wait(question, -1)));
    (void)snprintf(id, 64, "%s", dgm_question_id(question));
    dgm_question_free(question);
    return json;
}

static void has(char *text, const char *piece, bool wanted)
{
    assert_non_null(text);
    if ((strstr(text, piece) != NULL) != wanted) {
        fail_msg("'%s' %s in %s", piece, wanted ? "is not" : "is", text);
    }
    dgm_free(text);
}

/* Every door to a question, tried by somebody who only knows its id. */
static void question_is_hidden(struct dgm *dgm, const struct dgm_access *access,
                               const char *id)
{
    struct dgm_error error;
    struct dgm_request request = {.question = "yes", .access = access};
    assert_false(dgm_access_question(dgm, access, id, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_int_equal(error.http_status, 404);
    assert_null(dgm_answer_load_for(dgm, access, id, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_resume(dgm, id, "yes", &request, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_approve(dgm, id, true, &request, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_retry(dgm, id, &request, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
}

static void session_is_hidden(struct dgm *dgm, const struct dgm_access *access,
                              const char *id)
{
    struct dgm_error error;
    struct dgm_request request = {
        .question = "How many users are there?", .session_id = id, .access = access};
    assert_false(dgm_access_session(dgm, access, id, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    assert_int_equal(error.http_status, 404);
    assert_null(dgm_session_get_for(dgm, access, id, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    assert_false(dgm_session_delete_for(dgm, access, id, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    assert_null(dgm_ask(dgm, &request, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    assert_null(dgm_run_sql(dgm, "SELECT 1", &request, &error));
    assert_string_equal(error.code, "SESSION_NOT_FOUND");
    has(dgm_session_list_for(dgm, access, &error), id, false);
}

static void one_account_does_not_see_another(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    struct dgm_error error;
    char id[64];
    char *session = dgm_session_new_for(dgm, &ann, "people", &error);
    assert_non_null(session);
    free(ask(dgm,
             (struct dgm_request){.question = "How many users are there?",
                                  .session_id = session,
                                  .access = &ann},
             id));
    question_is_hidden(dgm, &bob, id);
    session_is_hidden(dgm, &bob, session);
    assert_false(dgm_feedback(dgm, "bob", id, true, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    /* It is there for its own account, and for the person at the machine. */
    has(dgm_answer_load_for(dgm, &ann, id, &error), "users", true);
    has(dgm_answer_load_for(dgm, &local, id, &error), "users", true);
    has(dgm_answer_load(dgm, id, &error), "users", true);
    has(dgm_session_get_for(dgm, &ann, session, &error), "How many users", true);
    has(dgm_session_list_for(dgm, &ann, &error), session, true);
    assert_true(dgm_access_question(dgm, &ann, id, &error));
    /* An id that never was looks the same as another's. */
    struct dgm_error never;
    assert_null(dgm_answer_load_for(dgm, &bob, id, &error));
    assert_null(dgm_answer_load_for(dgm, &bob, "q-nothing", &never));
    assert_string_equal(error.message, never.message);
    assert_true(dgm_session_delete_for(dgm, &ann, session, &error));
    assert_null(dgm_session_get_for(dgm, &ann, session, &error));
    dgm_free(session);
}

static void lessons_and_datasets_have_an_account_each(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm *dgm = instance->dgm;
    struct dgm_error error;
    const struct dgm_lesson mapping = {
        .kind = "table_mapping", .schema_name = "Members", .actual_name = "users"};
    char *id = dgm_lesson_add(dgm, "ann", "people", &mapping, &error);
    assert_non_null(id);
    assert_null(dgm_lesson_get(dgm, "bob", id, &error));
    assert_int_equal(error.http_status, 404);
    assert_false(dgm_lesson_remove(dgm, "bob", id, &error));
    assert_int_equal(error.http_status, 404);
    assert_true(dgm_lesson_remove(dgm, "ann", id, &error));
    dgm_free(id);
    assert_null(dgm_dataset_get(dgm, "bob", "nothing", &error));
    assert_int_equal(error.http_status, 404);
    assert_null(dgm_dataset_preview(dgm, "bob", "../ann/x", NULL, 1, &error));
    assert_int_equal(error.http_status, 404);
    assert_false(dgm_dataset_remove(dgm, "bob", "nothing", &error));
    assert_int_equal(error.http_status, 404);
}

static void a_narrow_key_sees_one_datasource(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    struct dgm_error error;
    has(dgm_datasources_for(dgm, &ann_people), "vault", false);
    has(dgm_datasources_for(dgm, &ann_people), "people", true);
    has(dgm_datasources_for(dgm, &local), "vault", true);
    assert_null(dgm_access_source(dgm, &ann_people, "vault", &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
    assert_null(dgm_access_source(dgm, &ann_people, "VAULT", &error));
    assert_null(dgm_access_source(dgm, &ann_people, "people,vault", &error));
    has(dgm_access_source(dgm, &ann_people, NULL, &error), "people", true);
    has(dgm_access_source(dgm, &ann_people, "PEOPLE", &error), "people", true);
    assert_null(dgm_access_source(dgm, &ann, NULL, &error)); /* there are two */
    assert_null(dgm_session_new_for(dgm, &ann_people, "vault", &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
    /* By id, by a list, by name in the question, by its tables, by its SQL. */
    static const struct {
        const char *question;
        const char *datasource;
    } tries[] = {
        {"How many users are there?", "vault"},
        {"How many users are there?", "people,vault"},
        {"What is the secret in the vault?", NULL},
        {"Which tables are there in vault?", NULL},
        {"What tables are there?", NULL},
        {"Which databases are there?", NULL},
    };
    char id[64];
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char *json = ask(dgm,
                         (struct dgm_request){.question = tries[i].question,
                                              .datasource = tries[i].datasource,
                                              .access = &ann_people},
                         id);
        has(json, "treasure", false);
    }
    struct dgm_request request = {.access = &ann_people};
    struct dgm_question *question =
        dgm_run_sql(dgm, "SELECT secret FROM vault", &request, &error);
    assert_non_null(question);
    assert_int_not_equal(dgm_answer_exit_status(dgm_question_wait(question, -1)), 0);
    dgm_question_free(question);
    /* And the right key may. */
    has(ask(dgm,
            (struct dgm_request){.question = "What is the secret in the vault?",
                                 .access = &ann_vault},
            id),
        "treasure", true);
    question_is_hidden(dgm, &ann_people, id); /* of the same account, all the same */
    assert_true(dgm_access_question(dgm, &ann_vault, id, &error));
    assert_true(dgm_access_question(dgm, &ann, id, &error));
}

static void schema_questions_stay_in_reach(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    char id[64];
    char *json = ask(
        dgm,
        (struct dgm_request){.question = "What tables are there?", .access = &ann_people},
        id);
    assert_null(strstr(json, "\"vault"));
    has(json, "users", true);
    has(ask(dgm,
            (struct dgm_request){.question = "What tables are there?", .access = &local},
            id),
        "vault", true);
}

static void a_conversation_stays_on_its_datasource(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    struct dgm_error error;
    char *vault = dgm_session_new_for(dgm, &ann_vault, NULL, &error);
    char *open = dgm_session_new_for(dgm, &ann, NULL, &error);
    char *people = dgm_session_new_for(dgm, &ann_people, NULL, &error);
    assert_true(vault && open && people);
    session_is_hidden(dgm, &ann_people, vault);
    session_is_hidden(dgm, &ann_people, open); /* anything may be said in it */
    session_is_hidden(dgm, &ann_vault, people);
    assert_true(dgm_access_session(dgm, &ann, vault, &error));
    assert_true(dgm_access_session(dgm, &ann_people, people, &error));
    struct dgm_request request = {.question = "What is the secret in the vault?",
                                  .session_id = people,
                                  .datasource = "vault",
                                  .access = &ann_people};
    assert_null(dgm_ask(dgm, &request, &error));
    assert_string_equal(error.code, "USAGE");
    dgm_free(vault);
    dgm_free(open);
    dgm_free(people);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_account_does_not_see_another),
        TEST(lessons_and_datasets_have_an_account_each),
        TEST(a_narrow_key_sees_one_datasource),
        TEST(schema_questions_stay_in_reach),
        TEST(a_conversation_stays_on_its_datasource),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
