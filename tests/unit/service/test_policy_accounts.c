/* What an account may not see, it sees through no function of the public header: not in
 * the dictionary, the changes or the guard's words, not in pages and files, and not in
 * what others were answered before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "base/err.h"
#include "base/file.h"
#include "unit/service/instance_of_one.h"

/* It says so when a prompt holds a cell. */
static const char model[] =
    ">>> understand repeat\nwhen: CANARY\n{\"tables\": [{\"name\": \"users\"}], \"sql\": "
    "\"SELECT *, 'a model was told' AS said FROM users\"}\n<<<\n"
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT * "
    "FROM "
    "users\"}\n<<<\n";

static const char policy[] =
    "policy: {hash_key: CANARY-key}\n"
    "datasources:\n"
    "  - id: people\n"
    "    url: %s\n"
    "    policy:\n"
    "      show_filters: true\n"
    "      accounts:\n"
    "        ada:\n"
    "          tables: {deny: [plans]}\n"
    "          columns: {deny: [users.secret], mask: {users.name: hash}}\n"
    "          rows: {users: \"owner = :account\"}\n"
    "        quiet: {rows: {users: \"owner = :account\"}, show_filters: false}\n"
    "        short: {max_rows: 2}\n"
    "        thin: {max_bytes: 90}\n"
    "        careful: {approval: true}\n"
    "        private: {send_rows: false}\n"
    "        hasty: {timeout_s: 1}\n"
    "        cheap: {max_cost: 2}\n"
    "        partly: {max_cost: 1, rows: {users: \"owner = 'eve'\"}}\n";

