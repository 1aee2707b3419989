/* Joins without a condition, and columns beside an aggregate that are not grouped by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/mistake.h"

static struct schema *schema;
static struct arena *arena;

/* "id* name >stores.store_id": * the primary key, > a key to the id of another table */
static void add_table(const char *name, const char *columns)
{
    struct table *table = schema_add_table(schema, name);
    struct texts names = {0};
    str_split(arena, columns, ' ', &names);
    for (size_t i = 0; i < names.count; i++) {
        char *text = arena_text(arena, names.items[i]);
        size_t size = strlen(text);
        bool primary = text[size - 1] == '*';
        text[size - primary] = '\0';
        if (text[0] == '>') {
            char *dot = strchr(text, '.');
            *dot = '\0';
            struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
            key->table = arena_text(schema->arena, text + 1);
            key->confidence = 1;
            VEC_PUSH(schema->arena, &key->columns, arena_text(schema->arena, dot + 1));
            VEC_PUSH(schema->arena, &key->references, "id");
            text = dot + 1;
        }
        table_add_column(schema, table, text, "INTEGER")->primary = primary;
    }
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    add_table("stores", "id* name city target");
    add_table("orders", "id* >stores.store_id total day");
    add_table("transfers", "id* >stores.from_id >stores.to_id amount");
    add_table("colours", "id* name");
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

static struct sql_statement statement;
static const struct sql_resolved *resolved;
static struct mistakes found;

static size_t find(enum dialect dialect, const char *sql)
{
    found = (struct mistakes){0};
    if (!sql_statement_read(arena, dialect, sql, strlen(sql), &statement)) {
        fail_msg("%s: %s", sql, statement.reason);
    }
    resolved = sql_resolve(arena, &statement, schema);
    mistake_find(arena, &statement, resolved, NULL, &found);
    return found.count;
}

static void fine(const char *sql)
{
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        if (find(dialect, sql)) {
            fail_msg("%s: %s\n  %s", dialect_name(dialect), sql,
                     mistake_message(arena, &found.items[0]));
        }
    }
}

/* expected NULL: a mistake that is not ours to mend */
static void becomes(const char *sql, const char *expected)
{
    for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        if (!find(dialect, sql)) {
            fail_msg("%s: %s: nothing was found", dialect_name(dialect), sql);
        }
    }
    find(DIALECT_DUCKDB, sql);
    const char *got = NULL;
    for (int i = 0; i < 4 && found.count; i++) {
        got = mistake_mend(arena, &statement, resolved, schema, NULL, &found.items[0]);
        if (!got) {
            break;
        }
        find(DIALECT_DUCKDB, got);
    }
    if (!expected) {
        assert_null(got);
        return;
    }
    assert_non_null(got);
    assert_string_equal(got, expected);
}

static void test_joined(void **state)
{
    (void)state;
    fine("SELECT s.name FROM stores s JOIN orders o ON o.store_id = s.id");
    fine("SELECT s.name FROM stores s, orders o WHERE o.store_id = s.id");
    fine("SELECT s.name FROM stores s JOIN orders o USING (id)");
    fine("SELECT a.name FROM stores a, stores b WHERE a.id < b.id");
    fine("SELECT a.name FROM stores a JOIN stores b ON a.city || '' = b.city OR a.id > "
         "b.id");
    fine("SELECT s.name FROM stores s, (SELECT AVG(target) AS t FROM stores) x");
    fine("SELECT s.name FROM stores s, stores t WHERE t.id = 5");
    /* every colour in every store */
    fine("SELECT s.name, c.name FROM stores s CROSS JOIN colours c");
    fine("SELECT s.name, c.name FROM colours c CROSS JOIN stores s LEFT JOIN orders o ON "
         "o.store_id = s.id AND o.day = c.id");
}

static void test_unjoined(void **state)
{
    (void)state;
    becomes("SELECT s.name FROM stores AS s, orders AS o WHERE o.total > 5",
            "SELECT s.name FROM stores AS s, orders AS o WHERE o.store_id = s.id AND "
            "o.total > 5");
    becomes(
        "SELECT SUM(o.total) FROM stores AS s, orders AS o WHERE s.id = 5",
        "SELECT SUM(o.total) FROM stores AS s, orders AS o WHERE o.store_id = s.id AND "
        "s.id = 5");
    becomes("SELECT s.name FROM stores AS s CROSS JOIN orders AS o",
            "SELECT s.name FROM stores AS s JOIN orders AS o ON o.store_id = s.id");
    becomes("SELECT s.name FROM stores AS s JOIN orders AS o ON TRUE",
            "SELECT s.name FROM stores AS s JOIN orders AS o ON o.store_id = s.id");
    becomes(
        "SELECT s.name FROM stores AS s LEFT JOIN orders AS o ON 1 = 1",
        "SELECT s.name FROM stores AS s LEFT JOIN orders AS o ON 1 = 1 AND o.store_id "
        "= s.id");
    becomes("SELECT s.name FROM stores AS s, transfers AS t", NULL); /* from or to? */
    becomes("SELECT s.name FROM stores AS s, colours AS c", NULL);
    assert_string_equal(mistake_message(arena, &found.items[0]),
                        "stores and colours are joined without a condition: each row of "
                        "the one is paired with every row of the other.");
}

