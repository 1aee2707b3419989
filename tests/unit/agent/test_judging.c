/* What a user says of the answer before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "agent/memory/judging.h"
#include "base/arena.h"

struct said {
    const char *text;
    enum judging judging;
    const char *rest;
};

static void test_judging(void **state)
{
    (void)state;
    static const struct said all[] = {
        {"This is wrong", JUDGING_WRONG, ""},
        {"that's wrong!", JUDGING_WRONG, ""},
        {"No, this is not what I asked for.", JUDGING_WRONG, ""},
        {"Sorry, but the answer is incorrect", JUDGING_WRONG, ""},
        {"wrong", JUDGING_WRONG, ""},
        {"👎", JUDGING_WRONG, ""},
        {"thumbs down", JUDGING_WRONG, ""},
        {"It's still wrong", JUDGING_WRONG, ""},
        {"The numbers are wrong: only 2024", JUDGING_WRONG, "only 2024"},
        {"that is wrong, use table orders", JUDGING_WRONG, "use table orders"},
        {"that's not right - only Rome", JUDGING_WRONG, "only Rome"},
        {"this is wrong because I meant Rome", JUDGING_WRONG, "because I meant Rome"},
        {"That's right.", JUDGING_GOOD, ""},
        {"this is correct", JUDGING_GOOD, ""},
        {"👍", JUDGING_GOOD, ""},
        {"Perfect!", JUDGING_GOOD, ""},
        /* questions, all of them */
        {"wrong orders of 2024", JUDGING_NONE, NULL},
        {"which orders are wrong?", JUDGING_NONE, NULL},
        {"is this wrong?", JUDGING_NONE, NULL},
        {"correct addresses per city", JUDGING_NONE, NULL},
        {"that's right, and for 2023?", JUDGING_NONE, NULL},
        {"this is wrongly spelt", JUDGING_NONE, NULL},
        {"no", JUDGING_NONE, NULL},
        {"", JUDGING_NONE, NULL},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *rest = NULL;
        enum judging judging = judging_of(arena, all[i].text, &rest);
        if (judging != all[i].judging) {
            fail_msg("%s: %d", all[i].text, (int)judging);
        }
        if (all[i].rest) {
            assert_string_equal(rest, all[i].rest);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_judging)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
