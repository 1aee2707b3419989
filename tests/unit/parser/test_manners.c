/* What stands around a question is left out, its end gets a mark, short ways to say a
 * period are written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "parser/words/manners.h"
#include "parser/words/tokens.h"
#include "parser/words/wordings.h"

struct saying {
    const char *said;
    const char *plain; /* NULL: as it was */
};

static const struct saying polite[] = {
    {"how many orders?", NULL},
    {"Show all orders.", NULL},
    {"how many orders", "how many orders?"},
    {"orders per month", "orders per month."},
    {"hi, orders per month", "orders per month."},
    {"Hello there! Who ordered most?", "Who ordered most?"},
    {"hey dear team, who ordered most", "who ordered most?"},
    {"good morning, unpaid bills", "unpaid bills."},
    {"orders per month, thanks", "orders per month."},
    {"who ordered most? thank you so much!", "who ordered most?"},
    {"unpaid bills, many thanks in advance", "unpaid bills."},
    {"hi, can you please tell me how many orders we have? thx",
     "how many orders we have?"},
    {"Could you show us unpaid bills", "unpaid bills."},
    {"quick question: how many orders", "how many orders?"},
    {"ok so unpaid bills!!!", "unpaid bills."},
    {"just unpaid bills", "unpaid bills."},
    {"I'm trying to find unpaid bills asap", "unpaid bills."},
    {"orders per month as a bar chart", "orders per month."},
    {"hey, my boss wants orders per month as a table, thanks", "orders per month."},
    {"urgent: unpaid bills, any idea?", "unpaid bills."},
    {"orders per month ??", "orders per month?"},
    /* these are the question */
    {"urgent tickets", "urgent tickets."},
    {"well paid people", "well paid people."},
    {"question types", "question types."},
    {"please", "please."},
    {"just", "just."},
    {"!!!", "!."},
    {"tables as a", "tables as a."},
    {"hi", "hi."},
    {"thanks", "thanks."},
    {"good customers", "good customers."},
    {"hello kitty sales 2024", "hello kitty sales 2024."},
    {"hello how many orders", "how many orders?"},
    {"reviews containing thanks", "reviews containing thanks."},
    {"orders in a lot", "orders in a lot."},
    {"can you tell", "can you tell?"},
    {"products called 'thanks'", "products called 'thanks'."},
    {"'hi' products", "'hi' products."},
    {"", NULL},
};

static const struct saying periods[] = {
    {"items that are no longer active", "items that are not active"},
    {"calls no longer than 5 minutes", "calls at most 5 minutes"},
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

static void expect(struct arena *arena,
                   const char *(*rewrite)(struct arena *, const struct tokens *),
                   const struct saying *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tokens tokens;
        tokens_split(arena, cases[i].said, &tokens);
        const char *plain = rewrite(arena, &tokens);
        if (cases[i].plain) {
            assert_non_null(plain);
            assert_string_equal(plain, cases[i].plain);
        } else {
            assert_null(plain);
        }
    }
}

static void leaves_the_question(void **state)
{
    expect(*state, manners_drop, polite, sizeof polite / sizeof *polite);
}

static void writes_periods_out(void **state)
{
    expect(*state, wordings_write_out, periods, sizeof periods / sizeof *periods);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_the_question),
                                       cmocka_unit_test(writes_periods_out)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
