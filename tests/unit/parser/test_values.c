/* Value candidates: what a question compares with, found in all its spellings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "knowledge/value_index/value_index.h"
#include "unit/parser/features_shop.h"

/* `text` of texts, `#text` of numbers, with the number of columns that hold it. */
static const char *found(struct features_shop *shop, const char *question)
{
    struct features features;
    struct buf buf;
    features_build(shop->shop.arena, shop->schema, shop->index, question, &features);
    buf_init(&buf, 1 << 16);
    for (size_t i = 0; i < features.values.count; i++) {
        const struct candidate *value = &features.values.items[i];
        (void)buf_format(&buf, "%s%s%s", i ? " | " : "", value->value.is_text ? "" : "#",
                         value->value.text);
        if (value->column_count) {
            (void)buf_format(&buf, "/%zu", value->column_count);
        }
        assert_true(value->first < value->end && value->end <= features.tokens.count);
    }
    const char *text = buf_clone(&buf, shop->shop.arena);
    buf_release(&buf);
    return text ? text : "";
}

struct value_case {
    const char *question;
    const char *values;
};

static void check(struct features_shop *shop, const struct value_case *cases,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *values = found(shop, cases[i].question);
        if (strcmp(values, cases[i].values) != 0) {
            print_error("%s\n", cases[i].question);
        }
        assert_string_equal(values, cases[i].values);
    }
}

#define CHECK(shop, cases) check((shop), (cases), sizeof(cases) / sizeof *(cases))

static void finds_cells(void **state)
{
    static const struct value_case cases[] = {
        {"customers in berlin", "Berlin/2"},
        {"customers in new york", "New York/1"},
        {"tshirt orders", "T-Shirt/1"},
        {"garden tools", "Garden Tools/1"},
        {"lamp prices", "Lamps/1"},
        {"customers named o'brien", "O'Brien/1"},
        {"german customers", "Germany/1"},
        {"orders that were cancelled", "Cancelled/1"},
        {"canceled orders", "Cancelled/1"},
        {"how many cancellations", "Cancelled/1"},
        {"customers in berlim", "berlim | Berlin/2"},
        {"steel things", "steel/1"},
    };
    CHECK(*state, cases);
}

static void finds_numbers(void **state)
{
    static const struct value_case cases[] = {
        {"orders over 1,500.50", "#1500.50"},
        {"total above $5k", "#5000"},
        {"total above 20 k", "#20000"},
        {"more than 2 million", "#2000000"},
        {"3 dozen", "#3 | #36 | #12"},
        {"20% of orders", "#20 | #0.2"},
        {"below -5 degrees", "#5 | #-5"},
        {"three orders", "#3"},
        {"twenty-five orders", "#25"},
        {"two hundred and fifty orders", "#250"},
        {"ordered once or twice", "#1 | #2"},
        {"top ten", "#10"},
        {"the 1990s", "#1990 | #1999"},
        {"postal code 10115", "10115/1 | #10115"},
        {"price of .5", "#0.5"},
        {"one two", "#1 | #2"},
    };
    CHECK(*state, cases);
}

static void finds_periods(void **state)
{
    static const struct value_case cases[] = {
        {"orders in 2024", "#2024"},
        {"orders on 2024-03-15", "2024-03-15 | #2024"},
        {"orders in 2024-03", "2024-03 | #2024"},
        {"orders in March 2024", "2024-03 | #2024"},
        {"orders on March 15th, 2024", "2024-03-15 | March 15th, 2024 | #2024"},
        {"orders on 15 march 2024", "2024-03-15 | 15 march 2024 | #2024"},
        {"orders on 3/15/2024", "2024-03-15 | 3/15/2024 | #2024"},
        {"orders on 15.03.2024", "2024-03-15 | 15.03.2024 | #2024"},
        {"orders in Q1 2024", "2024-Q1 | #2024"},
        {"orders in the first quarter of 2024", "2024-Q1 | #2024"},
        {"orders in q3", "--Q3"},
        {"orders in q3 24", "2024-Q3"},
        {"orders in Q3 '24", "2024-Q3"},
        {"orders in march '24", "2024-03"},
        {"orders in '24", "#2024"},
        {"orders in FY24", "#2024"},
        {"orders in fy 2023", "#2023"},
        {"born in '87", "#1987"},
        {"orders in march 24", "--03 | #24"},
        {"orders in january", "--01"},
        {"orders since march", "--03"},
        {"between march and may 2024", "2024-03 | 2024-05 | #2024"},
        {"orders may be late", ""},
        {"paid at 2018-03-17 07:13:53", "2018-03-17 | 2018-03-17 07:13:53 | #2018"},
        {"on 99/99/2024", "#99 | #2024 | 99/99/2024"},
    };
    CHECK(*state, cases);
}

