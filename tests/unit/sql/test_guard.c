/* The guard's own voice: reasons, positions, what it hands back, and hostile sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "sql/function.h"
#include "sql/guard.h"

static struct arena *arena;
static struct guard_result result;

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static enum guard_verdict check(enum dialect dialect, const char *sql)
{
    guard_check(arena, dialect, sql, strlen(sql), NULL, &result);
    return result.verdict;
}

static void expect_reason(enum dialect dialect, const char *sql, const char *reason,
                          bool unparsable)
{
    assert_int_equal(check(dialect, sql), GUARD_REFUSED);
    assert_string_equal(result.reason, reason);
    assert_int_equal(result.unparsable, unparsable);
}

static void test_reasons(void **state)
{
    (void)state;
    expect_reason(DIALECT_SQLITE, "DROP TABLE t",
                  "DROP is not allowed: dragoman only reads.", false);
    assert_string_equal(result.word, "DROP");
    assert_string_equal(result.statement, "DROP");
    assert_int_equal(result.position, 0);
    expect_reason(DIALECT_SQLITE, "  pragma x",
                  "PRAGMA is not allowed: dragoman only reads.", false);
    assert_int_equal(result.position, 2);
    expect_reason(DIALECT_SQLITE, "SELECT 1; SELECT 2",
                  "Only one statement at a time is allowed.", false);
    assert_int_equal(result.position, 8);
    expect_reason(DIALECT_SQLITE, "SELECT load_extension('x')",
                  "The function load_extension is not allowed: it loads code into the "
                  "database.",
                  false);
    assert_string_equal(result.word, "load_extension");
    assert_int_equal(result.position, 7);
    expect_reason(DIALECT_DUCKDB, "SELECT * FROM read_csv('x')",
                  "The function read_csv is not allowed: it reads files.", false);
    expect_reason(DIALECT_SQLITE, "SELECT mystery(1)",
                  "The function mystery is not on dragoman's list of harmless functions.",
                  false);
    expect_reason(DIALECT_SQLITE, "SELECT * FROM sqlite_master",
                  "The table 'sqlite_master' belongs to the database system and is not "
                  "allowed.",
                  false);
    expect_reason(DIALECT_SQLITE, "SELECT :x",
                  "Placeholders and variables are not allowed: write the value.", false);
    expect_reason(DIALECT_MYSQL, "SELECT 1 INTO OUTFILE 'x'",
                  "INTO is not allowed: it writes what it selects.", false);
    expect_reason(DIALECT_SQLITE, "", "There is no SQL statement.", true);
    expect_reason(DIALECT_SQLITE, " -- only a comment\n ;", "There is no SQL statement.",
                  true);
}

/* A slip of the pen (a function of another dialect) is told apart from an attack. */
static void test_unlisted(void **state)
{
    (void)state;
    check(DIALECT_SQLITE, "SELECT date_trunc('month', d) FROM t");
    assert_int_equal(result.verdict, GUARD_REFUSED);
    assert_true(result.unlisted);
    check(DIALECT_SQLITE, "SELECT load_extension('x')");
    assert_false(result.unlisted);
    check(DIALECT_SQLITE, "DROP TABLE t");
    assert_false(result.unlisted);
    check(DIALECT_SQLITE, "SELECT 1");
    assert_false(result.unlisted);
}

static void test_not_sql(void **state)
{
    (void)state;
    expect_reason(DIALECT_SQLITE, "I cannot help with that",
                  "This is not a query: it should begin with SELECT or WITH.", true);
    expect_reason(DIALECT_SQLITE, "SELECT name FROM", "The query ends too early.", true);
    expect_reason(DIALECT_SQLITE, "SELECT a b c", "The query could not be read at 'c'.",
                  true);
    assert_int_equal(result.position, 11);
    expect_reason(DIALECT_SQLITE, "SELECT 'open",
                  "The text is not allowed: it contains a text that does not end.", true);
    assert_int_equal(result.position, 7);
}

static void test_result_sql(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_SQLITE, " /* a */ SELECT 1 -- b\n + 2 ; -- c"),
                     GUARD_READ);
    assert_string_equal(result.sql, "SELECT 1 -- b\n + 2");
    assert_string_equal(result.statement, "SELECT");
    assert_string_equal(result.reason, "");
    assert_int_equal(result.position, -1);
    check(DIALECT_SQLITE, "VALUES (1);;");
    assert_string_equal(result.sql, "VALUES (1)");
    assert_string_equal(result.statement, "VALUES");
    check(DIALECT_SQLITE, "WITH a AS (SELECT 1) SELECT * FROM a");
    assert_string_equal(result.statement, "SELECT");
    check(DIALECT_SQLITE, "DELETE FROM t");
    assert_string_equal(result.statement, "DELETE");
    assert_string_equal(result.sql, "DELETE FROM t");
}

