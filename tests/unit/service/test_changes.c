/* The world changes while a question is on its way. */
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/str.h"
#include "knowledge/answered.h"
#include "service/instance.h"
#include "unit/service/instance_of_one.h"

#define UNDERSTAND(when, table, sql)                                                     \
    ">>> understand\n" when "{\"tables\": [{\"name\": \"" table "\"}], \"sql\": \"" sql  \
    "\"}\n<<<\n"

/* Changes the database when the question enters a state for the nth time. */
struct change {
    struct instance_of_one *instance;
    const char *state;
    const char *sql;
    atomic_bool done;
};

static void change_then(void *context, const struct dgm_event *event)
{
    struct change *change = context;
    if (event->kind != DGM_STATUS || strcmp(event->state, change->state) != 0 ||
        atomic_exchange(&change->done, true)) {
        return;
    }
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(change->instance->database, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, change->sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static struct dgm_question *ask(struct instance_of_one *instance, const char *text,
                                dgm_observer *observer, void *context)
{
    struct dgm_error error;
    struct dgm_request request = {
        .question = text, .observer = observer, .context = context};
    struct dgm_question *question = dgm_ask(instance->dgm, &request, &error);
    assert_non_null(question);
    assert_non_null(dgm_question_wait(question, 600000));
    return question;
}

static void has(const struct dgm_answer *answer, const char *piece)
{
    if (!strstr(dgm_answer_json(answer), piece)) {
        fail_msg("no %s in %s", piece, dgm_answer_json(answer));
    }
}

static void the_schema_changes_before_the_query_runs(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    assert_true(instance_of_one_open(
        &instance,
        UNDERSTAND("", "users", "SELECT name FROM users ORDER BY id") UNDERSTAND(
            "when: full_name\n", "users", "SELECT full_name FROM users ORDER BY id"),
        NULL));
    struct change change = {&instance, "EXECUTE_QUERY",
                            "ALTER TABLE users RENAME COLUMN name TO full_name", false};
    struct dgm_question *question =
        ask(&instance, "What are the names of all users?", change_then, &change);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    assert_int_equal(dgm_answer_rows(answer), 3);
    has(answer, "SCHEMA_CHANGED");
    has(answer, "VERSION_MISMATCH");
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

/* The tables that the user had decided on are found again in the new schema. */
static void the_schema_changes_under_a_correction(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    assert_true(instance_of_one_open(
        &instance,
        ">>> understand\n{\"tables\": [{\"name\": \"users\"}, {\"name\": \"users2\"}], "
        "\"joins_needed\": false, \"sql\": \"SELECT COUNT(*) AS n FROM "
        "users\"}\n<<<\n" UNDERSTAND("when: MANDATORY TABLE: Use users2\n", "users2",
                                     "SELECT COUNT(name) AS n FROM users2")
            UNDERSTAND("when: full_name\n", "users2",
                       "SELECT COUNT(full_name) AS n FROM users2"),
        NULL));
    struct change first = {&instance, "PARSE_INTENT",
                           "CREATE TABLE users2 AS SELECT * FROM users", false};
    struct dgm_question *question =
        ask(&instance, "How many names of users are there?", change_then, &first);
    assert_string_equal(dgm_answer_text(dgm_question_wait(question, -1), "state"),
                        "AWAIT_USER");
    struct change change = {&instance, "EXECUTE_QUERY",
                            "ALTER TABLE users2 RENAME COLUMN name TO full_name;"
                            "CREATE TABLE aaa (x INTEGER); CREATE TABLE bbb (x INTEGER);",
                            false};
    struct dgm_request request = {.observer = change_then, .context = &change};
    struct dgm_question *more = dgm_resume(instance.dgm, dgm_question_id(question),
                                           "use users2", &request, &error);
    assert_non_null(more);
    const struct dgm_answer *answer = dgm_question_wait(more, 600000);
    assert_string_equal(dgm_answer_text(answer, "status"), "finished");
    has(answer, "SCHEMA_CHANGED");
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    dgm_question_free(more);
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

static void a_remembered_query_that_is_wrong_is_forgotten(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    assert_true(instance_of_one_open(
        &instance,
        UNDERSTAND("", "users", "SELECT id FROM users LIMIT 1")
            UNDERSTAND("", "users", "SELECT COUNT(*) AS n FROM users"),
        NULL));
    dgm_question_free(ask(&instance, "What is the first id of users?", NULL, NULL));
    struct err err;
    err_clear(&err);
    struct datasource *source = instance_datasource(instance.dgm, NULL, &err);
    struct schema *schema = instance_schema(instance.dgm, source, &err);
    struct answered_question key = {.datasource = source->id,
                                    .schema_hash = schema->hash,
                                    .text = "How many users are there?"};
    struct answered_pair pair = {.sql = "SELECT nothing FROM users"};
    assert_true(answered_put(instance.dgm->agent.answered, &key, &pair, false, &err));
    schema_unref(schema);
    struct dgm_question *question =
        ask(&instance, "How many users are there?", NULL, NULL);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    has(answer, "INVALID_HIT");
    assert_string_equal(dgm_answer_text(answer, "brain"), "llm");
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    assert_null(dgm_answer_text(answer, "corrected_from"));
    dgm_question_free(question);
    question = ask(&instance, "How many users are there?", NULL, NULL);
    answer = dgm_question_wait(question, -1);
    assert_string_equal(dgm_answer_text(answer, "brain"), "history"); /* the new one */
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "3");
    dgm_question_free(question);
    instance_of_one_close(&instance);
}

/* Stops the question that reads the schema while others wait for it. */
struct first_reader {
    _Atomic(struct dgm_question *) question;
    atomic_bool reading;
};

static void stop_when_reading(void *context, const struct dgm_event *event)
{
    struct first_reader *reader = context;
    if (event->kind != DGM_STATUS || strcmp(event->state, "NORMALIZE_SCHEMA") != 0) {
        return;
    }
    atomic_store(&reader->reading, true);
    struct timespec pause = {.tv_nsec = 50000000}; /* the others are waiting by then */
    (void)nanosleep(&pause, NULL);
    while (!atomic_load(&reader->question)) {}
    dgm_question_stop(atomic_load(&reader->question));
}

static void a_stopped_reader_leaves_the_schema_to_the_next(void **unused)
{
    (void)unused;
    struct instance_of_one instance;
    struct dgm_error error;
    enum { OTHERS = 3 };
    struct dgm_question *others[OTHERS];
    struct first_reader reader;
    atomic_init(&reader.question, NULL);
    atomic_init(&reader.reading, false);
    assert_true(instance_of_one_open(&instance, "", NULL));
    struct dgm_request request = {.question = "what tables are there?",
                                  .observer = stop_when_reading,
                                  .context = &reader};
    struct dgm_question *first = dgm_ask(instance.dgm, &request, &error);
    atomic_store(&reader.question, first);
    while (!atomic_load(&reader.reading)) {}
    struct dgm_request plain = {.question = "what tables are there?"};
    for (int i = 0; i < OTHERS; i++) {
        others[i] = dgm_ask(instance.dgm, &plain, &error);
    }
    assert_string_equal(dgm_answer_text(dgm_question_wait(first, 600000), "state"),
                        "STOPPED");
    for (int i = 0; i < OTHERS; i++) {
        const struct dgm_answer *answer = dgm_question_wait(others[i], 600000);
        assert_string_equal(dgm_answer_text(answer, "state"), "FINISHED");
        assert_int_equal(dgm_answer_rows(answer), 1);
        dgm_question_free(others[i]);
    }
    dgm_question_free(first);
    instance_of_one_close(&instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_changes_before_the_query_runs),
        cmocka_unit_test(the_schema_changes_under_a_correction),
        cmocka_unit_test(a_remembered_query_that_is_wrong_is_forgotten),
        cmocka_unit_test(a_stopped_reader_leaves_the_schema_to_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
