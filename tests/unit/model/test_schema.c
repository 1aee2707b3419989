/* Schemas: lookup, normal form, hash, stored form, references. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/writer.h"
#include "model/schema.h"

static void add_key(struct schema *schema, struct table *table, const char *column,
                    const char *target, const char *reference, double confidence)
{
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    VEC_PUSH(schema->arena, &key->columns, column);
    key->table = target;
    VEC_PUSH(schema->arena, &key->references, reference);
    key->confidence = confidence;
}

/* orders -> customers, out of order, with an internal table among them */
static struct schema *make_shop(void)
{
    struct schema *schema = schema_new();
    schema->dialect = "sqlite";
    struct table *orders = schema_add_table(schema, "orders");
    table_add_column(schema, orders, "id", "INTEGER")->primary = true;
    (void)table_add_column(schema, orders, "customer_id", "INTEGER");
    (void)table_add_column(schema, orders, "status", "VARCHAR(20)");
    add_key(schema, orders, "customer_id", "customers", "id", 1);
    struct table *customers = schema_add_table(schema, "Customers");
    table_add_column(schema, customers, "id", "INTEGER")->nullable = false;
    (void)table_add_column(schema, customers, "Name", "");
    struct table *internal = schema_add_table(schema, "sqlite_sequence");
    (void)table_add_column(schema, internal, "name", "");
    return schema;
}

static void tables_are_found_before_and_after_normalizing(void **state)
{
    (void)state;
    struct schema *schema = make_shop();
    for (int round = 0; round < 2; round++) {
        assert_string_equal(schema_table(schema, "ORDERS")->name, "orders");
        assert_string_equal(schema_table(schema, "customers")->name, "Customers");
        assert_null(schema_table(schema, "order"));
        assert_null(schema_table(schema, ""));
        assert_null(schema_table(schema, NULL));
        schema_normalize(schema);
    }
    const struct table *customers = schema_table(schema, "customers");
    assert_string_equal(table_column(customers, "NAME")->name, "Name");
    assert_null(table_column(customers, "nam"));
    assert_null(table_column(customers, NULL));
    schema_unref(schema);
}

static void normalizing_sorts_and_drops(void **state)
{
    (void)state;
    struct schema *schema = make_shop();
    (void)schema_add_table(schema, "hollow");
    (void)table_add_column(schema, schema_add_table(schema, "pg_catalog.pg_class"), "oid",
                           "");
    schema_normalize(schema);
    assert_int_equal(schema->tables.count, 2);
    assert_string_equal(schema->tables.items[0].name, "Customers");
    assert_string_equal(schema->tables.items[1].name, "orders");
    assert_int_equal(schema->warnings.count, 1);
    assert_non_null(strstr(schema->warnings.items[0], "hollow"));
    schema_normalize(schema); /* again changes nothing */
    assert_int_equal(schema->tables.count, 2);
    assert_int_equal(schema->warnings.count, 1);
    schema_unref(schema);
}

static void text_columns_are_known_by_their_type(void **state)
{
    (void)state;
    static const char *const text[] = {
        "VARCHAR(20)", "character varying", "TEXT", "String",
        "CLOB",        "enum('a')",         "",     "LowCardinality(String)"};
    static const char *const other[] = {"INTEGER", "DECIMAL(10,2)", "DATE", "BLOB",
                                        "BOOLEAN"};
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "t");
    for (size_t i = 0; i < 8; i++) {
        (void)table_add_column(schema, table, "c", text[i]);
    }
    for (size_t i = 0; i < 5; i++) {
        (void)table_add_column(schema, table, "c", other[i]);
    }
    schema_normalize(schema);
    for (size_t i = 0; i < 13; i++) {
        assert_int_equal(schema->tables.items[0].columns.items[i].is_text, i < 8);
    }
    schema_unref(schema);
}

static struct table *add_simple(struct schema *schema, const char *name)
{
    struct table *table = schema_add_table(schema, name);
    (void)table_add_column(schema, table, "id", "INTEGER");
    return table;
}

