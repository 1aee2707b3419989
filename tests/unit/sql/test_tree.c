/* A statement read into a tree and written again: the same tree, in every dialect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "sql/tree/parse/parse.h"
#include "sql/tree/print/print.h"

enum { PRINT_MOST = 1 << 20 };

static struct sql_node *read_sql(struct arena *arena, enum dialect dialect,
                                 const char *sql)
{
    struct sql_parsed parsed;
    sql_parse(arena, dialect, sql, strlen(sql), &parsed);
    if (!parsed.root) {
        print_message("%s: %s\n  at %zu: %s\n", dialect_name(dialect), sql,
                      parsed.position, parsed.reason);
    }
    return parsed.root;
}

static char *print_sql(struct arena *arena, enum dialect dialect,
                       const struct sql_node *root)
{
    struct buf out;
    buf_init(&out, PRINT_MOST);
    sql_print(&out, dialect, root);
    char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

/* Read, written and read again. */
static void round_trip(enum dialect dialect, const char *sql)
{
    struct arena *arena = arena_new();
    struct sql_node *first = read_sql(arena, dialect, sql);
    assert_non_null(first);
    const char *written = print_sql(arena, dialect, first);
    struct sql_node *second = read_sql(arena, dialect, written);
    assert_non_null(second);
    if (!sql_equal(first, second)) {
        fail_msg("%s: %s\n  became %s", dialect_name(dialect), sql, written);
    }
    assert_true(sql_equal(first, sql_clone(arena, first)));
    arena_free(arena);
}

static size_t file_round_trip(enum dialect dialect, const char *path)
{
    struct arena *arena = arena_new();
    struct err err;
    size_t size;
    size_t count = 0;
    struct texts lines = {0};
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    if (!text) {
        fail_msg("%s: %s (run from the root of the repository)", path, err.message);
        return 0;
    }
    str_split(arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.items[i];
        if (line[0] && !str_starts(line, "--") && !str_starts(line, "##")) {
            round_trip(dialect, line);
            count++;
        }
    }
    arena_free(arena);
    return count;
}

static void every_honest_query_survives(void **state)
{
    (void)state;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "tests/fixtures/guard/honest/%s.sql",
                       dialect_name((enum dialect)i));
        assert_true(file_round_trip((enum dialect)i, path) > 150);
        assert_true(file_round_trip((enum dialect)i,
                                    "tests/fixtures/guard/honest/common.sql") > 90);
        (void)snprintf(path, sizeof path, "tests/fixtures/guard/%s.allowed.sql",
                       dialect_name((enum dialect)i));
        assert_true(file_round_trip((enum dialect)i, path) > 5);
    }
}

static void every_plain_write_survives(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err;
    size_t size;
    size_t count = 0;
    struct texts lines = {0};
    char *text =
        file_read(arena, "tests/fixtures/guard/writes.sql", 1 << 20, &size, &err);
    assert_non_null(text);
    str_split(arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const char *bar = strchr(lines.items[i], '|');
        enum dialect dialect;
        if (bar && dialect_find(
                       arena_copy(arena, lines.items[i], (size_t)(bar - lines.items[i])),
                       &dialect)) {
            round_trip(dialect, bar + 1);
            count++;
        }
    }
    assert_true(count > 10);
    arena_free(arena);
}

