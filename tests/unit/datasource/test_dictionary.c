/* Dictionaries in YAML and CSV: what is read, what is merged, what is complained of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "datasource/datasource.h"
#include "unit/datasource/dictionary_scene.h"

static int set_up_tables(void **state)
{
    (void)set_up(state);
    struct scene *scene = *state;
    struct table *table = schema_add_table(scene->schema, "PROD_Customers");
    table->comment = "of the database";
    (void)table_add_column(scene->schema, table, "id", "INTEGER");
    (void)table_add_column(scene->schema, table, "st", "INTEGER");
    table_add_column(scene->schema, table, "nm", "TEXT")->comment = "kept";
    table = schema_add_table(scene->schema, "sales.order_items");
    (void)table_add_column(scene->schema, table, "quantity", "INTEGER");
    (void)table_add_column(scene->schema, table, "unit_price", "REAL");
    return 0;
}

static void refuse(struct scene *scene, enum dictionary_kind kind, const char *text,
                   const char *reason)
{
    err_clear(&scene->err);
    assert_false(dictionary_parse(scene->arena, kind, text, strlen(text),
                                  &scene->dictionary, &scene->err));
    assert_non_null(strstr(scene->err.message, reason));
}

static const struct column *column(const struct scene *scene, const char *table,
                                   const char *name)
{
    return table_column(schema_table(scene->schema, table), name);
}

static void expect_texts(const struct texts *texts, const char *joined)
{
    struct buf out;
    buf_init(&out, 4096);
    for (size_t i = 0; i < texts->count; i++) {
        (void)buf_format(&out, "%s%s", i ? "|" : "", texts->items[i]);
    }
    assert_string_equal(buf_get(&out), joined);
    buf_release(&out);
}

static void expect_customers(const struct scene *scene)
{
    const struct table *table = schema_table(scene->schema, "PROD_Customers");
    assert_string_equal(table->comment, "People who bought");
    expect_texts(&table->synonyms, "customers|clients|buyers");
    const struct column *status = column(scene, "PROD_Customers", "st");
    expect_texts(&status->synonyms, "status|state");
    assert_int_equal(status->meanings.count, 2);
    assert_string_equal(status->meanings.items[1].value, "2");
    assert_string_equal(status->meanings.items[1].text, "closed");
    assert_string_equal(column(scene, "PROD_Customers", "nm")->comment, "kept");
    expect_texts(&column(scene, "PROD_Customers", "nm")->synonyms, "full name");
}

static void yaml_is_read(void **state)
{
    struct scene *scene = *state;
    merge(scene, DICTIONARY_YAML,
          "tables:\n"
          "  customers:\n"
          "    actual_name: PROD_Customers\n"
          "    description: People who bought\n"
          "    synonyms: [clients, buyers, Clients]\n"
          "    columns:\n"
          "      status: {actual_name: st, synonyms: state, values: {1: active, 2: "
          "closed}}\n"
          "      nm: {name: full name}\n"
          "  order_items: Lines of orders\n"
          "metrics:\n"
          "  revenue: sum(quantity * unit_price)\n");
    expect_customers(scene);
    const struct table *items = schema_table(scene->schema, "sales.order_items");
    assert_string_equal(items->comment, "Lines of orders");
    assert_int_equal(items->synonyms.count, 0);
    assert_int_equal(items->metrics.count, 1);
    assert_string_equal(items->metrics.items[0].expression, "sum(quantity * unit_price)");
    assert_int_equal(scene->schema->warnings.count, 0);
}

static void lists_do_as_well_as_maps(void **state)
{
    struct scene *scene = *state;
    merge(scene, DICTIONARY_YAML,
          "tables:\n"
          "  - name: PROD_Customers\n"
          "    comment: People who bought\n"
          "    aliases: customers, clients; buyers\n"
          "    columns:\n"
          "      - name: st\n"
          "        synonyms: [status, state]\n"
          "        values: [{value: 1, meaning: active}, {value: 2, meaning: closed}]\n"
          "      - {name: full name, actual_name: nm}\n");
    expect_texts(&schema_table(scene->schema, "PROD_Customers")->synonyms,
                 "customers, clients|buyers");
    assert_int_equal(column(scene, "PROD_Customers", "st")->meanings.count, 2);
    assert_int_equal(scene->schema->warnings.count, 0);
}

static void csv_is_read(void **state)
{
    struct scene *scene = *state;
    merge(scene, DICTIONARY_CSV,
          "\xEF\xBB\xBFOur tables,,,,,\r\n"
          "Table,Column Name,Actual Name,Description,Synonyms,Values\r\n"
          "customers,,PROD_Customers,\"People who\r\nbought\",\"clients; buyers\",\r\n"
          ",status,st,,state,\"1 = active, 2 = closed\"\r\n"
          ",\"full name\",nm,,,\r\n");
    expect_customers(scene);
    assert_int_equal(scene->schema->warnings.count, 0);
}

static void csv_has_many_signs(void **state)
{
    struct scene *scene = *state;
    merge(scene, DICTIONARY_CSV,
          "table;column;value;meaning\n"
          "PROD_Customers;st;1;\"active \"\"now\"\"\"\n;;2;closed\n");
    const struct meanings *meanings = &column(scene, "PROD_Customers", "st")->meanings;
    assert_int_equal(meanings->count, 2);
    assert_string_equal(meanings->items[0].text, "active \"now\"");
    merge(scene, DICTIONARY_CSV, "Metric\tFormula\nunits\tsum(quantity)");
    assert_int_equal(schema_table(scene->schema, "order_items")->metrics.count, 1);
}

static void dbt_is_read(void **state)
{
    struct scene *scene = *state;
    merge(
        scene, DICTIONARY_YAML,
        "version: 2\n"
        "models:\n"
        "  - name: PROD_Customers\n"
        "    description: \"{{ doc('customers') }}\"\n"
        "    config: {materialized: table, meta: {synonyms: [clients]}}\n"
        "    columns:\n"
        "      - name: st\n"
        "        description: Where the customer stands\n"
        "        tests: [not_null, {accepted_values: {values: [1, 2]}}]\n"
        "sources:\n"
        "  - name: raw\n"
        "    tables:\n"
        "      - {name: lines, identifier: order_items, description: Lines of orders}\n");
    const struct table *table = schema_table(scene->schema, "PROD_Customers");
    assert_string_equal(table->comment, "of the database");
    expect_texts(&table->synonyms, "clients");
    assert_string_equal(column(scene, "PROD_Customers", "st")->comment,
                        "Where the customer stands");
    expect_texts(&schema_table(scene->schema, "order_items")->synonyms, "lines");
    assert_int_equal(scene->schema->warnings.count, 0);
}

static void what_is_not_there_is_said(void **state)
{
    struct scene *scene = *state;
    merge(scene, DICTIONARY_YAML,
          "tables:\n"
          "  PROD_Custmers: {columns: {st: x, nm: y}}\n"
          "  order_items: {columns: {unit_pric: x}, descripton: y}\n"
          "  zzzz: x\n");
    expect_texts(&scene->schema->warnings,
                 "Line 3 of the dictionary: the key 'descripton' is not known; did you "
                 "mean description.|"
                 "The dictionary describes the table 'PROD_Custmers', which does not "
                 "exist. Did you mean 'PROD_Customers'?|"
                 "The dictionary describes the column 'unit_pric' of "
                 "'sales.order_items', which does not exist. Did you mean 'unit_price'?|"
                 "The dictionary describes the table 'zzzz', which does not exist.");
}

static void warnings_come_to_an_end(void **state)
{
    struct scene *scene = *state;
    struct buf text;
    buf_init(&text, 1 << 20);
    (void)buf_text(&text, "table,description\n");
    for (int i = 0; i < 5000; i++) {
        (void)buf_format(&text, "nowhere_%d,x\n", i);
    }
    merge(scene, DICTIONARY_CSV, buf_get(&text));
    buf_release(&text);
    assert_int_equal(scene->schema->warnings.count, 21);
    assert_non_null(strstr(scene->schema->warnings.items[20], "4980 more"));
}

/* Wide tables and long dictionaries of wrong names: each costs little. */
static void many_wrong_columns(void **state)
{
    struct scene *scene = *state;
    struct buf text;
    struct table *wide = schema_add_table(scene->schema, "wide");
    for (int i = 0; i < 1000; i++) {
        (void)table_add_column(scene->schema, wide,
                               arena_format(scene->arena, "a_rather_long_name_%d", i),
                               "");
    }
    buf_init(&text, 1 << 22);
    (void)buf_text(&text, "table,column,description\n");
    for (int i = 0; i < 20000; i++) {
        (void)buf_format(&text, "wide,a_rather_long_nmae_%d,x\n", i);
    }
    merge(scene, DICTIONARY_CSV, buf_get(&text));
    buf_release(&text);
    assert_int_equal(scene->schema->warnings.count, 21);
    assert_non_null(strstr(scene->schema->warnings.items[20], "19980 more"));
}

