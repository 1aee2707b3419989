/* What comes out: types, names, columns, and errors that point to the place. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "conformance.h"

static void every_type_comes_out_whole(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    for (const struct typed *typed = kind->values; typed->sql; typed++) {
        char sql[400];
        (void)snprintf(sql, sizeof sql, "SELECT %s AS v", typed->sql);
        struct rows rows = place_raw_rows(place, sql);
        assert_int_equal(rows.count, 1);
        assert_string_equal(rows.columns[0].name, "v");
        const struct value *value = rows_cell(&rows, 0, 0);
        if (value->kind != typed->value_kind) {
            fail_msg("%s: kind %d instead of %d", typed->sql, (int)value->kind,
                     (int)typed->value_kind);
        }
        assert_string_equal(cell_text(place, &rows, 0, 0), typed->text);
    }
}

static void columns_carry_their_types(void **state)
{
    struct place *place = *state;
    if (kind->documents) {
        skip(); /* has its own */
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER, name VARCHAR);"
                            "INSERT INTO item VALUES (1, 'pen')");
    struct rows rows = place_rows(place, "SELECT id, name FROM item");
    assert_int_equal(rows.column_count, 2);
    assert_string_equal(rows.columns[0].type, kind->integer ? kind->integer : "INTEGER");
    assert_string_equal(rows.columns[1].type, kind->text ? kind->text : "VARCHAR");
}

static void result_without_rows_has_columns(void **state)
{
    struct place *place = *state;
    if (kind->documents) {
        skip(); /* has its own */
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER, name VARCHAR)");
    struct rows rows = place_rows(place, "SELECT * FROM item");
    assert_int_equal(rows.count, 0);
    assert_int_equal(rows.column_count, 2);
    assert_string_equal(rows.columns[1].name, "name");
    assert_int_equal(rows.cut, ROWS_WHOLE);
}

static void odd_names_can_be_asked_for(void **state)
{
    struct place *place = *state;
    if (kind->folder) {
        skip(); /* names of tables are made from names of files */
    }
    (void)place_open(place, "CREATE TABLE \"order items\" (\"group\" INTEGER,"
                            " \"say \"\"hi\"\"\" VARCHAR, \"\xC3\x9Cnit\" VARCHAR);"
                            "INSERT INTO \"order items\" VALUES (1, 'a', 'b')");
    struct rows rows = place_rows(
        place,
        "SELECT \"group\", \"say \"\"hi\"\"\", \"\xC3\x9Cnit\" FROM \"order items\"");
    assert_string_equal(rows.columns[0].name, "group");
    assert_string_equal(rows.columns[1].name, "say \"hi\"");
    assert_string_equal(rows.columns[2].name, "\xC3\x9Cnit");
    assert_string_equal(cell_text(place, &rows, 0, 2), "b");
}

static void thousand_columns_come_out(void **state)
{
    struct place *place = *state;
    if (kind->documents) {
        skip(); /* has its own */
    }
    struct buf sql;
    buf_init(&sql, 1 << 17);
    (void)buf_text(&sql, "CREATE TABLE wide (");
    for (int i = 0; i < 1000; i++) {
        (void)buf_format(&sql, "%s column_number_%d INTEGER", i ? "," : "", i);
    }
    (void)buf_text(&sql, "); INSERT INTO wide (column_number_999) VALUES (42)");
    (void)place_open(place, buf_get(&sql));
    buf_release(&sql);
    struct rows rows = place_rows(place, "SELECT * FROM wide");
    assert_int_equal(rows.column_count, 1000);
    assert_string_equal(cell_text(place, &rows, 0, 999), "42");
    struct schema *schema = place_schema(place);
    assert_int_equal(schema->tables.items[0].columns.count, 1000);
    struct err err;
    err_clear(&err);
    if (!datasource_enrich(place->source, schema, NULL, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    assert_int_equal(schema->tables.items[0].row_count, 1);
    assert_string_equal(schema->tables.items[0].columns.items[999].greatest, "42");
}

static void expect_mistake(struct place *place, const char *sql, const char *at,
                           const char *message)
{
    struct err err;
    err_clear(&err);
    assert_false(datasource_check(place->source, sql, NULL, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    if (at && err.position != strstr(sql, at) - sql) {
        fail_msg("%s: place %d: %s (%s)", sql, err.position, err.message, err.detail);
    }
    if (!strstr(err.message, message)) {
        fail_msg("'%s' does not say '%s'", err.message, message);
    }
    assert_true(err.detail[0]);
}

static void mistakes_are_pointed_at(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER, name VARCHAR)");
    expect_mistake(place, "SELECT name, price FROM item", "price",
                   "Column 'price' does not exist");
    expect_mistake(place, "SELECT\n  *\nFROM items", NULL,
                   "Table 'items' does not exist");
    expect_mistake(place, "SELECT id FORM item WHERE", "item", "syntax error");
    expect_mistake(place, "SELECT nosuch(id) FROM item", NULL, "Function 'nosuch'");
    expect_mistake(place, "SELECT '\xC3\x9C\xC3\x9C', price FROM item", "price",
                   "Column 'price' does not exist");
    struct err err;
    assert_true(datasource_check(place->source, "SELECT name FROM item", NULL, &err));
}

static void estimate_sees_a_full_scan(void **state)
{
    struct place *place = *state;
    if (kind->folder) {
        skip(); /* how many rows a file has is known when it was read */
    }
    struct buf sql;
    buf_init(&sql, 1 << 17);
    (void)buf_text(&sql, "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);");
    (void)buf_text(&sql, "INSERT INTO item VALUES (1, 'x')");
    for (int i = 2; i <= 500; i++) {
        (void)buf_format(&sql, ", (%d, 'x')", i);
    }
    (void)buf_text(&sql, "; ANALYZE");
    struct datasource *source = place_open(place, buf_get(&sql));
    buf_release(&sql);
    struct datasource_estimate estimate;
    struct err err;
    err_clear(&err);
    if (!source->driver->estimate) {
        skip();
    }
    assert_true(datasource_estimate(source, "SELECT sum(length(i.name)) FROM item AS i",
                                    place->arena, NULL, &estimate, &err));
    assert_true(estimate.text[0]);
    assert_true(estimate.full_scan);
    assert_int_equal(estimate.rows, 500);
    assert_string_equal(estimate.table, "item");
    assert_false(datasource_estimate(source, "SELECT nope FROM item", place->arena, NULL,
                                     &estimate, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
}

int suite_values(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(every_type_comes_out_whole),
        PLACE_TEST(columns_carry_their_types),
        PLACE_TEST(result_without_rows_has_columns),
        PLACE_TEST(odd_names_can_be_asked_for),
        PLACE_TEST(thousand_columns_come_out),
        PLACE_TEST(mistakes_are_pointed_at),
        PLACE_TEST(estimate_sees_a_full_scan),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
