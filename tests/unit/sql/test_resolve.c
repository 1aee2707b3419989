/* What the names in a statement mean, written as one line per statement. */
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
#include "model/schema.h"
#include "sql/resolve/resolve.h"

static struct schema *schema;
static struct arena *arena;

static void add_table(const char *name, const char *columns)
{
    struct table *table = schema_add_table(schema, name);
    struct texts names = {0};
    str_split(arena, columns, ' ', &names);
    for (size_t i = 0; i < names.count; i++) {
        table_add_column(schema, table, names.items[i], "TEXT");
    }
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    add_table("customers", "id name city");
    add_table("orders", "id customer_id total tags");
    add_table("items", "order_id product_id quantity");
    add_table("sales.targets", "id amount");
    schema_normalize(schema);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    schema_unref(schema);
    arena_free(arena);
    return 0;
}

static const struct sql_resolved *resolve(enum dialect dialect, const char *sql)
{
    struct sql_statement statement;
    if (!sql_statement_read(arena, dialect, sql, strlen(sql), &statement)) {
        fail_msg("%s: %s: %s", dialect_name(dialect), sql, statement.reason);
    }
    return sql_resolve(arena, &statement, schema);
}

static const char *relation_name(const struct sql_relation *relation)
{
    return !relation ? "" : relation->name ? relation->name : "()";
}

static void write_reference(struct buf *out, const struct sql_reference *reference)
{
    static const char *const marks[] = {
        [REFERENCE_COLUMN] = "",      [REFERENCE_OUTPUT] = "output",
        [REFERENCE_ROW] = "row",      [REFERENCE_PSEUDO] = "pseudo",
        [REFERENCE_LOCAL] = "local",  [REFERENCE_UNSURE] = "unsure",
        [REFERENCE_UNKNOWN] = "none", [REFERENCE_AMBIGUOUS] = "many"};
    const struct sql_node *node = reference->node;
    buf_format(out, "%s", out->size ? " " : "");
    for (size_t i = 0; i < node->count; i++) {
        buf_format(out, "%s%s", i ? "." : "", node->children[i]->text);
    }
    buf_format(out, "%s=%s", node->count ? "" : node->text, marks[reference->state]);
    const struct sql_relation *origin = NULL;
    const struct table *table = sql_reference_table(reference, &origin);
    bool outer = reference->relation && reference->relation->scope != reference->scope;
    if (reference->state == REFERENCE_COLUMN) {
        buf_format(out, "%s%s", outer ? "^" : "", relation_name(reference->relation));
        if (reference->second) {
            buf_format(out, "+%s", relation_name(reference->second));
        }
        if (reference->fields) {
            buf_format(out, "/%zu", reference->fields);
        }
    }
    if (table && reference->relation != origin) {
        buf_format(out, ">%s.%s", table->bare_name, reference->column->name);
    }
}

/* "total=o c.name=c": each reference with the relation it means; ^: of an outer query;
 * >: the table at the end of subqueries and outputs. */
