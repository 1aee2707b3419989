/* Short ways to say a period. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "parser/tokens.h"
#include "parser/wordings.h"

static const struct {
    const char *said;
    const char *plain; /* NULL: as it was */
} cases[] = {
    {"revenue ytd", "revenue this year"},
    {"revenue year to date by city?", "revenue this year by city?"},
    {"orders mtd", "orders this month"},
    {"orders in h1 2025", "orders between january and june 2025"},
    {"orders H2 2024 vs H2 2025",
     "orders between july and december 2024 vs between july and december 2025"},
    {"orders in the first half of 2025.", "orders between january and june 2025."},
    {"the second half of 2024", "between july and december 2024"},
    {"the first half of the season", NULL},
    {"column h1", NULL},
    {"'ytd' codes", NULL},
    {"", NULL},
};

static void writes_out(void **state)
{
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens tokens;
        tokens_split(arena, cases[i].said, &tokens);
        const char *plain = wordings_write_out(arena, &tokens);
        if (cases[i].plain) {
            assert_non_null(plain);
            assert_string_equal(plain, cases[i].plain);
        } else {
            assert_null(plain);
        }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(writes_out)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