static void metrics_are_checked(void **state)
{
    static const char *const bad[] = {
        "sum(quantity); DROP TABLE x",
        "(select max(st) from PROD_Customers)",
        "sum(quantity",
        "quantity) from t --",
        "1 + 1",
        "sum(price)",
        "sum(quantity * st)",
        "load_extension(quantity)",
        "sum(quantity) /* hidden */ \xE2\x80\xAE",
    };
    struct scene *scene = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        size_t before = scene->schema->warnings.count;
        (void)snprintf(text, sizeof text,
                       "metric,expression,table\nm,\"%s\",order_items\n", bad[i]);
        merge(scene, DICTIONARY_CSV, text);
        if (schema_table(scene->schema, "order_items")->metrics.count > 0 ||
            scene->schema->warnings.count != before + 1) {
            fail_msg("%s", bad[i]);
        }
    }
}

static void odd_files_are_refused(void **state)
{
    struct scene *scene = *state;
    struct buf deep;
    refuse(scene, DICTIONARY_YAML, "- a\n", "is a map");
    refuse(scene, DICTIONARY_YAML, "tables: {a: &x b, c: *x}", "anchors");
    refuse(scene, DICTIONARY_CSV, "", "header row");
    refuse(scene, DICTIONARY_CSV, "a,b\nc,d\n", "header row");
    buf_init(&deep, 1 << 20);
    for (int i = 0; i < 100000; i++) {
        (void)buf_char(&deep, '[');
    }
    refuse(scene, DICTIONARY_YAML, buf_get(&deep), "YAML");
    buf_release(&deep);
    merge(scene, DICTIONARY_YAML, "tables: [1, [], {}, null]\nmetrics: [1, {}]\n");
    merge(scene, DICTIONARY_YAML, "tables: 7\nmetrics: x\n");
    merge(scene, DICTIONARY_YAML,
          "tables: {order_items: [a], PROD_Customers: {columns: {st: [b, {}]}}}\n"
          "metrics: {m: [sum(quantity)]}\n");
    merge(scene, DICTIONARY_CSV, "table,description\n\"PROD_Customers,never closed");
}

