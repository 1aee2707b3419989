/* Tokens and stems: where words begin and end, and which of them are one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "knowledge/words/stem.h"
#include "parser/words/tokens.h"

static const char *split(struct arena *arena, const char *question)
{
    struct tokens tokens;
    struct buf buf;
    tokens_split(arena, question, &tokens);
    buf_init(&buf, 1 << 16);
    for (size_t i = 0; i < tokens.count; i++) {
        (void)buf_format(&buf, "%s%s", i ? " " : "", tokens.items[i].text);
        assert_true(tokens.items[i].start < tokens.items[i].end);
        assert_true(tokens.items[i].end <= strlen(tokens.text));
        assert_true(i == 0 || tokens.items[i].start >= tokens.items[i - 1].end);
    }
    const char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text ? text : "";
}

static void splits(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"How many customers?", "how many customers ?"},
        {"orders over 1,000.50", "orders over 1,000.50"},
        {"in 2014,2015 and 2016.", "in 2014 , 2015 and 2016 ."},
        {"1,0000", "1 , 0000"},
        {"v1.2.3", "v 1.2 . 3"},
        {"$5k or 20%", "$ 5 k or 20 %"},
        {"called 'Jo Ann'!", "called \" jo ann \" !"},
        {"named “Café Roma”", "named \" cafe roma \""},
        {"the customer's name", "the customer ' s name"},
        {"customers' and sellers' names", "customers ' and sellers ' names"},
        {"order_date e-mail", "order _ date e - mail"},
        {"ÉCOLE Straße", "ecole strase"},
        {"東京の人", "東 京 の 人"},
        {"a \"half quote", "a \" half quote"},
        {"it's 'x'", "it ' s \" x \""},
        {"\"\"", "\" \""},
        {"", ""},
        {"  \t\n ", ""},
        {"\x01\x02\xff\xfe", ""},
        {"2024-03-15T10:20", "2024 - 03 - 15 t 10 : 20"},
        {"🍕 sales", "🍕 sales"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(split(arena, cases[i][0]), cases[i][1]);
    }
    assert_string_equal(split(arena, NULL), "");
    arena_free(arena);
}

static void knows_kinds(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct tokens tokens;
    tokens_split(arena, "Is 'New York' in the USA, 3?", &tokens);
    assert_int_equal(tokens.items[0].kind, TOKEN_WORD);
    assert_true(tokens.items[0].capital && !tokens.items[0].upper);
    assert_int_equal(tokens.items[1].kind, TOKEN_QUOTE);
    assert_true(tokens.items[2].quoted && tokens.items[3].quoted);
    assert_int_equal(tokens.items[4].kind, TOKEN_QUOTE);
    assert_false(tokens.items[5].quoted);
    assert_true(tokens.items[7].upper);
    assert_int_equal(tokens.items[8].kind, TOKEN_MARK);
    assert_int_equal(tokens.items[9].kind, TOKEN_NUMBER);
    assert_true(token_is_common("the") && token_is_common("a") &&
                token_is_common("with"));
    assert_false(token_is_common("customer") || token_is_common(""));
    assert_true(token_is_grammar("without") && token_is_grammar("about") &&
                token_is_grammar("yours"));
    arena_free(arena);
}

static void is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct tokens tokens;
    struct buf buf;
    buf_init(&buf, 1 << 20);
    for (int i = 0; i < 5000; i++) {
        (void)buf_text(&buf, "word ");
    }
    tokens_split(arena, buf_get(&buf), &tokens);
    assert_int_equal(tokens.count, TOKENS_MAX);
    assert_true(tokens.cut);
    buf_clear(&buf);
    for (int i = 0; i < 100000; i++) {
        (void)buf_char(&buf, 'w');
    }
    tokens_split(arena, buf_get(&buf), &tokens);
    assert_int_equal(tokens.count, 1);
    assert_true(tokens.cut && strlen(tokens.items[0].text) < 48);
    tokens_split(arena, "short", &tokens);
    assert_false(tokens.cut);
    buf_release(&buf);
    arena_free(arena);
}

static void stems(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"cities", "city"},        {"addresses", "address"},  {"classes", "class"},
        {"buildings", "building"}, {"hired", "hire"},         {"hiring", "hires"},
        {"shipped", "ship"},       {"named", "names"},        {"people", "person"},
        {"children", "child"},     {"movies", "movie"},       {"boxes", "box"},
        {"statuses", "status"},    {"prices", "priced"},      {"ids", "id"},
        {"matches", "match"},      {"employees", "employee"},
    };
    static const char *const different[][2] = {
        {"string", "str"},  {"speed", "spe"}, {"bus", "bu"},
        {"address", "add"}, {"is", "i"},      {"count", "country"},
    };
    char a[STEM_SIZE];
    char b[STEM_SIZE];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        (void)stem_word(a, same[i][0]);
        (void)stem_word(b, same[i][1]);
        assert_string_equal(a, b);
    }
    for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
        (void)stem_word(a, different[i][0]);
        (void)stem_word(b, different[i][1]);
        assert_string_not_equal(a, b);
    }
    assert_int_equal(stem_word(a, ""), 0);
    char longest[200];
    memset(longest, 's', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_true(stem_word(a, longest) < STEM_SIZE);
    char bases[STEM_BASES][STEM_SIZE];
    assert_true(stem_bases(bases, longest) >= 1);
    assert_int_equal(stem_bases(bases, ""), 1);
    assert_true(stem_bases(bases, "ed") >= 1 && stem_bases(bases, "ing") >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits),
        cmocka_unit_test(knows_kinds),
        cmocka_unit_test(is_bounded),
        cmocka_unit_test(stems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