/* Colours are those of the day, as somebody knows who looked at the data. */
static const struct foreign_key *day_is_colour(void *context, const struct table *a,
                                               const struct table *b,
                                               const struct table **from)
{
    bool turned = str_equal(a->name, "colours");
    const struct table *orders = turned ? b : a;
    if (!str_equal(orders->name, "orders") ||
        !str_equal((turned ? a : b)->name, "colours")) {
        return NULL;
    }
    *from = orders;
    return context;
}

/* Where no key is declared, what the data say is a key, too. */
static void test_known_keys(void **state)
{
    (void)state;
    static const struct {
        enum dialect dialect;
        const char *sql;
        const char *expected; /* NULL: nothing is wrong */
    } all[] = {
        {DIALECT_DUCKDB, "SELECT SUM(o.total) FROM orders AS o, colours AS c",
         "SELECT SUM(o.total) FROM orders AS o, colours AS c WHERE o.day = c.id"},
        {DIALECT_DUCKDB,
         "SELECT SUM(o.total) FROM orders AS o, colours AS c WHERE c.id = 5",
         "SELECT SUM(o.total) FROM orders AS o, colours AS c WHERE o.day = c.id AND "
         "c.id = 5"},
        /* old versions know no comma */
        {DIALECT_CLICKHOUSE,
         "SELECT SUM(o.total) FROM colours AS c, orders AS o WHERE c.id = 5",
         "SELECT SUM(o.total) FROM colours AS c JOIN orders AS o ON o.day = c.id WHERE "
         "c.id = 5"},
        {DIALECT_DUCKDB, "SELECT s.name FROM stores AS s CROSS JOIN colours AS c", NULL},
    };
    struct foreign_key key = {.table = "colours", .confidence = 0.7};
    const struct mistake_keys keys = {day_is_colour, &key};
    VEC_PUSH(arena, &key.columns, "day");
    VEC_PUSH(arena, &key.references, "id");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        find(all[i].dialect, all[i].sql);
        found = (struct mistakes){0};
        mistake_find(arena, &statement, resolved, &keys, &found);
        assert_int_equal(found.count, all[i].expected ? 1 : 0);
        if (all[i].expected) {
            const char *got =
                mistake_mend(arena, &statement, resolved, schema, &keys, &found.items[0]);
            assert_non_null(got);
            assert_string_equal(got, all[i].expected);
        }
    }
    /* a key that was found in the data stands in the schema; one by values alone is too little */
    struct table *orders = schema_table(schema, "orders");
    struct foreign_key *read = VEC_ADD(schema->arena, &orders->foreign_keys);
    *read = key;
    read->confidence = 0.6;
    becomes("SELECT c.name FROM orders AS o, colours AS c", NULL);
    read->confidence = 0.8;
    becomes("SELECT c.name FROM orders AS o, colours AS c",
            "SELECT c.name FROM orders AS o, colours AS c WHERE o.day = c.id");
}

static void test_grouped(void **state)
{
    (void)state;
    fine("SELECT name, total FROM stores JOIN orders ON store_id = stores.id");
    fine("SELECT city, COUNT(*) FROM stores GROUP BY city");
    fine("SELECT city, COUNT(*) FROM stores GROUP BY 1");
    fine("SELECT city AS c, COUNT(*) FROM stores GROUP BY c");
    fine("SELECT UPPER(city), COUNT(*) FROM stores GROUP BY UPPER(city)");
    fine("SELECT id, name, COUNT(*) FROM stores GROUP BY id");
    fine("SELECT s.name, SUM(o.total) FROM stores s JOIN orders o ON o.store_id = s.id "
         "GROUP BY s.id");
    fine("SELECT s.name, SUM(o.total) FROM stores s JOIN orders o ON o.store_id = s.id "
         "GROUP BY o.store_id");
    fine(
        "SELECT o.store_id, s.id, SUM(o.total) FROM stores s JOIN orders o ON o.store_id "
        "= s.id GROUP BY s.id");
    fine("SELECT city, COUNT(*) FROM stores WHERE city = 'Rome'");
    fine("SELECT name, SUM(target) OVER () FROM stores");
    fine("SELECT name, (SELECT COUNT(*) FROM orders WHERE store_id = stores.id) FROM "
         "stores");
    fine("SELECT MAX(total) - MIN(total) FROM orders");
    assert_int_equal(find(DIALECT_SQLITE, "SELECT name, MAX(target) FROM stores"), 0);
}

static void test_ungrouped(void **state)
{
    (void)state;
    becomes("SELECT name, SUM(target) FROM stores",
            "SELECT name, SUM(target) FROM stores GROUP BY name");
    becomes("SELECT city, name, COUNT(*) FROM stores GROUP BY city",
            "SELECT city, name, COUNT(*) FROM stores GROUP BY city, name");
    becomes("SELECT city, name || id, COUNT(*) FROM stores GROUP BY city",
            "SELECT city, name || id, COUNT(*) FROM stores GROUP BY city, name, id");
    becomes("SELECT s.city, o.day, COUNT(*) FROM stores AS s JOIN orders AS o ON "
            "o.store_id = s.id GROUP BY s.city",
            NULL); /* another table's column changes what is counted */
    assert_int_equal(find(DIALECT_MYSQL, "SELECT name, MAX(target) FROM stores"), 1);
    assert_null(mistake_mend(arena, &statement, resolved, schema, NULL, &found.items[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_joined, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unjoined, setup, teardown),
        cmocka_unit_test_setup_teardown(test_known_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(test_grouped, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ungrouped, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
