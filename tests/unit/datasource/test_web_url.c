/* URLs of databases that are reached by HTTP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/web_url.h"

static void parts_are_decoded(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct web_url url;
    assert_true(web_url_read(
        arena,
        "ClickHouse://me:p%40s%2Fs@host.example:8123/my%20db?secure=1&a=b%26c&flag",
        &url));
    assert_string_equal(url.scheme, "clickhouse");
    assert_string_equal(url.user, "me");
    assert_string_equal(url.password, "p@s/s");
    assert_string_equal(url.host, "host.example");
    assert_string_equal(url.port, "8123");
    assert_string_equal(url.path, "my db");
    assert_string_equal(web_url_get(&url, "a"), "b&c");
    assert_string_equal(web_url_get(&url, "flag"), "1");
    assert_null(web_url_get(&url, "none"));
    static const char *const known[] = {"secure", "a", NULL};
    assert_string_equal(web_url_stranger(&url, known), "flag");
    assert_true(web_url_read(arena, "x://[::1]:1/", &url));
    assert_string_equal(url.host, "[::1]");
    assert_string_equal(url.path, "");
    assert_true(web_url_read(arena, "bigquery://project-1/set", &url));
    assert_string_equal(url.host, "project-1");
    assert_true(web_url_read(arena, "x:///db", &url));
    assert_string_equal(url.host, "");
    arena_free(arena);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "",          "host",          "x:/host",        "x://a%zz/",     "x://h:port/",
        "x://h:/",   "x://h:123456/", "x://[::1/",      "x://a b/",      "x://u:%00@h/",
        "x://h/%0a", "x://h/?a=%0d",  "x://u%0d%0a@h/", "x://[::1]x:1/", "x://h/%4",
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct web_url url;
        if (web_url_read(arena, urls[i], &url)) {
            fail_msg("understood: %s", urls[i]);
        }
    }
    arena_free(arena);
}

static void texts_become_parts(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 100);
    web_url_encode(&out, "a b/\xC3\x9C&=~");
    assert_string_equal(buf_get(&out), "a%20b%2F%C3%9C%26%3D~");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_decoded),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(texts_become_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
