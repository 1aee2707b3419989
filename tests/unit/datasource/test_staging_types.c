/* What is staged keeps its value: types of every dialect, and columns made wider. */
#include "staging_bench.h"

#ifdef DRAGOMAN_HAS_DUCKDB

static void test_types_keep_everything(void **state)
{
    struct bench *bench = *state;
    static const struct rows_column columns[] = {
        {"a", "integer"},
        {"b", "bigint(20) unsigned"},
        {"c", "numeric(38,6)"},
        {"d", "date"},
        {"e", "timestamp(3) with time zone"},
        {"f", "datetime"},
        {"g", "bytea"},
        {"h", "text[]"},
        {"i", "jsonb"},
        {"j", "boolean"},
        {"k", "double precision"},
        {"l", "time"},
        {"select", "varchar(20)"},
        {"UPPER \"x\"", "uuid"},
    };
    enum { COUNT = sizeof columns / sizeof *columns };
    const struct staging_shape shape = {.namespace = "my shop",
                                        .name = "Odd \"table\"",
                                        .columns = columns,
                                        .count = COUNT,
                                        .dialect = DIALECT_POSTGRES};
    struct staging_table *table =
        staging_table_new(bench->staging, &shape, NULL, &bench->err);
    assert_non_null(table);
    struct value blob = as(VALUE_BLOB, "");
    blob.text.data = "\x00\xff\x01";
    blob.text.size = 3;
    struct value yes = {.kind = VALUE_BOOL};
    yes.boolean = true;
    const struct value row[COUNT] = {
        integer(INT64_MIN),
        as(VALUE_NUMBER, "18446744073709551615"),
        as(VALUE_NUMBER, "-12345678901234567890123456789012.654321"),
        text("2024-02-29"),
        text("2024-03-31 01:30:00.123456+02:00"),
        text("1969-12-31 23:59:59.5"),
        blob,
        as(VALUE_JSON, "[\"a\",null,\"\xF0\x9F\x98\x80\"]"),
        as(VALUE_JSON, "{\"k\":[1,2]}"),
        yes,
        real(0.1),
        text("23:59:59.000001"),
        text(""),
        text("\xF0\x9F\x98\x80 \xC5\xBC\xC3\xB3\xC5\x82w"),
    };
    struct value nulls[COUNT] = {{0}};
    assert_true(staging_table_add(table, row, &bench->err));
    assert_true(staging_table_add(table, nulls, &bench->err));
    assert_true(staging_table_end(table, &bench->err));
    staging_lock(bench->staging);
    struct rows rows = ask(
        bench, "SELECT * FROM \"my shop\".\"Odd \"\"table\"\"\" ORDER BY a NULLS LAST");
    assert_int_equal(rows.count, 2);
    assert_string_equal(rows.columns[2].type, "DECIMAL(38,6)");
    assert_string_equal(rows.columns[13].name, "UPPER \"x\"");
    assert_true(rows_cell(&rows, 0, 0)->integer == INT64_MIN);
    static const char *const texts[COUNT] = {
        [1] = "18446744073709551615",
        [2] = "-12345678901234567890123456789012.654321",
        [3] = "2024-02-29",
        [4] = "2024-03-30 23:30:00.123456+00",
        [5] = "1969-12-31 23:59:59.5",
        [7] = "[\"a\",null,\"\xF0\x9F\x98\x80\"]",
        [8] = "{\"k\":[1,2]}",
        [11] = "23:59:59.000001",
        [12] = "",
        [13] = "\xF0\x9F\x98\x80 \xC5\xBC\xC3\xB3\xC5\x82w",
    };
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(rows_cell(&rows, 1, i)->kind, VALUE_NULL);
        if (texts[i]) {
            const struct value *cell = rows_cell(&rows, 0, i);
            assert_int_equal(cell->text.size, strlen(texts[i]));
            assert_memory_equal(cell->text.data, texts[i], cell->text.size);
        }
    }
    assert_int_equal(rows_cell(&rows, 0, 6)->kind, VALUE_BLOB);
    assert_memory_equal(rows_cell(&rows, 0, 6)->text.data, "\x00\xff\x01", 3);
    assert_int_equal(rows_cell(&rows, 0, 8)->kind, VALUE_JSON);
    assert_true(rows_cell(&rows, 0, 9)->boolean);
    assert_true(rows_cell(&rows, 0, 10)->real == 0.1);
}