static const char *meaning(enum dialect dialect, const char *sql)
{
    const struct sql_resolved *resolved = resolve(dialect, sql);
    struct buf out;
    buf_init(&out, 1 << 16);
    for (size_t i = 0; i < resolved->references.count; i++) {
        const struct sql_reference *reference = resolved->references.items[i];
        assert_ptr_equal(sql_reference_of(resolved, reference->node), reference);
        write_reference(&out, reference);
    }
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

/* "s": SQLite, … as the guard's lists name them. */
static void means(const char *dialects, const char *sql, const char *expected)
{
    for (const char *letter = dialects; *letter; letter++) {
        enum dialect dialect = (enum dialect)(strchr("sdpmcbo", *letter) - "sdpmcbo");
        const char *got = meaning(dialect, sql);
        if (strcmp(got, expected) != 0) {
            fail_msg("%s: %s\n  got      %s\n  expected %s", dialect_name(dialect), sql,
                     got, expected);
        }
    }
}

static void test_tables(void **state)
{
    (void)state;
    means("sdpmcbo", "SELECT total FROM orders", "total=orders");
    means("sdpmcbo", "SELECT o.total, orders.total FROM orders o",
          "o.total=o orders.total=none");
    means("sdpmcbo",
          "SELECT id, name FROM orders o JOIN customers c ON c.id = customer_id",
          "c.id=c customer_id=o id=many name=c");
    means("sdpmcbo", "SELECT t.amount, sales.targets.id FROM sales.targets t",
          "t.amount=t sales.targets.id=none");
    means("sdpmcbo", "SELECT sales.targets.id FROM sales.targets",
          "sales.targets.id=targets");
    means("p", "SELECT total FROM public.orders", "total=orders");
    means("sd", "SELECT total FROM main.orders", "total=orders");
    means("b", "SELECT amount FROM `project.sales.targets`", "amount=targets");
    means("sdpmcbo", "SELECT price FROM orders", "price=none");
    means("sdpmcbo", "SELECT price FROM strange", "price=unsure");
    means("s", "SELECT rowid FROM orders", "rowid=pseudo");
    means("b", "SELECT DATE_TRUNC(total, MONTH) FROM orders",
          "total=orders MONTH=unsure");
}

static void test_joins(void **state)
{
    (void)state;
    means("sdpmcbo", "SELECT id FROM customers JOIN orders USING (id)",
          "id=customers+orders id=customers+orders");
    means("sdpm", "SELECT id, city FROM customers NATURAL JOIN orders",
          "id=customers+orders city=customers");
    means("sdpmcbo", "SELECT a.id, b.id FROM orders a, orders b WHERE a.id < b.id",
          "a.id=a b.id=b a.id=a b.id=b");
    const struct sql_resolved *resolved =
        resolve(DIALECT_POSTGRES, "SELECT 1 FROM a LEFT JOIN (b JOIN c ON true) ON true, "
                                  "d RIGHT JOIN e ON true");
    const struct sql_scope *scope = resolved->scopes.items[0];
    assert_int_equal(scope->relations.count, 5);
    const bool optional[] = {false, true, true, true, false};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(scope->relations.items[i]->optional, optional[i]);
    }
    assert_int_equal(scope->joins.count, 4);
    const size_t places[][3] = {{1, 2, 3}, {0, 1, 3}, {3, 4, 5}, {0, 3, 5}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(scope->joins.items[i].first, places[i][0]);
        assert_int_equal(scope->joins.items[i].middle, places[i][1]);
        assert_int_equal(scope->joins.items[i].last, places[i][2]);
    }
    assert_null(scope->joins.items[3].node);
    assert_ptr_equal(sql_scope_of(resolved, scope->node), scope);
}

static void test_subqueries(void **state)
{
    (void)state;
    means("sdpmcbo", "SELECT x.n FROM (SELECT total AS n FROM orders) x",
          "total=orders x.n=x>orders.total");
    means("sdpmcbo", "SELECT x.total FROM (SELECT * FROM orders) x",
          "x.total=x>orders.total");
    means("sdpmcbo", "SELECT n FROM (SELECT SUM(total) AS n FROM orders) x",
          "total=orders n=x");
    means("sdpmbo", "SELECT x.b FROM (SELECT id, name FROM customers) AS x (a, b)",
          "id=customers name=customers x.b=x>customers.name");
    means("sdpmcbo",
          "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE "
          "customer_id = c.id AND total > 5)",
          "name=c customer_id=orders c.id=^c total=orders");
    means(
        "pmo",
        "SELECT x.total FROM customers c, (SELECT total FROM orders WHERE customer_id = "
        "c.id) x",
        "total=orders customer_id=orders c.id=none x.total=x>orders.total");
    means("pmdo",
          "SELECT x.total FROM customers c, LATERAL (SELECT total FROM orders WHERE "
          "customer_id = c.id) x",
          "total=orders customer_id=orders c.id=^c x.total=x>orders.total");
    means("sdpmcbo", "SELECT total FROM orders UNION ALL SELECT id FROM customers",
          "total=orders id=customers");
    means(
        "sdpmbo",
        "SELECT total FROM orders UNION ALL SELECT id FROM customers ORDER BY total, id",
        "total=orders id=customers total=() id=none");
}

