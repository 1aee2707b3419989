/* What stands around a question is left out, and its end gets a mark. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "parser/manners.h"
#include "parser/tokens.h"

static const struct {
    const char *written;
    const char *left; /* NULL: as it was */
} cases[] = {
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

static void leaves_the_question(void **state)
{
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens tokens;
        tokens_split(arena, cases[i].written, &tokens);
        const char *left = manners_drop(arena, &tokens);
        if (cases[i].left) {
            assert_non_null(left);
            assert_string_equal(left, cases[i].left);
        } else {
            assert_null(left);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_the_question)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
