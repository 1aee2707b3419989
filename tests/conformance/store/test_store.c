/* One suite over every store: what store.h promises, whoever keeps it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "conformance/store/place.h"
#include "store/store.h"

struct fixture {
    struct store *store;
    struct arena *arena;
    struct err err;
    char folder[64];
};

static const char *implementation; /* store.url of the one under test */

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    (void)memcpy(fixture->folder, "/tmp/dragoman-store-XXXXXX", 27);
    if (!mkdtemp(fixture->folder)) {
        return -1;
    }
    struct options options = {.store_url = implementation,
                              .store_folder = fixture->folder,
                              .store_commit_ms = 20};
    if (!place_clear(&fixture->err)) {
        return -1;
    }
    fixture->store = store_open(&options, &fixture->err);
    fixture->arena = arena_new();
    *state = fixture;
    if (!fixture->store) {
        printf("%s (%s)\n", fixture->err.message, fixture->err.detail);
    }
    return fixture->store ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    store_close(fixture->store);
    static const char *const files[] = {"dragoman.db", "dragoman.db-wal",
                                        "dragoman.db-shm", "copy.db"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)unlink(arena_format(fixture->arena, "%s/%s", fixture->folder, files[i]));
    }
    int rc = rmdir(fixture->folder);
    arena_free(fixture->arena);
    free(fixture);
    return rc;
}

static void must(bool ok, const struct err *err)
{
    if (!ok) {
        fail_msg("%s: %s (%s)", err_name(err->code), err->message, err->detail);
    }
}

static void add_session(struct fixture *fixture, const char *id, const char *account,
                        int64_t at)
{
    struct store_session session = {
        .id = id, .account = account, .created_at = at, .last_activity = at};
    must(store_session_create(fixture->store, &session, &fixture->err), &fixture->err);
}

/* Four at once want to go on with one question: one does. */
struct claimer {
    struct store *store;
    bool claimed;
};

static void *claim_run(void *context)
{
    struct claimer *claimer = context;
    struct err err;
    claimer->claimed = store_question_claim(claimer->store, "q-claim", "AWAIT_USER",
                                            "INITIALIZING", &err);
    return NULL;
}

static void test_claim(void **state)
{
    struct fixture *fixture = *state;
    store_question_save(fixture->store, &(struct store_question){.id = "q-claim",
                                                                 .state = "AWAIT_USER",
                                                                 .text = "which?",
                                                                 .checkpoint = "{}"});
    struct claimer claimers[4];
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        claimers[i] = (struct claimer){fixture->store, false};
        assert_int_equal(pthread_create(&threads[i], NULL, claim_run, &claimers[i]), 0);
    }
    int claimed = 0;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        claimed += claimers[i].claimed ? 1 : 0;
    }
    assert_int_equal(claimed, 1);
    struct store_question found = {0};
    must(store_question_get(fixture->store, fixture->arena, "q-claim", &found,
                            &fixture->err),
         &fixture->err);
    assert_string_equal(found.state, "INITIALIZING");
    assert_false(store_question_claim(fixture->store, "q-none", "AWAIT_USER", "FAILED",
                                      &fixture->err));
    assert_int_equal(fixture->err.code, ERR_OK);
}

