/* Choosing among candidates by what was learnt, and how sure that makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "parser/judge/choice.h"

static struct choice read_text(const char *text)
{
    struct choice choice;
    struct err err;
    json_t *header = json_loads(text, 0, NULL);
    assert_non_null(header);
    assert_true(choice_read(header, "judge", &choice, &err));
    json_decref(header);
    return choice;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void without_lessons_goes_by_the_network(void **state)
{
    (void)state;
    struct choice choice = read_text("{}");
    struct judgement likely = {0};
    struct judgement odd = {0};
    likely.numbers[JUDGE_LOG_PROBABILITY] = -0.5;
    odd.numbers[JUDGE_LOG_PROBABILITY] = -0.2;
    odd.numbers[JUDGE_EMPTY] = 1;
    assert_true(choice_score(&choice, &likely) > choice_score(&choice, &odd));
    likely.numbers[JUDGE_GROUP_LOG_PROBABILITY] = log(0.7);
    assert_true(near(choice_trust(&choice, &likely, 0.9, 0.1), 0.7));
}

static void weighs_what_it_learnt(void **state)
{
    (void)state;
    struct choice choice = read_text(
        "{\"judge\":{\"score\":{\"tables\":2,\"empty\":-3},\"trust\":{\"tables\":"
        "1},\"trust_bias\":-1,\"trust_share\":0.5,\"trust_ahead\":2}}");
    struct judgement judgement = {0};
    judgement.numbers[JUDGE_TABLES] = 2;
    judgement.numbers[JUDGE_EMPTY] = 1;
    judgement.numbers[JUDGE_LENGTH] = 100; /* has no weight */
    assert_true(near(choice_score(&choice, &judgement), 1));
    double sum = -1 + 2 + 0.5 * (log(0.8 + 1e-6) - log(0.2 + 1e-3)) + 2 * (0.8 - 0.1);
    assert_true(near(choice_trust(&choice, &judgement, 0.8, 0.1), 1 / (1 + exp(-sum))));
    /* the surer, the further ahead */
    assert_true(choice_trust(&choice, &judgement, 0.9, 0.05) >
                choice_trust(&choice, &judgement, 0.5, 0.4));
}

static void refuses_what_it_does_not_know(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{\"judge\":{\"score\":{\"colour\":1}}}",
        "{\"judge\":{\"trust\":{\"tables\":\"many\"}}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct choice choice;
        struct err err;
        json_t *header = json_loads(bad[i], 0, NULL);
        assert_false(choice_read(header, "judge", &choice, &err));
        assert_non_null(strstr(err.message, "does not know"));
        json_decref(header);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_lessons_goes_by_the_network),
        cmocka_unit_test(weighs_what_it_learnt),
        cmocka_unit_test(refuses_what_it_does_not_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
