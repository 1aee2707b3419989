/* Links: a copy for whoever has it, as long as its maker may see what it shows. */
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

enum { TEXT_SIZE = 200 };

static const char *const on[] = {"share.links=true", "share.max_rows=2", NULL};
static const char *const small[] = {"share.links=true", "share.max_kb=16", NULL};
static const char *const off[] = {"share.links=false", NULL};

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, "", on) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

/* A text of flat JSON. */
static const char *field(const char *json, const char *name)
{
    static char out[TEXT_SIZE];
    char mark[64];
    (void)snprintf(mark, sizeof mark, "\"%s\":\"", name);
    const char *at = strstr(json, mark);
    assert_non_null(at);
    at += strlen(mark);
    (void)snprintf(out, sizeof out, "%.*s", (int)strcspn(at, "\""), at);
    return out;
}

static void ran(struct dgm *dgm, const char *sql, const char *session, char id[TEXT_SIZE])
{
    struct dgm_error error;
    const struct dgm_request request = {.session_id = session};
    struct dgm_question *question = dgm_run_sql(dgm, sql, &request, &error);
    assert_non_null(question);
    assert_false(dgm_answer_error(dgm_question_wait(question, -1), &error));
    (void)snprintf(id, TEXT_SIZE, "%s", dgm_question_id(question));
    dgm_question_free(question);
}

static void shared(struct dgm *dgm, const struct dgm_share *share, char token[TEXT_SIZE],
                   char id[TEXT_SIZE])
{
    struct dgm_error error;
    char *json = dgm_share_new(dgm, NULL, share, &error);
    if (!json) {
        fail_msg("%s: %s", error.code, error.message);
    }
    (void)snprintf(token, TEXT_SIZE, "%s", field(json, "token"));
    (void)snprintf(id, TEXT_SIZE, "%s", field(json, "id"));
    dgm_free(json);
}

static void shows(struct dgm *dgm, const char *token, const char *part)
{
    struct dgm_error error;
    char *page = dgm_share_open(dgm, token, &error);
    assert_non_null(page);
    assert_non_null(strstr(page, part));
    dgm_free(page);
}

static void is_gone(struct dgm *dgm, const char *token)
{
    struct dgm_error error;
    assert_null(dgm_share_open(dgm, token, &error));
    assert_string_equal(error.code, "NOT_FOUND");
}

static void a_copy_until_it_is_revoked(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char query[TEXT_SIZE];
    char token[TEXT_SIZE];
    char id[TEXT_SIZE];
    ran(instance->dgm, "SELECT name FROM users ORDER BY name", NULL, query);
    const struct dgm_share share = {.query_id = query, .chart = "none"};
    shared(instance->dgm, &share, token, id);
    shows(instance->dgm, token, "<td dir=\"auto\">Ada</td>");
    assert_true(instance_of_one_reopen(instance, "", on));
    shows(instance->dgm, token, "2 rows; the whole result has more");
    assert_true(instance_of_one_reopen(instance, "", off));
    is_gone(instance->dgm, token);
    assert_null(dgm_share_new(instance->dgm, NULL, &share, &error));
    assert_string_equal(error.code, "FORBIDDEN");
    assert_true(instance_of_one_reopen(instance, "", on));
    const struct dgm_access ann = {.account = "ann", .scopes = DGM_SCOPE_ASK};
    const struct dgm_access narrow = {
        .account = "root", .scopes = DGM_SCOPE_ADMIN, .datasources = "people"};
    assert_false(dgm_share_revoke(instance->dgm, &ann, id, &error));
    assert_false(dgm_share_revoke(instance->dgm, &narrow, id, &error));
    assert_string_equal(error.code, "NOT_FOUND");
    char *list = dgm_share_list(instance->dgm, &ann, true, &error);
    assert_string_equal(list, "[]");
    dgm_free(list);
    list = dgm_share_list(instance->dgm, NULL, false, &error);
    assert_non_null(strstr(list, "\"opens\":2"));
    assert_null(strstr(list, token));
    dgm_free(list);
    assert_true(dgm_share_revoke(instance->dgm, NULL, id, &error));
    is_gone(instance->dgm, token);
    is_gone(instance->dgm, NULL);
    is_gone(instance->dgm, "");
}