static void test_sessions(void **state)
{
    struct fixture *fixture = *state;
    struct store_session session = {.id = "s-1",
                                    .account = "ada",
                                    .datasource = "shop",
                                    .title = "Größe – \"quoted\" '; DROP TABLE sessions",
                                    .created_at = 100,
                                    .last_activity = 200};
    must(store_session_create(fixture->store, &session, &fixture->err), &fixture->err);
    struct store_session got;
    must(store_session_get(fixture->store, fixture->arena, "s-1", &got, &fixture->err),
         &fixture->err);
    assert_string_equal(got.account, "ada");
    assert_string_equal(got.datasource, "shop");
    assert_string_equal(got.title, session.title);
    assert_int_equal(got.created_at, 100);
    assert_int_equal(got.last_activity, 200);
    /* The same id twice is refused, and nothing is lost by it. */
    assert_false(store_session_create(fixture->store, &session, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    add_session(fixture, "s-2", "ada", 300);
    add_session(fixture, "s-3", "bob", 400);
    struct store_sessions list;
    must(store_session_list(fixture->store, fixture->arena, "ada", &list, &fixture->err),
         &fixture->err);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].id, "s-2");
    assert_null(list.items[0].datasource);
    must(store_session_delete(fixture->store, "s-2", &fixture->err), &fixture->err);
    assert_false(store_session_delete(fixture->store, "s-2", &fixture->err));
    assert_int_equal(fixture->err.code, ERR_SESSION_NOT_FOUND);
    assert_false(
        store_session_get(fixture->store, fixture->arena, "s-2", &got, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_SESSION_NOT_FOUND);
    must(store_session_list(fixture->store, fixture->arena, "nobody", &list,
                            &fixture->err),
         &fixture->err);
    assert_int_equal(list.count, 0);
}

static void test_messages(void **state)
{
    struct fixture *fixture = *state;
    add_session(fixture, "s-1", "ada", 100);
    for (int i = 0; i < 5; i++) {
        struct message message = {
            .role = i % 2 ? "assistant" : "user",
            .content = arena_format(fixture->arena, "text %d", i),
            .sql = i == 3 ? "SELECT 1" : NULL,
            .gist = i == 3 ? "1 row (n): 1" : NULL,
            .query_id = i == 3 ? "q-1" : NULL,
            .at = 1000 + i,
        };
        must(store_message_add(fixture->store, "s-1", &message, &fixture->err),
             &fixture->err);
    }
    struct messages list;
    must(store_message_list(fixture->store, fixture->arena, "s-1", 3, &list,
                            &fixture->err),
         &fixture->err);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].content, "text 2");
    assert_string_equal(list.items[2].content, "text 4");
    assert_string_equal(list.items[1].sql, "SELECT 1");
    assert_string_equal(list.items[1].query_id, "q-1");
    assert_string_equal(list.items[1].gist, "1 row (n): 1");
    assert_null(list.items[0].gist);
    assert_string_equal(list.items[1].role, "assistant");
    assert_null(list.items[0].sql);
    assert_int_equal(list.items[2].at, 1004);
    struct store_session session;
    must(
        store_session_get(fixture->store, fixture->arena, "s-1", &session, &fixture->err),
        &fixture->err);
    assert_int_equal(session.last_activity, 1004);
    assert_string_equal(session.title, "text 0"); /* the first that was said */
    struct message lost = {.role = "user", .content = "x", .at = 1};
    assert_false(store_message_add(fixture->store, "s-9", &lost, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_SESSION_NOT_FOUND);
    must(store_session_delete(fixture->store, "s-1", &fixture->err), &fixture->err);
    must(store_message_list(fixture->store, fixture->arena, "s-1", 3, &list,
                            &fixture->err),
         &fixture->err);
    assert_int_equal(list.count, 0);
}

static struct store_question question_of(const char *id, const char *question_state)
{
    return (struct store_question){.id = id,
                                   .account = "ada",
                                   .state = question_state,
                                   .text = "how many?",
                                   .checkpoint = "{\"a\":1}",
                                   .updated_at = 50};
}

