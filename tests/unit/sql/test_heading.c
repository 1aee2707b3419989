/* Columns that have no name of their own get one in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe.h"
#include "sql/resolve/resolve.h"
#include "sql/statement.h"

static const struct {
    enum dialect dialect;
    const char *sql;
    const char *headings; /* "-": it keeps its own name */
} cases[] = {
    {DIALECT_SQLITE, "SELECT COUNT(*) FROM orders", "count"},
    {DIALECT_SQLITE, "SELECT city, n AS orders FROM t", "- -"},
    {DIALECT_SQLITE, "SELECT COUNT(*) AS count, COUNT(*), count(1) FROM t",
     "- count_2 count_3"},
    {DIALECT_SQLITE,
     "SELECT SUM(amount), SUM(total_amount), SUM(price * quantity) FROM t",
     "total_amount total_amount_2 total"},
    {DIALECT_SQLITE, "SELECT total_amount, SUM(amount) FROM t", "- total_amount_2"},
    {DIALECT_SQLITE, "SELECT ROUND(AVG(price), 2), CAST(MAX(t.price) AS INTEGER) FROM t",
     "average_price highest_price"},
    {DIALECT_SQLITE, "SELECT MIN(order_date), MAX(created_at), MIN(price) FROM t",
     "earliest_order_date latest_created_at lowest_price"},
    {DIALECT_SQLITE,
     "SELECT SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END), "
     "SUM(CASE WHEN status = 'cancelled' THEN amount ELSE 0 END), "
     "COUNT(CASE WHEN strftime('%Y', d) = '2023' THEN 1 END), "
     "AVG(CASE WHEN status = 'paid' THEN 1.0 ELSE 0 END), "
     "SUM(CASE WHEN a > b OR c THEN 1 ELSE 0 END), SUM(status = 'open') FROM t",
     "cancelled total_amount_cancelled 2023 paid_share count open"},
    {DIALECT_POSTGRES,
     "SELECT count(*) FILTER (WHERE status = 'paid'), count(DISTINCT customer_id), "
     "count(o.id), count(email) FROM o",
     "paid customer_count count email_count"},
    {DIALECT_SQLITE, "SELECT COUNT(CASE WHEN is_paid = 1 THEN 1 END) FROM t",
     "is_paid_1"},
    {DIALECT_SQLITE,
     "SELECT strftime('%Y-%m', d), date(d), SUM(a) * 100.0 / SUM(b), SUM(a) / COUNT(*), "
     "AVG(julianday(x) - julianday(y)) FROM t",
     "month date percentage ratio average_days"},
    {DIALECT_SQLITE, "SELECT SUM(a) / 1000.0, (x - y) / y * 100, a / 3 + 1 FROM t",
     "total_a percentage a"},
    {DIALECT_POSTGRES,
     "SELECT date_trunc('month', d), EXTRACT(YEAR FROM d), to_char(d, 'YYYY-MM'), "
     "sum(a)::numeric, first_name || ' ' || last_name, 1 FROM t",
     "month year month_2 total_a name value"},
    {DIALECT_MYSQL,
     "SELECT YEAR(d), DATEDIFF(a, b), CONCAT(first_name, ' ', last_name), "
     "COALESCE(city, 'none'), GROUP_CONCAT(name) FROM t",
     "year days name city name_2"},
    {DIALECT_SQLITE,
     "SELECT CASE WHEN a > 5 THEN 'high' ELSE 'low' END, COUNT(*) FROM t GROUP BY 1",
     "label count"},
    {DIALECT_SQLITE,
     "SELECT name, ROW_NUMBER() OVER (ORDER BY x), SUM(x) OVER (ORDER BY d), "
     "LAG(x) OVER (ORDER BY d) FROM t",
     "- rank running_total_x previous_x"},
    {DIALECT_SQLITE, "SELECT COUNT(*) FROM t UNION ALL SELECT COUNT(*) FROM u", "count"},
    {DIALECT_SQLITE, "SELECT * FROM (SELECT city, COUNT(*) FROM t GROUP BY city)",
     "- count"},
    {DIALECT_SQLITE,
     "SELECT (SELECT MAX(x) FROM t), (SELECT 1 AS one), EXISTS (SELECT 1)",
     "highest_x one value"},
    {DIALECT_SQLITE, "WITH a AS (SELECT AVG(x) FROM t) SELECT * FROM a", "average_x"},
    {DIALECT_SQLITE,
     "SELECT -price, (price), a - b, a % b, NOT a, x > 5, y IN (1) FROM t",
     "price_2 - difference value a value_2 value_3"},
    {DIALECT_SQLITE, "SELECT unheard_of(price), unheard_of(1), 'text', NULL FROM t",
     "price value value_2 value_3"},
    {DIALECT_SQLITE, "SELECT *, COUNT(*) FROM t",
     ""}, /* how many stand before is not known */
    {DIALECT_SQLITE, "VALUES (1)", ""},
    {DIALECT_SQLITE, "SELECT FROM", ""},
};

static const char *headings(struct arena *arena, enum dialect dialect, const char *sql)
{
    struct sql_statement statement;
    struct texts found;
    struct texts shown = {0};
    (void)sql_statement_read(arena, dialect, sql, strlen(sql), &statement);
    describe_headings(arena, &statement, sql_resolve(arena, &statement, NULL), &found);
    for (size_t i = 0; i < found.count; i++) {
        VEC_PUSH(arena, &shown, found.items[i] ? found.items[i] : "-");
    }
    return str_join(arena, &shown, " ");
}

static void nameless_columns_get_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        assert_string_equal(headings(arena, cases[i].dialect, cases[i].sql),
                            cases[i].headings);
        arena_free(arena);
    }
}

/* Deep ones end somewhere, and nothing of a text is taken over that is not plain. */
static void odd_ones_stay_words(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct buf buf;
    buf_init(&buf, 1 << 20);
    (void)buf_text(&buf, "SELECT ");
    for (int i = 0; i < 60; i++) {
        (void)buf_text(&buf, "abs(");
    }
    (void)buf_text(&buf, "x");
    for (int i = 0; i < 60; i++) {
        (void)buf_text(&buf, ")");
    }
    (void)buf_text(&buf, " FROM t");
    assert_string_equal(headings(arena, DIALECT_SQLITE, buf_get(&buf)), "value");
    buf_release(&buf);
    assert_string_equal(
        headings(arena, DIALECT_SQLITE,
                 "SELECT SUM(CASE WHEN a = '<b onclick=\"x\">' THEN 1 END) FROM t"),
        "count");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nameless_columns_get_words),
        cmocka_unit_test(odd_ones_stay_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
