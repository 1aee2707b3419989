/* What runs is the print of the statement's tree; places in it map back to the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "sql/printed.h"
#include "sql/tree/tree.h"

static void make(struct arena *arena, enum dialect dialect, const char *text,
                 struct printed *out)
{
    struct err err;
    err_clear(&err);
    if (!printed_make(arena, dialect, text, out, &err)) {
        fail_msg("%s: %s (%s)", text, err.message, err.detail);
    }
}

static void comments_and_odd_spellings_stay_behind(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *text;
        const char *sql;
    } rows[] = {
        {DIALECT_SQLITE, "select /* a */ id -- b\n from\tt;", "SELECT id FROM t"},
        {DIALECT_MYSQL, "select \"x\", `id` from t # b", "SELECT 'x', `id` FROM t"},
        {DIALECT_POSTGRES, "SELECT id::text FROM t LIMIT (3)",
         "SELECT CAST(id AS text) FROM t LIMIT 3"},
        {DIALECT_MYSQL, "SELECT INTERVAL(23, 1, 15)", "SELECT INTERVAL(23, 1, 15)"},
        {DIALECT_MYSQL, "select (sql_tsi_minute.id)", "SELECT sql_tsi_minute.id"},
        {DIALECT_DUCKDB, "select from_json(a -> 'b', '[1]'), list_transform(l, x->x+1)",
         "SELECT from_json(a -> 'b', '[1]'), list_transform(l, x -> (x + 1))"},
        {DIALECT_DUCKDB, "select list_transform(l, lambda x: x+1)",
         "SELECT list_transform(l, lambda x: x + 1)"},
        {DIALECT_SQLITE, "delete from t where ((a = 1))", "DELETE FROM t WHERE a = 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct printed printed;
        make(arena, rows[i].dialect, rows[i].text, &printed);
        assert_string_equal(printed.sql, rows[i].sql);
        arena_free(arena);
    }
}

/* SQLite and MySQL name a column by its text: the name stays what it was. */
static void columns_keep_their_names(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *text;
        const char *sql;
    } rows[] = {
        {DIALECT_SQLITE, "select a+b, sum( c ), d, t.d, 'x', count(*) from t",
         "SELECT a + b AS \"a+b\", sum(c) AS \"sum( c )\", d, t.d, 'x', count(*) FROM t"},
        {DIALECT_SQLITE, "select \"a+b\" from (select a+b from t)",
         "SELECT \"a+b\" FROM (SELECT a + b AS \"a+b\" FROM t)"},
        {DIALECT_MYSQL, "select a+'`' from t", "SELECT a + '`' AS `a+'``'` FROM t"},
        {DIALECT_SQLITE, "select a /* no */ +b from t", "SELECT a + b FROM t"},
        /* a table may have a column of that name: it must not be taken for this one */
        {DIALECT_SQLITE, "select a+1 from t order by \"A+1\"",
         "SELECT a + 1 FROM t ORDER BY \"A+1\""},
        {DIALECT_MYSQL, "select a+1, b+1 from t group by `a+1` having max(`b+1`) > 2",
         "SELECT a + 1, b + 1 FROM t GROUP BY `a+1` HAVING max(`b+1`) > 2"},
        {DIALECT_SQLITE, "select a+1 from t where exists (select \"a+1\" from u)",
         "SELECT a + 1 FROM t WHERE EXISTS (SELECT \"a+1\" FROM u)"},
        {DIALECT_MYSQL, "select a+1 from t union select 2 order by `a+1`",
         "SELECT a + 1 AS `a+1` FROM t UNION SELECT 2 ORDER BY `a+1`"},
        {DIALECT_POSTGRES, "select a+b from t", "SELECT a + b FROM t"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct printed printed;
        make(arena, rows[i].dialect, rows[i].text, &printed);
        assert_string_equal(printed.sql, rows[i].sql);
        arena_free(arena);
    }
}

