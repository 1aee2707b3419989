/* Messages of engines: the names and places in them, and the sentences about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>

#include "datasource/failures.h"

static void test_rows(void **state)
{
    (void)state;
    static const struct err_row rows[] = {
        {"57014", FAILS_TOO_LONG, NULL},
        {"57", FAILS_CLOSED, HINT_LATER},
        {NULL, ERR_COUNT, NULL, NULL},
    };
    struct err err;
    (void)err_rows_tell(err_rows_find(rows, ERR_ROWS_START, "57014"), &err);
    assert_int_equal(err.code, ERR_TIMEOUT);
    (void)err_rows_tell(err_rows_find(rows, ERR_ROWS_START, "57P01"), &err);
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_string_equal(err.hint, HINT_LATER);
    assert_null(err_rows_find(rows, ERR_ROWS_EQUAL, "57P01"));
    assert_null(err_rows_find(rows, ERR_ROWS_START, ""));
    assert_null(err_rows_find(rows, ERR_ROWS_START, NULL));
    assert_ptr_equal(err_rows_number(rows, 57), &rows[1]);
    assert_null(err_rows_number(rows, 570));
    assert_ptr_equal(err_rows_find(rows, ERR_ROWS_PART, "error 57014"), &rows[0]);
    static const struct err_row words[] = {{"Access Denied", FAILS_LOGIN, NULL},
                                           {NULL, ERR_COUNT, NULL, NULL}};
    assert_non_null(err_rows_find(words, ERR_ROWS_WORDS, "1045: access denied for 'x'"));
    assert_null(err_rows_find(words, ERR_ROWS_PART, "1045: access denied for 'x'"));
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *said, *before, *name;
    } cases[] = {
        {"Unrecognized name: price at [1:8]", "name: ", "price"},
        {"Unrecognized name: `my col`; Did you mean x?", "name: ", "my col"},
        {"Missing columns: 'a b' while processing", "columns: ", "a b"},
        {"Unknown function foo. Maybe you meant bar", "function ", "foo"},
        {"function f(integer) does not exist", "function ", "f"},
        {"Table \"item", "Table ", "item"}, /* cut off */
        {"Table ", "Table ", ""},
        {"something else", "Table ", ""},
        {"something else", NULL, ""},
    };
    char name[FAILURE_NAME];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool found = failure_name_after(name, cases[i].said, cases[i].before);
        assert_int_equal(found, cases[i].name[0] != '\0');
        assert_string_equal(name, cases[i].name);
    }
    assert_string_equal(failure_last_part("shop.main.item"), "item");
    assert_string_equal(failure_last_part("item."), "item.");
    char text[4 * FAILURE_NAME] = "x";
    for (size_t i = 1; i + 3 < sizeof text; i += 2) {
        memcpy(text + i, "ä", 3); /* a cut leaves whole characters */
    }
    (void)failure_name_copy(name, text, strlen(text));
    assert_int_equal(strlen(name), FAILURE_NAME - 1);
    (void)failure_name_copy(name, text + 1, strlen(text + 1));
    assert_int_equal(strlen(name), FAILURE_NAME - 2);
}

static void test_sentences(void **state)
{
    (void)state;
    static const struct failure_phrase phrases[] = {
        {"no such column: ", "", "Column '%s' does not exist."},
        {"near \"", "\": syntax error", "The SQL has a syntax error near '%s'."},
        {NULL, NULL, NULL},
    };
    struct err err;
    assert_true(failure_phrase_tell(phrases, "no such column: a.b", &err));
    assert_string_equal(err.message, "Column 'a.b' does not exist.");
    assert_true(failure_phrase_tell(phrases, "near \"\"\": syntax error", &err));
    assert_string_equal(err.message, "The SQL has a syntax error near '\"'.");
    assert_false(failure_phrase_tell(phrases, "near \"x", &err));
    assert_string_equal(err.message, "The database did not accept the SQL.");
    (void)failure_tell_missing(FAILURE_FUNCTION_FOR, "f", &err);
    assert_string_equal(err.message, "Function 'f' does not exist for these arguments.");
    (void)failure_tell_syntax("SELECT ä, FRM x", 11, &err);
    assert_string_equal(err.message, "The SQL has a syntax error near 'FRM'.");
    assert_int_equal(err.position, 11);
    (void)failure_tell_syntax("SELECT", 6, &err);
    assert_string_equal(err.message, "The SQL ends too early.");
}

static void test_places(void **state)
{
    (void)state;
    const char *sql = "SELECT 'price', Price FROM item -- price";
    assert_int_equal(failure_place_of(DIALECT_MYSQL, sql, "price"), 16);
    assert_int_equal(failure_place_of(DIALECT_CLICKHOUSE, sql, "price"), -1);
    assert_int_equal(failure_place_of(DIALECT_CLICKHOUSE, sql, "Price"), 16);
    assert_int_equal(failure_place_of(DIALECT_MYSQL, sql, ""), -1);
    assert_int_equal(failure_place_after("aäb", 0, 2), 3);
    assert_int_equal(failure_place_after("aäb", 1, 1), 3);
    assert_int_equal(failure_place_after("aäb", 0, 99), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
