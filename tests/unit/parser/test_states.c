/* Words for what has ended and what goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "parser/words/states.h"
#include "parser/words/tokens.h"

static void tells_ended_from_going_on(void **state)
{
    static const struct {
        const char *question;
        enum state state;
    } cases[] = {
        {"expired contracts", STATE_ENDED},
        {"contracts that are no longer active", STATE_ENDED},
        {"contracts that haven't expired", STATE_GOES_ON},
        {"current contracts", STATE_GOES_ON},
        {"non-active contracts", STATE_ENDED},
        {"contracts", STATE_NONE},
        {"closed contracts without an end date", STATE_NONE},
        {"active and expired contracts", STATE_NONE},
        {"'expired' contracts", STATE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens tokens;
        tokens_split(*state, cases[i].question, &tokens);
        assert_int_equal(states_of(&tokens), cases[i].state);
    }
}

static void knows_columns_of_an_end(void **state)
{
    (void)state;
    assert_true(states_is_end("cancelled_on"));
    assert_true(states_is_end("endDate"));
    assert_true(states_is_end("valid_end"));
    assert_true(states_is_end("date_closed"));
    assert_false(states_is_end("vendor"));
    assert_false(states_is_end("gender"));
    assert_false(states_is_end("started_on"));
}

static void knows_words_with_a_prefix_that_denies(void **state)
{
    (void)state;
    assert_string_equal(states_denied("incomplete"), "complete");
    assert_string_equal(states_denied("unpublished"), "published");
    assert_null(states_denied("complete"));
    assert_null(states_denied("unit"));
    assert_true(states_same("complete", "Completed"));
    assert_true(states_same("active", "active"));
    assert_false(states_same("active", "activated"));
    assert_false(states_same("act", "acted"));
}

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_ended_from_going_on),
        cmocka_unit_test(knows_columns_of_an_end),
        cmocka_unit_test(knows_words_with_a_prefix_that_denies),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
