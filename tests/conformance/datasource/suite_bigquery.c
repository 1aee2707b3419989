/* What only BigQuery has: tokens, prices, nested fields. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "conformance.h"
#include "kind_bigquery.h"

static const char shop[] = "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);"
                           "INSERT INTO item VALUES (1, 'pen'), (2, 'book')";

static void expect_two(struct place *place)
{
    struct rows rows = place_rows(place, "SELECT count(*) AS n FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "2");
}

/* One token serves many requests, and another is got when the service forgets it. */
static void tokens_are_kept_and_renewed(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    long before = bigquery_tell("look", "x", "", "tokens");
    expect_two(place);
    expect_two(place);
    char signature[33];
    place_signature(place, signature);
    assert_int_equal(bigquery_tell("look", "x", "", "tokens"), before);
    assert_true(bigquery_tell("expire", "x", "", "tokens") >= 0);
    expect_two(place);
    assert_int_equal(bigquery_tell("look", "x", "", "tokens"), before + 1);
}

static void emulators_are_asked_without_credentials(void **state)
{
    struct place *place = *state;
    char url[300];
    struct err err;
    kind->script(place->path, shop);
    (void)place_url(place);
    (void)snprintf(url, sizeof url, "bigquery://test-project/%s",
                   bigquery_dataset(place->path));
    /* this peer wants to know: it was asked, without a token */
    assert_null(place_try_open(place, url, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    /* and without an emulator nobody is asked at all */
    assert_int_equal(unsetenv("BIGQUERY_EMULATOR_HOST"), 0);
    assert_null(place_try_open(place, url, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    assert_non_null(strstr(err.hint, "GOOGLE_APPLICATION_CREDENTIALS"));
}

/* Seen by a key that cannot be read: a good one would be shown to the real service. */
static void credentials_come_from_the_environment(void **state)
{
    struct place *place = *state;
    char text[300];
    struct err err;
    kind->script(place->path, shop);
    const char *good = place_url(place);
    (void)snprintf(text, sizeof text, "%s/no-such-key.json", bigquery_folder());
    assert_int_equal(setenv("GOOGLE_APPLICATION_CREDENTIALS", text, 1), 0);
    assert_non_null(place_try_open(place, good, &err)); /* the URL's come first */
    expect_two(place);
    (void)snprintf(text, sizeof text, "bigquery://test-project/%s",
                   bigquery_dataset(place->path));
    assert_int_equal(unsetenv("BIGQUERY_EMULATOR_HOST"), 0);
    assert_null(place_try_open(place, text, &err));
    assert_int_equal(err.code, ERR_CONFIG);
    assert_non_null(strstr(err.hint, "GOOGLE_APPLICATION_CREDENTIALS"));
    assert_int_equal(setenv("GOOGLE_APPLICATION_CREDENTIALS", "", 1), 0);
    assert_null(place_try_open(place, text, &err));
    assert_int_equal(err.code, ERR_ACCESS); /* nobody said anything */
    assert_int_equal(unsetenv("GOOGLE_APPLICATION_CREDENTIALS"), 0);
}

static void dear_queries_do_not_run(void **state)
{
    struct place *place = *state;
    char url[400];
    struct err err;
    struct datasource_estimate estimate;
    kind->script(place->path, shop);
    (void)snprintf(url, sizeof url, "%s&max_billed=1500", place_url(place));
    assert_non_null(place_try_open(place, url, &err));
    err_clear(&err);
    assert_true(datasource_estimate(place->source, "SELECT id, name FROM item",
                                    place->arena, NULL, &estimate, &err));
    assert_int_equal(estimate.bytes, 2000);
    expect_two(place); /* one column: 1000 bytes */
    assert_false(place_raw(place, "SELECT id, name FROM item", NULL, NULL, &err));
    assert_int_equal(err.code, ERR_TOO_EXPENSIVE);
    assert_non_null(strstr(err.hint, "max_billed"));
}

static void nested_fields_are_laid_flat(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE nested_orders (id INTEGER)");
    struct schema *schema = place_schema(place);
    const struct table *table = schema_table(schema, "nested_orders");
    static const char *const expected[][2] = {
        {"id", "INT64"},
        {"address.city", "STRING"},
        {"address.geo.lat", "FLOAT64"},
        {"address.geo.lon", "FLOAT64"},
        {"items", "ARRAY<STRUCT<sku STRING, price NUMERIC(10,2)>>"},
        {"tags", "ARRAY<STRING>"},
        {"at", "TIMESTAMP"},
    };
    assert_int_equal(table->columns.count, 7);
    for (size_t i = 0; i < 7; i++) {
        const struct column *column = table_column(table, expected[i][0]);
        assert_non_null(column);
        assert_string_equal(column->type, expected[i][1]);
    }
    assert_string_equal(table_column(table, "address.city")->comment, "where it goes");
    assert_true(table_column(table, "address.city")->nullable); /* its parent may miss */
    struct err err;
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    const struct column *city = table_column(table, "address.city");
    assert_int_equal(city->samples.count, 1);
    assert_string_equal(city->samples.items[0], "Bonn");
    assert_true(city->null_share > 0.4 && city->null_share < 0.6);
    assert_string_equal(table_column(table, "at")->least,
                        "2024-01-31 10:00:00.123456+00");
}

/* A path is written as it is read: the guard knows it, and quoting keeps its dots. */
static void paths_can_be_asked_for(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE nested_orders (id INTEGER)");
    const struct schema *schema = place_schema(place);
    static const char *const known[] = {
        "SELECT address.city FROM nested_orders",
        "SELECT o.address.city, o.address.geo.lat FROM nested_orders AS o",
        "SELECT nested_orders.address.city FROM nested_orders",
        "SELECT i.sku FROM nested_orders AS o, UNNEST(o.items) AS i",
        "SELECT address FROM nested_orders",
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct guard_result guard = {0};
        guard_check(place->arena, DIALECT_BIGQUERY, known[i], strlen(known[i]), schema,
                    &guard);
        if (guard.verdict != GUARD_READ || guard.unknown.count > 0) {
            fail_msg("%s: %s %s", known[i], guard.reason,
                     guard.unknown.count ? guard.unknown.items[0] : "");
        }
    }
    static const char wrong[] = "SELECT adress.city FROM nested_orders";
    struct guard_result guard = {0};
    guard_check(place->arena, DIALECT_BIGQUERY, wrong, strlen(wrong), schema, &guard);
    assert_int_equal(guard.unknown.count, 1);
    struct buf out;
    buf_init(&out, 200);
    dialect_quote(&out, DIALECT_BIGQUERY, "address.group.city", false);
    assert_string_equal(buf_get(&out), "address.`group`.city");
    buf_release(&out);
}

static void nothing_was_written_by_any_test(void **state)
{
    (void)state;
    assert_int_equal(bigquery_tell("look", "x", "", "written"), 0);
}

static void wrong_urls_say_so(void **state)
{
    struct place *place = *state;
    static const char *const urls[] = {
        "bigquery://project",
        "bigquery:///dataset",
        "bigquery://project/data set",
        "bigquery://project/d?nonsense=hunter2",
        "bigquery://project/d?max_billed=much",
        "bigquery://project/d?credentials=/nowhere/hunter2",
        "bigquery://project/d?token_env=NO_SUCH_NAME",
        "bigquery://project/d?token_file=/nowhere/hunter2",
        "bigquery://me:hunter2@project/d",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err err;
        assert_null(place_try_open(place, urls[i], &err));
        if (err.code != ERR_DATASOURCE_NOT_FOUND && err.code != ERR_CONFIG) {
            fail_msg("%s: %s", urls[i], err_name(err.code));
        }
        assert_null(strstr(err.message, "hunter2"));
        assert_null(strstr(err.detail, "hunter2"));
        assert_true(err.hint[0]);
    }
}

static long asked(struct place *place, const char *text)
{
    return bigquery_tell("asked", bigquery_dataset(place->path), text, "jobs");
}

/* The peer cannot run all of it, but it tells what it was asked: what a policy holds back
 * is named by no job, and its conditions and masks stand in each. */
static void a_policy_is_on_the_wire(void **state)
{
    static const char *const statements[] = {
        "SELECT * FROM item",
        "SELECT i.* FROM item AS i",
        "SELECT name FROM item UNION ALL SELECT name FROM item",
        "SELECT (SELECT MAX(name) FROM item) AS n",
        "SELECT card FROM item",
        "SELECT * FROM wages",
        "WITH x AS (SELECT * FROM item) SELECT COUNT(*) AS n FROM x",
        "SELECT TO_JSON_STRING(i) FROM item i"};
    struct place *place = *state;
    kind->script(
        place->path,
        "CREATE TABLE item (id INTEGER, name VARCHAR, card VARCHAR, "
        "phone VARCHAR, email VARCHAR, born DATE); CREATE TABLE wages (a INTEGER);"
        "INSERT INTO item VALUES (1, 'pen', 'x', 'y', 'z', '2000-01-02')");
    struct datasource *source = place_open_policy(
        place, "tables: {deny: [wages]}, columns: {deny: [item.card], mask: {item.phone: "
               "last4, item.email: hash, item.born: year}}, rows: {item: \"name <> "
               "'x'\"}");
    struct err err;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        struct rows rows;
        rows_init(&rows, place->arena);
        err_clear(&err);
        (void)datasource_execute(source, statements[i], NULL, NULL, &rows, &err);
        (void)datasource_check(source, statements[i], NULL, &err);
    }
    struct schema *schema = datasource_describe(source, NULL, &err);
    assert_non_null(schema);
    (void)datasource_enrich(source, schema, NULL, &err);
    schema_unref(schema);
    long all = asked(place, "item");
    assert_true(all > 5);
    assert_int_equal(asked(place, "card"), 0);
    assert_int_equal(asked(place, "wages"), 0);
    assert_int_equal(asked(place, "WHERE name <> 'x'"), all);
    assert_int_equal(asked(place, "concat('***', right(CAST(phone AS STRING), 4))"), all);
    assert_int_equal(asked(place, "AS STRING)))) AS email"), all);
    assert_int_equal(asked(place, "left(CAST(born AS STRING), 4) AS born"), all);
    datasource_close(source);
}

int suite_bigquery(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(tokens_are_kept_and_renewed),
        PLACE_TEST(emulators_are_asked_without_credentials),
        PLACE_TEST(credentials_come_from_the_environment),
        PLACE_TEST(dear_queries_do_not_run),
        PLACE_TEST(nested_fields_are_laid_flat),
        PLACE_TEST(paths_can_be_asked_for),
        PLACE_TEST(wrong_urls_say_so),
        PLACE_TEST(a_policy_is_on_the_wire),
        PLACE_TEST(nothing_was_written_by_any_test),
    };
    return cmocka_run_group_tests_name("bigquery", tests, NULL, NULL);
}
