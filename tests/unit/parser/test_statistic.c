/* Questions about medians and the like, read as averages by weights that do not know the words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "sql/dialect.h"
#include "parser/search/statistic.h"
#include "parser/words/tokens.h"
#include "unit/parser/ir_shop.h"

static void is_asked_as_an_average(void **state)
{
    static const struct {
        const char *question, *plain, *percent;
        enum ir_keyword word;
    } cases[] = {
        {"median price per category", "average price per category", NULL, IR_MEDIAN},
        {"What is the standard deviation of prices?", "What is the average of prices?",
         NULL, IR_DEVIATION},
        {"the 90th percentile of prices", "the average of prices", "90", IR_PERCENTILE},
        {"95 percentile of price", "average of price", "95", IR_PERCENTILE},
        {"third quartile of price", "average of price", "75", IR_PERCENTILE},
        {"variance of price", "average of price", NULL, IR_VARIANCE},
        {"percentile of price", NULL, NULL, IR_PAD}, /* which one? */
        {"the 100th percentile of price", NULL, NULL, IR_PAD},
        {"median and average price", NULL, NULL, IR_PAD}, /* two figures */
        {"median price and variance of price", NULL, NULL, IR_PAD},
        {"products called \"median\"", NULL, NULL, IR_PAD},
        {"average price", NULL, NULL, IR_PAD},
    };
    struct ir_shop *shop = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct statistic statistic;
        struct tokens words;
        tokens_split(shop->arena, cases[i].question, &words);
        const char *plain = statistic_as_average(shop->arena, shop->ir, &words,
                                                 IR_KEYWORDS_FIRST, &statistic);
        print_message("%s\n", cases[i].question);
        assert_true(str_equal(plain, cases[i].plain));
        assert_int_equal(statistic.word, cases[i].word);
        assert_true(str_equal(statistic.percent, cases[i].percent));
    }
}

/* Weights that have learnt the word read the question themselves. */
static void is_left_to_weights_that_know_the_word(void **state)
{
    struct ir_shop *shop = *state;
    struct statistic statistic;
    struct tokens words;
    tokens_split(shop->arena, "median price", &words);
    assert_null(statistic_as_average(shop->arena, shop->ir, &words, IR_KEYWORD_COUNT,
                                     &statistic));
    assert_int_equal(statistic.word, IR_PAD);
}

static void takes_the_place_of_the_average(void **state)
{
    static const struct {
        struct statistic statistic;
        enum ir_keyword read;
        bool column; /* directly behind the word */
        bool put;
        size_t count;
    } cases[] = {
        {{IR_MEDIAN, NULL}, IR_AVG, true, true, 3},
        {{IR_MEDIAN, NULL}, IR_AVG, false, true, 3},
        {{IR_MEDIAN, NULL}, IR_SUM, true, false, 3},
        {{IR_PERCENTILE, "90"}, IR_AVG, true, true, 4},
        {{IR_PERCENTILE, "90"}, IR_AVG, false, false, 0},
    };
    struct ir_shop *shop = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ir_tokens tokens = {0};
        VEC_PUSH(shop->arena, &tokens, ir_word(IR_SELECT));
        VEC_PUSH(shop->arena, &tokens, ir_word(cases[i].read));
        VEC_PUSH(shop->arena, &tokens,
                 ((struct ir_token){cases[i].column ? IR_COLUMN : IR_VALUE, 1}));
        assert_int_equal(statistic_put(shop->arena, &cases[i].statistic, 7, &tokens),
                         cases[i].put);
        if (cases[i].put) {
            assert_int_equal(tokens.count, cases[i].count);
            assert_true(ir_is(tokens.items[1], cases[i].statistic.word));
        }
        if (cases[i].put && cases[i].statistic.percent) {
            assert_int_equal(tokens.items[3].kind, IR_VALUE);
            assert_int_equal(tokens.items[3].index, 7);
        }
    }
}

static int set_up(void **state)
{
    static struct ir_shop shop;
    ir_shop_init(&shop, DIALECT_SQLITE);
    *state = &shop;
    return 0;
}

static int tear_down(void **state)
{
    ir_shop_release(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_asked_as_an_average),
        cmocka_unit_test(is_left_to_weights_that_know_the_word),
        cmocka_unit_test(takes_the_place_of_the_average),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
