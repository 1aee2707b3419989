/* What ClickHouse has learnt since: WITH, windows, comments of tables, plans. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "clickhouse_script.h"
#include "conformance.h"

static const char shop[] =
    "CREATE TABLE item (id Int32, name String, price Decimal(9, 2)) ENGINE = MergeTree"
    " ORDER BY id COMMENT 'what we sell';"
    "INSERT INTO item SELECT number, concat('n', toString(number % 3)), number * 1.5 FROM"
    " system.numbers LIMIT 100000";

static void queries_and_windows_work(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct rows rows = place_rows(
        place, "WITH top AS (SELECT name, max(price) AS best FROM item GROUP BY name)"
               " SELECT name, rank() OVER (ORDER BY best DESC) AS r FROM top ORDER BY r");
    assert_int_equal(rows.count, 3);
    assert_string_equal(cell_text(place, &rows, 0, 0), "n0");
    assert_string_equal(cell_text(place, &rows, 2, 1), "3");
    rows = place_rows(place, "SELECT id, sum(price) OVER (ORDER BY id ROWS BETWEEN 1"
                             " PRECEDING AND CURRENT ROW) AS s FROM item WHERE id < 3"
                             " ORDER BY id");
    assert_string_equal(cell_text(place, &rows, 2, 1), "4.5");
}

static void comments_and_counts_are_known(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    const struct table *item = schema_table(schema, "item");
    assert_string_equal(item->comment, "what we sell");
    assert_int_equal(item->row_count, 100000);
}

/* The condition on the key leaves few of the rows to read. */
static void plan_sees_the_key(void **state)
{
    struct place *place = *state;
    struct datasource *source = place_open(place, shop);
    struct datasource_estimate estimate;
    struct err err;
    err_clear(&err);
    assert_true(datasource_estimate(source, "SELECT name FROM item WHERE id = 7",
                                    place->arena, NULL, &estimate, &err));
    assert_true(estimate.rows > 0 && estimate.rows < 50000);
    assert_false(estimate.full_scan);
    assert_non_null(strstr(estimate.text, "ReadFromMergeTree"));
    assert_true(datasource_estimate(source,
                                    "SELECT max(price) FROM item WHERE"
                                    " name = 'n1'",
                                    place->arena, NULL, &estimate, &err));
    assert_int_equal(estimate.rows, 100000);
    assert_true(estimate.full_scan);
    assert_string_equal(estimate.table, "item");
}

/* The engine in a library has no users of its own, so the statements that the doctor
 * prints are read by its parser, not run. */
static void printed_statements_are_understood(void **state)
{
    struct place *place = *state;
    struct datasource_inspection found;
    struct err err;
    (void)place_open(place, shop);
    err_clear(&err);
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_int_equal(found.ruling.count, 1); /* the one user that it has may write */
    assert_int_equal(found.reader.count, 3);
    struct texts statements = {0};
    clickhouse_script(place->arena, str_join(place->arena, &found.reader, "\n"),
                      &statements);
    assert_true(statements.count >= 4); /* two databases are described */
    for (size_t i = 0; i < 4; i++) {
        struct buf sql;
        buf_init(&sql, 4096);
        (void)buf_text(&sql, "SELECT formatQuery('");
        for (const char *at = statements.items[i]; *at; at++) {
            (void)buf_text(&sql, *at == '\'' ? "'" : "");
            (void)buf_char(&sql, *at);
        }
        (void)buf_text(&sql, "')");
        kind->script(place->path, buf_get(&sql));
        buf_release(&sql);
    }
}

int suite_clickhouse_today(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(queries_and_windows_work),
        PLACE_TEST(comments_and_counts_are_known),
        PLACE_TEST(plan_sees_the_key),
        PLACE_TEST(printed_statements_are_understood),
    };
    return cmocka_run_group_tests_name("clickhouse today", tests, NULL, NULL);
}