static void change(struct instance_of_one *instance, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(instance->database, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static void open_instance(struct instance_of_one *instance)
{
    struct dgm_error error;
    struct err err;
    char text[2048];
    char path[128];
    char script[128];
    char data[128];
    (void)snprintf(path, sizeof path, "%s/dragoman.yaml", instance->folder);
    (void)snprintf(script, sizeof script, "%s/script", instance->folder);
    (void)snprintf(data, sizeof data, "%s/data", instance->folder);
    (void)snprintf(text, sizeof text, policy, instance->database);
    assert_true(file_write(path, text, strlen(text), &err));
    struct dgm_config *config = dgm_config_new();
    if (!dgm_config_load(config, path, &error)) {
        fail_msg("%s", error.message);
    }
    assert_true(dgm_config_set(config, "llm.provider", "scripted", &error));
    assert_true(dgm_config_set(config, "llm.script", script, &error));
    assert_true(dgm_config_set(config, "agent.brain", "llm", &error));
    assert_true(dgm_config_set(config, "sql.timeout_s", "600", &error));
    assert_true(dgm_config_set(config, "agent.timeout_s", "600", &error));
    assert_true(dgm_config_set(config, "store.folder", data, &error));
    instance->dgm = dgm_open(config, &error);
    dgm_config_free(config);
    assert_non_null(instance->dgm);
}

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    if (!instance_of_one_open(instance, model, NULL)) {
        return -1;
    }
    dgm_close(instance->dgm);
    instance->dgm = NULL;
    change(instance, "ALTER TABLE users ADD COLUMN owner TEXT;"
                     "ALTER TABLE users ADD COLUMN secret TEXT;"
                     "UPDATE users SET owner = 'bob', secret = 'CANARY-secret-' || id,"
                     " status = 'CANARY-hidden', name = 'CANARY ' || name;"
                     "UPDATE users SET owner = 'ada', status = 'active' WHERE id = 1;"
                     "CREATE TABLE plans (id INTEGER, text TEXT);"
                     "INSERT INTO plans VALUES (1, 'CANARY-plan');");
    open_instance(instance);
    return 0;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

/* The answer's JSON; its id is kept in `id` where that is given. */
static char *answer(struct instance_of_one *instance, const char *account,
                    const char *text, bool sql, char id[64])
{
    struct dgm_error error;
    struct dgm_request request = {.question = sql ? NULL : text, .account = account};
    struct dgm_question *question =
        sql ? dgm_run_sql(instance->dgm, text, &request, &error)
            : dgm_ask(instance->dgm, &request, &error);
    assert_non_null(question);
    char *copy = strdup(dgm_answer_json(dgm_question_wait(question, -1)));
    if (id) {
        (void)snprintf(id, 64, "%s", dgm_question_id(question));
    }
    dgm_question_free(question);
    return copy;
}

static void holds(char *json, const char *piece)
{
    assert_non_null(json);
    if (!strstr(json, piece)) {
        fail_msg("no %s in %s", piece, json);
    }
}

static void lacks(char *json, const char *piece)
{
    assert_non_null(json);
    if (strstr(json, piece)) {
        fail_msg("%s in %s", piece, json);
    }
}

static void descriptions_are_sifted(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    const struct dgm_description words[] = {
        {.table = "plans", .description = "what we are up to"},
        {.table = "users", .column = "secret", .description = "never to be told"},
        {.table = "users", .column = "name", .description = "of the person"}};
    for (size_t i = 0; i < 3; i++) {
        assert_true(dgm_describe(instance->dgm, "people", &words[i], &error));
        /* what is not there cannot be described */
        assert_int_equal(
            dgm_describe_for(instance->dgm, "ada", "people", &words[i], &error), i == 2);
    }
    char *all = dgm_dictionary(instance->dgm, "people", &error);
    holds(all, "what we are up to");
    holds(all, "never to be told");
    dgm_free(all);
    char *ada = dgm_dictionary_for(instance->dgm, "ada", "people", &error);
    holds(ada, "of the person");
    lacks(ada, "plans");
    lacks(ada, "secret");
    lacks(ada, "up to");
    dgm_free(ada);
}

static void changes_are_sifted(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_watch *open = dgm_watch_open(instance->dgm, "people", &error);
    struct dgm_watch *ada = dgm_watch_open_for(instance->dgm, "ada", "people", &error);
    assert_true(open && ada);
    char *seen = dgm_source_refresh_for(instance->dgm, "ada", "people", &error);
    lacks(seen, "plans");
    dgm_free(seen);
    dgm_free(dgm_source_refresh(instance->dgm, "people", &error));
    change(instance, "ALTER TABLE plans ADD COLUMN budget INTEGER");
    seen = dgm_watch_look(open, &error);
    holds(seen, "budget");
    dgm_free(seen);
    seen = dgm_watch_look(ada, &error);
    assert_string_equal(seen, "[]");
    dgm_free(seen);
    seen = dgm_source_changes(instance->dgm, "people", &error);
    holds(seen, "budget");
    dgm_free(seen);
    seen = dgm_source_changes_for(instance->dgm, "ada", "people", &error);
    lacks(seen, "budget");
    lacks(seen, "plans");
    dgm_free(seen);
    change(instance, "ALTER TABLE users ADD COLUMN seen INTEGER");
    seen = dgm_watch_look(ada, &error);
    holds(seen, "\"seen\"");
    dgm_free(seen);
    dgm_watch_close(open);
    dgm_watch_close(ada);
}

static void the_guard_knows_no_more(void **state)
{
    static const char *const held[] = {"SELECT secret FROM users", "SELECT * FROM plans",
                                       "SELECT u.secret FROM users u"};
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_verdict verdict;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        assert_true(dgm_guard(instance->dgm, "people", NULL, held[i], strlen(held[i]),
                              &verdict, &error));
        assert_true(verdict.allowed);
        assert_true(dgm_guard_for(instance->dgm, "ada", "people", NULL, held[i],
                                  strlen(held[i]), &verdict, &error));
        assert_false(verdict.allowed);
    }
    static const char sql[] = "WITH x AS (SELECT u.* FROM users AS u) SELECT id FROM x";
    char *all =
        dgm_guard_json(instance->dgm, NULL, "people", NULL, sql, strlen(sql), &error);
    holds(all, "[{\"name\":\"users\",\"columns\":[\"id\",\"name\",\"status\",\"owner\","
               "\"secret\"]}]");
    dgm_free(all);
    char *ada =
        dgm_guard_json(instance->dgm, "ada", "people", NULL, sql, strlen(sql), &error);
    holds(ada,
          "[{\"name\":\"users\",\"columns\":[\"id\",\"name\",\"status\",\"owner\"]}]");
    dgm_free(ada);
}

static void tell(void *context, const struct dgm_check *check)
{
    if (strstr(check->name, "datasource")) {
        (void)snprintf(context, 200, "%s", check->text);
    }
}

static void a_test_counts_what_is_seen(void **state)
{
    struct instance_of_one *instance = *state;
    char text[200] = "";
    assert_int_equal(dgm_source_test(instance->dgm, "people", tell, text), 0);
    holds(text, "2 tables");
    assert_int_equal(dgm_source_test_for(instance->dgm, "ada", "people", tell, text), 0);
    holds(text, "1 tables");
}

/* Others asked the same before: what they got is not what ada gets. */
static void answers_of_others_stay_theirs(void **state)
{
    struct instance_of_one *instance = *state;
    char id[64];
    char *all = answer(instance, NULL, "Show all users", false, id);
    holds(all, "CANARY");
    free(all);
    free(answer(instance, "private", "Show all users", false, NULL));
    for (int i = 0; i < 2; i++) { /* asked anew, and out of ada's own history */
        char *ada = answer(instance, "ada", "Show all users", false, NULL);
        holds(ada, "\"row_count\":1");
        lacks(ada, "CANARY");
        free(ada);
    }
    struct dgm_error error;
    const struct dgm_access access = {.account = "ada"};
    assert_null(dgm_answer_load_for(instance->dgm, &access, id, &error));
    assert_null(dgm_rows(instance->dgm, &access, id, 0, 10, &error));
    assert_null(dgm_chart(instance->dgm, &access, id, NULL, &error));
    char *history = dgm_history(instance->dgm, &access, NULL, &error);
    lacks(history, id);
    dgm_free(history);
}

/* A value that is nearly right is not helped on by rows that are not seen. */
static void hints_know_no_more(void **state)
{
    static const char *const statements[] = {
        "SELECT id FROM users WHERE status = 'CANARY-hiden'",
        "SELECT id FROM users WHERE name = 'CANARY B'",
        "SELECT id FROM users WHERE status = 'canary hidden'"};
    struct instance_of_one *instance = *state;
    for (size_t i = 0; i < 3; i++) {
        char *ada = answer(instance, "ada", statements[i], true, NULL);
        lacks(ada, "CANARY-hidden");
        lacks(ada, "CANARY Bo");
        free(ada);
    }
}

static void models_are_told_no_cell(void **state)
{
    struct instance_of_one *instance = *state;
    char *told = answer(instance, NULL, "Which users are there?", false, NULL);
    holds(told, "a model was told");
    free(told);
    char *kept = answer(instance, "private", "Which users are there?", false, NULL);
    lacks(kept, "a model was told");
    holds(kept, "\"row_count\":3");
    free(kept);
    kept = answer(instance, "ada", "Which users are there?", false, NULL);
    lacks(kept, "a model was told");
    free(kept);
}

/* ------------------------------------------------------------------ limits */

static void pages_and_files_are_bounded(void **state)
{
    static const char *const accounts[] = {"short", "thin"};
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    for (size_t i = 0; i < 2; i++) {
        char id[64];
        char path[160];
        struct dgm_exported out;
        struct dgm_access access = {0};
        (void)snprintf(access.account, sizeof access.account, "%s", accounts[i]);
        (void)snprintf(path, sizeof path, "%s/out.csv", instance->folder);
        char *few = answer(instance, accounts[i], "SELECT * FROM users", true, id);
        holds(few, "\"row_count\":2");
        holds(few, "\"truncated\":true");
        free(few);
        if (!dgm_export(instance->dgm, &access, id, NULL, path, &out, &error)) {
            fail_msg("%s", error.message);
        }
        assert_int_equal(out.rows, 2);
        assert_true(out.truncated);
        char *page = dgm_rows(instance->dgm, &access, id, 0, 10, &error);
        holds(page, "\"row_count\":2");
        holds(page, "\"total_at_least\":2");
        dgm_free(page);
        page = dgm_rows(instance->dgm, &access, id, 2, 10, &error);
        holds(page, "\"row_count\":0");
        dgm_free(page);
        struct dgm_request request = {.access = &access};
        assert_true(dgm_export_sql(instance->dgm, &request, "SELECT * FROM users", NULL,
                                   path, &out, &error));
        assert_int_equal(out.rows, 2);
        assert_true(out.truncated);
        (void)unlink(path);
    }
}

static void nothing_runs_unapproved(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_exported out;
    char id[64];
    char path[160];
    const struct dgm_access careful = {.account = "careful"};
    const struct dgm_request request = {.access = &careful};
    (void)snprintf(path, sizeof path, "%s/out.csv", instance->folder);
    char *waits = answer(instance, "careful", "SELECT * FROM users", true, id);
    holds(waits, "Should this query be run?");
    lacks(waits, "CANARY");
    free(waits);
    assert_null(dgm_rows(instance->dgm, &careful, id, 0, 10, &error));
    assert_false(dgm_export(instance->dgm, &careful, id, NULL, path, &out, &error));
    assert_false(dgm_export_sql(instance->dgm, &request, "SELECT * FROM users", NULL,
                                path, &out, &error));
    assert_string_equal(error.message, "A person has to approve this query first.");
    assert_int_not_equal(access(path, F_OK), 0);
    struct dgm_question *question =
        dgm_approve(instance->dgm, id, true, &request, &error);
    assert_non_null(question);
    char *json = strdup(dgm_answer_json(dgm_question_wait(question, -1)));
    dgm_question_free(question);
    holds(json, "\"row_count\":3");
    free(json);
    assert_true(dgm_export(instance->dgm, &careful, id, NULL, path, &out, &error));
    assert_int_equal(out.rows, 3);
    (void)unlink(path);
}

static void time_and_cost_are_bounded(void **state)
{
    struct instance_of_one *instance = *state;
    char *late = answer(instance, "hasty",
                        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
                        "SELECT COUNT(*) FROM c",
                        true, NULL);
    holds(late, "TIMEOUT");
    free(late);
    char *dear = answer(instance, "cheap", "SELECT * FROM users", true, NULL);
    holds(dear, "TOO_EXPENSIVE");
    lacks(dear, "CANARY");
    free(dear);
    /* how many rows there are is not for those who may see only some */
    char *partly = answer(instance, "partly", "SELECT * FROM users", true, NULL);
    holds(partly, "TOO_EXPENSIVE");
    holds(partly, "would read more rows than are allowed");
    lacks(partly, "3 rows");
    lacks(partly, "2 rows");
    free(partly);
    char *good = answer(instance, NULL, "SELECT * FROM users", true, NULL);
    holds(good, "\"row_count\":3");
    free(good);
}

/* Conditions are shown to those who may know them, the key of hashes to nobody. */
static void filters_are_shown_without_the_key(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char id[64];
    const struct dgm_access access = {.account = "ada"};
    char *ada = answer(instance, "ada", "SELECT id, name FROM users", true, id);
    holds(ada, "It ran as: SELECT id, name FROM (SELECT");
    holds(ada, "owner = 'ada'");
    holds(ada, "dragoman_hash('***', name)");
    lacks(ada, "CANARY");
    free(ada);
    /* others read what is kept: they learn that it is a part, not which */
    char *kept = dgm_kept_answer(instance->dgm, &access, id, NULL, &error);
    assert_non_null(kept);
    holds(kept, "\"sql\":\"SELECT id, name FROM users");
    holds(kept, "this covers only: only some rows of users");
    lacks(kept, "It ran as");
    lacks(kept, "owner = ");
    dgm_free(kept);
    char *quiet = answer(instance, "quiet", "SELECT id FROM users", true, NULL);
    lacks(quiet, "It ran as");
    lacks(quiet, "owner = ");
    free(quiet);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(descriptions_are_sifted),           TEST(changes_are_sifted),
        TEST(the_guard_knows_no_more),           TEST(a_test_counts_what_is_seen),
        TEST(answers_of_others_stay_theirs),     TEST(hints_know_no_more),
        TEST(models_are_told_no_cell),           TEST(pages_and_files_are_bounded),
        TEST(nothing_runs_unapproved),           TEST(time_and_cost_are_bounded),
        TEST(filters_are_shown_without_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
