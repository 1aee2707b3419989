/* What only ClickHouse has: shards, kinds of accounts, failures in the middle of rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "conformance.h"
#include "kind_clickhouse.h"

static const char shop[] = "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);"
                           "INSERT INTO item VALUES (1, 'pen'), (2, 'book')";

/* Runs a statement on a server, with the test's database in place of %s. */
static void tell(struct place *place, int server, const char *sql)
{
    char text[600];
    const char *database = clickhouse_database(place->path);
    (void)snprintf(text, sizeof text, "CREATE DATABASE IF NOT EXISTS %s", database);
    assert_true(clickhouse_tell(server, "default", text, NULL, 0));
    assert_true(clickhouse_tell(server, database, sql, NULL, 0));
}

static const char *one(struct place *place, const char *sql)
{
    struct rows rows = place_rows(place, sql);
    assert_int_equal(rows.count, 1);
    return cell_text(place, &rows, 0, 0);
}

static const char *url_of(struct place *place, const char *login, const char *more)
{
    return arena_format(place->arena, "clickhouse://%s@127.0.0.1:%d/%s%s", login,
                        clickhouse_port(), clickhouse_database(place->path), more);
}

/* Half of the sales are on one server, half on the other; the question sees all. */
static void shards_answer_as_one(void **state)
{
    struct place *place = *state;
    static const char create[] = "CREATE TABLE sale_part (id Int32, city String, amount"
                                 " Decimal(9, 2)) ENGINE = MergeTree ORDER BY id";
    (void)place_open(place, shop);
    tell(place, 1, create);
    tell(place, 2, create);
    tell(place, 1, "INSERT INTO sale_part VALUES (1, 'Bonn', 10.5), (2, 'Rome', 20)");
    tell(place, 2, "INSERT INTO sale_part VALUES (3, 'Bonn', 0.25), (4, 'Oslo', 5)");
    char sql[300];
    (void)snprintf(sql, sizeof sql,
                   "CREATE TABLE sale AS sale_part ENGINE = Distributed(pair, %s,"
                   " sale_part)",
                   clickhouse_database(place->path));
    tell(place, 1, sql);
    assert_string_equal(one(place, "SELECT sum(amount) FROM sale"), "35.75");
    assert_string_equal(one(place, "SELECT sum(amount) FROM sale_part"), "30.50");
    struct rows rows = place_rows(place, "SELECT city, count(*) AS n, sum(amount) FROM"
                                         " sale GROUP BY city ORDER BY n DESC, city");
    assert_int_equal(rows.count, 3);
    assert_string_equal(cell_text(place, &rows, 0, 0), "Bonn");
    assert_string_equal(cell_text(place, &rows, 0, 1), "2");
    assert_string_equal(cell_text(place, &rows, 0, 2), "10.75");
    struct schema *schema = place_schema(place);
    const struct table *sale = schema_table(schema, "sale");
    assert_non_null(sale);
    struct err err;
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    assert_int_equal(sale->row_count, 4);
    assert_string_equal(table_column(sale, "amount")->greatest, "20.00");
}

/* A setting that may not be changed is not sent, and the answer is the same. */
static void every_kind_of_account_can_ask(void **state)
{
    struct place *place = *state;
    static const char *const users[] = {"reads:x", "bounded:x"};
    kind->script(place->path, shop);
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        struct err err;
        if (!place_try_open(place, url_of(place, users[i], ""), &err)) {
            fail_msg("%s: %s (%s)", users[i], err.message, err.detail);
        }
        assert_string_equal(one(place, "SELECT count(*) FROM item"), "2");
        const struct datasource_limits soon = {
            .deadline_ms = clock_ms() + 200, .max_rows = 10, .max_bytes = 1 << 20};
        assert_false(place_raw(place, kind->endless, &soon, NULL, &err));
        assert_int_equal(err.code, ERR_TIMEOUT);
        assert_false(
            place_raw(place, "INSERT INTO item VALUES (3, 'x')", NULL, NULL, &err));
    }
}

