/* Phrases of periods: written in plain words, told, or left open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "parser/words/periods/periods.h"
#include "parser/words/times.h"
#include "parser/words/tokens.h"

struct saying {
    const char *said;
    const char *plain; /* NULL: as it was */
};

static void check(struct arena *arena, const struct saying *cases, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct tokens tokens;
        tokens_split(arena, cases[i].said, &tokens);
        const struct periods_request request = {.tokens = &tokens};
        const char *got = periods_write_out(arena, &request);
        if (!str_equal(got, cases[i].plain)) {
            wrong++;
            print_error("%s: %s\n", cases[i].said, got ? got : "(unchanged)");
        }
    }
    assert_int_equal(wrong, 0);
}

static void says_the_same_in_plain_words(void **state)
{
    static const struct saying cases[] = {
        {"orders before the end of 2025?", "orders until 2025?"},
        {"orders by the end of March, 2025", "orders until March 2025"},
        {"orders since the beginning of 2025", "orders since 2025"},
        {"orders after the end of 2025", "orders after 2025"},
        {"orders before the start of 2025", "orders before 2025"},
        {"orders from the start of 2025 to the end of may 2025",
         "orders since 2025 until May 2025"},
        {"orders since the start of the year", "orders in this year"},
        {"orders until the end of the year", "orders until the end of the year"},
        {"orders within the last year", "orders in the last 12 months"},
        {"orders in the past month", "orders in the last 30 days"},
        {"orders in the last year", NULL},
        {"orders over the past years", NULL},
        {"orders a week ago", "orders 1 week ago"},
        {"orders more than half a year ago", "orders more than 6 months ago"},
        {"orders a couple of months ago", "orders 2 months ago"},
        {"orders between 3 and 6 months ago",
         "orders more than 3 months ago and less than 6 months ago"},
        {"orders on the first monday of october 2026", "orders on October 5, 2026"},
        {"orders on the last friday in may 2024", "orders on May 31, 2024"},
        {"the first monday", NULL},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void reads_the_period_around_what_is_open(void **state)
{
    static const struct saying cases[] = {
        {"orders in early 2026", "orders in 2026"},
        {"orders early in 2026", "orders in 2026"},
        {"orders in mid-March 2026", "orders in March 2026"},
        {"orders at the end of 2025?", "orders in 2025?"},
        {"orders in the middle of last month", "orders last month"},
        {"orders last summer?", "orders ?"},
        {"orders a few weeks ago", "orders"},
        {"late orders in 2025", NULL},
        {"orders that were late last month", NULL},
        {"orders delivered late in 2025", NULL},
        {"the end of the story", NULL},
        {"'early 2026'", NULL},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void reads_seasons_as_three_months(void **state)
{
    static const struct saying cases[] = {
        {"orders in summer 2026", "orders between June and August 2026"},
        {"orders during the spring of 2026", "orders between March and May 2026"},
        {"orders in winter 2025", "orders between December 2025 and February 2026"},
        {"orders in winter 2025/26", "orders between December 2025 and February 2026"},
        {"orders in fiscal year 2025", "orders in 2025"},
        {"orders in summer 2025 (june to august)", NULL},
        {"summer orders", NULL},
    };
    check(*state, cases, sizeof cases / sizeof *cases);
}

static void leaves_names_of_the_schema(void **state)
{
    struct arena *arena = *state;
    struct tokens tokens;
    struct map words;
    map_init(&words, false);
    (void)map_set(&words, "summer", &words);
    tokens_split(arena, "courses in summer 2025", &tokens);
    const struct periods_request request = {.tokens = &tokens, .words = &words};
    assert_null(periods_write_out(arena, &request));
    map_release(&words);
}

static void offers_what_may_be_meant(void **state)
{
    struct arena *arena = *state;
    struct tokens tokens;
    struct period_phrases phrases;
    tokens_split(arena, "orders at the end of 2025, and last winter", &tokens);
    const struct periods_request request = {.tokens = &tokens, .today = "2024-05-15"};
    periods_find(arena, &request, &phrases);
    assert_int_equal(phrases.count, 2);
    assert_int_equal(phrases.items[0].kind, PERIOD_OPEN);
    assert_string_equal(
        str_join(arena, &phrases.items[0].choices, "; "),
        "in December 2025; in the last quarter of 2025; in the second half "
        "of 2025; in 2025");
    assert_string_equal(str_join(arena, &phrases.items[1].choices, "; "),
                        "in winter 2024; in winter 2023; in winter 2022");
    tokens_split(arena, "orders in winter 2025", &tokens);
    periods_find(arena, &request, &phrases);
    assert_int_equal(phrases.count, 1);
    assert_string_equal(phrases.items[0].meant, "December 2025 to February 2026");
    assert_string_equal(phrases.items[0].begins, "2025-12-01");
    assert_true(phrases.items[0].doubtful);
}

static void writes_times_of_day_as_hours(void **state)
{
    static const struct saying cases[] = {
        {"rides after 5 pm", "rides after 17:00"},
        {"rides between 7 and 9pm", "rides between 19:00 and 21:00"},
        {"rides at 2:30 PM or 14:30", "rides at 14:30 or 14:30"},
        {"rides before 9am", NULL},
        {"rides before noon", "rides before 12:00"},
        {"rides between 9 and 12 noon", "rides between 9 and 12:00"},
        {"rides after midnight", NULL},
        {"the film High Noon", NULL},
        {"12 pm", NULL},
        {"rides at 14", NULL},
        {"a ratio of 3:1", NULL},
        {"what am I", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens tokens;
        tokens_split(*state, cases[i].said, &tokens);
        const char *got = times_write_out(*state, &tokens);
        assert_true(str_equal(got, cases[i].plain));
    }
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
        cmocka_unit_test(says_the_same_in_plain_words),
        cmocka_unit_test(reads_the_period_around_what_is_open),
        cmocka_unit_test(reads_seasons_as_three_months),
        cmocka_unit_test(leaves_names_of_the_schema),
        cmocka_unit_test(writes_times_of_day_as_hours),
        cmocka_unit_test(offers_what_may_be_meant),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
