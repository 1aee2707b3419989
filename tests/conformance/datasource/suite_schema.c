/* What the schema says, and that the signature follows it and nothing else. */
#include <stdio.h>
#include <string.h>

#include "conformance.h"

static const char shop[] =
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL,"
    " city VARCHAR DEFAULT 'Bonn');"
    "CREATE TABLE item (maker INTEGER, number INTEGER, name VARCHAR, price DECIMAL(10, "
    "2),"
    " PRIMARY KEY (maker, number));"
    "CREATE TABLE sale (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES"
    " customer (id), item_maker INTEGER, item_number INTEGER, sold DATE,"
    " FOREIGN KEY (item_maker, item_number) REFERENCES item (maker, number));"
    "CREATE INDEX sale_sold ON sale (sold, customer_id);"
    "CREATE VIEW recent AS SELECT id, sold FROM sale WHERE sold > '2024-01-01';"
    "INSERT INTO customer VALUES (1, 'Ada', 'Bonn'), (2, 'Ben', 'Rome'), (3, 'Cy', "
    "'Bonn'),"
    " (4, 'Di', NULL);"
    "INSERT INTO item VALUES (1, 1, 'pen', 1.5), (1, 2, 'book', 12.25);"
    "INSERT INTO sale VALUES (1, 1, 1, 1, '2023-12-31'), (2, 2, 1, 2, '2024-05-01')";

static void tables_keys_and_views_are_described(void **state)
{
    struct place *place = *state;
    if (kind->folder || kind->documents) {
        skip();
    }
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    assert_int_equal(schema->tables.count, 4);
    assert_string_equal(schema->datasource, "shop");
    assert_int_equal(strlen(schema->signature), 32);
    const struct table *customer = schema_table(schema, "customer");
    assert_non_null(customer);
    assert_false(customer->is_view);
    assert_string_equal(customer->namespace, "");
    const struct column *id = table_column(customer, "id");
    assert_true(id->primary && !id->nullable);
    assert_string_equal(id->type, kind->integer ? kind->integer : "INTEGER");
    assert_false(table_column(customer, "name")->nullable);
    assert_true(table_column(customer, "city")->nullable);
    assert_non_null(strstr(table_column(customer, "city")->default_value, "'Bonn'"));
    const struct table *recent = schema_table(schema, "recent");
    assert_true(recent->is_view);
    assert_int_equal(recent->columns.count, 2);
    assert_string_equal(recent->columns.items[1].name, "sold");
}

static void composite_keys_are_kept_together(void **state)
{
    struct place *place = *state;
    if (kind->folder || kind->documents) {
        skip();
    }
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    const struct table *item = schema_table(schema, "item");
    assert_true(table_column(item, "maker")->primary);
    assert_true(table_column(item, "number")->primary);
    assert_false(table_column(item, "name")->primary);
    const struct table *sale = schema_table(schema, "sale");
    if (kind->no_foreign_keys) {
        assert_int_equal(sale->foreign_keys.count, 0);
        return;
    }
    assert_int_equal(sale->foreign_keys.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct foreign_key *key = &sale->foreign_keys.items[i];
        assert_int_equal(key->columns.count, key->references.count);
        if (strcmp(key->table, "customer") == 0) {
            assert_string_equal(key->columns.items[0], "customer_id");
            assert_string_equal(key->references.items[0], "id");
        } else {
            assert_string_equal(key->table, "item");
            assert_int_equal(key->columns.count, 2);
            assert_string_equal(key->columns.items[1], "item_number");
            assert_string_equal(key->references.items[1], "number");
        }
    }
    bool found = kind->no_indexes;
    for (size_t i = 0; i < sale->indexes.count; i++) {
        const struct index *index = &sale->indexes.items[i];
        found = found || (strcmp(index->name, "sale_sold") == 0 && !index->unique &&
                          index->columns.count == 2 &&
                          strcmp(index->columns.items[1], "customer_id") == 0);
    }
    assert_true(found);
}

static void key_without_columns_means_the_primary_key(void **state)
{
    struct place *place = *state;
    if (kind->no_foreign_keys || kind->folder || kind->documents) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE customer (number INTEGER PRIMARY KEY);"
                            "CREATE TABLE sale (customer INTEGER REFERENCES customer)");
    struct schema *schema = place_schema(place);
    const struct table *sale = schema_table(schema, "sale");
    assert_int_equal(sale->foreign_keys.count, 1);
    assert_string_equal(sale->foreign_keys.items[0].references.items[0], "number");
}

static void odd_names_are_described(void **state)
{
    struct place *place = *state;
    if (kind->folder) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE \"order items\" (\"group\" INTEGER,"
                            " \"say \"\"hi\"\"\" VARCHAR);"
                            "INSERT INTO \"order items\" VALUES (1, 'yes')");
    struct schema *schema = place_schema(place);
    const struct table *table = schema_table(schema, "order items");
    assert_non_null(table);
    assert_non_null(table_column(table, "say \"hi\""));
    struct err err;
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    assert_int_equal(table->row_count, 1);
    const struct column *say = table_column(table, "say \"hi\"");
    if (say->samples.count == 0) {
        fail_msg("no sample of a %s: %s", say->type,
                 schema->warnings.count ? schema->warnings.items[0] : "no warning");
    }
    assert_string_equal(say->samples.items[0], "yes");
}

