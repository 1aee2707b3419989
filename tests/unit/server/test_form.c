/* Forms with a file in them, and the names that clients give to files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "server/form.h"

#define HEAD(fields) "Content-Disposition: form-data; " fields "\r\n\r\n"

static void test_parts(void **state)
{
    static const struct {
        const char *form;
        const char *file; /* NULL: there is none */
        const char *name;
    } cases[] = {
        {"--b\r\n" HEAD("name=\"file\"; filename=\"a.csv\"") "x,y\r\n--b--\r\n", "x,y",
         "a.csv"},
        {"--b\r\n" HEAD("name=file; filename=a.csv") "\r\n--b--", "", "a.csv"},
        {"--b\r\n" HEAD("name=\"other\"") "1\r\n--b\r\n" HEAD(
             "name=\"file\"; filename=\"b.csv\"") "2\r\n--b--",
         "2", "b.csv"},
        {"before\r\n--b\r\n" HEAD("name=\"file\"") "1\r\n--b--", "1", NULL},
        {"--b\r\n" HEAD("filename=\"a;name=file\"; name=\"file\"") "1\r\n--b--", "1",
         "a;name=file"},
        {"--b\r\n" HEAD("name=\"file\"") "--b not yet\r\n--b--", "--b not yet", NULL},
        /* cut off, wrong, or not there */
        {"--b\r\n" HEAD("name=\"file\"") "1", NULL, NULL},
        {"--b\r\nContent-Disposition: form-data; name=\"file\"\r\n", NULL, NULL},
        {"--b\r\n" HEAD("name=\"files\"") "1\r\n--b--", NULL, NULL},
        {"--c\r\n" HEAD("name=\"file\"") "1\r\n--c--", NULL, NULL},
        {"--b--", NULL, NULL},
        {"", NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct form_part part = {0};
        size_t size = strlen(cases[i].form);
        char *form = malloc(size + 1); /* without a NUL behind it, for the sanitizer */
        memcpy(form, cases[i].form, size);
        bool found = form_part_find(arena, form, size, "b", "file", &part);
        if (found != (cases[i].file != NULL)) {
            fail_msg("form %zu", i);
        }
        if (found) {
            assert_int_equal(part.size, strlen(cases[i].file));
            assert_memory_equal(part.data, cases[i].file, part.size);
            assert_true(str_equal(part.name, cases[i].name));
        }
        free(form);
        arena_free(arena);
    }
}

static void test_names(void **state)
{
    static const struct {
        const char *given;
        const char *taken; /* NULL: refused */
    } cases[] = {
        {"sales.csv", "sales.csv"},
        {"Sales 2024.CSV", "Sales_2024.CSV"},
        {"../../etc/passwd", NULL},
        {"../../etc/passwd.csv", "passwd.csv"},
        {"C:\\temp\\a.xlsx", "a.xlsx"},
        {"/etc/cron.d/x.json", "x.json"},
        {"..csv", NULL},
        {".csv", NULL},
        {"...hidden.csv", "hidden.csv"},
        {"a.csv/", NULL},
        {"a.csv\n.sh", NULL},
        {"a\"b'c;d$(e).csv", "a_b_c_d__e_.csv"},
        {"\xc3\xa4.csv", "__.csv"},
        {"sales.csv.gz", "sales.csv.gz"},
        {"a.sh.gz", NULL},
        {"a.db", NULL},
        {"a.sqlite", NULL},
        {"", NULL},
    };
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *taken = form_file_name(arena, cases[i].given);
        if (!str_equal(taken, cases[i].taken)) {
            fail_msg("'%s' became '%s'", cases[i].given, taken ? taken : "(none)");
        }
    }
    char long_name[300];
    memset(long_name, 'a', sizeof long_name);
    memcpy(long_name + sizeof long_name - 5, ".csv", 5);
    const char *taken = form_file_name(arena, long_name);
    assert_non_null(taken);
    assert_true(strlen(taken) <= 80);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