static void names_are_split_and_spellings_kept_apart(void **state)
{
    (void)state;
    struct schema *schema = schema_new();
    (void)add_simple(schema, "sales.orders");
    (void)add_simple(schema, "Users");
    (void)add_simple(schema, "users");
    (void)add_simple(schema, "orders");
    (void)add_simple(schema, "archive.invoices");
    for (int round = 0; round < 2; round++) {
        assert_string_equal(schema_table(schema, "orders")->name, "orders");
        assert_string_equal(schema_table(schema, "Sales.Orders")->name, "sales.orders");
        assert_string_equal(schema_table(schema, "users")->name, "users");
        assert_string_equal(schema_table(schema, "Users")->name, "Users");
        const struct table *invoices = schema_table(schema, "INVOICES");
        assert_string_equal(invoices->name, "archive.invoices");
        assert_string_equal(invoices->namespace, "archive");
        assert_string_equal(invoices->bare_name, "invoices");
        schema_normalize(schema);
    }
    assert_string_equal(schema_table(schema, "orders")->namespace, "");
    schema_unref(schema);
}

static void ten_thousand_tables_are_all_found(void **state)
{
    (void)state;
    struct schema *schema = schema_new();
    char name[64];
    for (int i = 0; i < 10000; i++) {
        (void)snprintf(name, sizeof name, "n%d.table_%d", i % 7, (i * 7919) % 10000);
        (void)add_simple(schema, name);
    }
    schema_normalize(schema);
    for (int i = 0; i < 10000; i++) {
        (void)snprintf(name, sizeof name, "N%d.TABLE_%d", i % 7, (i * 7919) % 10000);
        assert_non_null(schema_table(schema, name));
        const struct table *bare = schema_table(schema, strchr(name, '.') + 1);
        assert_string_equal(bare->bare_name + 6, strrchr(name, '_') + 1);
    }
    (void)add_simple(schema, "late"); /* a change drops the order, not the answer */
    assert_non_null(schema_table(schema, "late"));
    assert_non_null(schema_table(schema, "table_42"));
    schema_unref(schema);
}

static void hash_after(void (*change)(struct schema *schema), char out[33])
{
    struct schema *schema = make_shop();
    if (change) {
        change(schema);
    }
    schema_normalize(schema);
    schema_hash(schema, out);
    schema_unref(schema);
}

static void rename_column(struct schema *schema)
{
    schema_table(schema, "orders")->columns.items[2].name = "state";
}

static void retype_column(struct schema *schema)
{
    schema_table(schema, "orders")->columns.items[2].type = "TEXT";
}

static void make_not_null(struct schema *schema)
{
    schema_table(schema, "orders")->columns.items[2].nullable = false;
}

static void move_primary_key(struct schema *schema)
{
    schema_table(schema, "orders")->columns.items[1].primary = true;
}

static void drop_foreign_key(struct schema *schema)
{
    schema_table(schema, "orders")->foreign_keys.count = 0;
}

static void rename_table(struct schema *schema)
{
    schema_table(schema, "orders")->name = "orders2";
}

static void add_table(struct schema *schema)
{
    (void)add_simple(schema, "zebra");
}

static void add_statistics(struct schema *schema)
{
    struct table *orders = schema_table(schema, "orders");
    orders->row_count = 5;
    orders->comment = "all orders";
    struct column *status = &orders->columns.items[2];
    status->distinct = 3;
    status->least = "a";
    VEC_PUSH(schema->arena, &status->samples, "open");
    add_key(schema, orders, "status", "customers", "name", 0.6); /* a guess */
    schema->read_at = 99;
    schema->signature = "s";
}

static void swap_tables(struct schema *schema)
{
    struct table first = schema->tables.items[0];
    schema->tables.items[0] = schema->tables.items[1];
    schema->tables.items[1] = first;
}

