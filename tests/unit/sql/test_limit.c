/* LIMIT: added, lowered, kept, or bounded from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "sql/limit.h"
#include "sql/statement.h"

enum { DEFAULT_ROWS = 100, MAX_ROWS = 1000 };

#define WRAPPED(sql, limit)                                                              \
    "SELECT * FROM (\n" sql "\n) AS dragoman_limited LIMIT " #limit

static const struct limit_case {
    enum dialect dialect;
    const char *sql;
    const char *expected;
    int64_t limit;
    bool added;
    bool lowered;
} cases[] = {
    {DIALECT_SQLITE, "SELECT 1", "SELECT 1 LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "SELECT 1;", "SELECT 1 LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "SELECT 1 -- x", "SELECT 1 LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 5", "SELECT 1 LIMIT 5", 5, false, false},
    {DIALECT_SQLITE, "SELECT 1 limit 0", "SELECT 1 limit 0", 0, false, false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 1000", "SELECT 1 LIMIT 1000", 1000, false, false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 99999", "SELECT 1 LIMIT 1000", 1000, false, true},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 99999 OFFSET 5", "SELECT 1 LIMIT 1000 OFFSET 5",
     1000, false, true},
    {DIALECT_MYSQL, "SELECT 1 LIMIT 5, 99999", "SELECT 1 LIMIT 5, 1000", 1000, false,
     true},
    {DIALECT_MYSQL, "SELECT 1 LIMIT 99999, 5", "SELECT 1 LIMIT 99999, 5", 5, false,
     false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT -1", WRAPPED("SELECT 1 LIMIT -1", 1000), 1000, true,
     false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 2 * 3", WRAPPED("SELECT 1 LIMIT 2 * 3", 1000), 1000,
     true, false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT (SELECT 5)",
     WRAPPED("SELECT 1 LIMIT (SELECT 5)", 1000), 1000, true, false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 99999999999999999999",
     WRAPPED("SELECT 1 LIMIT 99999999999999999999", 1000), 1000, true, false},
    {DIALECT_SQLITE, "SELECT 1 LIMIT 1e3", WRAPPED("SELECT 1 LIMIT 1e3", 1000), 1000,
     true, false},
    {DIALECT_POSTGRES, "SELECT 1 LIMIT ALL", WRAPPED("SELECT 1 LIMIT ALL", 1000), 1000,
     true, false},
    {DIALECT_POSTGRES, "SELECT 1 OFFSET 5", WRAPPED("SELECT 1 OFFSET 5", 100), 100, true,
     false},
    {DIALECT_POSTGRES, "SELECT 1 FETCH FIRST 5 ROWS ONLY",
     "SELECT 1 FETCH FIRST 5 ROWS ONLY", 5, false, false},
    {DIALECT_POSTGRES, "SELECT 1 FETCH NEXT 99999 ROWS ONLY",
     "SELECT 1 FETCH NEXT 1000 ROWS ONLY", 1000, false, true},
    {DIALECT_POSTGRES, "SELECT 1 FETCH FIRST 5 ROWS WITH TIES",
     WRAPPED("SELECT 1 FETCH FIRST 5 ROWS WITH TIES", 1000), 1000, true, false},
    {DIALECT_POSTGRES, "SELECT 1 FETCH FIRST ROW ONLY",
     WRAPPED("SELECT 1 FETCH FIRST ROW ONLY", 1000), 1000, true, false},
    {DIALECT_POSTGRES, "(SELECT 1 LIMIT 5) UNION ALL (SELECT 2)",
     WRAPPED("(SELECT 1 LIMIT 5) UNION ALL (SELECT 2)", 100), 100, true, false},
    {DIALECT_SQLITE, "SELECT 1 UNION SELECT 2 LIMIT 5", "SELECT 1 UNION SELECT 2 LIMIT 5",
     5, false, false},
    /* no query of that dialect: it is refused and never runs */
    {DIALECT_DUCKDB, "SELECT 1 LIMIT 5 UNION SELECT 2", "SELECT 1 LIMIT 5 UNION SELECT 2",
     -1, false, false},
    /* there the LIMIT belongs to the last SELECT */
    {DIALECT_CLICKHOUSE, "SELECT 1 UNION ALL SELECT 2 LIMIT 5",
     WRAPPED("SELECT 1 UNION ALL SELECT 2 LIMIT 5", 100), 100, true, false},
    {DIALECT_CLICKHOUSE, "SELECT 1 LIMIT 5 UNION ALL SELECT 2",
     WRAPPED("SELECT 1 LIMIT 5 UNION ALL SELECT 2", 100), 100, true, false},
    {DIALECT_CLICKHOUSE, "WITH 5 AS n SELECT n LIMIT 5000",
     "WITH 5 AS n SELECT n LIMIT 1000", 1000, false, true},
    {DIALECT_BIGQUERY, "SELECT n FROM UNNEST([1]) AS n WITH OFFSET",
     "SELECT n FROM UNNEST([1]) AS n WITH OFFSET LIMIT 100", 100, true, false},
    {DIALECT_DUCKDB, "SELECT a, count(*) FROM t GROUP BY ALL",
     "SELECT a, count(*) FROM t GROUP BY ALL LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "SELECT * FROM (SELECT 1 LIMIT 5)",
     "SELECT * FROM (SELECT 1 LIMIT 5) LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "WITH a AS (SELECT 1 LIMIT 5) SELECT * FROM a",
     "WITH a AS (SELECT 1 LIMIT 5) SELECT * FROM a LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "VALUES (1)", WRAPPED("VALUES (1)", 100), 100, true, false},
    {DIALECT_SQLITE, "SELECT 'LIMIT 5'", "SELECT 'LIMIT 5' LIMIT 100", 100, true, false},
    {DIALECT_SQLITE, "SELECT \"limit\" FROM t", "SELECT \"limit\" FROM t LIMIT 100", 100,
     true, false},
    {DIALECT_CLICKHOUSE, "SELECT 1 LIMIT 2 BY x", "SELECT 1 LIMIT 2 BY x LIMIT 100", 100,
     true, false},
    {DIALECT_CLICKHOUSE, "SELECT 1 LIMIT 2 BY x LIMIT 5000",
     "SELECT 1 LIMIT 2 BY x LIMIT 1000", 1000, false, true},
    {DIALECT_DUCKDB, "FROM t", "FROM t LIMIT 100", 100, true, false},
    {DIALECT_DUCKDB, "SELECT 1 LIMIT 5%", WRAPPED("SELECT 1 LIMIT 5%", 1000), 1000, true,
     false},
    {DIALECT_DUCKDB, "SELECT [1, 2], {'limit': 5}",
     "SELECT [1, 2], {'limit': 5} LIMIT 100", 100, true, false},
    {DIALECT_BIGQUERY, "SELECT ARRAY_AGG(x LIMIT 3) FROM t",
     "SELECT ARRAY_AGG(x LIMIT 3) FROM t LIMIT 100", 100, true, false},
    {DIALECT_ODBC, "SELECT TOP 5 a FROM t", "SELECT TOP 5 a FROM t", 5, false, false},
    {DIALECT_ODBC, "SELECT TOP 5000 a FROM t", "SELECT TOP 1000 a FROM t", 1000, false,
     true},
    {DIALECT_ODBC, "SELECT a FROM t", "SELECT a FROM t", 100, false, false},
    {DIALECT_SQLITE, "DELETE FROM t", "DELETE FROM t", -1, false, false},
    {DIALECT_SQLITE, "", "", -1, false, false},
};

