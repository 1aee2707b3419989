/* The log shows paths without the tokens of links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "server/discreet.h"

#define TOKEN "0123456789abcdefABCDEF0123456789abcdef0123456789abcdef0123456789"

static void tokens_are_hidden(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"/share/" TOKEN, "/share/{token}"},
        {"/share/short/favicon.ico", "/share/{token}"},
        {"//share/" TOKEN "/", "//share/{token}"},
        {"/SHARE//" TOKEN, "/SHARE/{token}"},
        {"/share\\" TOKEN, "/share\\{token}"},
        {"share/" TOKEN, "share/{token}"},
        {"/x/../share/abc", "/x/../share/{token}"},
        {"/share%2F" TOKEN, "/share/{token}"},
        {"/share%25252fabc", "/share/{token}"},
        {"/share%2%35%32fabc", "/share/{token}"},
        {"/%73har%65/abc", "/share/{token}"},
        {"/a/" TOKEN "/b/" TOKEN "c", "/a/{token}/b/{token}"},
        {"/a/%30" TOKEN "/z", "/a/{token}/z"},
        {TOKEN, "{token}"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(discreet_path(arena, rows[i][0]), rows[i][1]);
    }
    arena_free(arena);
}

static void other_paths_stay(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "/",
        "",
        "/share/",
        "/share",
        "/api/v1/shares/0123456789abcdef",
        "/api/v1/datasets/market_share/rows",
        "/api/v1/ask/q-01234567890123456789abcdef",
        "/a%2Fb%zz%",
        "GET",
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_ptr_equal(discreet_path(arena, paths[i]), paths[i]);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_hidden),
        cmocka_unit_test(other_paths_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
