/* Paths against the table of routes: every route is found by its own path, and by no
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "server/router.h"

/* The route's own path, with words in the place of its parameters. */
static const char *path_of(struct arena *arena, const struct route *route,
                           const char *word)
{
    char path[256] = "";
    for (const char *at = route->path; *at;) {
        size_t used = strlen(path);
        size_t size = *at == '{' ? strcspn(at, "}") + 1 : strcspn(at, "{");
        if (*at == '{') {
            (void)snprintf(path + used, sizeof path - used, "%s", word);
        } else {
            (void)snprintf(path + used, sizeof path - used, "%.*s", (int)size, at);
        }
        at += size;
    }
    return arena_text(arena, path);
}

static void test_every_route(void **state)
{
    (void)state;
    const struct route *route = NULL;
    for (size_t i = 0; (route = router_at(i)); i++) {
        struct arena *arena = arena_new();
        struct route_match match = {0};
        assert_true(
            router_find(arena, route->method, path_of(arena, route, "q-1_x"), &match));
        assert_ptr_equal(match.route, route);
        if (strchr(route->path, '{')) {
            assert_string_equal(match.parameters[0], "q-1_x");
        }
        assert_false(router_find(arena, "BREW", path_of(arena, route, "q-1"), &match));
        assert_non_null(strstr(match.allowed, route->method));
        assert_false(router_find(
            arena, route->method,
            arena_format(arena, "%s/more/and/more/still", path_of(arena, route, "q-1")),
            &match));
        arena_free(arena);
    }
}

static void test_parameters(void **state)
{
    static const struct {
        const char *path;
        const char *parameter; /* NULL: there is nothing there */
    } cases[] = {
        {"/api/v1/ask/q-1", "q-1"},
        {"/api/v1/ask/..", ".."},
        {"/api/v1/ask/\xc3\xa9", "\xc3\xa9"},
        {"/api/v1/ask/\xff\xfe", NULL},
        {"/api/v1/ask/", NULL},
        {"/api/v1/ask//", NULL},
        {"/api/v1/ask/a/b", NULL},
        {"/api/v1//ask/a", NULL},
        {"/API/v1/ask/a", NULL},
        {"//api/v1/ask/a", NULL},
        {"api/v1/ask/a", NULL},
        {"", NULL},
        {"*", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct route_match match = {0};
        bool found = router_find(arena, "GET", cases[i].path, &match);
        if (found != (cases[i].parameter != NULL)) {
            fail_msg("%s", cases[i].path);
        }
        if (found) {
            assert_string_equal(match.parameters[0], cases[i].parameter);
        }
        arena_free(arena);
    }
}

/* A path with words is not taken for one with a parameter, nor the other way round. */
static void test_words_before_parameters(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct route_match match = {0};
    assert_true(router_find(arena, "GET", "/api/v1/lessons/export", &match));
    assert_string_equal(match.route->name, "lesson_export");
    assert_true(router_find(arena, "PATCH", "/api/v1/lessons/export", &match));
    assert_string_equal(match.route->name, "lesson_patch");
    assert_true(router_find(arena, "POST", "/api/v1/datasources/test", &match));
    assert_string_equal(match.route->name, "datasource_try");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_route),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_words_before_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
