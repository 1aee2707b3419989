/* "Tomorrow" and the days beside it, read as today. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/words/days.h"
#include "parser/words/tokens.h"

static void reads_another_day_as_today(void **state)
{
    static const struct {
        const char *said;
        const char *plain; /* NULL: as it is */
        int days;
    } cases[] = {
        {"visits scheduled for tomorrow?", "visits scheduled for today?", 1},
        {"Tomorrow's visits", "today's visits", 1},
        {"visits of the day after tomorrow", "visits of today", 2},
        {"visits on the day before yesterday", "visits on today", -2},
        {"visits since yesterday", "visits since today", -1},
        {"visits yesterday", NULL, 0}, /* the network knows it */
        {"visits today", NULL, 0},
        {"visits today and tomorrow", NULL, 0},
        {"visits tomorrow and today", NULL, 0},
        {"songs called 'tomorrow'", NULL, 0},
    };
    struct arena *arena = arena_new();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens words;
        int days = 0;
        tokens_split(arena, cases[i].said, &words);
        const char *plain = days_as_today(arena, &words, &days);
        if (!str_equal(plain, cases[i].plain) || days != cases[i].days) {
            fail_msg("%s: %s, %d", cases[i].said, plain ? plain : "(unchanged)", days);
        }
    }
    arena_free(arena);
}

/* In a conversation. */
static void reads_another_day_as_its_date(void **state)
{
    static const struct {
        const char *said;
        const char *plain;
    } cases[] = {
        {"and tomorrow?", "and on 2026-11-20?"},
        {"only those of the day after tomorrow", "only those of 2026-11-21"},
        {"since yesterday", "since 2026-11-18"},
        {"and yesterday?", NULL},
    };
    struct arena *arena = arena_new();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens words;
        tokens_split(arena, cases[i].said, &words);
        const char *plain = days_as_date(arena, &words, "2026-11-19");
        if (!str_equal(plain, cases[i].plain)) {
            fail_msg("%s: %s", cases[i].said, plain ? plain : "(unchanged)");
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_another_day_as_today),
        cmocka_unit_test(reads_another_day_as_its_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