static void too_many_rows_are_refused(void **state)
{
    struct scene *scene = *state;
    struct buf text;
    buf_init(&text, 1 << 24);
    (void)buf_text(&text, "table,description\n");
    for (int i = 0; i < 1000000; i++) {
        (void)buf_text(&text, "t,x\n");
    }
    refuse(scene, DICTIONARY_CSV, buf_get(&text), "more than 100000 rows");
    buf_release(&text);
}

static void texts_are_bounded_and_clean(void **state)
{
    struct scene *scene = *state;
    struct buf text;
    buf_init(&text, 1 << 20);
    (void)buf_text(&text,
                   "table,description,synonyms\nPROD_Customers,\"a\xFF\x01\n\xE2\x80\xAE"
                   "b ");
    for (int i = 0; i < 3000; i++) {
        (void)buf_text(&text, "\xC3\xA9");
    }
    (void)buf_text(&text, "\",\"");
    for (int i = 0; i < 100; i++) {
        (void)buf_format(&text, "word %d;", i);
    }
    (void)buf_text(&text, "\"\n");
    merge(scene, DICTIONARY_CSV, buf_get(&text));
    buf_release(&text);
    const struct table *table = schema_table(scene->schema, "PROD_Customers");
    assert_true(strlen(table->comment) <= DICTIONARY_TEXT_MOST);
    assert_true(utf8_valid(table->comment, strlen(table->comment), NULL));
    assert_memory_equal(table->comment, "a\xEF\xBF\xBD b \xC3\xA9", 8);
    assert_int_equal(table->synonyms.count, DICTIONARY_SYNONYMS_MOST);
}