static const struct {
    enum dialect dialect;
    const char *type;
    const char *staged;
} type_cases[] = {
    {DIALECT_SQLITE, "INTEGER", "BIGINT"},
    {DIALECT_SQLITE, "VARCHAR(20)", "VARCHAR"},
    {DIALECT_SQLITE, "NUMERIC", "DOUBLE"},
    {DIALECT_SQLITE, "DECIMAL(10,2)", "DECIMAL(10,2)"},
    {DIALECT_SQLITE, "", "VARCHAR"},
    {DIALECT_POSTGRES, "numeric", "DECIMAL(38,10)"},
    {DIALECT_POSTGRES, "numeric(1000,3)", "DECIMAL(38,10)"},
    {DIALECT_POSTGRES, "interval", "VARCHAR"},
    {DIALECT_POSTGRES, "int4", "BIGINT"},
    {DIALECT_POSTGRES, "integer[]", "JSON"},
    {DIALECT_POSTGRES, "_int4", "JSON"},
    {DIALECT_POSTGRES, "timestamp without time zone", "TIMESTAMP"},
    {DIALECT_POSTGRES, "timestamptz", "TIMESTAMP WITH TIME ZONE"},
    {DIALECT_POSTGRES, "time with time zone", "VARCHAR"},
    {DIALECT_MYSQL, "bigint unsigned", "UBIGINT"},
    {DIALECT_MYSQL, "int unsigned", "BIGINT"},
    {DIALECT_MYSQL, "tinyint(1)", "BIGINT"},
    {DIALECT_MYSQL, "longblob", "BLOB"},
    {DIALECT_MYSQL, "timestamp", "TIMESTAMP"},
    {DIALECT_CLICKHOUSE, "LowCardinality(Nullable(UInt64))", "UBIGINT"},
    {DIALECT_CLICKHOUSE, "Nullable(DateTime64(3))", "TIMESTAMP"},
    {DIALECT_CLICKHOUSE, "Array(String)", "JSON"},
    {DIALECT_BIGQUERY, "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"},
    {DIALECT_BIGQUERY, "BIGNUMERIC", "DECIMAL(38,10)"},
    {DIALECT_DUCKDB, "HUGEINT", "HUGEINT"},
    {DIALECT_DUCKDB, "TIMESTAMP_NS", "TIMESTAMP"},
};

static void test_every_dialects_words(void **state)
{
    struct bench *bench = *state;
    enum { COUNT = sizeof type_cases / sizeof *type_cases };
    for (size_t i = 0; i < COUNT; i++) {
        const struct rows_column column = {"v", type_cases[i].type};
        const struct staging_shape shape = {.namespace = "s",
                                            .name = arena_format(bench->arena, "t%zu", i),
                                            .columns = &column,
                                            .count = 1,
                                            .dialect = type_cases[i].dialect};
        struct staging_table *table =
            staging_table_new(bench->staging, &shape, NULL, &bench->err);
        assert_non_null(table);
        assert_true(staging_table_add(table, &nothing, &bench->err));
        assert_true(staging_table_end(table, &bench->err));
        assert_string_equal(
            shown(bench, arena_format(bench->arena, "SELECT typeof(v) FROM s.t%zu", i)),
            type_cases[i].staged);
    }
}

static void test_numbers_widen(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {integer(1), as(VALUE_NUMBER, "18446744073709551616"),
                                   as(VALUE_NUMBER, "0.25"), nothing};
    stage(bench, DIALECT_SQLITE, "INTEGER", values, 4);
    assert_string_equal(type_of_v(bench), "DECIMAL(38,2)");
    assert_string_equal(shown(bench, "SELECT sum(v) FROM s.t"),
                        "18446744073709551617.25");
}

static void test_doubles_in_integers_are_doubles(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {integer(1), real(0.30000000000000004)};
    stage(bench, DIALECT_SQLITE, "INTEGER", values, 2);
    assert_string_equal(type_of_v(bench), "DOUBLE");
    assert_string_equal(shown(bench, "SELECT max(v) FROM s.t WHERE v < 1"),
                        "0.30000000000000004");
}

/* A double would change 2^53 + 1, so the column may not become one. */
static void test_large_integers_are_never_rounded(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {integer(9007199254740993), real(0.5)};
    stage(bench, DIALECT_SQLITE, "INTEGER", values, 2);
    assert_string_equal(type_of_v(bench), "DECIMAL(38,1)");
    assert_string_equal(shown(bench, "SELECT max(v) FROM s.t"), "9007199254740993.0");
}

