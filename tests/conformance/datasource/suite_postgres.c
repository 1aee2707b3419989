/* What only PostgreSQL has: enumerations, domains, partitions, rights, silent servers. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "conformance.h"

static void types_of_the_database_are_named(void **state)
{
    struct place *place = *state;
    (void)place_open(
        place, "CREATE TYPE mood AS ENUM ('sad', 'it''s ok');"
               "CREATE DOMAIN code AS varchar(8) CHECK (value <> '');"
               "CREATE DOMAIN short_code AS code;"
               "CREATE TABLE t (gone integer, feels mood, felt mood[], c short_code,"
               " cs code[], price numeric(12, 3), big numeric, name varchar(20),"
               " tags text[], at timestamptz, twice numeric GENERATED ALWAYS AS"
               " (price * 2) STORED, number integer GENERATED ALWAYS AS IDENTITY,"
               " PRIMARY KEY (name, c));"
               "ALTER TABLE t DROP COLUMN gone;"
               "INSERT INTO t (feels, felt, c, cs, price, name) VALUES ('sad',"
               " ARRAY['sad', 'it''s ok']::mood[], 'x', '{a,NULL}', 1.5, 'n')");
    struct schema *schema = place_schema(place);
    const struct table *t = schema_table(schema, "t");
    static const char *const types[][2] = {
        {"feels", "ENUM('sad', 'it''s ok')"},
        {"felt", "ENUM('sad', 'it''s ok')[]"},
        {"c", "VARCHAR"},
        {"cs", "VARCHAR[]"},
        {"price", "NUMERIC(12,3)"},
        {"big", "NUMERIC"},
        {"name", "VARCHAR(20)"},
        {"tags", "TEXT[]"},
        {"at", "TIMESTAMPTZ"},
        {"twice", "NUMERIC"},
        {"number", "INTEGER"},
    };
    assert_int_equal(t->columns.count, sizeof types / sizeof *types);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        assert_string_equal(t->columns.items[i].name, types[i][0]);
        assert_string_equal(t->columns.items[i].type, types[i][1]);
    }
    assert_true(table_column(t, "name")->primary && table_column(t, "c")->primary);
    assert_false(table_column(t, "feels")->primary);
    struct rows rows = place_rows(place, "SELECT feels, felt, c, cs, twice FROM t");
    assert_string_equal(cell_text(place, &rows, 0, 0), "sad");
    assert_string_equal(cell_text(place, &rows, 0, 1), "[\"sad\",\"it's ok\"]");
    assert_string_equal(cell_text(place, &rows, 0, 3), "[\"a\",null]");
    assert_string_equal(cell_text(place, &rows, 0, 4), "3.000");
    struct err err;
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    assert_string_equal(table_column(t, "feels")->samples.items[0], "sad");
    assert_int_equal(table_column(t, "feels")->distinct, 1);
    assert_string_equal(table_column(t, "price")->greatest, "1.500");
}

static void parts_and_hidden_tables_are_left_out(void **state)
{
    struct place *place = *state;
    (void)place_open(
        place, "CREATE TABLE sale (id integer, sold date) PARTITION BY RANGE (sold);"
               "CREATE TABLE sale_24 PARTITION OF sale FOR VALUES FROM"
               " ('2024-01-01') TO ('2025-01-01');"
               "CREATE TABLE secret (id integer); REVOKE ALL ON secret FROM reader;"
               "CREATE SCHEMA vault; CREATE TABLE vault.gold (id integer);"
               "REVOKE ALL ON SCHEMA vault FROM reader;"
               "CREATE MATERIALIZED VIEW seen AS SELECT id FROM sale;"
               "INSERT INTO sale VALUES (1, '2024-05-05'); ANALYZE");
    struct schema *schema = place_schema(place);
    assert_int_equal(schema->tables.count, 2);
    assert_non_null(schema_table(schema, "sale"));
    assert_int_equal(schema_table(schema, "sale")->row_count, 1); /* by ANALYZE */
    assert_false(schema_table(schema, "sale")->row_count_exact);
    assert_true(schema_table(schema, "seen")->is_view);
    struct err err;
    assert_false(place_raw(place, "SELECT * FROM secret", NULL, NULL, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    /* rights to one column show that column */
    char before[33];
    char after[33];
    place_signature(place, before);
    kind->script(place->path, "ALTER TABLE secret ADD COLUMN name varchar;"
                              "GRANT SELECT (name) ON secret TO reader");
    place_signature(place, after);
    assert_string_not_equal(before, after);
    schema = place_schema(place);
    const struct table *secret = schema_table(schema, "secret");
    assert_non_null(secret);
    assert_int_equal(secret->columns.count, 1);
    assert_string_equal(secret->columns.items[0].name, "name");
    err_clear(&err);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
}

static void keys_cross_schemas(void **state)
{
    struct place *place = *state;
    (void)place_open(place,
                     "CREATE SCHEMA crm; CREATE TABLE crm.person (a integer, b integer,"
                     " PRIMARY KEY (b, a)); CREATE TABLE orders (id integer, y integer,"
                     " x integer, FOREIGN KEY (x, y) REFERENCES crm.person (a, b))");
    struct schema *schema = place_schema(place);
    const struct table *orders = schema_table(schema, "orders");
    assert_int_equal(orders->foreign_keys.count, 1);
    const struct foreign_key *key = &orders->foreign_keys.items[0];
    assert_string_equal(key->table, "crm.person");
    assert_string_equal(key->columns.items[0], "x");
    assert_string_equal(key->references.items[0], "a");
    assert_string_equal(key->columns.items[1], "y");
    assert_string_equal(key->references.items[1], "b");
}

/* A schema called public is not the home of plain names when the search path says
 * another: public.orders is a table of its own, which a policy may deny. */
static void public_is_a_schema_like_others(void **state)
{
    static const char *const denied[] = {
        "SELECT note FROM public.orders", "SELECT note FROM PUBLIC.orders",
        "SELECT note FROM \"public\".orders", "SELECT o.note FROM public.orders o",
        "SELECT (SELECT max(note) FROM public.orders) FROM orders"};
    struct place *place = *state;
    kind->script(place->path,
                 "CREATE SCHEMA sales; CREATE TABLE sales.orders (note text); INSERT INTO"
                 " sales.orders VALUES ('open'); CREATE TABLE public.orders (note text);"
                 " INSERT INTO public.orders VALUES ('secret');"
                 " DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = sales',"
                 " current_database()); END$$");
    place->source = place_open_policy(place, "tables: {allow: [orders]}");
    struct schema *schema = place_schema(place);
    assert_int_equal(schema->tables.count, 1);
    struct rows rows = place_rows(place, "SELECT note FROM orders");
    assert_string_equal(cell_text(place, &rows, 0, 0), "open");
    rows = place_rows(place, "SELECT note FROM sales.orders");
    assert_string_equal(cell_text(place, &rows, 0, 0), "open");
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) {
        struct err err;
        err_clear(&err);
        rows_init(&rows, place->arena);
        if (datasource_execute(place->source, denied[i], NULL, NULL, &rows, &err)) {
            fail_msg("%s: %s", denied[i], cell_text(place, &rows, 0, 0));
        }
        assert_int_equal(err.code, ERR_INVALID_SQL);
    }
}