/* Without a key a link is made only while the server needs none. */
static void a_first_key_ends_links_without_one(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char query[TEXT_SIZE];
    char token[TEXT_SIZE];
    char id[TEXT_SIZE];
    ran(instance->dgm, "SELECT 1 AS one", NULL, query);
    const struct dgm_share share = {.query_id = query};
    shared(instance->dgm, &share, token, id);
    shows(instance->dgm, token, "<title>SELECT 1 AS one</title>");
    const struct dgm_key key = {.account = "ann"};
    dgm_free(dgm_key_add(instance->dgm, &key, &error));
    is_gone(instance->dgm, token);
}

static void change_store(struct instance_of_one *instance, const char *sql)
{
    char path[160];
    sqlite3 *db = NULL;
    (void)snprintf(path, sizeof path, "%s/data/dragoman.db", instance->folder);
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", path, sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
}

static void warnings_go_with_it(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char query[TEXT_SIZE];
    char token[TEXT_SIZE];
    char id[TEXT_SIZE];
    ran(instance->dgm, "SELECT name FROM users ORDER BY name", NULL, query);
    const struct dgm_share share = {.query_id = query};
    assert_true(instance_of_one_reopen(instance, "", on)); /* all is written then */
    change_store(instance,
                 "UPDATE questions SET answer = json_set(answer, '$.warnings',"
                 " json('[\"3 of 9 are left out.\", \"db7.internal did not answer.\"]'),"
                 " '$.system_warnings', json('[\"db7.internal did not answer.\"]'))");
    shared(instance->dgm, &share, token, id);
    shows(instance->dgm, token, "<p class=\"doubt\">3 of 9 are left out.</p>");
    char *page = dgm_share_open(instance->dgm, token, &error);
    assert_null(strstr(page, "db7"));
    dgm_free(page);
}

static void a_conversation(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char query[TEXT_SIZE];
    char token[TEXT_SIZE];
    char id[TEXT_SIZE];
    char *session = dgm_session_new(instance->dgm, NULL, NULL, &error);
    const struct dgm_share share = {.session_id = session};
    assert_null(dgm_share_new(instance->dgm, NULL, &share, &error)); /* nothing yet */
    assert_string_equal(error.code, "INVALID_DATA");
    ran(instance->dgm, "SELECT 11 AS eleven", session, query);
    ran(instance->dgm, "SELECT name FROM users", session, query);
    shared(instance->dgm, &share, token, id);
    shows(instance->dgm, token, "eleven");
    shows(instance->dgm, token, "Ada");
    /* answers that are no longer stored have no rows any more, but were asked */
    assert_true(instance_of_one_reopen(instance, "", on));
    change_store(instance, "DELETE FROM questions");
    shared(instance->dgm, &share, token, id);
    shows(instance->dgm, token, "<h2 dir=\"auto\">SELECT name FROM users</h2>");
    char *page = dgm_share_open(instance->dgm, token, &error);
    assert_null(strstr(page, "<table"));
    dgm_free(page);
    dgm_free(session);
}

static void large_rows_are_left_out(void **state)
{
    struct instance_of_one *instance = *state;
    char query[TEXT_SIZE];
    char token[TEXT_SIZE];
    char id[TEXT_SIZE];
    assert_true(instance_of_one_reopen(instance, "", small));
    char sql[20200] = "SELECT 'first' AS name UNION ALL SELECT '";
    size_t begin = strlen(sql);
    memset(sql + begin, 'x', 20000);
    memcpy(sql + begin + 20000, "'", 2);
    ran(instance->dgm, sql, NULL, query);
    const struct dgm_share share = {.query_id = query};
    shared(instance->dgm, &share, token, id);
    shows(instance->dgm, token, "1 row; the whole result has more");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_copy_until_it_is_revoked), TEST(a_first_key_ends_links_without_one),
        TEST(warnings_go_with_it),        TEST(a_conversation),
        TEST(large_rows_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