/* ClickHouse alone fills it with 0 and '' where nobody sets that otherwise. */
static void missing_side_of_an_outer_join_is_null(void **state)
{
    struct place *place = *state;
    struct err err;
    kind->script(place->path, "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);"
                              "CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER);"
                              "INSERT INTO item VALUES (1, 'pen'), (2, 'book');"
                              "INSERT INTO sale VALUES (1, 1)");
    assert_non_null(place_try_open(place, url_of(place, "bounded:x", ""), &err));
    assert_string_equal(
        one(place, "SELECT count(s.id) FROM item i LEFT JOIN sale s ON s.item = i.id"),
        "1");
}

/* The first rows are out when the query fails: that must not look like an end. */
static void failure_in_the_middle_is_said(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    static const char *const queries[] = {
        "SELECT toString(number), throwIf(number = 3000000) FROM system.numbers",
        "SELECT toString(number + throwIf(number = 3000000)) FROM system.numbers",
    };
    const struct datasource_limits all = {.deadline_ms = clock_ms() + 60000,
                                          .max_rows = INT64_MAX / 4,
                                          .max_bytes = INT64_MAX / 4};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct err err;
        int64_t rows = 0;
        assert_false(place_raw(place, queries[i], &all, &rows, &err));
        assert_int_equal(err.code, ERR_INVALID_SQL);
        assert_non_null(strstr(err.detail, "throwIf"));
        assert_true(rows > 1000 && rows <= 3000000);
    }
}

static void totals_are_a_row(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct rows rows = place_rows(
        place, "SELECT name, count(*) FROM item GROUP BY name WITH TOTALS ORDER BY name");
    assert_int_equal(rows.count, 3);
    assert_string_equal(cell_text(place, &rows, 2, 1), "2");
}

static void columns_say_more_than_their_type(void **state)
{
    struct place *place = *state;
    (void)place_open(
        place,
        "CREATE TABLE item (id Int32, name LowCardinality(String), kind Enum8('a' = 1),"
        " at DateTime('Asia/Tokyo'), total Decimal(9, 2) MATERIALIZED 1.5, tags"
        " Array(String)) ENGINE = MergeTree ORDER BY (kind, id);"
        "ALTER TABLE item COMMENT COLUMN name 'as printed'");
    struct schema *schema = place_schema(place);
    const struct table *item = schema_table(schema, "item");
    assert_string_equal(table_column(item, "name")->type, "String");
    assert_string_equal(table_column(item, "name")->comment, "as printed");
    assert_string_equal(table_column(item, "at")->type, "DateTime('Asia/Tokyo')");
    assert_string_equal(table_column(item, "tags")->type, "Array(String)");
    assert_true(table_column(item, "kind")->primary);
    assert_false(table_column(item, "id")->nullable);
    assert_non_null(table_column(item, "total")->default_value);
}

/* An account that could write is refused unless that is allowed; the doctor warns of it,
 * and says how to make another. */
static void rights_are_inspected(void **state)
{
    struct place *place = *state;
    struct datasource_inspection found;
    struct err err;
    (void)place_open(place, shop);
    err_clear(&err);
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_non_null(strstr(found.version, "ClickHouse 18.16"));
    assert_string_equal(found.user, "reader");
    assert_string_equal(found.encryption, "none");
    assert_false(found.remote);
    assert_int_equal(found.dangers.count, 0);
    assert_int_equal(found.ruling.count, 0);
    assert_null(place_try_open(place, url_of(place, "boss:x", ""), &err));
    assert_int_equal(err.code, ERR_SUPERUSER_LOGIN);
    assert_non_null(strstr(err.message, "boss may write"));
    assert_non_null(strstr(err.hint, "allow_superuser"));
    assert_non_null(
        place_try_open(place, url_of(place, "boss:x", "?allow_superuser=1"), &err));
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_int_equal(found.dangers.count, 1);
    assert_int_equal(found.ruling.count, 1);
    assert_non_null(strstr(found.reader.items[0], "<readonly>1</readonly>"));
    /* what is allowed is still held by the settings of each request */
    for (const char *const *sql = kind->attacks; *sql; sql++) {
        if (place_raw(place, *sql, NULL, NULL, &err)) {
            fail_msg("ran: %s", *sql);
        }
    }
}