/* Of a large table the server's own statistics are asked. */
static void large_tables_are_not_read(void **state)
{
    struct place *place = *state;
    (void)place_open(place,
                     "CREATE TABLE visit (id integer, page varchar, at date);"
                     "INSERT INTO visit SELECT i, CASE WHEN i % 4 > 0 THEN 'home' ELSE"
                     " 'shop' END, DATE '2024-01-01' + i % 100 FROM"
                     " generate_series(1, 300000) i; ANALYZE");
    struct schema *schema = place_schema(place);
    struct err err;
    err_clear(&err);
    if (!datasource_enrich(place->source, schema, NULL, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    const struct table *visit = schema_table(schema, "visit");
    assert_true(visit->row_count > 250000 && visit->row_count < 350000);
    assert_false(visit->row_count_exact);
    const struct column *page = table_column(visit, "page");
    assert_int_equal(page->distinct, 2);
    assert_int_equal(page->samples.count, 2);
    assert_string_equal(page->samples.items[0], "home");
    struct datasource_estimate estimate;
    assert_true(datasource_estimate(place->source,
                                    "SELECT count(*) FROM visit WHERE page = 'shop'",
                                    place->arena, NULL, &estimate, &err));
    assert_true(estimate.full_scan);
    assert_string_equal(estimate.table, "visit");
    assert_true(estimate.rows > 250000); /* what is read, not what is left of it */
    assert_true(estimate.bytes > 1000000);
}

static void *fire_soon(void *context)
{
    (void)usleep(100000);
    cancel_fire(context);
    return NULL;
}

/* Somebody listens and never says a word. */
static void silent_server_is_given_up(void **state)
{
    struct place *place = *state;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int silent = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(silent >= 0);
    assert_int_equal(bind(silent, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(silent, 8), 0);
    assert_int_equal(getsockname(silent, (struct sockaddr *)&address, &size), 0);
    char url[100];
    (void)snprintf(url, sizeof url,
                   "postgres://me:hunter2@127.0.0.1:%d/x?connect_timeout=1",
                   ntohs(address.sin_port));
    struct err err;
    assert_null(place_try_open(place, url, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_null(strstr(err.message, "hunter2"));
    (void)close(silent);
}

/* The way to the server breaks while a connection is being made again. */
static void stop_is_heard_while_connecting(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id integer)");
    struct cancel cancel;
    pthread_t thread;
    cancel_init(&cancel);
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                       .cancel = &cancel};
    struct err err;
    err_clear(&err);
    assert_int_equal(pthread_create(&thread, NULL, fire_soon, &cancel), 0);
    char signature[33];
    while (datasource_signature(place->source, &limits, signature, &err)) {
        kind->server->terminate(place->path); /* so each one connects */
    }
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    cancel_release(&cancel);
    place_signature(place, signature);
}

static bool warned_of(const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->warnings.count; i++) {
        if (strstr(schema->warnings.items[i], name)) {
            return true;
        }
    }
    return false;
}

/* A view that fails, and one that never ends: the others have their samples. */
static void failing_tables_do_not_fail_the_schema(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE TABLE item (id integer, name varchar);"
                            "INSERT INTO item VALUES (1, 'pen'), (2, NULL);"
                            "CREATE VIEW broken AS SELECT 1 / (id - id) AS x FROM item;"
                            "CREATE VIEW slow AS SELECT pg_sleep(60)::text AS nap;"
                            "CREATE TABLE other AS SELECT 'x'::text AS a");
    struct schema *schema = place_schema(place);
    struct err err;
    err_clear(&err);
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 3000};
    place->options->datasource_connections = 3;
    if (!datasource_enrich(place->source, schema, &limits, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    assert_int_equal(schema->tables.count, 4);
    assert_true(warned_of(schema, "broken"));
    assert_true(warned_of(schema, "slow"));
    assert_false(warned_of(schema, "item"));
    const struct table *item = schema_table(schema, "item");
    assert_int_equal(item->row_count, 2);
    assert_true(item->row_count_exact);
    assert_string_equal(table_column(item, "name")->samples.items[0], "pen");
    assert_true(table_column(item, "name")->null_share > 0.4);
    assert_string_equal(table_column(item, "id")->greatest, "2");
    assert_int_equal(schema_table(schema, "other")->row_count, 1);
    assert_int_equal(kind->server->running(place->path), 0); /* ended there, too */
}

static void stop_ends_enrichment(void **state)
{
    struct place *place = *state;
    (void)place_open(place, "CREATE VIEW a AS SELECT pg_sleep(60)::text AS nap;"
                            "CREATE VIEW b AS SELECT pg_sleep(60)::text AS nap");
    struct schema *schema = place_schema(place);
    struct cancel cancel;
    pthread_t thread;
    cancel_init(&cancel);
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 50000,
                                       .cancel = &cancel};
    struct err err;
    err_clear(&err);
    place->options->schema_enrich_timeout_s = 50;
    int64_t before_ms = clock_ms();
    assert_int_equal(pthread_create(&thread, NULL, fire_soon, &cancel), 0);
    assert_false(datasource_enrich(place->source, schema, &limits, &err));
    assert_int_equal(err.code, ERR_STOPPED);
    assert_true(clock_ms() - before_ms < 30000);
    assert_int_equal(pthread_join(thread, NULL), 0);
    cancel_release(&cancel);
    int64_t until_ms = clock_ms() + 120000;
    while (kind->server->running(place->path) > 0 && clock_ms() < until_ms) {
        (void)usleep(10000);
    }
    assert_int_equal(kind->server->running(place->path), 0);
}

static void broken_urls_do_not_tell(void **state)
{
    struct place *place = *state;
    static const char *const urls[] = {
        "postgres://me:hunter2%zz@host/x", "postgres://me:hunter2@host/x?nonsense=1",
        "postgres://me:hunter2@[host/x", "postgres://me@host/x?password_env=NO_SUCH_NAME",
        "postgres://me@host/x?password_file=/nowhere/hunter2"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err err;
        assert_null(place_try_open(place, urls[i], &err));
        assert_true(err.code == ERR_DATASOURCE_NOT_FOUND || err.code == ERR_CONFIG);
        assert_null(strstr(err.message, "hunter2"));
        assert_null(strstr(err.detail, "hunter2"));
        assert_true(err.hint[0]);
    }
}

int suite_postgres(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(types_of_the_database_are_named),
        PLACE_TEST(parts_and_hidden_tables_are_left_out),
        PLACE_TEST(keys_cross_schemas),
        PLACE_TEST(public_is_a_schema_like_others),
        PLACE_TEST(large_tables_are_not_read),
        PLACE_TEST(silent_server_is_given_up),
        PLACE_TEST(stop_is_heard_while_connecting),
        PLACE_TEST(broken_urls_do_not_tell),
        PLACE_TEST(failing_tables_do_not_fail_the_schema),
        PLACE_TEST(stop_ends_enrichment),
    };
    return cmocka_run_group_tests_name("postgres", tests, NULL, NULL) +
           suite_postgres_own();
}
