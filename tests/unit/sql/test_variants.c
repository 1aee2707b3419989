/* "North", "NORTH " and "north" in one column: taken as one by conditions and groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/kept/variants.h"
#include "model/schema.h"

static struct schema *schema;
static struct arena *arena;

static struct column *add(struct table *table, const char *name, const char *samples)
{
    struct column *column = table_add_column(schema, table, name, "TEXT");
    str_split(schema->arena, arena_text(schema->arena, samples), ';', &column->samples);
    column->is_text = true;
    column->samples_all = true;
    return column;
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    schema = schema_new();
    struct table *table = schema_add_table(schema, "sales");
    table_add_column(schema, table, "id", "INTEGER")->primary = true;
    add(table, "region", "NORTH ;North;South;north;south");
    add(table, "product", "Lamp;Pen");
    add(table, "seller", "Ann;ANN")->samples_all = false;
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

static const char *read_as(enum dialect dialect, const char *sql,
                           struct variants_uses *uses)
{
    struct sql_statement statement;
    assert_true(sql_statement_read(arena, dialect, sql, strlen(sql), &statement));
    return variants_sql(arena, &statement, sql_resolve(arena, &statement, schema), uses);
}

#define REGION                                                                           \
    "CASE LOWER(TRIM(region)) WHEN 'north' THEN 'North' WHEN 'south' THEN 'South' ELSE " \
    "region END"

static void test_taken_as_one(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        const char *expected; /* NULL: as it is */
    } all[] = {
        {"SELECT COUNT(*) FROM sales WHERE region = 'NORTH '",
         "SELECT COUNT(*) FROM sales WHERE LOWER(TRIM(region)) = 'north'"},
        {"SELECT COUNT(*) FROM sales WHERE region <> 'South'",
         "SELECT COUNT(*) FROM sales WHERE LOWER(TRIM(region)) <> 'south'"},
        {"SELECT region, COUNT(*) AS n FROM sales GROUP BY region ORDER BY n",
         "SELECT " REGION " AS region, COUNT(*) AS n FROM sales GROUP BY " REGION
         " ORDER BY n"},
        {"SELECT region AS r, COUNT(*) AS n FROM sales GROUP BY 1 ORDER BY r",
         "SELECT " REGION " AS r, COUNT(*) AS n FROM sales GROUP BY 1 ORDER BY r"},
        {"SELECT product, region FROM sales GROUP BY product, region HAVING region = "
         "'north'",
         "SELECT product, " REGION " AS region FROM sales GROUP BY product, " REGION
         " HAVING LOWER(TRIM(" REGION ")) = 'north'"},
        {"SELECT DISTINCT region FROM sales",
         "SELECT DISTINCT " REGION " AS region FROM sales"},
        {"SELECT COUNT(DISTINCT region) FROM sales",
         "SELECT COUNT(DISTINCT LOWER(TRIM(region))) FROM sales"},
        {"SELECT product FROM (SELECT product, region FROM sales GROUP BY product, "
         "region) "
         "AS x",
         "SELECT product FROM (SELECT product, " REGION
         " AS region FROM sales GROUP BY product, " REGION ") AS x"},
        /* nothing has another spelling, not all values are known, each group is one row */
        {"SELECT product, COUNT(*) FROM sales GROUP BY product", NULL},
        {"SELECT seller, COUNT(*) FROM sales GROUP BY seller", NULL},
        {"SELECT region, COUNT(*) FROM sales GROUP BY id, region", NULL},
        {"SELECT region FROM sales WHERE region > 'North'", NULL},
        {"SELECT COUNT(*) FROM sales WHERE region = 'East'", NULL},
        {"SELECT LOWER(region), COUNT(*) FROM sales GROUP BY LOWER(region)", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct variants_uses uses;
        const char *got = read_as(DIALECT_DUCKDB, all[i].sql, &uses);
        if (!str_equal(got, all[i].expected)) {
            fail_msg("%s\n  became   %s\n  expected %s", all[i].sql, str_or_empty(got),
                     str_or_empty(all[i].expected));
        }
        if (got) { /* once is enough */
            assert_null(read_as(DIALECT_DUCKDB, got, &uses));
        }
    }
}

/* What a person wrote is only told: it stays as it is. */
static void test_found(void **state)
{
    (void)state;
    static const char sql[] =
        "SELECT region, COUNT(*) FROM sales WHERE region <> 'north' "
        "GROUP BY region";
    struct sql_statement statement;
    struct variants_uses uses;
    assert_true(sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement));
    variants_find(arena, &statement, sql_resolve(arena, &statement, schema), &uses);
    assert_int_equal(uses.count, 2);
    assert_string_equal(str_join(arena, &uses.items[0].same, ", "),
                        "'NORTH ', 'North', 'north'");
    assert_true(uses.items[0].compared != uses.items[1].compared);
    assert_string_equal(sql_statement_print(arena, DIALECT_SQLITE, statement.root), sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken_as_one),
        cmocka_unit_test(test_found),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
