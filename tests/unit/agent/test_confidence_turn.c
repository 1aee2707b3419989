/* How likely a change is right: less after an answer that was unsure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "agent/confidence_turn.h"
#include "base/arena.h"
#include "store/store.h"
#include "unit/agent/small_instance.h"

struct scene {
    struct small_instance instance;
    struct run *run;
};

static int set_up(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct clarification none = {0};
    *state = scene;
    if (!small_instance_open(&scene->instance)) {
        return -1;
    }
    scene->run = small_instance_waiting(&scene->instance, "and those in Rome?", &none);
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    run_free(scene->run);
    small_instance_close(&scene->instance);
    free(scene);
    return 0;
}

/* The conversation before: an answer that the store knows by this id. */
static void answered_before(struct run *run, const char *id, const char *answer)
{
    const struct store_question question = {.id = id,
                                            .account = "",
                                            .state = "FINISHED",
                                            .text = "How many users?",
                                            .checkpoint = "{}",
                                            .answer = answer};
    const struct message message = {.role = "assistant",
                                    .content = "5",
                                    .sql = "SELECT COUNT(*) FROM users",
                                    .query_id = id};
    store_question_save(run->agent->store, &question);
    VEC_PUSH(run->arena, &run->request.history, message);
}

static void two_readings(struct run *run)
{
    run->understanding.readings = (struct run_readings){0};
    VEC_PUSH(run->arena, &run->understanding.readings,
             ((struct run_reading){.sql = "a"}));
    VEC_PUSH(run->arena, &run->understanding.readings,
             ((struct run_reading){.sql = "b"}));
}

static void goes_by_the_answer_before(void **state)
{
    struct run *run = ((struct scene *)*state)->run;
    two_readings(run);
    double unknown = confidence_of_change(run, 0.85);
    answered_before(run, "q-unsure", "{\"confidence\": {\"score\": 0.1}}");
    double unsure = confidence_of_change(run, 0.85);
    answered_before(run, "q-sure", "{\"confidence\": {\"score\": 0.9}}");
    double sure = confidence_of_change(run, 0.85);
    answered_before(run, "q-none", "{\"status\": \"answered\"}");
    assert_float_equal(unknown, 0.86, 0.005);
    assert_float_equal(unsure, 0.665, 0.01);
    assert_float_equal(sure, 0.91, 0.01);
    assert_float_equal(confidence_of_change(run, 0.85), unknown, 1e-9);
    assert_true(confidence_of_change(run, 1) <= 0.9);
    assert_true(confidence_of_change(run, 0) >= 0.2);
}

/* Changes by rule have one reading, and a factor of their own. */
static void lowers_changes_by_rule(void **state)
{
    struct run *run = ((struct scene *)*state)->run;
    run->understanding.readings = (struct run_readings){0};
    VEC_PUSH(run->arena, &run->understanding.readings,
             ((struct run_reading){.sql = "a"}));
    assert_float_equal(confidence_of_change(run, 0.85), 0.63, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_by_the_answer_before),
                                       cmocka_unit_test(lowers_changes_by_rule)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