/* What the doctor prints for a server whose users stand in a file is put there as it is.
 */
static void printed_lines_make_a_reader(void **state)
{
    struct place *place = *state;
    struct datasource_inspection found;
    struct err err;
    char path[200];
    (void)place_open(place, shop);
    err_clear(&err);
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_int_equal(found.reader.count, 3);
    (void)snprintf(path, sizeof path, "%s/users.d", clickhouse_folder());
    assert_int_equal(mkdir(path, 0755), 0);
    (void)snprintf(path, sizeof path, "%s/users.d/reader.xml", clickhouse_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "<yandex>\n%s\n</yandex>\n",
                  str_join(place->arena, &found.reader, "\n"));
    assert_int_equal(fclose(file), 0);
    const char *line = found.reader.items[1];
    const char *password = strstr(line, "<password>") + strlen("<password>");
    const char *login = arena_format(place->arena, "dragoman_reader:%.*s",
                                     (int)strcspn(password, "<"), password);
    const char *url = url_of(place, login, "");
    int64_t until_ms = clock_ms() + 120000; /* the server reads its files by itself */
    while (!place_try_open(place, url, &err) && clock_ms() < until_ms) {
        (void)usleep(50000);
    }
    if (!place->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    assert_string_equal(one(place, "SELECT count(*) FROM item"), "2");
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_string_equal(found.user, "dragoman_reader");
    assert_int_equal(found.dangers.count, 0);
}

/* Gives the profile "changed" another right; the server reads the file by itself. */
static void profile_change(const char *from, const char *to)
{
    char command[400];
    (void)snprintf(command, sizeof command,
                   "sed -i 's#<changed><readonly>%s<#<changed><readonly>%s<#' "
                   "%s/users.xml",
                   from, to, clickhouse_folder());
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

/* Rights that an account gets while it is in use. */
static void later_rights_are_seen(void **state)
{
    struct place *place = *state;
    struct err err;
    char signature[33];
    kind->script(place->path, shop);
    assert_non_null(place_try_open(place, url_of(place, "changed:x", ""), &err));
    profile_change("2", "0");
    int64_t until_ms = clock_ms() + 120000;
    while (datasource_signature(place->source, NULL, signature, &err) &&
           clock_ms() < until_ms) {
        (void)usleep(50000);
    }
    assert_int_equal(err.code, ERR_SUPERUSER_LOGIN);
    profile_change("0", "2");
}

static void wrong_urls_say_so(void **state)
{
    struct place *place = *state;
    static const char *const urls[] = {
        "clickhouse://me:hunter2%zz@host/x",
        "clickhouse://me:hunter2@host:99999999/x",
        "clickhouse://me:hunter2@host/x?nonsense=1",
        "clickhouse://me:hunter2@host/x?secure=perhaps",
        "clickhouse://me:hunter2%0d%0aX-Evil:1@host/x",
        "clickhouse://me@host/x?password_env=NO_SUCH_NAME",
        "clickhouse://me@host/x?password_file=/nowhere/hunter2",
        "clickhouse://me@host/x?ca_file=/nowhere/hunter2",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err err;
        assert_null(place_try_open(place, urls[i], &err));
        assert_true(err.code == ERR_DATASOURCE_NOT_FOUND || err.code == ERR_CONFIG);
        assert_null(strstr(err.message, "hunter2"));
        assert_null(strstr(err.detail, "hunter2"));
        assert_true(err.hint[0]);
    }
}

int suite_clickhouse(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(shards_answer_as_one),
        PLACE_TEST(every_kind_of_account_can_ask),
        PLACE_TEST(missing_side_of_an_outer_join_is_null),
        PLACE_TEST(failure_in_the_middle_is_said),
        PLACE_TEST(totals_are_a_row),
        PLACE_TEST(columns_say_more_than_their_type),
        PLACE_TEST(rights_are_inspected),
        PLACE_TEST(printed_lines_make_a_reader),
        PLACE_TEST(later_rights_are_seen),
        PLACE_TEST(wrong_urls_say_so),
    };
    return cmocka_run_group_tests_name("clickhouse", tests, NULL, NULL);
}
