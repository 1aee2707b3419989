/* Lines of ClickHouse into rows: however they are cut, and whatever stands in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "datasource/clickhouse/clickhouse_driver.h"

struct seen {
    struct arena *arena;
    struct buf text; /* rows as a|b; */
    size_t columns;
    int64_t rows;
};

static bool on_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct seen *seen = context;
    (void)columns;
    seen->columns = count;
    return true;
}

static bool on_row(void *context, const struct value *cells)
{
    struct seen *seen = context;
    for (size_t i = 0; i < seen->columns; i++) {
        value_print(&seen->text, &cells[i]);
        (void)buf_text(&seen->text, cells[i].cut ? "…" : "");
        (void)buf_char(&seen->text, i + 1 < seen->columns ? '|' : ';');
    }
    seen->rows++;
    return true;
}

/* Feeds the text in pieces of so many bytes. */
static void run_within(const char *text, size_t piece,
                       const struct datasource_limits *limits, struct seen *seen,
                       struct clickhouse_stream *stream)
{
    const struct datasource_sink sink = {
        .columns = on_columns, .row = on_row, .context = seen};
    memset(seen, 0, sizeof *seen);
    buf_init(&seen->text, 4 << 20);
    clickhouse_stream_init(stream, &sink, limits);
    size_t size = strlen(text);
    bool more = true;
    for (size_t at = 0; more && at < size; at += piece) {
        more = clickhouse_stream_feed(stream, text + at,
                                      size - at < piece ? size - at : piece);
    }
    clickhouse_stream_end(stream);
}

static void run(const char *text, size_t piece, struct seen *seen,
                struct clickhouse_stream *stream)
{
    run_within(text, piece, NULL, seen, stream);
}

static void finish(struct seen *seen, struct clickhouse_stream *stream)
{
    buf_release(&seen->text);
    clickhouse_stream_release(stream);
}

static void pieces_of_any_size_give_the_same_rows(void **state)
{
    (void)state;
    static const char text[] = "id\tna\\tme\n"
                               "Int32\tNullable(String)\n"
                               "1\tpen\n2\t\\N\n3\ta\\tb\\n\\\\\n4\t\n";
    for (size_t piece = 1; piece < sizeof text; piece++) {
        struct seen seen;
        struct clickhouse_stream stream;
        run(text, piece, &seen, &stream);
        assert_string_equal(buf_get(&seen.text), "1|pen;2|;3|a\tb\n\\;4|;");
        assert_string_equal(stream.names[1], "na\tme");
        assert_false(stream.odd || stream.failing);
        finish(&seen, &stream);
    }
}

/* What is behind the bound never lies in memory; the cells around it are whole. */
static void long_cells_are_passed_over(void **state)
{
    (void)state;
    enum { MOST = 10, LONG = 200000 };
    const struct datasource_limits limits = {.max_cell_bytes = MOST};
    struct buf text;
    buf_init(&text, 8 * LONG);
    for (int i = 0; i < LONG; i++) { /* a name is no cell */
        (void)buf_char(&text, 'a');
    }
    (void)buf_text(&text, "\tb\tc\nString\tArray(Int32)\tString\nshort\t[");
    for (int i = 0; i < LONG; i++) {
        (void)buf_text(&text, "7,");
    }
    (void)buf_text(&text, "7]\tlast\n");
    for (int i = 0; i < LONG; i++) {
        (void)buf_text(&text, "\\t");
    }
    (void)buf_text(&text, "\t[1]\tx\n");
    static const size_t pieces[] = {1, 7, 16384, 8 * LONG};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct seen seen;
        struct clickhouse_stream stream;
        run_within(buf_get(&text), pieces[i], &limits, &seen, &stream);
        const char *rows = buf_get(&seen.text);
        assert_int_equal(seen.rows, 2);
        assert_memory_equal(rows, "short|[7,7,7,7,", 15);
        assert_non_null(strstr(rows, "…|last;\t\t\t\t"));
        assert_non_null(strstr(rows, "…|[1]|x;"));
        assert_false(stream.odd || stream.failing || stream.long_line);
        assert_int_equal(strlen(stream.names[0]), LONG);
        if (pieces[i] < LONG) {
            assert_true(seen.text.size < LONG / 2);
        }
        finish(&seen, &stream);
    }
    buf_release(&text);
}

static void expect_failure(const char *text, const char *rows, const char *message)
{
    for (size_t piece = 1; piece < 40; piece += 7) {
        struct seen seen;
        struct clickhouse_stream stream;
        run(text, piece, &seen, &stream);
        assert_string_equal(buf_get(&seen.text), rows);
        assert_int_equal(stream.failing, message != NULL);
        if (message) {
            assert_non_null(strstr(buf_get(&stream.failure), message));
        }
        finish(&seen, &stream);
    }
}

static void failures_are_told_from_rows(void **state)
{
    (void)state;
    /* old servers, two columns and one */
    expect_failure(
        "a\tb\nInt8\tString\n1\tx\nCode: 395, e.displayText() = DB::Exception: "
        "no more, e.what() = DB::Exception\n",
        "1|x;", "no more");
    expect_failure("a\nString\nx\nCode: 395, e.displayText() = DB::Exception: no more, "
                   "e.what() = DB::Exception\n",
                   "x;", "no more");
    /* a log of failures is not a failure: quotes are escaped in rows, others follow */
    expect_failure(
        "a\nString\nCode: 60, e.displayText() = DB::Exception: Table \\'x\\' is "
        "not there, e.what() = DB::Exception\n",
        "Code: 60, e.displayText() = DB::Exception: Table 'x' is not there, "
        "e.what() = DB::Exception;",
        NULL);
    expect_failure("a\nString\nCode: 1. DB::Exception: x (version 1)\ny\n",
                   "Code: 1. DB::Exception: x (version 1);y;", NULL);
    /* newer servers */
    expect_failure(
        "a\nString\nx\n\r\n__exception__\r\nabcd\r\nCode: 395. DB::Exception: no "
        "more (version 25.1)\r\n42 abcd\r\n__exception__\r\n",
        "x;", "no more");
    /* cut off in the middle of the message */
    expect_failure("a\tb\nInt8\tString\n1\tx\nCode: 241. DB::Exception: Memory", "1|x;",
                   "Memory");
}