static void enrichment_reads_samples_and_statistics(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    struct err err;
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    const struct table *customer = schema_table(schema, "customer");
    assert_int_equal(customer->row_count, 4);
    assert_true(customer->row_count_exact);
    const struct column *city = table_column(customer, "city");
    assert_int_equal(city->samples.count, 2);
    assert_true(city->samples_all);
    assert_string_equal(city->samples.items[0], "Bonn"); /* the most frequent first */
    assert_int_equal(city->distinct, 2);
    assert_true(city->null_share > 0.2 && city->null_share < 0.3);
    const struct column *price = table_column(schema_table(schema, "item"), "price");
    assert_non_null(strstr(price->least, "1.5"));
    assert_non_null(strstr(price->greatest, "12.25"));
    const struct column *sold = table_column(schema_table(schema, "sale"), "sold");
    assert_string_equal(sold->least, "2023-12-31");
    assert_string_equal(sold->greatest, "2024-05-01");
    assert_int_equal(schema_table(schema, "recent")->row_count,
                     kind->views_not_read ? -1 : 1);
}

static void enrichment_can_be_switched_off_and_bounded(void **state)
{
    struct place *place = *state;
    if (kind->documents) {
        skip(); /* has its own */
    }
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    struct err err;
    err_clear(&err);
    place->options->schema_enrich_tables = 1;
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    size_t read = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        read += schema->tables.items[i].row_count_exact;
    }
    assert_int_equal(read, 1);
}

static void signature_follows_every_change_of_the_schema(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR)");
    char before[33];
    char after[33];
    place_signature(place, before);
    for (const char *const *change = kind->changes; *change; change++) {
        datasource_close(place->source); /* some engines let only one process in */
        place->source = NULL;
        (void)place_open(place, *change);
        place_signature(place, after);
        if (strcmp(before, after) == 0) {
            fail_msg("the same signature after: %s", *change);
        }
        memcpy(before, after, sizeof before);
    }
}

static void signature_ignores_data(void **state)
{
    struct place *place = *state;
    if (kind->folder) {
        skip();
    }
    (void)place_open(place, shop);
    char before[33];
    char after[33];
    place_signature(place, before);
    datasource_close(place->source);
    place->source = NULL;
    (void)place_open(place, "INSERT INTO customer VALUES (9, 'Eve', 'Oslo');"
                            "DELETE FROM sale; UPDATE item SET price = 3; ANALYZE;");
    place_signature(place, after);
    assert_string_equal(before, after);
}

static void replaced_file_is_noticed(void **state)
{
    struct place *place = *state;
    if (kind->server || kind->folder || kind->url) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    char before[33];
    char after[33];
    place_signature(place, before);
    const char *other = arena_format(place->arena, "%s.new", place->path);
    kind->script(other, "CREATE TABLE thing (name VARCHAR);"
                        "INSERT INTO thing VALUES ('new')");
    assert_int_equal(rename(other, place->path), 0);
    place_signature(place, after);
    assert_string_not_equal(before, after);
    struct rows rows = place_rows(place, "SELECT name FROM thing");
    assert_string_equal(cell_text(place, &rows, 0, 0), "new");
}

static void comments_are_read(void **state)
{
    struct place *place = *state;
    if (!kind->comments) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER, name VARCHAR);"
                            "COMMENT ON TABLE item IS 'what we sell';"
                            "COMMENT ON COLUMN item.name IS 'as printed'");
    struct schema *schema = place_schema(place);
    assert_string_equal(schema->tables.items[0].comment, "what we sell");
    assert_string_equal(table_column(&schema->tables.items[0], "name")->comment,
                        "as printed");
}

static void other_namespaces_are_named(void **state)
{
    struct place *place = *state;
    if (!kind->namespaces) {
        skip();
    }
    (void)place_open(place, "CREATE SCHEMA sales; CREATE TABLE sales.orders (id INTEGER);"
                            "CREATE TABLE orders (id INTEGER);"
                            "INSERT INTO sales.orders VALUES (5)");
    struct schema *schema = place_schema(place);
    const struct table *table = schema_table(schema, "sales.orders");
    assert_non_null(table);
    assert_string_equal(table->namespace, "sales");
    assert_string_equal(table->bare_name, "orders");
    struct rows rows = place_rows(place, "SELECT id FROM sales.orders");
    assert_string_equal(cell_text(place, &rows, 0, 0), "5");
    struct err err;
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    assert_int_equal(table->row_count, 1);
}

int suite_schema(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(tables_keys_and_views_are_described),
        PLACE_TEST(composite_keys_are_kept_together),
        PLACE_TEST(key_without_columns_means_the_primary_key),
        PLACE_TEST(odd_names_are_described),
        PLACE_TEST(enrichment_reads_samples_and_statistics),
        PLACE_TEST(enrichment_can_be_switched_off_and_bounded),
        PLACE_TEST(signature_follows_every_change_of_the_schema),
        PLACE_TEST(signature_ignores_data),
        PLACE_TEST(replaced_file_is_noticed),
        PLACE_TEST(comments_are_read),
        PLACE_TEST(other_namespaces_are_named),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
