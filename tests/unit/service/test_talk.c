/* The session of a conversation that its client keeps: the same one while it only grows,
 * a copy where an earlier message was changed, and never one of another account. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

#define SCRIPT                                                                           \
    ">>> *\nwhen: the slow users\ndelay_ms: 60000\nrepeat\n---\n{}\n<<<\n"               \
    ">>> understand repeat\n{\"tables\": [{\"name\": \"users\"}], \"sql\": \"SELECT "    \
    "COUNT(*) AS n FROM users\"}\n<<<\n"

static const struct dgm_access ann = {
    .key_id = "", .account = "ann", .scopes = DGM_SCOPE_READ | DGM_SCOPE_ASK};
static const struct dgm_access bob = {
    .key_id = "", .account = "bob", .scopes = DGM_SCOPE_READ | DGM_SCOPE_ASK};

static const char *const said[] = {
    "How many users are there?", "How many users are there now?",
    "How many users are there still?", "How many users are there again?"};
enum { SAID = sizeof said / sizeof *said };

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, SCRIPT, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

static char *session_for(struct dgm *dgm, const struct dgm_access *access,
                         struct dgm_talk talk)
{
    struct dgm_error error;
    char *id = dgm_session_for(dgm, access, &talk, &error);
    if (!id) {
        fail_msg("%s: %s", error.code, error.message);
    }
    return id;
}

static void ask(struct dgm *dgm, const struct dgm_access *access, const char *session,
                const char *question, char id[64])
{
    struct dgm_error error;
    struct dgm_request request = {
        .question = question, .session_id = session, .access = access};
    struct dgm_question *asked = dgm_ask(dgm, &request, &error);
    if (!asked) {
        fail_msg("%s: %s", error.code, error.message);
    }
    assert_non_null(dgm_question_wait(asked, -1));
    (void)snprintf(id, 64, "%s", dgm_question_id(asked));
    dgm_question_free(asked);
}

/* A conversation of all that is said, in one session; the ids of its questions. */
static char *talk_of(struct dgm *dgm, char ids[SAID][64], bool by_words)
{
    char *session = NULL;
    for (size_t i = 0; i < SAID; i++) {
        char *found = session_for(
            dgm, &ann,
            (struct dgm_talk){.datasource = "people",
                              .said = said,
                              .count = i,
                              .query_id = i && !by_words ? ids[i - 1] : NULL});
        if (session) {
            assert_string_equal(found, session);
            dgm_free(found);
        } else {
            session = found;
        }
        ask(dgm, &ann, session, said[i], ids[i]);
    }
    return session;
}

static size_t messages_of(struct dgm *dgm, const char *session)
{
    struct dgm_error error;
    char *json = dgm_session_get_for(dgm, &ann, session, &error);
    size_t count = 0;
    assert_non_null(json);
    for (const char *at = json; (at = strstr(at, "\"role\"")); at++) {
        count++;
    }
    dgm_free(json);
    return count;
}

/* A question that is still being answered is part of its conversation, for whoever opens
 * it meanwhile, and of no other. */
static void what_runs_is_told(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm *dgm = instance->dgm;
    struct dgm_error error;
    char *session = session_for(dgm, &ann, (struct dgm_talk){.datasource = "people"});
    char *other = session_for(dgm, &ann, (struct dgm_talk){.datasource = "people"});
    struct dgm_request request = {
        .question = "the slow users", .session_id = session, .access = &ann};
    struct dgm_question *first = dgm_ask(dgm, &request, &error);
    request.question = "the slow users again";
    struct dgm_question *second = dgm_ask(dgm, &request, &error);
    assert_non_null(first);
    assert_non_null(second);
    char *json = dgm_session_get_for(dgm, &ann, session, &error);
    const char *before = strstr(json, "\"content\":\"the slow users\"");
    assert_non_null(before);
    assert_non_null(strstr(before, "\"content\":\"the slow users again\""));
    assert_non_null(strstr(json, dgm_question_id(first)));
    dgm_free(json);
    json = dgm_session_get_for(dgm, &ann, other, &error);
    assert_non_null(strstr(json, "\"running\":[]"));
    dgm_free(json);
    dgm_question_stop(first);
    dgm_question_stop(second);
    assert_non_null(dgm_question_wait(first, -1));
    assert_non_null(dgm_question_wait(second, -1));
    assert_int_equal(messages_of(dgm, session), 4);
    dgm_question_free(first);
    dgm_question_free(second);
    dgm_free(session);
    dgm_free(other);
}

