/* Dialects: found by their names, and names quoted their way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "sql/dialect.h"

static void test_find(void **state)
{
    (void)state;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        enum dialect found = DIALECT_COUNT;
        const struct dialect_info *info = dialect_get((enum dialect)i);
        assert_true(dialect_find(info->name, &found));
        assert_int_equal(found, i);
        assert_true(strlen(info->title) > 0);
        assert_true(strlen(info->rules) > 100 && strlen(info->rules) < 900);
        assert_int_equal(info->rules[strlen(info->rules) - 1], '\n');
    }
    enum dialect found;
    assert_true(dialect_find("MariaDB", &found));
    assert_int_equal(found, DIALECT_MYSQL);
    assert_true(dialect_find("postgresql", &found));
    assert_int_equal(found, DIALECT_POSTGRES);
    assert_true(dialect_find("pg", &found));
    assert_true(dialect_find("sqlite3", &found));
    assert_int_equal(found, DIALECT_SQLITE);
    assert_false(dialect_find("cobol", &found));
    assert_false(dialect_find("", &found));
    assert_false(dialect_find(NULL, &found));
    assert_string_equal(dialect_name(DIALECT_DUCKDB), "duckdb");
}

static void expect_quoted(enum dialect dialect, const char *name, bool qualified,
                          const char *expected)
{
    struct buf buf;
    buf_init(&buf, 1000);
    dialect_quote(&buf, dialect, name, qualified);
    assert_string_equal(buf_get(&buf), expected);
    buf_release(&buf);
}

static void test_quote(void **state)
{
    (void)state;
    expect_quoted(DIALECT_SQLITE, "orders", false, "orders");
    expect_quoted(DIALECT_SQLITE, "Orders", false, "Orders");
    expect_quoted(DIALECT_POSTGRES, "Orders", false, "\"Orders\"");
    expect_quoted(DIALECT_SQLITE, "order", false, "\"order\"");
    expect_quoted(DIALECT_SQLITE, "user", false, "\"user\"");
    expect_quoted(DIALECT_MYSQL, "group", false, "`group`");
    expect_quoted(DIALECT_SQLITE, "unit price", false, "\"unit price\"");
    expect_quoted(DIALECT_SQLITE, "a\"b", false, "\"a\"\"b\"");
    expect_quoted(DIALECT_MYSQL, "a`b", false, "`a``b`");
    expect_quoted(DIALECT_BIGQUERY, "a`b", false, "`a\\`b`");
    expect_quoted(DIALECT_SQLITE, "2nd", false, "\"2nd\"");
    expect_quoted(DIALECT_SQLITE, "größe", false, "\"größe\"");
    expect_quoted(DIALECT_SQLITE, "", false, "\"\"");
    expect_quoted(DIALECT_POSTGRES, "sales.orders", true, "sales.orders");
    expect_quoted(DIALECT_POSTGRES, "sales.order", true, "sales.\"order\"");
    expect_quoted(DIALECT_SQLITE, "data.csv", false, "\"data.csv\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_quote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