static void test_ctes(void **state)
{
    (void)state;
    means("sdpmcbo",
          "WITH big AS (SELECT id, total FROM orders) SELECT b.total, b.city FROM big b",
          "id=orders total=orders b.total=b>orders.total b.city=none");
    means("sdpmbo", "WITH big (n) AS (SELECT total FROM orders) SELECT n, total FROM big",
          "total=orders n=big>orders.total total=none");
    means("sdpm",
          "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i "
          "FROM n",
          "i=unsure i=n");
    means("sdpmcbo",
          "WITH orders AS (SELECT id FROM customers) SELECT total, id FROM orders",
          "id=customers total=none id=orders>customers.id");
    means("c", "WITH 5 AS n SELECT n, total FROM orders", "n=local total=orders");
}

static void test_outputs(void **state)
{
    (void)state;
    means("sdpmcbo",
          "SELECT city, COUNT(*) AS n FROM customers GROUP BY city ORDER BY n DESC",
          "city=customers city=customers n=output");
    means("sdpmbo",
          "SELECT UPPER(name) AS city FROM customers GROUP BY city ORDER BY city",
          "name=customers city=customers city=output");
    means("sdmcbo",
          "SELECT city, COUNT(*) AS n FROM customers GROUP BY city HAVING n > 1",
          "city=customers city=customers n=output");
    means("po", "SELECT total * 2 AS twice FROM orders WHERE twice > 1",
          "total=orders twice=none");
    means("sdc", "SELECT total * 2 AS twice FROM orders WHERE twice > 1",
          "total=orders twice=output");
    means("sdpmcbo", "SELECT total AS t FROM orders ORDER BY t",
          "total=orders t=output>orders.total");
}

static void test_others(void **state)
{
    (void)state;
    means("pdb", "SELECT COUNT(o) FROM orders o", "o=row");
    means("sdpmcbo", "SELECT o.* FROM orders o", "o=row");
    means("db", "SELECT o.tags.first, tags.first FROM orders o",
          "o.tags.first=o/1 tags.first=o/1");
    means("d", "SELECT list_transform(tags, x -> x + total) FROM orders",
          "tags=orders x=local total=orders");
    means("c", "SELECT tag FROM orders ARRAY JOIN tags AS tag", "tags=orders tag=()");
    means("p", "SELECT n FROM orders, generate_series(1, id) AS n", "id=orders n=row");
    means("b", "SELECT t FROM orders o, o.tags t", "t=row");
    means("sdpm", "UPDATE orders SET total = total + 1 WHERE id = 3",
          "total=orders id=orders");
    means("sdpm", "DELETE FROM orders WHERE city = 'x'", "city=none");
}

/* Nothing in the lists of statements makes the resolver stumble. */
static void test_every_statement(void **state)
{
    (void)state;
    size_t count = 0;
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        const char *path = arena_format(arena, "tests/fixtures/guard/%s.allowed.sql",
                                        dialect_name(dialect));
        struct err err;
        size_t size;
        struct texts lines = {0};
        char *text = file_read(arena, path, 1 << 20, &size, &err);
        if (!text) {
            continue;
        }
        str_split(arena, text, '\n', &lines);
        for (size_t i = 0; i < lines.count; i++) {
            if (lines.items[i][0] && !str_starts(lines.items[i], "--") &&
                !str_starts(lines.items[i], "##")) {
                (void)meaning(dialect, lines.items[i]);
                count++;
            }
        }
    }
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_joins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_subqueries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ctes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outputs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_others, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_statement, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