static void test_numbers_past_every_type_are_texts(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {
        as(VALUE_NUMBER, "1.5"),
        as(VALUE_NUMBER, "123456789012345678901234567890123456789012345")};
    stage(bench, DIALECT_POSTGRES, "numeric", values, 2);
    assert_string_equal(type_of_v(bench), "VARCHAR");
    assert_string_equal(shown(bench, "SELECT v FROM s.t WHERE length(v) > 20"),
                        "123456789012345678901234567890123456789012345");
}

static void test_a_scale_that_grows(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {as(VALUE_NUMBER, "1.5"),
                                   as(VALUE_NUMBER, "0.000000000000000000000001")};
    stage(bench, DIALECT_POSTGRES, "numeric", values, 2);
    assert_string_equal(type_of_v(bench), "DECIMAL(38,24)");
    assert_string_equal(shown(bench, "SELECT sum(v) FROM s.t"),
                        "1.500000000000000000000001");
}

static void test_words_in_a_number_column(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {integer(7), text("n/a"), real(1.5)};
    stage(bench, DIALECT_SQLITE, "INTEGER", values, 3);
    assert_string_equal(shown(bench, "SELECT v FROM s.t"), "7\nn/a\n1.5");
}

static void test_dates_that_are_none(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {text("2024-01-31"), text("2024-02-30"), text("soon")};
    stage(bench, DIALECT_SQLITE, "DATE", values, 3);
    assert_string_equal(shown(bench, "SELECT v FROM s.t"),
                        "2024-01-31\n2024-02-30\nsoon");
}

static void test_a_time_in_a_date_column(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {text("2024-01-31"), text("2024-01-31T12:30")};
    stage(bench, DIALECT_SQLITE, "DATE", values, 2);
    assert_string_equal(type_of_v(bench), "TIMESTAMP");
    assert_string_equal(shown(bench, "SELECT v FROM s.t"),
                        "2024-01-31 00:00:00\n2024-01-31 12:30:00");
}

static void test_bytes_in_a_text_column(void **state)
{
    struct bench *bench = *state;
    struct value blob = as(VALUE_BLOB, "\xff\xfe");
    const struct value values[] = {text("\\x41"), blob};
    stage(bench, DIALECT_SQLITE, "TEXT", values, 2);
    assert_string_equal(type_of_v(bench), "BLOB");
    struct rows rows = ask(bench, "SELECT v FROM s.t");
    assert_int_equal(rows_cell(&rows, 0, 0)->text.size, 4);
    assert_memory_equal(rows_cell(&rows, 0, 0)->text.data, "\\x41", 4);
    assert_memory_equal(rows_cell(&rows, 1, 0)->text.data, "\xff\xfe", 2);
}

static void test_text_that_is_no_json(void **state)
{
    struct bench *bench = *state;
    const struct value values[] = {as(VALUE_JSON, "[1]"), text("{oops")};
    stage(bench, DIALECT_MYSQL, "json", values, 2);
    assert_string_equal(shown(bench, "SELECT v FROM s.t"), "[1]\n{oops");
}

/* More than one batch, and a column that changes in a later one. */
static void test_widening_late(void **state)
{
    struct bench *bench = *state;
    enum { COUNT = 10000 };
    struct value *values = arena_array(bench->arena, COUNT, sizeof *values);
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = integer((int64_t)i);
    }
    values[COUNT - 1] = text("last");
    stage(bench, DIALECT_SQLITE, "INTEGER", values, COUNT);
    assert_string_equal(
        shown(bench, "SELECT count(*), min(v), max(v), count(DISTINCT v) FROM s.t"),
        "10000|0|last|10000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_types_keep_everything),
        TEST(test_every_dialects_words),
        TEST(test_numbers_widen),
        TEST(test_doubles_in_integers_are_doubles),
        TEST(test_large_integers_are_never_rounded),
        TEST(test_numbers_past_every_type_are_texts),
        TEST(test_a_scale_that_grows),
        TEST(test_words_in_a_number_column),
        TEST(test_dates_that_are_none),
        TEST(test_a_time_in_a_date_column),
        TEST(test_bytes_in_a_text_column),
        TEST(test_text_that_is_no_json),
        TEST(test_widening_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    struct err err;
    err_clear(&err);
    return staging_open(NULL, &err) == NULL && err.code == ERR_DATASOURCE_KIND ? 0 : 1;
}

#endif