static void the_hash_sees_structure_and_nothing_else(void **state)
{
    (void)state;
    static void (*const structural[])(struct schema * schema) = {
        rename_column,    retype_column, make_not_null, move_primary_key,
        drop_foreign_key, rename_table,  add_table};
    char base[33];
    char other[33];
    hash_after(NULL, base);
    assert_int_equal(strlen(base), 32);
    for (size_t i = 0; i < sizeof structural / sizeof *structural; i++) {
        hash_after(structural[i], other);
        assert_string_not_equal(base, other);
    }
    hash_after(add_statistics, other);
    assert_string_equal(base, other);
    hash_after(swap_tables, other);
    assert_string_equal(base, other);
}

static void the_hash_does_not_depend_on_the_order_of_spellings(void **state)
{
    (void)state;
    static const char *const names[] = {"users", "Users", "USERS"};
    char hashes[2][33];
    for (size_t round = 0; round < 2; round++) {
        struct schema *schema = schema_new();
        for (size_t i = 0; i < 3; i++) {
            (void)add_simple(schema, names[round ? 2 - i : i]);
        }
        schema_normalize(schema);
        schema_hash(schema, hashes[round]);
        schema_unref(schema);
    }
    assert_string_equal(hashes[0], hashes[1]);
}

static char *dump(const struct schema *schema)
{
    struct buf out;
    struct writer writer;
    buf_init(&out, 1000000);
    writer_init(&writer, &out);
    schema_write(schema, &writer);
    char *text = buf_clone(&out, schema->arena);
    buf_release(&out);
    return text;
}

static void fill(struct schema *schema)
{
    struct arena *arena = schema->arena;
    schema->datasource = "shop";
    schema->signature = "v1";
    schema->hash = "0123";
    schema->home = "shop";
    schema->read_at = 1700000000;
    VEC_PUSH(arena, &schema->warnings, "one view could not be read");
    struct table *table = schema_add_table(schema, "sales.big");
    table->is_view = true;
    table->parent = "orders";
    VEC_PUSH(arena, &table->path, "items");
    table->comment = "caf\xC3\xA9";
    table->row_count = 12;
    table->row_count_exact = true;
    struct column *column = table_add_column(schema, table, "kind", "TEXT");
    VEC_PUSH(arena, &column->path, "in");
    VEC_PUSH(arena, &column->path, "kind");
    column->comment = "what it is";
    column->default_value = "'x'";
    column->nullable = false;
    column->primary = true;
    VEC_PUSH(arena, &column->samples, "a");
    VEC_PUSH(arena, &column->samples, "b");
    column->distinct = 2;
    column->null_share = 0.25;
    column->least = "a";
    column->greatest = "b";
    add_key(schema, table, "kind", "orders", "status", 0.5);
    struct index *index = VEC_ADD(arena, &table->indexes);
    index->name = "big_kind";
    index->unique = true;
    VEC_PUSH(arena, &index->columns, "kind");
}

static void the_stored_form_holds_every_field(void **state)
{
    (void)state;
    struct err err;
    struct schema *schema = make_shop();
    fill(schema);
    schema_normalize(schema);
    char *json = dump(schema);
    struct schema *again = schema_read(json, strlen(json), &err);
    assert_non_null(again);
    assert_string_equal(json, dump(again));
    const struct table *table = schema_table(again, "big");
    assert_true(table->is_view && table->row_count_exact && table->row_count == 12);
    assert_string_equal(table->namespace, "sales");
    assert_string_equal(table->parent, "orders");
    assert_string_equal(table->path.items[0], "items");
    const struct column *column = table_column(table, "kind");
    assert_int_equal(column->path.count, 2);
    assert_string_equal(column->path.items[0], "in");
    assert_true(column->is_text && column->primary && !column->nullable);
    assert_int_equal(column->distinct, 2);
    assert_true(column->null_share == 0.25);
    assert_string_equal(column->samples.items[1], "b");
    assert_string_equal(column->greatest, "b");
    assert_string_equal(column->default_value, "'x'");
    assert_true(table->foreign_keys.items[0].confidence == 0.5);
    assert_true(table->indexes.items[0].unique);
    assert_int_equal(again->read_at, 1700000000);
    assert_string_equal(again->home, "shop");
    assert_string_equal(again->warnings.items[0], "one view could not be read");
    assert_int_equal(table_column(schema_table(again, "orders"), "id")->distinct, -1);
    assert_int_equal(schema_table(again, "orders")->row_count, -1);
    char one[33];
    char two[33];
    schema_hash(schema, one);
    schema_hash(again, two);
    assert_string_equal(one, two);
    schema_unref(schema);
    schema_unref(again);
}

