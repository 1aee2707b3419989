/* Which file a program was started from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/program.h"

static void a_loader_belongs_to_the_program_beside_it(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *program; /* NULL: no loader */
    } rows[] = {
        {"/opt/dragoman/lib/ld-linux-x86-64.so.2", "/opt/dragoman/lib/../bin/dragoman"},
        {"/opt/dragoman/lib/ld-linux-aarch64.so.1", "/opt/dragoman/lib/../bin/dragoman"},
        {"/usr/bin/dragoman", NULL},
        {"/usr/bin/ld", NULL},
        {"/opt/ld-1.so.d/dragoman", NULL},
        {"ld-linux.so.2", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char out[64] = "";
        bool found = program_of_loader(rows[i].file, out, sizeof out);
        assert_int_equal(found, rows[i].program != NULL);
        if (found) {
            assert_string_equal(out, rows[i].program);
        }
    }
    char small[8];
    assert_false(program_of_loader("/opt/lib/ld-linux.so.2", small, sizeof small));
}

static void this_program_is_found(void **state)
{
    (void)state;
    char out[4096];
    assert_true(program_path(out, sizeof out));
    assert_non_null(strstr(out, "test_program"));
    assert_false(program_libraries(out, sizeof out));
    char small[4];
    assert_false(program_path(small, sizeof small));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loader_belongs_to_the_program_beside_it),
        cmocka_unit_test(this_program_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
