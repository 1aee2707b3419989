/* Places in SQL: what they are filled with is one literal, whatever the value says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sql/guard.h"
#include "sql/lexer.h"
#include "sql/parameters.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static void places_are_found(void **state)
{
    struct texts names = {0};
    parameters_find(
        *state, DIALECT_POSTGRES,
        "SELECT a::text, ':no' FROM t WHERE x = :city AND y > :From_1 /* :c */ "
        "OR z = :CITY -- :d",
        &names);
    assert_int_equal(names.count, 2);
    assert_string_equal(names.items[0], "city");
    assert_string_equal(names.items[1], "From_1");
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        names = (struct texts){0};
        parameters_find(*state, (enum dialect)dialect,
                        dialect == DIALECT_BIGQUERY ? "SELECT 1 WHERE a = @b"
                                                    : "SELECT 1 WHERE a = :b",
                        &names);
        assert_int_equal(names.count, 1);
    }
}

static const struct {
    enum parameter_type type;
    const char *value;
    const char *bound; /* in SQLite; NULL: refused */
} values[] = {
    {PARAMETER_TEXT, "Rome", "x =  'Rome' "},
    {PARAMETER_TEXT, "O'Neil", "x =  'O''Neil' "},
    {PARAMETER_TEXT, "' OR 1=1 --", "x =  ''' OR 1=1 --' "},
    {PARAMETER_TEXT, "", "x =  '' "},
    {PARAMETER_TEXT, NULL, "x =  NULL "},
    {PARAMETER_TEXT, ":v", "x =  ':v' "},
    {PARAMETER_TEXT, "\xff", NULL},
    {PARAMETER_INTEGER, "-5", "x =  -5 "},
    {PARAMETER_INTEGER, "5.5", NULL},
    {PARAMETER_INTEGER, "5; DROP TABLE t", NULL},
    {PARAMETER_INTEGER, "", NULL},
    {PARAMETER_NUMBER, "12.50", "x =  12.50 "},
    {PARAMETER_NUMBER, "1e3", NULL},
    {PARAMETER_NUMBER, "0x1F", NULL},
    {PARAMETER_NUMBER, "nan", NULL},
    {PARAMETER_NUMBER, "1.", NULL},
    {PARAMETER_NUMBER, "1)", NULL},
    {PARAMETER_DATE, "2024-02-29", "x =  '2024-02-29' "},
    {PARAMETER_DATE, "2024-13-01", NULL},
    {PARAMETER_DATE, "2024-01-01'--", NULL},
    {PARAMETER_DATE, "yesterday", NULL},
    {PARAMETER_BOOLEAN, "true", "x =  1 "},
    {PARAMETER_BOOLEAN, "1=1", NULL},
};

static void values_are_what_they_say(void **state)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct err err;
        err_clear(&err);
        struct parameter parameter = {"v", values[i].type, values[i].value};
        const char *bound =
            parameters_bind(*state, DIALECT_SQLITE, "x = :v", &parameter, 1, &err);
        if ((bound == NULL) != (values[i].bound == NULL) ||
            (bound && strcmp(bound, values[i].bound) != 0)) {
            fail_msg("%s gave %s", values[i].value, bound ? bound : "nothing");
        }
        assert_int_equal(err.code, bound ? ERR_OK : ERR_USAGE);
    }
}

/* In every dialect the bound query has as many tokens as one with a plain text. */
static void no_text_escapes(void **state)
{
    static const char *const hostile[] = {
        "'",   "''",      "\\",           "\\'", "\\\\'", "' OR ''='", "\\' OR 1=1 -- ",
        "*/",  "--",      "$$",           "$a$", "\"",    "`",         "\n",
        "'/*", "'; DROP", "\xE2\x80\x99", "E'",  "@@",    ":w",        "\xC2\xA5",
    };
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        const char *sql = dialect == DIALECT_BIGQUERY
                              ? "SELECT a FROM t WHERE b = @v AND c = @w"
                              : "SELECT a FROM t WHERE b = :v AND c = :w";
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
            struct err err;
            struct tokens tokens = {0};
            struct guard_result guard;
            struct parameter both[] = {{"v", PARAMETER_TEXT, hostile[i]},
                                       {"w", PARAMETER_TEXT, "x"}};
            const char *bound =
                parameters_bind(*state, (enum dialect)dialect, sql, both, 2, &err);
            if (dialect == DIALECT_ODBC && strchr(hostile[i], '\\')) {
                assert_null(bound); /* nobody knows what it would mean there */
                continue;
            }
            assert_non_null(bound);
            lexer_run(*state, (enum dialect)dialect, bound, strlen(bound), &tokens);
            assert_int_equal(tokens.count, 12);
            assert_int_equal(tokens.items[7].kind, TOKEN_STRING);
            assert_string_equal(tokens.items[7].text, hostile[i]);
            guard_check(*state, (enum dialect)dialect, bound, strlen(bound), NULL,
                        &guard);
            assert_int_equal(guard.verdict, GUARD_READ);
        }
    }
}

static void what_is_not_given_is_left(void **state)
{
    struct err err;
    struct guard_result guard;
    const char *bound = parameters_bind(*state, DIALECT_SQLITE,
                                        "SELECT a FROM t WHERE b = :v", NULL, 0, &err);
    assert_string_equal(bound, "SELECT a FROM t WHERE b = :v");
    guard_check(*state, DIALECT_SQLITE, bound, strlen(bound), NULL, &guard);
    assert_int_equal(guard.verdict, GUARD_REFUSED);
    assert_false(parameter_name_good("1a"));
    assert_false(parameter_name_good("a b"));
    assert_false(parameter_name_good(NULL));
    assert_true(parameter_name_good("city_2"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(places_are_found),
        TEST(values_are_what_they_say),
        TEST(no_text_escapes),
        TEST(what_is_not_given_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