/* Parentheses show how the operators were grouped. */
static void operators_bind_as_in_the_engine(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *sql;
        const char *written;
    } rows[] = {
        {DIALECT_SQLITE, "select a or b and not c = d",
         "SELECT a OR b AND (NOT (c = d))"},
        {DIALECT_SQLITE, "select (a or b) and c", "SELECT (a OR b) AND c"},
        {DIALECT_SQLITE, "select a - (b - c) - d", "SELECT a - (b - c) - d"},
        {DIALECT_SQLITE, "select a || b * c", "SELECT (a || b) * c"},
        {DIALECT_POSTGRES, "select a || b * c", "SELECT a || (b * c)"},
        {DIALECT_POSTGRES, "select a = b || c", "SELECT a = (b || c)"},
        {DIALECT_MYSQL, "select a = 1 || b = 2", "SELECT (a = 1) || (b = 2)"},
        {DIALECT_MYSQL, "select a = b like c, a < b in (0), a = b is null",
         "SELECT a = (b LIKE c), a < (b IN (0)), (a = b) IS NULL"},
        {DIALECT_MYSQL, "select a = b between 1 and 2, a <> b not regexp c = d",
         "SELECT a = (b BETWEEN 1 AND 2), (a <> (b NOT REGEXP c)) = d"},
        {DIALECT_SQLITE, "select a = b like c", "SELECT (a = b) LIKE c"},
        {DIALECT_SQLITE, "select a isnull", "SELECT a IS NULL"},
        {DIALECT_MYSQL, "select a isnull", "SELECT a AS isnull"},
        {DIALECT_SQLITE, "select t.'a b' from t", "SELECT t.\"a b\" FROM t"},
        {DIALECT_SQLITE, "select a in t b from u", "SELECT a IN t AS b FROM u"},
        {DIALECT_SQLITE, "select trim(a in t)", "SELECT trim(a IN t)"},
        {DIALECT_DUCKDB, "select a in b and c", "SELECT a IN b AND c"},
        {DIALECT_DUCKDB, "select a from (t) tablesample 10%",
         "SELECT a FROM (t) TABLESAMPLE SYSTEM (10%)"},
        {DIALECT_POSTGRES, "select 1 from t, (lateral (select t.a)) x",
         "SELECT 1 FROM t, (LATERAL (SELECT t.a)) AS x"},
        {DIALECT_SQLITE, "select end, case when end > 1 then end end from t",
         "SELECT end, CASE WHEN end > 1 THEN end END FROM t"},
        {DIALECT_SQLITE, "select a < b = c", "SELECT (a < b) = c"},
        {DIALECT_POSTGRES, "select a is true ~ b", "SELECT (a IS TRUE) ~ b"},
        {DIALECT_POSTGRES, "select @ -5 || b", "SELECT (@(-5)) || b"},
        {DIALECT_POSTGRES, "select a in ((1, 2)), b in ((select 1)), c in (1, 2)",
         "SELECT a IN ((1, 2)), b IN ((SELECT 1)), c IN (1, 2)"},
        {DIALECT_DUCKDB, "select a = b ->> c, a ->> b = c",
         "SELECT (a = b) ->> c, (a ->> b) = c"},
        {DIALECT_DUCKDB, "select a == b in c", "SELECT (a = b) IN c"},
        {DIALECT_POSTGRES, "select a::b int from t", "SELECT CAST(a AS b) AS int FROM t"},
        {DIALECT_POSTGRES, "select 1 = any (a) -> b", "SELECT (1 = ANY (a)) -> b"},
        {DIALECT_POSTGRES, "select (f(a)).o.*, (b).o.* from b",
         "SELECT (f(a)).o.*, (b).o.* FROM b"},
        {DIALECT_POSTGRES, "select a like any (b), a = all (select 1)",
         "SELECT a LIKE ANY (b), a = ALL (SELECT 1)"},
        {DIALECT_POSTGRES, "select (o).*, o.* from o", "SELECT (o).*, o.* FROM o"},
        {DIALECT_DUCKDB, "select * from t tablesample (5 rows)",
         "SELECT * FROM t TABLESAMPLE RESERVOIR (5 ROWS)"},
        {DIALECT_POSTGRES, "select -a.b::int", "SELECT -CAST(a.b AS int)"},
        {DIALECT_POSTGRES, "select not a is null", "SELECT NOT (a IS NULL)"},
        {DIALECT_POSTGRES, "select a between 1 and 2 and b",
         "SELECT a BETWEEN 1 AND 2 AND b"},
        {DIALECT_SQLITE, "select a not between 1 and b + 2",
         "SELECT a NOT BETWEEN 1 AND b + 2"},
        {DIALECT_DUCKDB, "select name.upper() from t", "SELECT upper(name) FROM t"},
        {DIALECT_DUCKDB, "from t where a == 1", "SELECT * FROM t WHERE a = 1"},
        {DIALECT_CLICKHOUSE, "select a ? b : c", "SELECT a ? b : c"},
        {DIALECT_CLICKHOUSE, "with 5 as a select a from t order by a limit 3",
         "WITH 5 AS a SELECT a FROM t ORDER BY a LIMIT 3"},
        {DIALECT_CLICKHOUSE,
         "with x as (select 1) select a from x limit 1 union all select b limit 2",
         "WITH x AS (SELECT 1) SELECT a FROM x LIMIT 1 UNION ALL (SELECT b LIMIT 2)"},
        {DIALECT_CLICKHOUSE, "select t . 0 . b from t", "SELECT (t.0).b FROM t"},
        {DIALECT_CLICKHOUSE, "select a from t limit 1, 3 with ties",
         "SELECT a FROM t LIMIT 3 OFFSET 1 WITH TIES"},
        {DIALECT_ODBC, "select a from t limit b order by c offset 2 rows",
         "SELECT a FROM t ORDER BY c OFFSET 2 ROWS FETCH FIRST (b) ROWS ONLY"},
        {DIALECT_POSTGRES, "select a from t offset 2 rows fetch first (1 + 1) rows only",
         "SELECT a FROM t OFFSET 2 ROWS FETCH FIRST (1 + 1) ROWS ONLY"},
        {DIALECT_POSTGRES, "select a from t offset (1 + 1) rows",
         "SELECT a FROM t OFFSET (1 + 1) ROWS"},
        {DIALECT_DUCKDB, "select sum(a) over (rows (unbounded) + 1 preceding) from t",
         "SELECT sum(a) OVER (ROWS (unbounded + 1) PRECEDING) FROM t"},
        {DIALECT_CLICKHOUSE, "select t . 1 . * from t", "SELECT (t.1).* FROM t"},
        {DIALECT_CLICKHOUSE, "select 1 from t as a final sample 0.1",
         "SELECT 1 FROM t AS a FINAL SAMPLE 0.1"},
        {DIALECT_CLICKHOUSE, "select 1 from (t array join a), b",
         "SELECT 1 FROM (t ARRAY JOIN a), b"},
        {DIALECT_CLICKHOUSE, "select * except (with 1 as b select b)",
         "SELECT * EXCEPT (WITH 1 AS b SELECT b)"},
        {DIALECT_MYSQL, "select a between (symmetric) and 2",
         "SELECT a BETWEEN symmetric AND 2"},
        {DIALECT_POSTGRES,
         "select position(('a' or b) in (c is null)), position('a' in b)",
         "SELECT position(('a' OR b) IN (c IS NULL)), position('a' IN b)"},
        {DIALECT_POSTGRES, "select a like b escape (c - 1), a like b escape '!'",
         "SELECT a LIKE b ESCAPE (c - 1), a LIKE b ESCAPE '!'"},
        {DIALECT_DUCKDB, "select #1[2] from t", "SELECT (#1)[2] FROM t"},
        {DIALECT_DUCKDB, "select #1 from t group by #1", "SELECT #1 FROM t GROUP BY #1"},
        {DIALECT_DUCKDB, "select interval (1.5) day, interval 2 day",
         "SELECT INTERVAL (1.5) DAY, INTERVAL 2 DAY"},
        {DIALECT_DUCKDB, "select a from t limit (50 % b)",
         "SELECT a FROM t LIMIT (50 % b)"},
        {DIALECT_DUCKDB, "select a from t limit 50%", "SELECT a FROM t LIMIT 50%"},
        {DIALECT_DUCKDB, "select {a: 1, 'b': 2}, map {a: 1}",
         "SELECT {a: 1, 'b': 2}, MAP {a: 1}"},
        {DIALECT_DUCKDB, "select lag(a) ignore nulls over w from t window w as ()",
         "SELECT lag(a IGNORE NULLS) OVER w FROM t WINDOW w AS ()"},
        {DIALECT_DUCKDB, "select lag(f(a) ignore nulls) over () from t",
         "SELECT lag(f(a) IGNORE NULLS) OVER () FROM t"},
        {DIALECT_DUCKDB, "select a in b[1:2] from t", "SELECT a IN b[1:2] FROM t"},
        {DIALECT_POSTGRES, "select E'a\\\\', E'a\\\\''b', E'a\\\\b'",
         "SELECT E'a\\\\', E'a\\\\''b', 'a\\b'"},
        {DIALECT_POSTGRES, "select 1 from t where a like 'b' escape '\\'",
         "SELECT 1 FROM t WHERE a LIKE 'b' ESCAPE E'\\\\'"},
        {DIALECT_MYSQL, "select (-5) -> '$.a', (-5) + 1 from t",
         "SELECT (-5) -> '$.a', -5 + 1 FROM t"},
        {DIALECT_SQLITE, "select * from a join b natural join c",
         "SELECT * FROM a JOIN b NATURAL JOIN c"},
        {DIALECT_MYSQL, "select binary (false), binary a from t",
         "SELECT BINARY (FALSE), BINARY a FROM t"},
        {DIALECT_MYSQL, "select interval(a, 3) or b from t",
         "SELECT INTERVAL(a, 3) OR b FROM t"},
        {DIALECT_MYSQL, "select (interval(a, 3)) or b from t",
         "SELECT INTERVAL(a, 3) OR b FROM t"},
        {DIALECT_POSTGRES, "select f((case when a in (1) then 2 end), 3) from t",
         "SELECT f(CASE WHEN a IN (1) THEN 2 END, 3) FROM t"},
        {DIALECT_POSTGRES, "select position(cast(a in (1) as text) in b) from t",
         "SELECT position(CAST(a IN (1) AS text) IN b) FROM t"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct sql_node *root = read_sql(arena, rows[i].dialect, rows[i].sql);
        assert_non_null(root);
        assert_string_equal(print_sql(arena, rows[i].dialect, root), rows[i].written);
        round_trip(rows[i].dialect, rows[i].sql);
        arena_free(arena);
    }
}