static void it_goes_on(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    char ids[SAID][64] = {""};
    for (int by_words = 0; by_words < 2; by_words++) {
        char *session = talk_of(dgm, ids, by_words);
        assert_int_equal(messages_of(dgm, session), SAID * 2);
        dgm_free(session);
    }
}

/* The session itself stays as it is. */
static void it_goes_on_from_an_earlier_message(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    char ids[SAID][64] = {""};
    char *session = talk_of(dgm, ids, false);
    for (size_t i = 1; i < SAID; i++) {
        for (int by_words = 0; by_words < 2; by_words++) {
            char *branch =
                session_for(dgm, &ann,
                            (struct dgm_talk){.datasource = "people",
                                              .said = said,
                                              .count = i,
                                              .query_id = by_words ? NULL : ids[i - 1]});
            assert_string_not_equal(branch, session);
            assert_int_equal(messages_of(dgm, branch), i * 2);
            assert_int_equal(messages_of(dgm, session), SAID * 2);
            dgm_free(branch);
        }
    }
    dgm_free(session);
}

static void it_begins_anew(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    static const char *const other[] = {"How many people are there?"};
    char ids[SAID][64] = {""};
    char *session = talk_of(dgm, ids, false);
    const struct {
        const struct dgm_access *access;
        struct dgm_talk talk;
    } cases[] = {
        {&ann, {.said = said}},                                    /* the first message */
        {&ann, {.said = other, .count = 1}},                       /* said nowhere */
        {&ann, {.said = other, .count = 1, .query_id = "q-none"}}, /* no such question */
        {&bob, {.said = said, .count = SAID, .query_id = ids[SAID - 1]}},
        {&bob, {.said = said, .count = SAID}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dgm_error error;
        char *id = session_for(dgm, cases[i].access, cases[i].talk);
        char *json = dgm_session_get_for(dgm, cases[i].access, id, &error);
        assert_string_not_equal(id, session);
        assert_non_null(strstr(json, "\"messages\":[]"));
        dgm_free(json);
        dgm_free(id);
    }
    dgm_free(session);
}

static void a_datasource_has_its_own(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    struct dgm_error error;
    struct dgm_talk talk = {.datasource = "atlantis", .said = said, .count = 1};
    assert_null(dgm_session_for(dgm, &ann, &talk, &error));
    assert_string_equal(error.code, "DATASOURCE_NOT_FOUND");
}

/* An answer to a clarifying question has the id of that question: what was said last tells
 * the two replies apart. */
static void an_answer_has_the_same_id(void **state)
{
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    struct dgm_error error;
    char id[64] = "";
    char *session = session_for(dgm, &ann, (struct dgm_talk){.datasource = "people"});
    struct dgm_request request = {
        .question = "users", .session_id = session, .access = &ann};
    static const char *const both[] = {"users", "1"};
    ask(dgm, &ann, session, "users", id);
    struct dgm_question *answered = dgm_resume(dgm, id, "1", &request, &error);
    assert_non_null(answered);
    assert_non_null(dgm_question_wait(answered, -1));
    dgm_question_free(answered);
    assert_int_equal(messages_of(dgm, session), 4);
    char *same = session_for(dgm, &ann,
                             (struct dgm_talk){.said = both, .count = 2, .query_id = id});
    assert_string_equal(same, session);
    char *before = session_for(
        dgm, &ann, (struct dgm_talk){.said = both, .count = 1, .query_id = id});
    assert_int_equal(messages_of(dgm, before), 2);
    dgm_free(same);
    dgm_free(before);
    dgm_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_runs_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_goes_on_from_an_earlier_message, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(it_begins_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_datasource_has_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_has_the_same_id, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