static void finds_text(void **state)
{
    static const struct value_case cases[] = {
        {"products called 'Magic Wand'", "Magic Wand"},
        {"products called “Magic Wand”", "Magic Wand"},
        {"orders of John Smith", "John Smith"},
        {"orders of Bank of America", "Bank | Bank of America | America"},
        {"Which customers live in Oslo?", "Oslo"},
        {"names starting with x", "x"},
        {"names containing the letter a", "a"},
        {"product AB-12", "AB-12/1 | #12 | AB"},
        {"mail of a.b@c.de", "a.b@c.de"},
        {"Show orders. Give totals", ""},
        {"", ""},
    };
    CHECK(*state, cases);
}

static void is_bounded(void **state)
{
    struct features_shop *shop = *state;
    struct features features;
    struct buf buf;
    buf_init(&buf, 1 << 20);
    for (int i = 0; i < 3000; i++) {
        (void)buf_format(&buf, "%d Name%d ", i, i);
    }
    features_build(shop->shop.arena, shop->schema, shop->index, buf_get(&buf), &features);
    assert_int_equal(features.values.count, VALUES_MAX);
    buf_release(&buf);
    features_build(shop->shop.arena, shop->schema, NULL, "in Berlin", &features);
    assert_int_equal(features.values.count, 1); /* without an index: as it stands */
}

static void finds_tokens_of_literals(void **state)
{
    struct features_shop *shop = *state;
    struct features features;
    static const struct {
        const char *literal;
        bool is_text;
        enum ir_kind kind;
        int index;
    } cases[] = {
        {"Berlin", true, IR_VALUE, 0},
        {"BERLIN", true, IR_VALUE, 0},
        {"2024-03", true, IR_VALUE, 1},
        {"5.0", false, IR_VALUE, 2},
        {"5", true, IR_VALUE, 2},
        {"1", false, IR_FIXED, IR_FIXED_ONE},
        {"T", true, IR_FIXED, IR_FIXED_TRUE_LETTER},
        {"Ber lin", true, IR_VALUE, 0},
        {"Berlim", true, IR_VALUE, 0},
        {"Paris", true, IR_FIXED, IR_FIXED_UNKNOWN},
        {"8", false, IR_FIXED, IR_FIXED_UNKNOWN},
        {"60.0", false, IR_FIXED, IR_FIXED_SIXTY},
        {"NULL", true, IR_FIXED, IR_FIXED_NULL_WORD},
        {"yES", true, IR_FIXED, IR_FIXED_YES},
        {"<unknown>", true, IR_FIXED, IR_FIXED_UNKNOWN},
        {"", true, IR_FIXED, IR_FIXED_EMPTY},
    };
    features_build(shop->shop.arena, shop->schema, shop->index,
                   "5 orders from berlin in march 2024", &features);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ir_token token =
            values_token(&features.values, cases[i].literal, cases[i].is_text);
        assert_int_equal(token.kind, cases[i].kind);
        assert_int_equal(token.index, cases[i].index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_cells),   cmocka_unit_test(finds_numbers),
        cmocka_unit_test(finds_periods), cmocka_unit_test(finds_text),
        cmocka_unit_test(is_bounded),    cmocka_unit_test(finds_tokens_of_literals),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