static void test_zero_byte(void **state)
{
    (void)state;
    static const char sql[] = "SELECT 1\0; DROP TABLE t";
    guard_check(arena, DIALECT_SQLITE, sql, sizeof sql - 1, NULL, &result);
    assert_int_equal(result.verdict, GUARD_REFUSED);
    assert_string_equal(result.reason,
                        "The text is not allowed: it contains a zero byte.");
    assert_int_equal(result.position, 8);
}

static void test_bad_dialect(void **state)
{
    (void)state;
    assert_int_equal(check(DIALECT_COUNT, "SELECT 1"), GUARD_REFUSED);
}

static char *nested(const char *open, const char *middle, const char *close, size_t depth)
{
    struct buf buf;
    buf_init(&buf, 1 << 24);
    for (size_t i = 0; i < depth; i++) {
        buf_text(&buf, open);
    }
    buf_text(&buf, middle);
    for (size_t i = 0; i < depth; i++) {
        buf_text(&buf, close);
    }
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

static void expect_depth(enum dialect dialect, const char *start, const char *open,
                         const char *middle, const char *close)
{
    char *shallow = arena_format(arena, "%s%s", start, nested(open, middle, close, 20));
    if (check(dialect, shallow) != GUARD_READ) {
        fail_msg("%s: %s", shallow, result.reason);
    }
    char *deep = arena_format(arena, "%s%s", start, nested(open, middle, close, 2000));
    assert_int_equal(check(dialect, deep), GUARD_REFUSED);
    assert_string_equal(result.reason, "The query is nested too deeply.");
}

static void test_depth(void **state)
{
    (void)state;
    expect_depth(DIALECT_SQLITE, "SELECT ", "(", "1", ")");
    expect_depth(DIALECT_SQLITE, "SELECT ", "abs(", "1", ")");
    expect_depth(DIALECT_SQLITE, "SELECT ", "(SELECT ", "1", ")");
    expect_depth(DIALECT_SQLITE, "SELECT ", "CASE WHEN 1 THEN ", "1", " END");
    expect_depth(DIALECT_SQLITE, "SELECT ", "CAST(", "1", " AS INT)");
    expect_depth(DIALECT_SQLITE, "SELECT * FROM ", "(", "t", ")");
    expect_depth(DIALECT_SQLITE, "", "(", "SELECT 1", ")");
    expect_depth(DIALECT_SQLITE, "", "WITH a AS (", "SELECT 1", ") SELECT 1");
    expect_depth(DIALECT_SQLITE, "", "SELECT * FROM (", "SELECT 1", ")");
    expect_depth(DIALECT_SQLITE, "SELECT ", "EXISTS(SELECT ", "1", ")");
    expect_depth(DIALECT_DUCKDB, "SELECT ", "[", "1", "]");
    expect_depth(DIALECT_DUCKDB, "SELECT ", "{'a': ", "1", "}");
    expect_depth(DIALECT_DUCKDB, "SELECT 1::", "STRUCT(a ", "INT", ")");
    expect_depth(DIALECT_DUCKDB, "SELECT x", "[x", "[1]", "]");
}

/* Long is fine where deep is not: lists, and operators that group to the left, do not
 * nest. */
static void test_length(void **state)
{
    (void)state;
    char *sum = arena_format(arena, "SELECT 1%s", nested("+1", "", "", 10000));
    assert_int_equal(check(DIALECT_SQLITE, sum), GUARD_READ);
    char *not = arena_format(arena, "SELECT %s1", nested("NOT ", "", "", 100));
    assert_int_equal(check(DIALECT_SQLITE, not ), GUARD_READ);
    not = arena_format(arena, "SELECT %s1", nested("NOT ", "", "", 10000));
    assert_int_equal(check(DIALECT_SQLITE, not ), GUARD_REFUSED);
    assert_string_equal(result.reason, "The query is nested too deeply.");
    char *casts = arena_format(arena, "SELECT 1%s", nested("::int", "", "", 10000));
    assert_int_equal(check(DIALECT_DUCKDB, casts), GUARD_REFUSED);
    assert_string_equal(result.reason, "The query is nested too deeply.");
    char *joins =
        arena_format(arena, "SELECT 1 FROM t%s", nested(" CROSS JOIN t", "", "", 400));
    assert_int_equal(check(DIALECT_SQLITE, joins), GUARD_READ);
    char *list =
        arena_format(arena, "SELECT 1 WHERE 1 IN (1%s)", nested(",1", "", "", 9999));
    assert_int_equal(check(DIALECT_SQLITE, list), GUARD_READ);
    char *unions =
        arena_format(arena, "SELECT 1%s", nested(" UNION SELECT 1", "", "", 5000));
    assert_int_equal(check(DIALECT_SQLITE, unions), GUARD_READ);
    char *tokens = arena_format(arena, "SELECT 1%s", nested("+1", "", "", 100000));
    assert_int_equal(check(DIALECT_SQLITE, tokens), GUARD_REFUSED);
    assert_string_equal(result.reason, "The query is too long.");
    char *bytes = arena_format(arena, "SELECT '%s'", nested("xxxxxxxx", "", "", 200000));
    assert_int_equal(check(DIALECT_SQLITE, bytes), GUARD_REFUSED);
}

static char *many(const char *format, int count)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    for (int i = 0; i < count; i++) {
        buf_text(&buf, i ? "," : "");
        buf_format(&buf, "%s%d", format, i);
    }
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

/* Many different names would be searched again and again: refused before that hurts. */
static void test_many_names(void **state)
{
    (void)state;
    char *columns = arena_format(arena, "SELECT %s FROM t", many("a", 1500));
    assert_int_equal(check(DIALECT_SQLITE, columns), GUARD_READ);
    columns = arena_format(arena, "SELECT %s FROM t", many("a", 20000));
    assert_int_equal(check(DIALECT_SQLITE, columns), GUARD_REFUSED);
    assert_string_equal(result.reason, "The query names too many tables or columns.");
    char *tables = arena_format(arena, "SELECT 1 FROM %s", many("t", 20000));
    assert_int_equal(check(DIALECT_SQLITE, tables), GUARD_REFUSED);
    char *aliases = arena_format(arena, "SELECT %s", many("1 AS a", 15000));
    assert_int_equal(check(DIALECT_SQLITE, aliases), GUARD_REFUSED);
}

/* Names that each join the one before with themselves: engines write them out while they compile. */
static void test_expanded_names(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf, 1 << 16);
    buf_text(&buf, "WITH a0 AS (SELECT * FROM t)");
    for (int i = 1; i < 16; i++) {
        buf_format(&buf, ", A%d AS (SELECT * FROM a%d NATURAL JOIN a%d y)", i, i - 1,
                   i - 1);
        const char *sql =
            arena_format(arena, "%s SELECT COUNT(*) FROM a%d", buf_get(&buf), i);
        assert_int_equal(check(DIALECT_SQLITE, sql), i < 10 ? GUARD_READ : GUARD_REFUSED);
        assert_int_equal(check(DIALECT_DUCKDB, sql), i < 10 ? GUARD_READ : GUARD_REFUSED);
    }
    buf_release(&buf);
    /* a long chain in which each is used once is no such thing */
    assert_int_equal(check(DIALECT_SQLITE,
                           "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a), c AS "
                           "(SELECT x FROM b) SELECT x FROM c"),
                     GUARD_READ);
}

