/* SQL whose literals were computed from today's date, and the language of a question. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <cmocka.h>

#include "agent/memory/clock_made.h"
#include "agent/understand/language.h"
#include "base/arena.h"
#include "sql/statement.h"

struct pair {
    const char *question;
    const char *sql;
};

static bool made(const struct pair *pair)
{
    struct arena *arena = arena_new();
    struct sql_statement statement;
    (void)sql_statement_read(arena, DIALECT_SQLITE, pair->sql, strlen(pair->sql),
                             &statement);
    bool is = clock_made(arena, &statement, pair->question, "2026-11-15");
    arena_free(arena);
    return is;
}

static void test_made(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"orders of last month", "SELECT 1 WHERE d >= '2026-10-01' AND d < '2026-11-01'"},
        {"Bestellungen im letzten Monat", "SELECT 1 WHERE d LIKE '2026-10'"},
        {"orders this year", "SELECT 1 WHERE strftime('%Y', d) = '2026'"},
        {"orders this year", "SELECT 1 WHERE year = 2026"},
        {"本年订单", "SELECT 1 WHERE year = 2026"},
        {"born this month", "SELECT 1 WHERE strftime('%m', d) = '11'"},
        {"born this month", "SELECT 1 WHERE month = 11"},
        {"orders since 2024", "SELECT 1 WHERE d BETWEEN '2024-01-01' AND '2026-11-15'"},
        {"orders since 2025", "SELECT 1 WHERE d BETWEEN '2025-01-01' AND '2026-11-15'"},
        {"orders until now since 2026", "SELECT 1 WHERE d <= '2026-11-15'"},
        {"order 12026", "SELECT 1 WHERE d >= '2026-01-01'"},
        {"orders before last weekend", "SELECT 1 WHERE d < '2026-11-14 00:00:00'"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!made(&pairs[i])) {
            fail_msg("%s: %s", pairs[i].question, pairs[i].sql);
        }
    }
}

static void test_not_made(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"orders in 2024", "SELECT 1 WHERE d >= '2024-01-01' AND d < '2025-01-01'"},
        {"orders in March 2024",
         "SELECT 1 WHERE d BETWEEN '2024-03-01' AND '2024-03-31'"},
        {"orders before 2024", "SELECT 1 WHERE d <= '2023-12-31'"},
        {"orders of 2026-11-15", "SELECT 1 WHERE d = '2026-11-15'"},
        {"orders in 2024", "SELECT 1 WHERE year = 2024 LIMIT 1000"},
        {"the ten best customers", "SELECT 1 ORDER BY total DESC LIMIT 10"},
        {"customers with more than a dozen orders", "SELECT 1 HAVING COUNT(*) > 12"},
        {"orders of last month", "SELECT 1 WHERE d > date('now', '-1 month')"},
        {"orders of the last 30 days", "SELECT 1 WHERE d > date('now', '-30 days')"},
        {"orders of the last 30 days", "SELECT 1 WHERE julianday('now') - d < 30"},
        {"customers in 00184", "SELECT 1 WHERE zip = '00184'"},
        {"active users", "SELECT 1 WHERE status = 'active' AND n > 1900.5"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (made(&pairs[i])) {
            fail_msg("%s: %s", pairs[i].question, pairs[i].sql);
        }
    }
}

static void test_language(void **state)
{
    (void)state;
    static const char *const english[] = {"How many users are there?",
                                          "show me the orders from Zürich",
                                          "users per city", "List the 10 largest orders"};
    static const char *const foreign[] = {"Wie viele Benutzer gibt es?",
                                          "Combien de clients avons-nous ?",
                                          "¿Cuántos pedidos hay en la tienda?",
                                          "有多少用户？",
                                          "كم عدد المستخدمين؟",
                                          "Quanti clienti sono di Roma?",
                                          "Сколько заказов?"};
    static const char *const neither[] = {"users", "", "top", "🙂🙃", "orders 2024"};
    for (size_t i = 0; i < sizeof english / sizeof *english; i++) {
        assert_true(language_is_english(english[i]));
        assert_false(language_is_foreign(english[i]));
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        assert_true(language_is_foreign(foreign[i]));
        assert_false(language_is_english(foreign[i]));
    }
    for (size_t i = 0; i < sizeof neither / sizeof *neither; i++) {
        assert_false(language_is_foreign(neither[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_not_made),
        cmocka_unit_test(test_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