static void conditions_belong_to_their_joins(void **state)
{
    static const struct {
        const char *sql;
        const char *written;
    } rows[] = {
        {"select 1 from a join b on x join c on y",
         "SELECT 1 FROM a JOIN b ON x JOIN c ON y"},
        {"select 1 from a join b join c on x on y",
         "SELECT 1 FROM a JOIN (b JOIN c ON x) ON y"},
        {"select 1 from a join b join c on x", "SELECT 1 FROM a JOIN b JOIN c ON x"},
        {"select 1 from (a), ((select 1)) d", "SELECT 1 FROM a, (SELECT 1) AS d"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct sql_node *root = read_sql(arena, DIALECT_MYSQL, rows[i].sql);
        assert_non_null(root);
        assert_string_equal(print_sql(arena, DIALECT_MYSQL, root), rows[i].written);
        arena_free(arena);
    }
}

static void what_cannot_be_read_is_an_error_with_a_place(void **state)
{
    static const struct {
        const char *sql;
        size_t position;
        const char *reason;
    } rows[] = {
        {"", 0, "There is no SQL statement."},
        {"select 1; select 2", 8, "Only one statement at a time is allowed."},
        {"select (1", 9, "The query ends too early."},
        {"select 1 from", 13, "The query ends too early."},
        {"select a from t where ?", 22,
         "Placeholders and variables are not allowed: write the value."},
        {"drop table t", 0, "The query could not be read at 'drop'."},
        {"select 1 union", 14, "The query ends too early."},
        {"update t set a = 1 limit 3", 19,
         "Only plain INSERT, UPDATE and DELETE can be approved: 'limit' is not part of "
         "them."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct sql_parsed parsed;
        sql_parse(arena, DIALECT_SQLITE, rows[i].sql, strlen(rows[i].sql), &parsed);
        assert_null(parsed.root);
        assert_string_equal(parsed.reason, rows[i].reason);
        assert_int_equal(parsed.position, rows[i].position);
        arena_free(arena);
    }
}

/* Forms whose print would be another statement: found by tests/fuzz/reprint. */
static void what_could_not_be_printed_is_not_read(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *sql;
    } rows[] = {
        {DIALECT_SQLITE, "select 'a'.b from a"},
        {DIALECT_SQLITE, "select a as '' from t"},
        {DIALECT_SQLITE, "select sum(a) over (rows (unbounded) preceding) from t"},
        {DIALECT_POSTGRES, "select a from t limit (all (3))"},
        {DIALECT_POSTGRES, "select trim((leading) from a)"},
        {DIALECT_POSTGRES, "select extract('^b' from a)"},
        {DIALECT_POSTGRES, "select a::b.c from t"},
        {DIALECT_POSTGRES, "select (array)['b']"},
        {DIALECT_POSTGRES, "select * from only f(a)"},
        {DIALECT_POSTGRES, "select (1, 2) overlaps (3, 4)::t"},
        {DIALECT_POSTGRES, "select a::interval day from t"},
        {DIALECT_POSTGRES, "select extract('name' from a)"},
        {DIALECT_POSTGRES, "select trim((both('a')) from b)"},
        {DIALECT_POSTGRES, "select a collate ''"},
        {DIALECT_DUCKDB, "select position(('a' in b))"},
        {DIALECT_POSTGRES, "select a from t tablesample 2 rows"},
        {DIALECT_DUCKDB, "select (a).count(*) from t"},
        {DIALECT_DUCKDB, "select a in b || c"},
        {DIALECT_DUCKDB, "select a.from(1)"},
        {DIALECT_DUCKDB, "select a from t group by (rollup(a))"},
        {DIALECT_POSTGRES, "select a from t group by ((rollup(a)))"},
        {DIALECT_POSTGRES, "select a from t group by (rollup(a), b)"},
        {DIALECT_POSTGRES, "select (all (select 1)) from t"},
        {DIALECT_DUCKDB, "select total : all (a) from t"},
        {DIALECT_POSTGRES, "select a from t where b between (symmetric((1))) and 2"},
        {DIALECT_MYSQL, "select high_priority a from t"},
        {DIALECT_MYSQL, "select (binary) xor 1 from t"},
        {DIALECT_MYSQL, "select distinct sql_cache a from t"},
        {DIALECT_MYSQL, "select f(a := 1) from t"},
        {DIALECT_MYSQL, "select 1 from t where a like b escape binary 'c'"},
        {DIALECT_MYSQL, "select 1 from t where a isnull"},
        {DIALECT_MYSQL, "select a between 1 and b like c from t"},
        {DIALECT_MYSQL, "select a regexp b not regexp c from t"},
        {DIALECT_MYSQL, "select a in (1) like b from t"},
        {DIALECT_DUCKDB, "select {(a): 1} from t"},
        {DIALECT_DUCKDB, "select i from range(1, 5) filter (i)"},
        {DIALECT_POSTGRES, "select a from t where b between (symmetric) and 2"},
        {DIALECT_DUCKDB, "select a in 'b'.* from t"},
        {DIALECT_DUCKDB, "select interval ((a, b)) from t"},
        {DIALECT_DUCKDB, "select a || escape from t"},
        {DIALECT_ODBC, "select 1 from (f() over) join t"},
        {DIALECT_DUCKDB, "select a || not null from t"},
        {DIALECT_DUCKDB, "select a || glob(b, 'c') from t"},
        {DIALECT_DUCKDB, "select a ~ ilike from t"},
        {DIALECT_DUCKDB, "select a | notnull + 2 from t"},
        {DIALECT_DUCKDB, "select * isnull from t"},
        {DIALECT_DUCKDB, "select current_date.a from current_date"},
        {DIALECT_DUCKDB, "select current_date.* from current_date"},
        {DIALECT_DUCKDB, "select a.row(1, 2) from t"},
        {DIALECT_DUCKDB, "select f(a).row(1, 2) from t"},
        {DIALECT_DUCKDB, "select a.any([1]) from t"},
        {DIALECT_DUCKDB, "select a.interval(b) from t"},
        {DIALECT_DUCKDB, "select a.notnull() from t"},
        {DIALECT_DUCKDB, "select 2 in [1, 2][1:1]"},
        {DIALECT_DUCKDB, "select a in 'abc'[1] from t"},
        {DIALECT_DUCKDB, "select list_transform(a, x -> all (x)) from t"},
        {DIALECT_DUCKDB, "select lag() ignore nulls over () from t"},
        {DIALECT_DUCKDB, "select 'a', qualify b"},
        {DIALECT_DUCKDB, "select a - interval glob year from t"},
        {DIALECT_DUCKDB, "select 1 from a, qualify b"},
        {DIALECT_CLICKHOUSE, "select a global not like b from t"},
        {DIALECT_CLICKHOUSE, "select trim((both.a)) from both"},
        {DIALECT_POSTGRES, "select trim((both) || a) from t"},
        {DIALECT_CLICKHOUSE, "select count(distinct a)() from t"},
        {DIALECT_CLICKHOUSE, "select quantile(a order by b)(c) from t"},
        {DIALECT_CLICKHOUSE, "select a from t cross array join b"},
        {DIALECT_CLICKHOUSE, "select a from t array left join b on true"},
        {DIALECT_ODBC, "select a from t as outer join b on true"},
        {DIALECT_POSTGRES, "select a collate E'b\\nc' from t"},
        {DIALECT_SQLITE, "select t.'a\nb' from t"},
        {DIALECT_DUCKDB, "select (a ->> lambda)::text from t"},
        {DIALECT_DUCKDB, "select a.substr(distinct 3) from t"},
        {DIALECT_DUCKDB, "select t.* exclude u.a from t, u"},
        {DIALECT_DUCKDB, "select (t.not) ilike b from t"},
        {DIALECT_POSTGRES, "select (f(a)).not like b from t"},
        {DIALECT_BIGQUERY, "select array<1.5>[1, 2]"},
        {DIALECT_BIGQUERY, "select cast(a as decimal(b, 1))"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct sql_parsed parsed;
        sql_parse(arena, rows[i].dialect, rows[i].sql, strlen(rows[i].sql), &parsed);
        if (parsed.root) {
            print_message("read: %s\n", rows[i].sql);
        }
        assert_null(parsed.root);
        arena_free(arena);
    }
}

/* However deep, it ends with an error and not with the stack. */
static void depth_is_bounded(void **state)
{
    static const char *const openings[] = {"(",    "case when ", "- ",
                                           "not ", "f(",         "(select "};
    (void)state;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        struct arena *arena = arena_new();
        struct buf sql;
        struct sql_parsed parsed;
        buf_init(&sql, 1 << 20);
        (void)buf_text(&sql, "select ");
        for (int j = 0; j < 20000; j++) {
            (void)buf_text(&sql, openings[i]);
        }
        sql_parse(arena, DIALECT_DUCKDB, buf_get(&sql), sql.size, &parsed);
        assert_null(parsed.root);
        assert_string_equal(parsed.reason, "The query is nested too deeply.");
        buf_release(&sql);
        arena_free(arena);
    }
}

static bool count_columns(void *context, struct sql_node *node)
{
    size_t *count = context;
    *count += node->kind == SQL_COLUMN;
    return node->kind != SQL_SUBQUERY;
}

static void a_walk_may_leave_parts_out(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    size_t count = 0;
    struct sql_node *root = read_sql(
        arena, DIALECT_SQLITE, "select a, b + c from t where d in (select e from u)");
    assert_non_null(root);
    sql_walk(root, count_columns, &count);
    assert_int_equal(count, 4);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_honest_query_survives),
        cmocka_unit_test(every_plain_write_survives),
        cmocka_unit_test(operators_bind_as_in_the_engine),
        cmocka_unit_test(conditions_belong_to_their_joins),
        cmocka_unit_test(what_cannot_be_read_is_an_error_with_a_place),
        cmocka_unit_test(what_could_not_be_printed_is_not_read),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(a_walk_may_leave_parts_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
