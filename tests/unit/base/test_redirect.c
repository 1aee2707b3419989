/* One library's calls are led through a function of ours, and nobody else's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <yaml.h>

#include "base/redirect.h"

static void *(*real_malloc)(size_t size);
static size_t calls;

static void *counting_malloc(size_t size)
{
    calls++;
    return real_malloc(size);
}

static void test_calls_of_one_library(void **state)
{
    void *(*instead)(size_t) = counting_malloc;
    void *library = dlopen("libyaml-0.so.2", RTLD_NOW | RTLD_LOCAL);
    yaml_parser_t parser;
    (void)state;
    assert_non_null(library);
    assert_true(redirect_import(library, "malloc", &instead, &real_malloc));
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_delete(&parser);
    size_t of_library = calls;
    assert_true(of_library > 0);
    free(malloc(1));
    assert_int_equal(calls, of_library);

    void *was = NULL; /* and back */
    assert_true(redirect_import(library, "malloc", &real_malloc, &was));
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_delete(&parser);
    assert_int_equal(calls, of_library);
    assert_int_equal(dlclose(library), 0);
}

static void test_what_is_not_imported(void **state)
{
    void *(*instead)(size_t) = counting_malloc;
    void *was = NULL;
    void *library = dlopen("libyaml-0.so.2", RTLD_NOW | RTLD_LOCAL);
    (void)state;
    assert_false(redirect_import(library, "recv", &instead, &was));
    assert_false(redirect_import(library, "", &instead, &was));
    assert_null(was);
    assert_int_equal(dlclose(library), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_of_one_library),
        cmocka_unit_test(test_what_is_not_imported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
