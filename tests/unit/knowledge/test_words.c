/* Words: what meets what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "knowledge/words/abbreviations.h"
#include "knowledge/words/words.h"

struct split_case {
    const char *text;
    const char *words; /* folded, each followed by a space */
};

static const struct split_case splits[] = {
    {NULL, ""},
    {"", ""},
    {" ,;?", ""},
    {"order_items", "order item "},
    {"orderItems", "order item "},
    {"HTTPServerLog", "http server log "},
    {"OrderIDs", "order id "},
    {"line2 3D", "lin 2 3 d "},
    {"Categories, companies", "category company "},
    {"boxes branches classes statuses", "box branch class status "},
    {"status address analysis", "status address analysis "},
    {"price prices pricing priced", "pric pric pric pric "},
    {"shipped shipping ships", "ship ship ship "},
    {"selling sells", "sell sell "},
    {"São sao", "sao sao "},
    {"people persons women", "person person woman "},
    {"cust_qty telNo", "customer quantity phon no "},
    {"state sales", "stat sal "},
    {"GRÖSSE Größe ÄRZTE", "gross gros arzt "},
    {"ЗАКАЗЫ заказы", "заказы заказы "},
    {"客户数", "客 户 数 "},
    {"bad\xff\xfe"
     "bytes",
     "bad byt "},
};

static void test_splits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++) {
        struct buf got;
        struct words words;
        struct word word;
        buf_init(&got, 1000);
        words_init(&words, splits[i].text);
        while (words_next(&words, &word)) {
            assert_true(word.size > 0);
            (void)buf_format(&got, "%s ", word.folded);
        }
        assert_string_equal(buf_get(&got), splits[i].words);
        buf_release(&got);
    }
}

static void test_long_words_are_cut(void **state)
{
    (void)state;
    char text[300];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    struct words words;
    struct word word;
    words_init(&words, text);
    assert_true(words_next(&words, &word));
    assert_int_equal(word.size, sizeof text - 1);
    assert_true(strlen(word.folded) < WORD_SIZE);
    assert_false(words_next(&words, &word));
}

/* The list is searched by halves and is written in folded form: both could rot unseen. */
static void test_common_words(void **state)
{
    (void)state;
    static const char *const said[] = {"how",   "many", "The",    "does", "Is",  "has",
                                       "which", "this", "please", "a",    "your"};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct words words;
        struct word word;
        words_init(&words, said[i]);
        assert_true(words_next(&words, &word));
        if (!word_is_common(word.folded)) {
            fail_msg("%s (%s) is not common", said[i], word.folded);
        }
    }
    assert_false(word_is_common("customer"));
    assert_false(word_is_common(""));
}

/* One list, and each row says where it applies. */
static void test_scope_of_abbreviations(void **state)
{
    (void)state;
    assert_string_equal(abbreviation_full("ord", false), "order");
    assert_null(abbreviation_full("ord", true)); /* in a question it may be a word */
    assert_string_equal(abbreviation_compared("ord"), "order");
    assert_string_equal(abbreviation_full("acc", false), "account");
    assert_null(abbreviation_compared("acc"));
    assert_string_equal(abbreviation_compared("telephon"), "phone");
    assert_null(abbreviation_full("telephon", false));
    assert_string_equal(abbreviation_before("reg", "dt"), "registration");
    assert_null(abbreviation_full("abbreviations", false)); /* longer than every row */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_long_words_are_cut),
        cmocka_unit_test(test_common_words),
        cmocka_unit_test(test_scope_of_abbreviations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
