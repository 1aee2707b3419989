/* The query of a view: found in its definition, tidied, without its literals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/arena.h"
#include "model/schema.h"
#include "sql/view.h"

/* What is kept of a view's definition over the table orders(id, amount, state). */
static const char *tidy(struct arena *arena, enum dialect dialect, const char *definition)
{
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "orders");
    (void)table_add_column(schema, table, "id", "INTEGER");
    (void)table_add_column(schema, table, "amount", "INTEGER");
    (void)table_add_column(schema, table, "state", "TEXT");
    table->definition = "CREATE TABLE orders (id INTEGER)";
    struct table *view = schema_add_table(schema, "v");
    (void)table_add_column(schema, view, "n", "INTEGER");
    view->is_view = true;
    view->definition = definition;
    view_tidy(schema, dialect);
    assert_null(schema->tables.items[0].definition);
    const char *kept = arena_text(arena, schema->tables.items[1].definition);
    schema_unref(schema);
    return kept;
}

static void test_tidy(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    static const char plain[] = "SELECT count(*) AS n FROM orders WHERE state = 'paid'";
    assert_string_equal(tidy(arena, DIALECT_SQLITE,
                             "CREATE VIEW v (n) AS\n  SELECT count(*) AS n -- paid ones\n"
                             "  FROM orders\n  WHERE state = 'paid'"),
                        plain);
    assert_string_equal(tidy(arena, DIALECT_POSTGRES,
                             "SELECT count(*) AS n\n   FROM orders\n  WHERE state = "
                             "'paid';"),
                        plain);
    /* what cannot be read, what is not there, and what the guard would refuse */
    assert_null(tidy(arena, DIALECT_SQLITE, "CREATE VIEW v AS SELECT FROM FROM"));
    assert_null(tidy(arena, DIALECT_SQLITE, "CREATE VIEW v AS SELECT 1 FROM elsewhere"));
    assert_null(
        tidy(arena, DIALECT_SQLITE, "CREATE VIEW v AS SELECT nowhere FROM orders"));
    assert_null(tidy(arena, DIALECT_DUCKDB,
                     "CREATE VIEW v AS SELECT * FROM read_csv('/home/ada/wages.csv')"));
    assert_null(tidy(arena, DIALECT_SQLITE, ""));
    assert_null(tidy(arena, DIALECT_SQLITE, NULL));
    arena_free(arena);
}

static void test_outline(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(
        view_outline(arena, DIALECT_SQLITE,
                     "SELECT \"a b\", amount * 1.19 FROM t WHERE x = 'O''Neil' AND y = "
                     "x'ff' LIMIT 5"),
        "SELECT \"a b\", amount * ? FROM t WHERE x = ? AND y = ? LIMIT ?");
    assert_string_equal(view_outline(arena, DIALECT_POSTGRES,
                                     "SELECT $$secret$$, E'a\\'b', DATE '2024-01-01'"),
                        "SELECT ?, ?, DATE ?");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tidy),
        cmocka_unit_test(test_outline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