static void apply(struct arena *arena, enum dialect dialect, const char *sql,
                  int64_t default_rows, int64_t max_rows, struct limit_result *out)
{
    struct sql_statement *statement =
        ARENA_NEW(arena, struct sql_statement); /* `out` may keep it */
    (void)sql_statement_read(arena, dialect, sql, strlen(sql), statement);
    limit_apply(arena, statement, default_rows, max_rows, out);
}

static void assert_same_places(const struct sql_node *made, const struct sql_node *read)
{
    assert_int_equal(made->start, read->start);
    assert_int_equal(made->end, read->end);
    for (size_t i = 0; i < read->count; i++) {
        if (read->children[i]) {
            assert_same_places(made->children[i], read->children[i]);
        }
    }
}

/* The statement that is handed on is the one that reading the text would give. */
static void assert_as_read(struct arena *arena, const struct limit_result *result)
{
    const struct sql_statement *made = result->statement;
    struct sql_statement read;
    if (!made) {
        return;
    }
    assert_string_equal(made->text, result->sql);
    (void)sql_statement_read(arena, made->dialect, result->sql, strlen(result->sql),
                             &read);
    assert_true(sql_equal(made->root, read.root));
    assert_same_places(made->root, read.root);
    assert_int_equal(made->size, read.size);
    assert_int_equal(made->single, read.single);
    assert_int_equal(made->tokens.count, read.tokens.count);
    for (size_t i = 0; i < read.tokens.count + LEXER_ENDS; i++) {
        const struct token *token = &made->tokens.items[i];
        assert_int_equal(token->kind, read.tokens.items[i].kind);
        assert_int_equal(token->keyword, read.tokens.items[i].keyword);
        assert_string_equal(token->text, read.tokens.items[i].text);
        assert_int_equal(token->start, read.tokens.items[i].start);
        assert_int_equal(token->end, read.tokens.items[i].end);
    }
}

static void test_cases(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limit_result result;
        apply(arena, cases[i].dialect, cases[i].sql, DEFAULT_ROWS, MAX_ROWS, &result);
        assert_string_equal(result.sql, cases[i].expected);
        assert_int_equal(result.limit, cases[i].limit);
        assert_int_equal(result.added, cases[i].added);
        assert_int_equal(result.lowered, cases[i].lowered);
        assert_as_read(arena, &result);
    }
    arena_free(arena);
}

static void test_odd_bounds(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct limit_result result;
    apply(arena, DIALECT_SQLITE, "SELECT 1", 5000, 10, &result);
    assert_string_equal(result.sql, "SELECT 1 LIMIT 10");
    apply(arena, DIALECT_SQLITE, "SELECT 1", 0, 10, &result);
    assert_string_equal(result.sql, "SELECT 1 LIMIT 10");
    apply(arena, DIALECT_SQLITE, "SELECT 1", -5, -5, &result);
    assert_string_equal(result.sql, "SELECT 1 LIMIT 1");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_odd_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
