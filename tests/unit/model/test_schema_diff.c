/* What has changed between two schemas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/schema_diff.h"

struct fixture {
    struct arena *arena;
    struct schema *before;
    struct schema *after;
    struct schema_changes changes;
};

static struct schema *shop_new(void)
{
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "orders");
    table_add_column(schema, table, "id", "INTEGER")->primary = true;
    (void)table_add_column(schema, table, "customer", "INTEGER");
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    VEC_PUSH(schema->arena, &key->columns, "customer");
    key->table = "customers";
    VEC_PUSH(schema->arena, &key->references, "id");
    struct index *index = VEC_ADD(schema->arena, &table->indexes);
    index->name = "by_customer";
    VEC_PUSH(schema->arena, &index->columns, "customer");
    table = schema_add_table(schema, "customers");
    (void)table_add_column(schema, table, "id", "INTEGER");
    (void)table_add_column(schema, table, "name", "TEXT");
    return schema;
}

static int setup(void **state)
{
    struct fixture *fixture = test_calloc(1, sizeof *fixture);
    fixture->arena = arena_new();
    fixture->before = shop_new();
    fixture->after = shop_new();
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    schema_unref(fixture->before);
    schema_unref(fixture->after);
    arena_free(fixture->arena);
    test_free(fixture);
    return 0;
}

/* "kind what table.name from>to; …" */
static const char *diff(struct fixture *fixture)
{
    struct texts lines = {0};
    schema_normalize(fixture->before);
    schema_normalize(fixture->after);
    schema_diff(fixture->arena, fixture->before, fixture->after, &fixture->changes);
    for (size_t i = 0; i < fixture->changes.count; i++) {
        const struct schema_change *change = &fixture->changes.items[i];
        VEC_PUSH(
            fixture->arena, &lines,
            arena_format(fixture->arena, "%s %s %s.%s %s>%s", change->kind, change->what,
                         change->table, change->name ? change->name : "",
                         change->from ? change->from : "", change->to ? change->to : ""));
    }
    return str_join(fixture->arena, &lines, "; ");
}

static struct table *orders(struct schema *schema)
{
    return schema_table(schema, "orders");
}

static void alike_is_nothing(void **state)
{
    struct fixture *fixture = *state;
    orders(fixture->after)->row_count = 7; /* statistics are no change */
    orders(fixture->after)->columns.items[1].distinct = 3;
    assert_string_equal(diff(fixture), "");
}

static void tables_come_and_go(void **state)
{
    struct fixture *fixture = *state;
    struct table *table = schema_add_table(fixture->after, "notes");
    (void)table_add_column(fixture->after, table, "text", "TEXT");
    table = schema_add_table(fixture->before, "old");
    (void)table_add_column(fixture->before, table, "x", "DATE");
    assert_string_equal(diff(fixture),
                        "added table notes. >(text TEXT); removed table old. (x DATE)>");
}

static void table_becomes_a_view(void **state)
{
    struct fixture *fixture = *state;
    schema_table(fixture->after, "customers")->is_view = true;
    assert_string_equal(diff(fixture),
                        "added view customers. >(id INTEGER, name TEXT); "
                        "removed table customers. (id INTEGER, name TEXT)>");
}

static void columns_change(void **state)
{
    struct fixture *fixture = *state;
    struct table *table = orders(fixture->after);
    table->columns.items[1].type = "BIGINT";
    table->columns.items[1].nullable = false;
    table->columns.items[1].default_value = "0";
    table->columns.items[1].comment = "who";
    (void)table_add_column(fixture->after, table, "note", "TEXT");
    (void)table_add_column(fixture->before, orders(fixture->before), "gone", "DATE");
    assert_string_equal(
        diff(fixture),
        "changed column orders.customer INTEGER>BIGINT not null default 0; "
        "added comment orders.customer >who; added column orders.note >TEXT; "
        "removed column orders.gone DATE>");
}

static void keys_and_indexes_change(void **state)
{
    struct fixture *fixture = *state;
    struct table *table = orders(fixture->after);
    table->columns.items[1].primary = true;
    table->foreign_keys.items[0].table = "people";
    table->indexes.items[0].unique = true;
    struct index *index =
        VEC_ADD(fixture->before->arena, &orders(fixture->before)->indexes);
    index->name = "by_id";
    VEC_PUSH(fixture->before->arena, &index->columns, "id");
    assert_string_equal(diff(fixture),
                        "changed primary key orders. (id)>(id, customer); "
                        "added foreign key orders. >(customer) -> people (id); "
                        "removed foreign key orders. (customer) -> customers (id)>; "
                        "changed index orders.by_customer (customer)>unique (customer); "
                        "removed index orders.by_id (id)>");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(alike_is_nothing), TEST(tables_come_and_go),      TEST(table_becomes_a_view),
        TEST(columns_change),   TEST(keys_and_indexes_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