static void a_broken_stored_form_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "null",
        "{\"tables\":{}}",
        "{\"tables\":[1]}",
        "{\"tables\":[{\"name\":5}]}",
        "{\"tables\":[{\"name\":\"t\",\"columns\":[{}]}]}",
        "{\"tables\":[",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err;
        assert_null(schema_read(bad[i], strlen(bad[i]), &err));
        assert_int_equal(err.code, ERR_INVALID_DATA);
    }
    const char *odd =
        "{\"tables\":[{\"name\":\"t\",\"columns\":[{\"name\":\"c\",\"type\":4}],"
        "\"foreign_keys\":[{}],\"indexes\":[{}]}]}";
    struct err err;
    struct schema *schema = schema_read(odd, strlen(odd), &err);
    assert_non_null(schema);
    assert_string_equal(schema->tables.items[0].columns.items[0].type, "");
    assert_int_equal(schema->tables.items[0].foreign_keys.count, 0);
    schema_unref(schema);
}

static void keys_are_found_in_both_directions(void **state)
{
    (void)state;
    struct schema *schema = make_shop();
    schema_normalize(schema);
    struct table *orders = schema_table(schema, "orders");
    struct table *customers = schema_table(schema, "customers");
    bool refers = false;
    const struct foreign_key *key =
        schema_key_between(schema, orders, customers, &refers);
    assert_string_equal(key->columns.items[0], "customer_id");
    assert_true(refers);
    assert_ptr_equal(schema_key_between(schema, customers, orders, &refers), key);
    assert_false(refers);
    assert_null(schema_key_between(schema, orders, orders, NULL));
    add_key(schema, customers, "id", "orders", "id", 0.4);
    assert_ptr_equal(schema_key_between(schema, customers, orders, &refers), key);
    schema_unref(schema);
}

static void *borrow(void *context)
{
    for (int i = 0; i < 2000; i++) {
        struct schema *schema = schema_ref(context);
        assert_non_null(schema_table(schema, "orders"));
        schema_unref(schema);
    }
    return NULL;
}

static void references_may_be_held_by_many_threads(void **state)
{
    (void)state;
    struct schema *schema = make_shop();
    schema_normalize(schema);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, borrow, schema), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    assert_int_equal(schema->references, 1);
    schema_unref(schema);
    schema_unref(NULL);
}

/* A dot at an end, or two together, is part of the name. */
static void dots_may_be_letters(void **state)
{
    static const char *const whole[] = {"Acme Ltd.", ".hidden", "a..b", "."};
    (void)state;
    struct schema *schema = schema_new();
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const struct table *table = schema_add_table(schema, whole[i]);
        assert_string_equal(table->namespace, "");
        assert_string_equal(table->bare_name, whole[i]);
    }
    assert_string_equal(schema_add_table(schema, "a.b.c")->namespace, "a.b");
    schema_unref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_found_before_and_after_normalizing),
        cmocka_unit_test(normalizing_sorts_and_drops),
        cmocka_unit_test(text_columns_are_known_by_their_type),
        cmocka_unit_test(names_are_split_and_spellings_kept_apart),
        cmocka_unit_test(ten_thousand_tables_are_all_found),
        cmocka_unit_test(the_hash_sees_structure_and_nothing_else),
        cmocka_unit_test(the_hash_does_not_depend_on_the_order_of_spellings),
        cmocka_unit_test(the_stored_form_holds_every_field),
        cmocka_unit_test(a_broken_stored_form_is_refused),
        cmocka_unit_test(keys_are_found_in_both_directions),
        cmocka_unit_test(references_may_be_held_by_many_threads),
        cmocka_unit_test(dots_may_be_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