static void test_functions(void **state)
{
    (void)state;
    assert_non_null(function_find(DIALECT_SQLITE, "Count"));
    assert_non_null(function_find(DIALECT_DUCKDB, "list_transform"));
    assert_null(function_find(DIALECT_SQLITE, "list_transform"));
    assert_null(function_find(DIALECT_SQLITE, "load_extension"));
    assert_null(function_find(DIALECT_SQLITE, ""));
    assert_null(function_find(DIALECT_SQLITE,
                              "a_name_that_is_much_longer_than_any_function_name"));
    assert_null(function_find(DIALECT_MYSQL, "\xC5\xBF"
                                             "leep"));
    assert_non_null(function_find(DIALECT_CLICKHOUSE, "sumIf"));
    assert_non_null(function_find(DIALECT_CLICKHOUSE, "uniqExactIf"));
    assert_null(function_find(DIALECT_CLICKHOUSE, "absIf"));
    assert_true(function_has(function_find(DIALECT_SQLITE, "sum"), 'a'));
    assert_false(function_has(NULL, 'a'));
    assert_non_null(function_danger("pg_sleep"));
    assert_non_null(function_danger("Read_Parquet"));
    assert_non_null(function_danger("iceberg_scan"));
    assert_null(function_danger("abs"));
    assert_true(function_type_known("Integer"));
    assert_false(function_type_known("regclass"));
}

/* No function that a danger is known of may be on the list (but the pure namesakes). */
static void test_lists_agree(void **state)
{
    (void)state;
    static const struct function rows[] = {
#define FUNCTION(name, dialects, traits) {name, dialects, traits},
#include "sql/functions.def"
#undef FUNCTION
    };
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || strcmp(rows[i - 1].name, rows[i].name) < 0);
        assert_int_equal(strspn(rows[i].dialects, "sdpmcbo"), strlen(rows[i].dialects));
        assert_int_equal(strspn(rows[i].traits, "awtlknfgxry"), strlen(rows[i].traits));
        bool namesake = strcmp(rows[i].name, "glob") == 0;
        if (!namesake && function_danger(rows[i].name)) {
            fail_msg("%s is listed and dangerous", rows[i].name);
        }
    }
    assert_true(count > 1000);
}