static void what_is_no_table_is_odd(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<html>\n<body>\n", "a\tb\nInt8\n", "a\tb\nInt8\tInt8\n1\n",
        "a\nInt8\n1\t2\n",  "\n\n",         "a\nInt8\n1\n2",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct seen seen;
        struct clickhouse_stream stream;
        run(texts[i], 3, &seen, &stream);
        assert_true(stream.odd || stream.columns == 1);
        assert_true(seen.rows <= 1);
        finish(&seen, &stream);
    }
}

static void totals_follow_a_gap(void **state)
{
    (void)state;
    expect_failure("a\tb\nString\tUInt64\nx\t1\n\n\t1\n", "x|1;|1;", NULL);
}

/* A cell of a type, and how it is shown. */
static void expect_cell(const char *type, const char *cell, enum value_kind kind,
                        const char *shown)
{
    struct arena *arena = arena_new();
    struct buf text;
    struct clickhouse_type read = clickhouse_type_read(arena, type);
    struct value value = clickhouse_value(arena, &read, cell, strlen(cell));
    buf_init(&text, 1 << 16);
    value_print(&text, &value);
    assert_int_equal(value.kind, kind);
    assert_string_equal(buf_get(&text), shown);
    buf_release(&text);
    arena_free(arena);
}

static void cells_of_every_shape(void **state)
{
    (void)state;
    expect_cell("Map(String, Array(Nullable(Int8)))", "{'a\\'b':[1,NULL],'c':[]}",
                VALUE_JSON, "{\"a'b\":[1,null],\"c\":[]}");
    expect_cell("Tuple(`odd name` Decimal(9, 2), b Map(UInt8, String))",
                "(1.50,{1:'x,}'})", VALUE_JSON,
                "{\"odd name\":\"1.50\",\"b\":{\"1\":\"x,}\"}}");
    expect_cell("Array(Enum8('a,(' = 1, 'b\\'' = 2))", "['a,(','b\\'']", VALUE_JSON,
                "[\"a,(\",\"b'\"]");
    expect_cell("LowCardinality(Nullable(FixedString(4)))", "ab\\0\\0", VALUE_TEXT, "ab");
    expect_cell("SimpleAggregateFunction(sum, UInt64)", "7", VALUE_INT, "7");
    expect_cell("Nested(a UInt8, b String)", "[(1,'x')]", VALUE_JSON,
                "[{\"a\":1,\"b\":\"x\"}]");
    expect_cell("Polygon", "[[(0,0),(1.5,2)]]", VALUE_JSON, "[[[0.0,0.0],[1.5,2.0]]]");
    expect_cell("SomethingNew(1, 'x')", "as it is", VALUE_TEXT, "as it is");
}

/* What cannot be read stays text: nothing is lost, nothing breaks. */
static void broken_cells_stay_text(void **state)
{
    (void)state;
    static const char *const cells[] = {"[1",      "[1,,2]", "['a]", "(1,2", "{'a':}",
                                        "{'a' 1}", "[1]]",   "",     "]",    "[1 2'x']"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        expect_cell("Array(Int8)", cells[i], VALUE_TEXT, cells[i]);
    }
    struct arena *arena = arena_new();
    char deep[4001];
    memset(deep, '[', 2000);
    memset(deep + 2000, ']', 2000);
    deep[4000] = '\0';
    expect_cell("Array(Int8)", deep, VALUE_TEXT, deep);
    struct buf type;
    buf_init(&type, 1 << 20);
    for (int i = 0; i < 5000; i++) {
        (void)buf_text(&type, "Array(");
    }
    struct clickhouse_type read = clickhouse_type_read(arena, buf_get(&type));
    assert_int_equal(read.kind, CLICKHOUSE_ARRAY);
    buf_release(&type);
    arena_free(arena);
}

static void only_one_query_passes(void **state)
{
    (void)state;
    static const char *const good[] = {"SELECT 1",
                                       "SELECT 1;",
                                       "(SELECT 1)",
                                       "WITH 1 AS x SELECT x",
                                       "SELECT settings, format FROM t",
                                       "SELECT 'SETTINGS a = 1; DROP'",
                                       "FROM t SELECT 1"};
    static const char *const bad[] = {
        "",
        ";",
        "DROP TABLE t",
        "( INSERT INTO t VALUES (1))",
        "SELECT 1; SELECT 2",
        "SELECT 1 FORMAT CSV",
        "SELECT 1 format TSV;",
        "SELECT 1 INTO OUTFILE 'x'",
        "SELECT 1 SETTINGS max_threads = 1",
        "SELECT * FROM (SELECT 1 SETTINGS `a` = 1)",
    };
    size_t size = 0;
    struct err err;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(clickhouse_query_only(good[i], &size, &err));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(clickhouse_query_only(bad[i], &size, &err));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size_give_the_same_rows),
        cmocka_unit_test(long_cells_are_passed_over),
        cmocka_unit_test(failures_are_told_from_rows),
        cmocka_unit_test(what_is_no_table_is_odd),
        cmocka_unit_test(totals_follow_a_gap),
        cmocka_unit_test(cells_of_every_shape),
        cmocka_unit_test(broken_cells_stay_text),
        cmocka_unit_test(only_one_query_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
