/*
 * Libraries that are loaded when it is first needed: what they lack is told, and only
 * once tried.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/library.h"
#include "base/vec.h"

struct functions {
    double (*cosine)(double x);
    double (*none)(double x);
};

static struct functions functions;
static int begun;

static const char *const files[] = {"libnowhere.so.7", "libm.so.6", NULL};
static const char *const nowhere[] = {"libnowhere.so.7", NULL};
static const struct library_function all[] = {
    LIBRARY_FUNCTION(struct functions, cosine, "cos"),
    LIBRARY_OPTIONAL(struct functions, none, "dragoman_has_no_such_function"),
};
static const struct library_function lacking[] = {
    LIBRARY_FUNCTION(struct functions, cosine, "cos"),
    LIBRARY_FUNCTION(struct functions, none, "dragoman_has_no_such_function"),
};

static bool begin(void *handle)
{
    assert_non_null(handle);
    begun++;
    return true;
}

static bool begin_badly(void *handle)
{
    (void)handle;
    begun++;
    return false;
}

static void loads_once(void **state)
{
    static struct library library = {LIBRARY(files, all, &functions), .begin = begin,
                                     .message = "missing"};
    struct err err;
    (void)state;
    begun = 0;
    assert_true(library_load(&library, &err));
    assert_true(library_load(&library, &err));
    assert_int_equal(begun, 1);
    assert_true(functions.cosine(0.0) > 0.999);
    assert_null(functions.none);
}

static void look_around(struct arena *arena, struct texts *found)
{
    VEC_PUSH(arena, found, arena_text(arena, "libnowhere.so.7"));
    VEC_PUSH(arena, found, arena_text(arena, "libm.so.6"));
}

static void looks_for_files_when_first_needed(void **state)
{
    static struct library library = {LIBRARY(NULL, all, &functions),
                                     .places = look_around, .message = "missing"};
    struct err err;
    (void)state;
    functions.cosine = NULL;
    assert_true(library_load(&library, &err));
    assert_non_null(functions.cosine);
}

static void says_what_is_missing(void **state)
{
    static struct library absent = {LIBRARY(nowhere, all, &functions), .code = ERR_CONFIG,
                                    .message = "It is not there.", .hint = "Install it."};
    static struct library old = {LIBRARY(files, lacking, &functions), .code = ERR_STORE,
                                 .message = "Too old."};
    static struct library broken = {LIBRARY(files, all, &functions), .begin = begin_badly,
                                    .code = ERR_NETWORK, .message = "It does not start."};
    struct err err;
    (void)state;
    assert_false(library_load(&absent, &err));
    assert_int_equal(err.code, ERR_CONFIG);
    assert_string_equal(err.message, "It is not there.");
    assert_string_equal(err.hint, "Install it.");
    assert_false(library_load(&old, &err));
    assert_int_equal(err.code, ERR_STORE);
    assert_non_null(strstr(err.detail, "dragoman_has_no_such_function"));
    begun = 0;
    assert_false(library_load(&broken, &err));
    assert_false(library_load(&broken, &err));
    assert_int_equal(begun, 1); /* a library that failed to start is left alone */
    assert_string_equal(err.message, "It does not start.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_for_files_when_first_needed),
        cmocka_unit_test(loads_once),
        cmocka_unit_test(says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
