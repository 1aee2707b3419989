/* Kept answers as pages: everything is there, nothing in it lives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "service/documents/document.h"
#include "service/documents/escape.h"
#include "service/documents/style.h"

static char *page_of(const char *json)
{
    struct buf buf;
    buf_init(&buf, 1 << 24);
    struct arena *arena = arena_new();
    const json_t *document = json_quick(arena, json, strlen(json));
    assert_non_null(document);
    document_write(document, arena, &buf);
    arena_free(arena);
    assert_false(buf.full);
    char *copy = strdup(buf_get(&buf));
    buf_release(&buf);
    return copy;
}

static void escaped(const char *text, size_t size, const char *wanted)
{
    struct buf buf;
    buf_init(&buf, 1 << 16);
    escape_text_n(&buf, text, size);
    assert_string_equal(buf_get(&buf), wanted);
    buf_release(&buf);
}

static void texts_are_escaped(void **state)
{
    (void)state;
#define ESCAPED(text, wanted) escaped(text, sizeof(text) - 1, wanted)
    ESCAPED("a & b < c > d \" ' `", "a &amp; b &lt; c &gt; d &quot; &#39; &#96;");
    ESCAPED("</script><!--", "&lt;/script&gt;&lt;!--");
    ESCAPED("a\0b\x1b[1m\x7f", "a[U+0000]b[U+001B][1m[U+007F]");
    ESCAPED("x\xE2\x80\xAEy\xE2\x81\xA6z", "x[U+202E]y[U+2066]z");
    ESCAPED("a\r\nb\tc", "a[U+000D]\nb\tc");
    ESCAPED("\xFF\xC3", "\xEF\xBF\xBD\xEF\xBF\xBD");
    ESCAPED("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB",
            "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB");
#undef ESCAPED
    struct buf buf;
    buf_init(&buf, 100);
    escape_text_cut(&buf, "äää", 6, 3);
    assert_string_equal(buf_get(&buf), "ä…");
    buf_release(&buf);
}

/* The hostile text in every place that can hold one. */
#define H "</title></style></script><img src=x onerror=alert(1)>\\\"'\\u202e"

static const char hostile[] =
    "{\"version\":1,\"title\":\"" H "\",\"made_at\":\"" H "\",\"expires_at\":\"" H "\","
    "\"answers\":[{\"question\":\"" H "\",\"text\":\"" H "\",\"sql\":\"" H "\","
    "\"datasource\":\"" H "\",\"tables_used\":[\"" H "\"],\"answered_at\":\"" H "\","
    "\"warnings\":[\"" H "\"],\"assumptions\":[\"" H "\"],\"unplaced\":[{\"word\":\"" H
    "\"}],"
    "\"parameters\":{\"" H "\":\"" H "\"},\"confidence\":{\"label\":\"unsure\"},"
    "\"chart\":{\"kind\":\"bar\"},\"columns\":[\"" H "\",\"n\"],"
    "\"column_types\":[\"TEXT\",\"INTEGER\"],"
    "\"rows\":[[\"" H "\",1],[\"b\",2],[null,null]],\"row_count\":3},"
    "{\"question\":\"" H "\",\"text\":7,\"rows\":{},\"columns\":7,\"chart\":[]}]}";

static void nothing_in_it_lives(void **state)
{
    (void)state;
    char *page = page_of(hostile);
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "</script"));
    assert_null(strstr(page, "\xE2\x80\xAE"));
    assert_null(strstr(page, "href"));
    assert_null(strstr(page, "http:"));
    assert_null(strstr(page, "https:"));
    assert_null(strstr(page, "url("));
    assert_null(strstr(page, " style=")); /* the policy would refuse it */
    assert_non_null(strstr(page, "&lt;img src=x onerror=alert(1)&gt;"));
    assert_non_null(strstr(page, "[U+202E]"));
    assert_non_null(strstr(page, "<svg"));
    /* one of each, so none was ended early */
    assert_ptr_equal(strstr(page, "</title>"), strstr(page, "</title>\n<style>"));
    assert_null(strstr(strstr(page, "</style>") + 1, "</style>"));
    free(page);
}

static void the_policy_is_of_its_style(void **state)
{
    (void)state;
    char hash[STYLE_HASH_SIZE];
    style_hash(hash);
    assert_int_equal(strlen(hash), strlen("sha256-") + 44);
    char *page = page_of("{\"answers\":[]}");
    assert_non_null(strstr(page, hash));
    assert_non_null(strstr(page, "default-src 'none'"));
    free(page);
}

static char *chart_of(const char *kind, const char *columns, const char *types,
                      const char *rows)
{
    static char json[8192];
    (void)snprintf(json, sizeof json,
                   "{\"answers\":[{\"chart\":{\"kind\":\"%s\"},\"columns\":%s,"
                   "\"column_types\":%s,\"rows\":%s}]}",
                   kind, columns, types, rows);
    return page_of(json);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void charts_are_drawn(void **state)
{
    (void)state;
    char *page = chart_of("bar", "[\"country\",\"n\"]", "[\"TEXT\",\"INTEGER\"]",
                          "[[\"DE\",3],[\"FR\",-1],[\"ES\",2]]");
    assert_int_equal(count_of(page, "<rect"), 3);
    free(page);
    page = chart_of("line", "[\"month\",\"shop\",\"n\"]", "[\"TEXT\",\"TEXT\",\"REAL\"]",
                    "[[\"2025-01\",\"a\",1],[\"2025-01\",\"b\",2],[\"2025-02\",\"a\",3],"
                    "[\"2025-02\",\"b\",4]]");
    assert_int_equal(count_of(page, "<path"), 2);
    assert_int_equal(count_of(page, "<style>"), 1); /* the policy allows one */
    assert_non_null(strstr(page, ".dgm-l0{stroke:"));
    free(page);
    page = chart_of("scatter", "[\"x\",\"y\"]", "[\"REAL\",\"REAL\"]",
                    "[[1,2.5],[2,3.5],[3,1e12]]");
    assert_int_equal(count_of(page, "<circle"), 3);
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "inf"));
    free(page);
    page = chart_of("figure", "[\"n\"]", "[\"INTEGER\"]", "[[2400]]");
    assert_non_null(strstr(page, "<p class=\"figure\">2400</p>"));
    free(page);
    page = chart_of("nonsense", "[\"n\"]", "[\"INTEGER\"]", "[[2400]]");
    assert_null(strstr(page, "<figure"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(nothing_in_it_lives),
        cmocka_unit_test(the_policy_is_of_its_style),
        cmocka_unit_test(charts_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
