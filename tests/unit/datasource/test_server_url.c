/* URLs of servers, taken apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "datasource/server/server_url.h"

static void whole_urls_come_apart(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct server_url url;
    assert_true(server_url_read(
        arena, "mysql://me:p%40ss:x@host:3307/my%20shop?ssl-Mode=required&a=%3D&b",
        &url));
    assert_string_equal(url.user, "me");
    assert_string_equal(url.password, "p@ss:x");
    assert_string_equal(url.host, "host");
    assert_int_equal(url.port, 3307);
    assert_string_equal(url.database, "my shop");
    assert_int_equal(url.parameters.count, 3);
    assert_string_equal(url.parameters.items[0].name, "ssl_mode");
    assert_string_equal(url.parameters.items[0].value, "required");
    assert_string_equal(url.parameters.items[1].value, "=");
    assert_string_equal(url.parameters.items[2].value, "");
    arena_free(arena);
}

static void parts_may_be_missing(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct server_url url;
    assert_true(server_url_read(arena, "mysql://", &url));
    assert_null(url.user);
    assert_null(url.host);
    assert_int_equal(url.port, 0);
    assert_null(url.database);
    assert_true(server_url_read(arena, "mysql://host?x=1", &url));
    assert_string_equal(url.host, "host");
    assert_int_equal(url.parameters.count, 1);
    assert_true(server_url_read(arena, "mysql://me@[::1]:3306/", &url));
    assert_string_equal(url.host, "::1");
    assert_int_equal(url.port, 3306);
    assert_null(url.database);
    assert_null(url.password);
    assert_true(server_url_read(arena, "mysql://a@b:c@host/x", &url)); /* the last @ */
    assert_string_equal(url.user, "a@b");
    assert_string_equal(url.password, "c");
    arena_free(arena);
}

static void malformed_urls_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "mysql:host/x",        "mysql://me:%zz@host/x", "mysql://me:%4@host/x",
        "mysql://me:%@host/x", "mysql://me:%00@host/x", "mysql://[::1/x",
        "mysql://[::1]x:1/x",  "mysql://host:0/x",      "mysql://host:65536/x",
        "mysql://host:12a/x",  "mysql://host:/x",       "mysql://host/%f",
        "mysql://host/x?a=%2", "mysql://ho%st/x",
    };
    struct arena *arena = arena_new();
    struct server_url url;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (server_url_read(arena, wrong[i], &url)) {
            fail_msg("was read: %s", wrong[i]);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_urls_come_apart),
        cmocka_unit_test(parts_may_be_missing),
        cmocka_unit_test(malformed_urls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