static void the_stored_form_keeps_it(void **state)
{
    struct scene *scene = *state;
    merge(scene, DICTIONARY_YAML,
          "tables: {PROD_Customers: {synonyms: [clients], columns: {st: {values: {1: a}, "
          "synonyms: [status]}}}}\n"
          "metrics: {units: {expression: sum(quantity), description: all of them, "
          "synonyms: [pieces]}}\n");
    struct buf json;
    struct writer writer;
    buf_init(&json, 1 << 16);
    writer_init(&writer, &json);
    schema_write(scene->schema, &writer);
    struct schema *back = schema_read(buf_get(&json), json.size, &scene->err);
    buf_release(&json);
    assert_non_null(back);
    const struct table *table = schema_table(back, "PROD_Customers");
    expect_texts(&table->synonyms, "clients");
    expect_texts(&table_column(table, "st")->synonyms, "status");
    assert_string_equal(table_column(table, "st")->meanings.items[0].text, "a");
    const struct metric *metric = schema_table(back, "order_items")->metrics.items;
    assert_string_equal(metric->name, "units");
    assert_string_equal(metric->comment, "all of them");
    expect_texts(&metric->synonyms, "pieces");
    schema_unref(back);
}

static void hash_now(const char *path, char out[33])
{
    struct hash *hash = hash_new();
    dictionary_hash(path, hash);
    hash_hex(hash, out);
    hash_free(hash);
}

static void files_are_found_and_watched(void **state)
{
    struct scene *scene = *state;
    char folder[] = "/tmp/dragoman-dictionary-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *path = arena_format(scene->arena, "%s/words.yml", folder);
    char hashes[3][33];
    hash_now(path, hashes[0]);
    dictionary_describe(path, scene->schema);
    expect_texts(&scene->schema->warnings,
                 "The dictionary words.yml was not used: there is no such file.");
    static const char text[] = "tables: {PROD_Customers: Here}";
    assert_true(file_write(path, text, sizeof text - 1, &scene->err));
    hash_now(path, hashes[1]);
    dictionary_describe(path, scene->schema);
    assert_string_equal(schema_table(scene->schema, "PROD_Customers")->comment, "Here");
    assert_true(file_write(path, text, sizeof text - 1, &scene->err));
    hash_now(path, hashes[2]);
    assert_string_not_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[1], hashes[2]);
    dictionary_describe(folder, scene->schema);
    assert_non_null(strstr(scene->schema->warnings.items[1], "A dictionary is a .yaml"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* What a question sees: the comment and the signature of the datasource. */
static const char *look(struct scene *scene, struct datasource *source, char out[33])
{
    if (!datasource_signature(source, NULL, out, &scene->err)) {
        fail_msg("%s", scene->err.message);
    }
    struct schema *schema = datasource_describe(source, NULL, &scene->err);
    assert_non_null(schema);
    assert_string_equal(schema->signature, out);
    const char *comment = arena_text(scene->arena, schema_table(schema, "t")->comment);
    schema_unref(schema);
    return comment;
}

static void a_changed_file_is_a_changed_schema(void **state)
{
    struct scene *scene = *state;
    char folder[] = "/tmp/dragoman-dictionary-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *words = arena_format(scene->arena, "%s/words.csv", folder);
    const char *path = arena_format(scene->arena, "%s/shop.db", folder);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    struct options *options = options_new();
    assert_true(options_set(options, "schema.dictionary", "/nowhere.csv", &scene->err));
    struct datasource_setting setting = {.id = "shop", .url = path, .dictionary = words};
    struct datasource *source = datasource_open(&setting, options, &scene->err);
    assert_non_null(source);
    char before[33], between[33], after[33];
    assert_null(look(scene, source, before));
    static const char one[] = "table,description\nt,one\n";
    static const char two[] = "table,description\nt,two\n";
    assert_true(file_write(words, one, sizeof one - 1, &scene->err));
    assert_string_equal(look(scene, source, between), "one");
    assert_string_equal(look(scene, source, after), "one");
    assert_string_equal(between, after); /* nothing has changed */
    assert_true(file_write(words, two, sizeof two - 1, &scene->err));
    assert_string_equal(look(scene, source, after), "two");
    assert_string_not_equal(before, between);
    assert_string_not_equal(between, after);
    datasource_close(source);
    options_free(options);
    assert_int_equal(unlink(words) + unlink(path) + rmdir(folder), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_tables, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(yaml_is_read),
        TEST(lists_do_as_well_as_maps),
        TEST(csv_is_read),
        TEST(csv_has_many_signs),
        TEST(dbt_is_read),
        TEST(what_is_not_there_is_said),
        TEST(warnings_come_to_an_end),
        TEST(many_wrong_columns),
        TEST(metrics_are_checked),
        TEST(odd_files_are_refused),
        TEST(too_many_rows_are_refused),
        TEST(texts_are_bounded_and_clean),
        TEST(the_stored_form_keeps_it),
        TEST(files_are_found_and_watched),
        TEST(a_changed_file_is_a_changed_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
