/* Keys: made once, known by their hash, bounded, refused as soon as they are revoked. */
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

#include "unit/service/instance_of_one.h"

#define COUNT_USERS                                                                      \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) AS n FROM users\"}\n<<<\n"
#define SLOW ">>> understand repeat\ndelay_ms: 30000\n{\"sql\": \"SELECT 1\"}\n<<<\n"

enum { KEY_SIZE = 128 };

static const char *const no_recall[] = {"agent.recall=false", NULL};

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, COUNT_USERS, no_recall) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

/* The text of a field of flat JSON. */
static void field(const char *json, const char *name, char *out, size_t size)
{
    char mark[64];
    (void)snprintf(mark, sizeof mark, "\"%s\":\"", name);
    const char *at = strstr(json, mark);
    assert_non_null(at);
    at += strlen(mark);
    (void)snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

static void make(struct dgm *dgm, const struct dgm_key *key, char out[KEY_SIZE],
                 char id[KEY_SIZE])
{
    struct dgm_error error;
    char *json = dgm_key_add(dgm, key, &error);
    if (!json) {
        fail_msg("%s: %s", error.code, error.message);
    }
    field(json, "key", out, KEY_SIZE);
    field(json, "id", id, KEY_SIZE);
    dgm_free(json);
}

static void opens(struct dgm *dgm, const char *key, enum dgm_scope scope,
                  const char *code)
{
    struct dgm_error error;
    struct dgm_access access;
    bool ok = dgm_access_open(dgm, key, scope, &access, &error);
    assert_string_equal(error.code, code);
    assert_true(ok == !*code);
}

static void only_the_key_itself_opens(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_key key = {.account = "ann"};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    opens(instance->dgm, text, DGM_SCOPE_ASK, "");
    char other[KEY_SIZE + 8];
    const char *const bad[] = {"", "dgm_", "dgm__", NULL, id, "Bearer x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        opens(instance->dgm, bad[i], DGM_SCOPE_READ, "UNAUTHORIZED");
    }
    for (size_t i = 0; i < strlen(text); i++) { /* no byte of it may be another one */
        (void)snprintf(other, sizeof other, "%s", text);
        other[i] = other[i] == '0' ? '1' : '0';
        opens(instance->dgm, other, DGM_SCOPE_READ, "UNAUTHORIZED");
    }
    (void)snprintf(other, sizeof other, "%s0", text);
    opens(instance->dgm, other, DGM_SCOPE_READ, "UNAUTHORIZED");
    (void)snprintf(other, sizeof other, "%.*s", (int)strlen(text) - 1, text);
    opens(instance->dgm, other, DGM_SCOPE_READ, "UNAUTHORIZED");
    /* Another process knows it, too, and nobody sees it again. */
    assert_true(instance_of_one_reopen(instance, COUNT_USERS, no_recall));
    opens(instance->dgm, text, DGM_SCOPE_ASK, "");
    struct dgm_error error;
    char *list = dgm_key_list(instance->dgm, &error);
    assert_non_null(strstr(list, id));
    assert_null(strstr(list, text + strlen(text) - 32));
    assert_null(strstr(list, "hash"));
    dgm_free(list);
}

static void scopes_include_the_smaller_ones(void **state)
{
    struct instance_of_one *instance = *state;
    static const struct {
        const char *scopes;
        const char *read, *ask, *admin;
    } rows[] = {
        {"read", "", "FORBIDDEN", "FORBIDDEN"},
        {NULL, "", "", "FORBIDDEN"},
        {"ask", "", "", "FORBIDDEN"},
        {"read, admin", "", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dgm_key key = {.account = "ann", .scopes = rows[i].scopes};
        char text[KEY_SIZE];
        char id[KEY_SIZE];
        make(instance->dgm, &key, text, id);
        opens(instance->dgm, text, DGM_SCOPE_NONE, "");
        opens(instance->dgm, text, DGM_SCOPE_READ, rows[i].read);
        opens(instance->dgm, text, DGM_SCOPE_ASK, rows[i].ask);
        opens(instance->dgm, text, DGM_SCOPE_ADMIN, rows[i].admin);
    }
    struct dgm_error error;
    assert_int_equal(dgm_key_count(instance->dgm, &error), 4);
}

static void a_bad_key_is_not_made(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char long_label[300];
    memset(long_label, 'x', sizeof long_label - 1);
    long_label[sizeof long_label - 1] = '\0';
    const struct {
        struct dgm_key key;
        const char *code;
    } rows[] = {
        {{.account = NULL}, "USAGE"},
        {{.account = "../etc"}, "USAGE"},
        {{.account = "LOCAL"}, "USAGE"},
        {{.account = "ann", .scopes = "root"}, "USAGE"},
        {{.account = "ann", .scopes = "read,"}, "USAGE"},
        {{.account = "ann", .datasources = "atlantis"}, "DATASOURCE_NOT_FOUND"},
        {{.account = "ann", .datasources = "people,"}, "DATASOURCE_NOT_FOUND"},
        {{.account = "ann", .rate_per_minute = -1}, "USAGE"},
        {{.account = "ann", .expires_in_s = INT64_MAX}, "USAGE"},
        {{.account = "ann", .label = "\xff"}, "USAGE"},
        {{.account = "ann", .label = long_label}, "USAGE"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(dgm_key_add(instance->dgm, &rows[i].key, &error));
        assert_string_equal(error.code, rows[i].code);
    }
    assert_int_equal(dgm_key_count(instance->dgm, &error), 0);
    assert_null(dgm_key_get(instance->dgm, NULL, &error));
    assert_string_equal(error.code, "KEY_NOT_FOUND");
    assert_int_equal(error.http_status, 404);
}

/* Another process revokes it, which is what `dragoman keys revoke` is. */
static void revoked_is_revoked_everywhere(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_key key = {.account = "ann"};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    opens(instance->dgm, text, DGM_SCOPE_ASK, "");
    struct dgm *here = instance->dgm;
    instance->dgm = NULL;
    assert_true(instance_of_one_reopen(instance, COUNT_USERS, no_recall));
    assert_true(dgm_key_revoke(instance->dgm, id, &error));
    opens(instance->dgm, text, DGM_SCOPE_ASK,
          "UNAUTHORIZED"); /* at once where it was done */
    struct dgm_access access;
    bool open = true;
    for (int i = 0; open && i < 100; i++) { /* soon everywhere else */
        open = dgm_access_open(here, text, DGM_SCOPE_ASK, &access, &error);
        (void)usleep(20000);
    }
    assert_false(open);
    assert_string_equal(error.code, "UNAUTHORIZED");
    assert_false(dgm_key_revoke(here, id, &error));
    assert_string_equal(error.code, "KEY_NOT_FOUND");
    dgm_close(here);
}

/* What a thread knows that must not wait: nothing, then what was looked up, for a while.
 */
static void memory_judges_for_a_moment(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_access access;
    struct dgm_key key = {.account = "ann", .scopes = "ask"};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    bool later = false;
    make(instance->dgm, &key, text, id);
    assert_false(
        dgm_access_look(instance->dgm, text, DGM_SCOPE_ASK, &access, &later, &error));
    assert_true(later);
    assert_false(
        dgm_access_look(instance->dgm, "x", DGM_SCOPE_ASK, &access, &later, &error));
    assert_false(later); /* no store is needed to see that */
    assert_string_equal(error.code, "UNAUTHORIZED");
    bool known = false; /* at once, but for a machine that stands still */
    for (int i = 0; i < 50 && !known; i++) {
        opens(instance->dgm, text, DGM_SCOPE_ASK, "");
        known =
            dgm_access_look(instance->dgm, text, DGM_SCOPE_ASK, &access, &later, &error);
    }
    assert_true(known && !later);
    assert_string_equal(access.account, "ann");
    struct dgm *here = instance->dgm;
    instance->dgm = NULL;
    assert_true(instance_of_one_reopen(instance, COUNT_USERS, no_recall));
    assert_true(dgm_key_revoke(instance->dgm, id, &error));
    while (known) { /* for half a second */
        (void)usleep(20000);
        known = dgm_access_look(here, text, DGM_SCOPE_ASK, &access, &later, &error);
    }
    assert_true(later);
    opens(here, text, DGM_SCOPE_ASK, "UNAUTHORIZED");
    dgm_close(here);
}

static void an_expired_key_is_none(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_key key = {.account = "ann", .expires_in_s = 1};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    struct dgm_access access;
    for (int i = 0; i < 200 && dgm_access_open(instance->dgm, text, 0, &access, &error);
         i++) {
        (void)usleep(20000);
    }
    assert_string_equal(error.code, "UNAUTHORIZED");
    assert_non_null(strstr(error.message, "expired"));
}

static void requests_are_counted(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_access access;
    struct dgm_key key = {.account = "ann", .rate_per_minute = 3};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    int let_in = 0;
    while (let_in < 100 && dgm_access_open(instance->dgm, text, 0, &access, &error)) {
        let_in++;
    }
    assert_in_range(let_in, 3, 4); /* a token comes back every 20 s */
    assert_string_equal(error.code, "RATE_LIMITED");
    assert_int_equal(error.http_status, 429);
    assert_in_range(error.retry_after_s, 1, 20);
    assert_string_equal(access.account, "ann"); /* who it was is known for the log */
}

static struct dgm_question *ask(struct dgm *dgm, const struct dgm_access *access,
                                struct dgm_error *error)
{
    struct dgm_request request = {.question = "How many users are there?",
                                  .access = access};
    return dgm_ask(dgm, &request, error);
}

static void questions_at_once_are_counted(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_access access;
    assert_true(instance_of_one_reopen(instance, SLOW, no_recall));
    struct dgm_key key = {.account = "ann", .concurrent = 1};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    assert_true(dgm_access_open(instance->dgm, text, DGM_SCOPE_ASK, &access, &error));
    for (int round = 0; round < 2; round++) {
        struct dgm_question *one = ask(instance->dgm, &access, &error);
        assert_non_null(one);
        assert_null(ask(instance->dgm, &access, &error));
        assert_string_equal(error.code, "RATE_LIMITED");
        assert_int_equal(error.retry_after_s, 1);
        struct dgm_request request = {.access = &access};
        assert_null(dgm_run_sql(instance->dgm, "SELECT 1", &request, &error));
        assert_null(dgm_retry(instance->dgm, dgm_question_id(one), &request, &error));
        assert_string_equal(error.code, "RATE_LIMITED");
        dgm_question_stop(one);
        assert_non_null(dgm_question_wait(one, -1));
        dgm_question_free(one);
        /* What never began does not count. */
        struct dgm_request empty = {.question = "", .access = &access};
        assert_null(dgm_ask(instance->dgm, &empty, &error));
        assert_null(dgm_resume(instance->dgm, "q-none", "yes", &request, &error));
        assert_string_equal(error.code, "QUERY_NOT_FOUND");
    }
}

/* Another key is no way to more questions at once. */
static void questions_of_an_account_are_counted(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_access access[3];
    static const char *const accounts[] = {"ann", "ann", "ben"};
    static const char *const settings[] = {"agent.recall=false",
                                           "service.account_questions=1", NULL};
    assert_true(instance_of_one_reopen(instance, SLOW, settings));
    for (size_t i = 0; i < 3; i++) {
        struct dgm_key key = {.account = accounts[i]};
        char text[KEY_SIZE];
        char id[KEY_SIZE];
        make(instance->dgm, &key, text, id);
        assert_true(
            dgm_access_open(instance->dgm, text, DGM_SCOPE_ASK, &access[i], &error));
    }
    for (int round = 0; round < 2; round++) {
        struct dgm_question *one = ask(instance->dgm, &access[0], &error);
        assert_non_null(one);
        assert_null(ask(instance->dgm, &access[1], &error));
        assert_string_equal(error.code, "RATE_LIMITED");
        assert_int_equal(error.retry_after_s, 1);
        assert_non_null(strstr(error.hint, "service.account_questions"));
        struct dgm_question *other = ask(instance->dgm, &access[2], &error);
        assert_non_null(other);
        struct dgm_question *both[] = {one, other};
        for (size_t i = 0; i < 2; i++) {
            dgm_question_stop(both[i]);
            assert_non_null(dgm_question_wait(both[i], -1));
            dgm_question_free(both[i]);
        }
    }
}

static int64_t tokens_today(struct dgm *dgm, const char *id)
{
    struct dgm_error error;
    char *json = dgm_key_get(dgm, id, &error);
    assert_non_null(json);
    const char *at = strstr(json, "\"tokens_today\":");
    int64_t tokens = strtoll(at + strlen("\"tokens_today\":"), NULL, 10);
    dgm_free(json);
    return tokens;
}

static void tokens_are_counted(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_access access;
    struct dgm_key key = {.account = "ann", .daily_tokens = 1};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    assert_true(dgm_access_open(instance->dgm, text, DGM_SCOPE_ASK, &access, &error));
    struct dgm_question *one = ask(instance->dgm, &access, &error);
    assert_non_null(one);
    int tokens = dgm_answer_tokens(dgm_question_wait(one, -1));
    dgm_question_free(one);
    assert_true(tokens > 0);
    assert_int_equal(tokens_today(instance->dgm, id), tokens);
    assert_null(ask(instance->dgm, &access, &error));
    assert_string_equal(error.code, "TOKENS_SPENT");
    assert_in_range(error.retry_after_s, 1, 86400);
    /* Also after a restart, and not for another key of the account. */
    assert_true(instance_of_one_reopen(instance, COUNT_USERS, no_recall));
    assert_null(ask(instance->dgm, &access, &error));
    assert_string_equal(error.code, "TOKENS_SPENT");
    struct dgm_key more = {.account = "ann", .daily_tokens = 1000000};
    make(instance->dgm, &more, text, id);
    assert_true(dgm_access_open(instance->dgm, text, DGM_SCOPE_ASK, &access, &error));
    one = ask(instance->dgm, &access, &error);
    assert_non_null(one);
    assert_non_null(dgm_question_wait(one, -1));
    dgm_question_free(one);
}

/* A key that is revoked while its bearer asks begins nothing more. */
static void an_access_ends_with_its_key(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_access access;
    struct dgm_key key = {.account = "ann"};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    assert_true(dgm_access_open(instance->dgm, text, DGM_SCOPE_ASK, &access, &error));
    assert_true(dgm_key_revoke(instance->dgm, id, &error));
    assert_null(ask(instance->dgm, &access, &error));
    assert_string_equal(error.code, "UNAUTHORIZED");
}

/* Another process revokes it: what it runs here is stopped, and what others run goes on. */
static void what_runs_ends_with_its_key(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_key key = {.account = "ann"};
    struct dgm_access access[2];
    struct dgm_question *questions[2];
    char text[KEY_SIZE];
    char id[2][KEY_SIZE];
    assert_true(instance_of_one_reopen(instance, SLOW, no_recall));
    for (int i = 0; i < 2; i++) {
        make(instance->dgm, &key, text, id[i]);
        assert_true(
            dgm_access_open(instance->dgm, text, DGM_SCOPE_ASK, &access[i], &error));
        questions[i] = ask(instance->dgm, &access[i], &error);
        assert_non_null(questions[i]);
    }
    assert_int_equal(dgm_stop_revoked(instance->dgm), 0);
    assert_true(dgm_access_holds(instance->dgm, &access[0]));
    struct dgm *here = instance->dgm;
    instance->dgm = NULL;
    assert_true(instance_of_one_reopen(instance, SLOW, no_recall));
    assert_true(dgm_key_revoke(instance->dgm, id[0], &error));
    while (dgm_access_holds(here, &access[0])) { /* for half a second */
        (void)usleep(20000);
    }
    assert_true(dgm_access_holds(here, &access[1]));
    assert_int_equal(dgm_stop_revoked(here), 1);
    assert_null(dgm_question_wait(questions[1], 0));
    access[1].datasources[0] = 'x'; /* another right than the key has now */
    assert_false(dgm_access_holds(here, &access[1]));
    assert_true(dgm_key_revoke(here, id[1], &error)); /* by this process: at once */
    for (int i = 0; i < 2; i++) {
        const struct dgm_answer *answer = dgm_question_wait(questions[i], -1);
        assert_string_equal(dgm_answer_text(answer, "status"), "stopped");
        dgm_question_free(questions[i]);
    }
    dgm_close(here);
}

static void what_was_done_is_written_down(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    struct dgm_key key = {.account = "ann"};
    char text[KEY_SIZE];
    char id[KEY_SIZE];
    make(instance->dgm, &key, text, id);
    opens(instance->dgm, text, DGM_SCOPE_ASK, "");
    opens(instance->dgm, text, DGM_SCOPE_ASK, ""); /* not each use is a line of its own */
    assert_true(dgm_key_revoke(instance->dgm, id, &error));
    assert_true(
        dgm_audit(instance->dgm, "ann", "settings changed", "agent.brain", &error));
    char path[160];
    char log[1000] = "";
    (void)snprintf(path, sizeof path, "%s/data/dragoman.db", instance->folder);
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT account || ': ' || action FROM audit",
                                        -1, &row, NULL),
                     SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
        size_t used = strlen(log);
        (void)snprintf(log + used, sizeof log - used, "%s\n",
                       (const char *)sqlite3_column_text(row, 0));
    }
    (void)sqlite3_finalize(row);
    (void)sqlite3_close(db);
    assert_string_equal(
        log, "ann: key added\nann: key used\nann: key revoked\nann: settings changed\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_the_key_itself_opens),
        TEST(scopes_include_the_smaller_ones),
        TEST(a_bad_key_is_not_made),
        TEST(revoked_is_revoked_everywhere),
        TEST(an_expired_key_is_none),
        TEST(requests_are_counted),
        TEST(questions_at_once_are_counted),
        TEST(questions_of_an_account_are_counted),
        TEST(tokens_are_counted),
        TEST(an_access_ends_with_its_key),
        TEST(what_runs_ends_with_its_key),
        TEST(what_was_done_is_written_down),
        TEST(memory_judges_for_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