/* EXECUTE and its kin as statements, in every form that a dialect has for them. */
static void test_execute(void **state)
{
    (void)state;
    static const char *const statements[] = {
        "EXECUTE p",
        "EXECUTE p(1)",
        "EXECUTE 'DELETE FROM orders'",
        "EXECUTE IMMEDIATE 'DELETE FROM orders'",
        "EXEC ('DELETE FROM orders')",
        "EXEC sp_executesql N'DELETE FROM orders'",
        "PREPARE p AS SELECT 1",
        "PREPARE p FROM 'DELETE FROM orders'",
        "DO $$BEGIN DELETE FROM orders; END$$",
        "CALL p('DELETE FROM orders')",
        "EXPLAIN ANALYZE EXECUTE p",
        "CREATE TABLE t AS EXECUTE p",
        "SELECT * FROM (EXECUTE p) x",
        "WITH x AS (EXECUTE p) SELECT * FROM x",
        "SELECT EXECUTE('DELETE FROM orders')",
        "SELECT EXEC('DELETE FROM orders')",
        "SELECT ('DELETE FROM orders').execute()",
    };
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
            if (check((enum dialect)dialect, statements[i]) != GUARD_REFUSED) {
                fail_msg("%s passed: %s", dialect_name((enum dialect)dialect),
                         statements[i]);
            }
        }
    }
}

/* Functions that find SQL or a table in a text are refused in every dialect, in FROM and
 * elsewhere, with a reason that says so. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *why;
    } cases[] = {
        {"ts_stat", "it runs SQL hidden in a text."},
        {"TS_REWRITE", "it runs SQL hidden in a text."},
        {"query_to_xml", "it runs SQL hidden in a text."},
        {"query_to_xml_and_xmlschema", "it runs SQL hidden in a text."},
        {"query_to_json", "it runs SQL hidden in a text."},
        {"cursor_to_xml", "it runs SQL hidden in a text."},
        {"cursor_to_xmlschema", "it runs SQL hidden in a text."},
        {"xpath_table", "it runs SQL hidden in a text."},
        {"crosstab", "it runs SQL hidden in a text."},
        {"crosstab4", "it runs SQL hidden in a text."},
        {"crosstabn", "it runs SQL hidden in a text."},
        {"connectby", "it runs SQL hidden in a text."},
        {"dblink", "it runs SQL hidden in a text."},
        {"dblink_exec", "it runs SQL hidden in a text."},
        {"dblink_send_query", "it runs SQL hidden in a text."},
        {"execute_immediate", "it runs SQL hidden in a text."},
        {"eval", "it runs SQL hidden in a text."},
        {"query", "it runs SQL hidden in a text."},
        {"sp_executesql", "it runs SQL hidden in a text."},
        {"sp_prepare", "it runs SQL hidden in a text."},
        {"openquery", "it runs SQL hidden in a text."},
        {"openrowset", "it runs SQL hidden in a text."},
        {"opendatasource", "it runs SQL hidden in a text."},
        {"dbms_sql", "it runs SQL hidden in a text."},
        {"postgres_query", "it runs SQL hidden in a text."},
        {"external_query", "it runs SQL hidden in a text."},
        {"json_serialize_sql", "it turns SQL into data that can be run, or back."},
        {"table_to_xml", "it reads a table named by a text."},
        {"query_table", "it reads a table named by a text."},
        {"joinGet", "it reads a table named by a text."},
        {"schema_to_xml", "it reads every table of a schema."},
        {"database_to_xmlschema", "it reads every table of the database."},
    };
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases * 2; i++) {
            const char *name = cases[i / 2].name;
            const char *sql = i % 2 ? arena_format(arena, "SELECT * FROM %s('a')", name)
                                    : arena_format(arena, "SELECT %s('a')", name);
            assert_int_equal(check((enum dialect)dialect, sql), GUARD_REFUSED);
            assert_string_equal(result.reason,
                                arena_format(arena, "The function %s is not allowed: %s",
                                             name, cases[i / 2].why));
            assert_false(result.unlisted);
        }
    }
    assert_null(function_kind("querystring"));
    assert_null(function_kind("evaluate"));
    assert_true(function_is_no_column("PG_Sleep_For"));
    assert_true(function_is_no_column("ts_stat"));
    assert_false(function_is_no_column("query"));
    assert_false(function_is_no_column("pg_id"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reasons, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kinds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_execute, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unlisted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_not_sql, setup, teardown),
        cmocka_unit_test_setup_teardown(test_result_sql, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zero_byte, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_dialect, setup, teardown),
        cmocka_unit_test_setup_teardown(test_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(test_length, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_expanded_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lists_agree, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