static void places_map_back(void **state)
{
    static const struct {
        const char *text;
        const char *at;    /* in the print */
        const char *wrote; /* in the text */
    } rows[] = {
        {"select  /* c */ id,\n  pricee   from item", "pricee", "pricee"},
        {"select  /* c */ id,\n  pricee   from item", "cee", "cee"},
        {"select id from   (select 1 as x)   t where((nope))=1", "nope", "nope"},
        {"select a::int  ,  nosuch( a ) from item", "nosuch", "nosuch"},
        {"select a::int  ,  (a)   @@  b from item", "@@", "@@"},
        {"select * from   items", "items", "items"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct printed printed;
        make(arena, DIALECT_POSTGRES, rows[i].text, &printed);
        const char *at = strstr(printed.sql, rows[i].at);
        assert_non_null(at);
        assert_int_equal(printed_position(&printed, (int)(at - printed.sql)),
                         strstr(rows[i].text, rows[i].wrote) - rows[i].text);
        assert_int_equal(printed_position(&printed, -1), -1);
        assert_true(printed_position(&printed, 100000) < (int)strlen(rows[i].text));
        arena_free(arena);
    }
}

static void what_cannot_be_read_does_not_run(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct printed printed;
    struct err err;
    err_clear(&err);
    assert_false(
        printed_make(arena, DIALECT_SQLITE, "select 1; select 2", &printed, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    assert_int_equal(err.position, 8);
    /* an operator behind IN would need parentheses, and then be one value of a list */
    static const char *const lists[] = {"select a in @b", "select a in b + c"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        err_clear(&err);
        assert_false(printed_make(arena, DIALECT_DUCKDB, lists[i], &printed, &err));
        assert_int_equal(err.code, ERR_INVALID_SQL);
    }
    err_clear(&err);
    assert_false(printed_make(arena, DIALECT_SQLITE, "select a '', b", &printed, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    arena_free(arena);
}

/* What hangs on a value is printed around it: the print must not be deeper than what is
 * read. */
static void chains_are_bounded(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *start;
        const char *link;
    } rows[] = {
        {DIALECT_SQLITE, "select a", " collate nocase"},
        {DIALECT_POSTGRES, "select a", "::int"},
        {DIALECT_POSTGRES, "select a", "[1]"},
        {DIALECT_POSTGRES, "select a", " is null"},
        {DIALECT_POSTGRES, "select a", " at time zone 'utc'"},
        {DIALECT_POSTGRES, "select (a)", ".b"},
        {DIALECT_POSTGRES, "select a::int", "[]"},
        {DIALECT_DUCKDB, "select a", ".upper()"},
        {DIALECT_SQLITE, "select a", " in (1)"},
        {DIALECT_SQLITE, "select a", " between 1 and 2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int many = 1; many <= 10000; many *= 10) {
            struct arena *arena = arena_new();
            struct printed printed;
            struct buf sql;
            struct err err;
            err_clear(&err);
            buf_init(&sql, 1 << 20);
            (void)buf_text(&sql, rows[i].start);
            for (int j = 0; j < many; j++) {
                (void)buf_text(&sql, rows[i].link);
            }
            bool ok = printed_make(arena, rows[i].dialect, buf_get(&sql), &printed, &err);
            if (ok !=
                (many < 1000 && !(many == 100 && strcmp(rows[i].link, "[]") == 0))) {
                fail_msg("%d x %s: %s", many, rows[i].link, err.message);
            }
            assert_true(ok ||
                        strcmp(err.message, "The query is nested too deeply.") == 0);
            buf_release(&sql);
            arena_free(arena);
        }
    }
}

/* The longest chain that is read goes through every walk. */
static void long_chains_run(void **state)
{
    static const char *const rows[][2] = {{"select 1", "+1"},
                                          {"select 1 from t where a=1", " or a=1"},
                                          {"select 1", " union all select 1"},
                                          {"select 1 from t", " cross join t"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct printed printed;
        struct buf sql;
        buf_init(&sql, 1 << 20);
        (void)buf_text(&sql, rows[i][0]);
        for (int j = 0; j < 8000; j++) {
            (void)buf_text(&sql, rows[i][1]);
        }
        make(arena, DIALECT_SQLITE, buf_get(&sql), &printed);
        assert_true(sql_equal(sql_clone(arena, printed.root), printed.root));
        buf_release(&sql);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_odd_spellings_stay_behind),
        cmocka_unit_test(columns_keep_their_names),
        cmocka_unit_test(places_map_back),
        cmocka_unit_test(what_cannot_be_read_does_not_run),
        cmocka_unit_test(chains_are_bounded),
        cmocka_unit_test(long_chains_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