static void test_questions_read_their_own_saves(void **state)
{
    struct fixture *fixture = *state;
    struct store_question question = question_of("q-1", "PARSE_INTENT");
    struct store_question got;
    store_question_save(fixture->store, &question);
    must(store_question_get(fixture->store, fixture->arena, "q-1", &got, &fixture->err),
         &fixture->err);
    assert_string_equal(got.state, "PARSE_INTENT");
    assert_null(got.answer);
    question.state = "FINISHED";
    question.answer = "{\"rows\":[]}";
    question.session_id = "s-1";
    store_question_save(fixture->store, &question);
    must(store_question_get(fixture->store, fixture->arena, "q-1", &got, &fixture->err),
         &fixture->err);
    assert_string_equal(got.state, "FINISHED");
    must(store_flush(fixture->store, &fixture->err), &fixture->err);
    must(store_question_get(fixture->store, fixture->arena, "q-1", &got, &fixture->err),
         &fixture->err);
    assert_string_equal(got.id, "q-1");
    assert_string_equal(got.state, "FINISHED");
    assert_string_equal(got.answer, "{\"rows\":[]}");
    assert_string_equal(got.checkpoint, "{\"a\":1}");
    assert_string_equal(got.session_id, "s-1");
    assert_string_equal(got.account, "ada");
    assert_string_equal(got.text, "how many?");
    assert_int_equal(got.updated_at, 50);
    assert_false(
        store_question_get(fixture->store, fixture->arena, "q-2", &got, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_QUERY_NOT_FOUND);
}

static void test_expired_questions_are_gone(void **state)
{
    struct fixture *fixture = *state;
    struct store_question question = question_of("q-1", "FINISHED");
    struct store_question got;
    question.expires_at = clock_wall_s() - 1;
    store_question_save(fixture->store, &question);
    assert_false(
        store_question_get(fixture->store, fixture->arena, "q-1", &got, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_QUERY_NOT_FOUND);
    must(store_flush(fixture->store, &fixture->err), &fixture->err);
    assert_false(
        store_question_get(fixture->store, fixture->arena, "q-1", &got, &fixture->err));
    question.expires_at = clock_wall_s() + 1000;
    store_question_save(fixture->store, &question);
    must(store_question_get(fixture->store, fixture->arena, "q-1", &got, &fixture->err),
         &fixture->err);
}

static void test_question_list(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 5; i++) {
        struct store_question question =
            question_of(arena_format(fixture->arena, "q-%d", i), "FINISHED");
        question.updated_at = 100 + i / 2;
        question.account = i == 3 ? "bob" : "ada";
        question.expires_at = i == 2 ? 1 : 0;
        store_question_save(fixture->store, &question);
    }
    struct store_question *list;
    size_t count;
    must(store_question_list(fixture->store, fixture->arena, "ada", 10, &list, &count,
                             &fixture->err),
         &fixture->err);
    assert_int_equal(count, 3);
    assert_string_equal(list[0].id, "q-4");
    assert_string_equal(list[1].id, "q-1");
    assert_string_equal(list[2].id, "q-0");
    assert_null(list[0].checkpoint);
    assert_null(list[0].answer);
    must(store_question_list(fixture->store, fixture->arena, "ada", 1, &list, &count,
                             &fixture->err),
         &fixture->err);
    assert_int_equal(count, 1);
}

static void test_schemas(void **state)
{
    struct fixture *fixture = *state;
    const char *json = NULL;
    size_t size = 0;
    assert_false(store_schema_get(fixture->store, fixture->arena, "shop", NULL, &json,
                                  &size, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_OK);
    must(store_schema_put(fixture->store, "shop", "v1", "{1}+more", 3, &fixture->err),
         &fixture->err);
    must(store_schema_put(fixture->store, "shop", "v2", "{2}", 3, &fixture->err),
         &fixture->err);
    must(store_schema_put(fixture->store, "other", "v3", "{3}", 3, &fixture->err),
         &fixture->err);
    must(store_schema_get(fixture->store, fixture->arena, "shop", "v1", &json, &size,
                          &fixture->err),
         &fixture->err);
    assert_string_equal(json, "{1}");
    assert_int_equal(size, 3);
    must(store_schema_get(fixture->store, fixture->arena, "shop", NULL, &json, &size,
                          &fixture->err),
         &fixture->err);
    assert_string_equal(json, "{2}");
    must(store_schema_put(fixture->store, "shop", "v1", "{4}", 3, &fixture->err),
         &fixture->err);
    must(store_schema_get(fixture->store, fixture->arena, "shop", NULL, &json, &size,
                          &fixture->err),
         &fixture->err);
    assert_string_equal(json, "{4}");
    assert_false(store_schema_get(fixture->store, fixture->arena, "shop", "v9", &json,
                                  &size, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_OK);
}

static void test_values(void **state)
{
    struct fixture *fixture = *state;
    struct store_values got;
    static const char bytes[] = "\0\xff\xfe cells\0end";
    assert_false(store_values_get(fixture->store, fixture->arena, "shop", "v1", &got,
                                  &fixture->err));
    assert_int_equal(fixture->err.code, ERR_OK);
    must(store_values_put(fixture->store, "shop", "v1", "old", 3, &fixture->err),
         &fixture->err);
    must(store_values_put(fixture->store, "shop", "v1", bytes, sizeof bytes,
                          &fixture->err),
         &fixture->err);
    must(store_values_put(fixture->store, "other", "v1", "", 0, &fixture->err),
         &fixture->err);
    must(store_values_get(fixture->store, fixture->arena, "shop", "v1", &got,
                          &fixture->err),
         &fixture->err);
    assert_int_equal(got.size, sizeof bytes);
    assert_memory_equal(got.data, bytes, sizeof bytes);
    assert_true(got.stored_at <= clock_wall_s() && got.stored_at > clock_wall_s() - 60);
    assert_false(store_values_get(fixture->store, fixture->arena, "shop", "v2", &got,
                                  &fixture->err));
    must(store_clean(fixture->store, 100, &fixture->err), &fixture->err);
    must(store_values_drop(fixture->store, "shop", &fixture->err), &fixture->err);
    assert_false(store_values_get(fixture->store, fixture->arena, "shop", "v1", &got,
                                  &fixture->err));
    assert_int_equal(fixture->err.code, ERR_OK);
    must(store_values_get(fixture->store, fixture->arena, "other", "v1", &got,
                          &fixture->err),
         &fixture->err);
    assert_int_equal(got.size, 0);
    for (int i = 0; i < 70; i++) { /* a bounded number of them stays */
        must(store_values_put(fixture->store, "many",
                              arena_format(fixture->arena, "v%d", i), "x", 1,
                              &fixture->err),
             &fixture->err);
    }
    must(store_clean(fixture->store, 100, &fixture->err), &fixture->err);
    assert_false(store_values_get(fixture->store, fixture->arena, "many", "v0", &got,
                                  &fixture->err));
    must(store_values_get(fixture->store, fixture->arena, "many", "v69", &got,
                          &fixture->err),
         &fixture->err);
}

static void test_clean(void **state)
{
    struct fixture *fixture = *state;
    int64_t now = clock_wall_s();
    add_session(fixture, "s-old", "ada", now - 1000);
    add_session(fixture, "s-new", "ada", now - 10);
    struct message message = {.role = "user", .content = "x", .at = now - 1000};
    must(store_message_add(fixture->store, "s-old", &message, &fixture->err),
         &fixture->err);
    for (int i = 0; i < 5; i++) {
        must(store_schema_put(fixture->store, "shop",
                              arena_format(fixture->arena, "v%d", i), "{}", 2,
                              &fixture->err),
             &fixture->err);
    }
    must(store_clean(fixture->store, 100, &fixture->err), &fixture->err);
    struct store_sessions list;
    must(store_session_list(fixture->store, fixture->arena, "ada", &list, &fixture->err),
         &fixture->err);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].id, "s-new");
    struct messages messages;
    must(store_message_list(fixture->store, fixture->arena, "s-old", 9, &messages,
                            &fixture->err),
         &fixture->err);
    assert_int_equal(messages.count, 0);
    const char *json;
    size_t size;
    assert_false(store_schema_get(fixture->store, fixture->arena, "shop", "v1", &json,
                                  &size, &fixture->err));
    must(store_schema_get(fixture->store, fixture->arena, "shop", "v2", &json, &size,
                          &fixture->err),
         &fixture->err);
}

static void test_faults(void **state)
{
    struct fixture *fixture = *state;
    struct store_answered out = {0};
    store_fail_at(fixture->store, 2, ERR_DISK_FULL);
    must(store_audit(fixture->store, "ada", "login", NULL, &fixture->err), &fixture->err);
    assert_false(store_audit(fixture->store, "ada", "login", "x", &fixture->err));
    assert_int_equal(fixture->err.code, ERR_DISK_FULL);
    must(store_audit(fixture->store, NULL, "login", "x", &fixture->err), &fixture->err);
    store_fail_at(fixture->store, 1, ERR_STORE);
    assert_false(
        store_answered_get(fixture->store, fixture->arena, "k", &out, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    /* A save cannot fail by itself: the next flush says so, once. */
    struct store_question question = question_of("q-1", "FINISHED");
    store_fail_at(fixture->store, 1, ERR_DISK_FULL);
    store_question_save(fixture->store, &question);
    assert_false(store_flush(fixture->store, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_DISK_FULL);
    must(store_flush(fixture->store, &fixture->err), &fixture->err);
    store_fail_at(fixture->store, 5, ERR_STORE);
    store_fail_at(fixture->store, 0, ERR_OK);
    for (int i = 0; i < 10; i++) {
        must(store_flush(fixture->store, &fixture->err), &fixture->err);
    }
}

struct crowd {
    struct store *store;
    int number;
};

static void *crowd_run(void *context)
{
    struct crowd *crowd = context;
    struct arena *arena = arena_new();
    for (int i = 0; i < 200; i++) {
        char id[40];
        (void)snprintf(id, sizeof id, "q-%d-%d", crowd->number, i % 20);
        struct store_question question = question_of(id, "FINISHED");
        question.updated_at = i;
        store_question_save(crowd->store, &question);
        struct store_question got;
        struct err err = {0};
        if (!store_question_get(crowd->store, arena, id, &got, &err) ||
            got.updated_at != i) {
            abort(); /* cmocka's asserts belong to the main thread */
        }
        if (i % 50 == 0 && !store_flush(crowd->store, &err)) {
            abort();
        }
        arena_reset(arena);
    }
    arena_free(arena);
    return NULL;
}

static void test_many_threads(void **state)
{
    struct fixture *fixture = *state;
    struct crowd crowds[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        crowds[i] = (struct crowd){fixture->store, i};
        assert_int_equal(pthread_create(&threads[i], NULL, crowd_run, &crowds[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    struct store_question *list;
    size_t count;
    must(store_question_list(fixture->store, fixture->arena, "ada", 1000, &list, &count,
                             &fixture->err),
         &fixture->err);
    assert_int_equal(count, 80);
}

/* Thirty saves of 4 MB pass the queue's ceiling: the saver waits, nothing is lost. */
static void test_queue_holds_back(void **state)
{
    struct fixture *fixture = *state;
    size_t size = (size_t)4 << 20;
    char *large = calloc(1, size + 1);
    memset(large, 'x', size);
    for (int i = 0; i < 30; i++) {
        struct store_question question =
            question_of(arena_format(fixture->arena, "q-%d", i), "FINISHED");
        question.answer = large;
        store_question_save(fixture->store, &question);
    }
    must(store_flush(fixture->store, &fixture->err), &fixture->err);
    free(large);
    struct store_question got;
    for (int i = 0; i < 30; i += 29) {
        must(store_question_get(fixture->store, fixture->arena,
                                arena_format(fixture->arena, "q-%d", i), &got,
                                &fixture->err),
             &fixture->err);
        assert_int_equal(strlen(got.answer), size);
    }
}

static void test_backup(void **state)
{
    struct fixture *fixture = *state;
    struct store_question question = question_of("q-1", "FINISHED");
    store_question_save(fixture->store, &question);
    const char *path = arena_format(fixture->arena, "%s/copy.db", fixture->folder);
    must(store_backup(fixture->store, path, &fixture->err), &fixture->err);
    assert_false(store_backup(fixture->store, path, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    struct options options = {.store_url =
                                  arena_format(fixture->arena, "sqlite:%s", path)};
    struct store *copy = store_open(&options, &fixture->err);
    must(copy != NULL, &fixture->err);
    struct store_question got;
    must(store_question_get(copy, fixture->arena, "q-1", &got, &fixture->err),
         &fixture->err);
    store_close(copy);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const char *const implementations[] = {"", "memory:"};
    const struct CMUnitTest tests[] = {
        TEST(test_claim),
        TEST(test_sessions),
        TEST(test_messages),
        TEST(test_questions_read_their_own_saves),
        TEST(test_expired_questions_are_gone),
        TEST(test_question_list),
        TEST(test_schemas),
        TEST(test_values),
        TEST(test_clean),
        TEST(test_faults),
        TEST(test_many_threads),
        TEST(test_queue_holds_back),
        TEST(test_backup),
    };
    int failed = 0;
    size_t count = sizeof implementations / sizeof implementations[0];
    for (size_t i = 0; i < (place_given() ? 1 : count); i++) {
        implementation = place_given() ? place_given() : implementations[i];
        printf("store.url \"%s\"\n", implementation);
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
