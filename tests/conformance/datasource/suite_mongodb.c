/* What only documents have: nested ones, arrays, mixed types, and what is asked of the
 * server for a query. The peer is not a MongoDB: this shows the wire, not its answers. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "conformance.h"
#include "mongodb_peer.h"

static const char shop[] =
    "{\"insert\": \"users\", \"documents\": ["
    "{\"_id\": {\"$oid\": \"65f000000000000000000001\"}, \"name\": \"Ada\","
    " \"address\": {\"city\": \"Bonn\", \"geo\": {\"lat\": 50.7}}, \"age\": 36,"
    " \"tags\": [\"vip\", \"early\"], \"joined\": {\"$date\": "
    "\"2024-02-29T10:00:00.5Z\"},"
    " \"score\": \"7\", \"balance\": {\"$numberDecimal\": \"1234567890.10\"}},"
    "{\"_id\": {\"$oid\": \"65f000000000000000000002\"}, \"name\": \"Ben "
    "\\uD83D\\uDE00\","
    " \"address\": {\"city\": \"Rome\"}, \"age\": {\"$numberLong\": "
    "\"9007199254740993\"},"
    " \"tags\": [], \"joined\": {\"$date\": \"2024-05-01T00:00:00Z\"}, \"score\": 8,"
    " \"balance\": {\"$numberDecimal\": \"0.5\"}},"
    "{\"_id\": {\"$oid\": \"65f000000000000000000003\"}, \"name\": \"\", \"age\": null,"
    " \"score\": true, \"active\": false,"
    " \"token\": {\"$binary\": {\"base64\": \"AP8Q\", \"subType\": \"00\"}},"
    " \"key\": {\"$uuid\": \"550e8400-e29b-41d4-a716-446655440000\"},"
    " \"extra\": [[1, 2], [3]], \"Name\": \"other\"}]};"
    "{\"insert\": \"orders\", \"documents\": ["
    "{\"_id\": 1, \"user\": {\"$oid\": \"65f000000000000000000001\"}, \"total\": 20.5,"
    " \"items\": [{\"sku\": \"pen\", \"count\": 2, \"parts\": [1]},"
    " {\"sku\": \"book\", \"count\": 1}]},"
    "{\"_id\": 2, \"user\": {\"$oid\": \"65f000000000000000000002\"}, \"total\": 5,"
    " \"items\": [{\"sku\": \"pen\", \"count\": 5}]},"
    "{\"_id\": 3, \"user\": {\"$oid\": \"65f000000000000000000002\"}, \"total\": 7.25,"
    " \"items\": []}]};"
    "{\"index\": \"users\", \"key\": {\"address.city\": 1, \"age\": -1}, \"unique\": "
    "true};"
    "{\"create\": \"empty\", \"options\": {\"validator\": {\"$jsonSchema\": {"
    "\"required\": [\"code\"], \"properties\": {\"code\": {\"bsonType\": \"string\","
    " \"description\": \"as printed\"}, \"in\": {\"bsonType\": \"object\", "
    "\"properties\":"
    " {\"side\": {\"bsonType\": [\"int\", \"null\"]}}}, \"list\": {\"bsonType\": "
    "\"array\","
    " \"items\": {\"bsonType\": \"date\"}}}}}}}";

static const char *type_of(const struct schema *schema, const char *table,
                           const char *column)
{
    const struct table *found = schema_table(schema, table);
    assert_non_null(found);
    const struct column *named = table_column(found, column);
    if (!named) {
        fail_msg("%s has no %s", table, column);
        return "";
    }
    return named->type;
}

static void nested_documents_and_arrays_become_tables(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    assert_string_equal(type_of(schema, "users", "_id"), "VARCHAR");
    assert_string_equal(type_of(schema, "users", "address.city"), "VARCHAR");
    assert_string_equal(type_of(schema, "users", "address.geo.lat"), "DOUBLE");
    assert_string_equal(type_of(schema, "users", "age"), "BIGINT");
    assert_string_equal(type_of(schema, "users", "joined"), "TIMESTAMP");
    assert_string_equal(type_of(schema, "users", "balance"), "DECIMAL(38,2)");
    assert_string_equal(type_of(schema, "users", "token"), "BLOB");
    assert_string_equal(type_of(schema, "users", "key"), "VARCHAR");
    assert_string_equal(type_of(schema, "users", "active"), "BOOLEAN");
    assert_string_equal(type_of(schema, "users", "Name_2"), "VARCHAR");
    assert_string_equal(type_of(schema, "orders", "total"), "DOUBLE");
    assert_string_equal(type_of(schema, "users__tags", "value"), "VARCHAR");
    assert_string_equal(type_of(schema, "users__extra", "value"), "JSON");
    assert_string_equal(type_of(schema, "orders__items", "orders_id"), "BIGINT");
    assert_string_equal(type_of(schema, "orders__items", "position"), "BIGINT");
    assert_string_equal(type_of(schema, "orders__items", "count"), "BIGINT");
    assert_string_equal(type_of(schema, "orders__items", "parts"), "JSON");
    const struct table *items = schema_table(schema, "orders__items");
    assert_int_equal(items->foreign_keys.count, 1);
    assert_string_equal(items->foreign_keys.items[0].table, "orders");
    assert_string_equal(items->foreign_keys.items[0].references.items[0], "_id");
    assert_true(table_column(items, "orders_id")->primary);
    assert_true(table_column(items, "position")->primary);
    const struct table *users = schema_table(schema, "users");
    assert_null(table_column(users, "tags"));
    assert_null(table_column(users, "address"));
}

static void mixed_types_are_named(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    const struct column *score = table_column(schema_table(schema, "users"), "score");
    assert_string_equal(score->type, "VARCHAR");
    assert_string_equal(score->comment,
                        "mixed types: boolean 33 %, integer 33 %, string 33 %");
    assert_null(table_column(schema_table(schema, "users"), "age")->comment);
    struct rows rows =
        place_rows(place, "SELECT score FROM users ORDER BY _id"); /* all are kept */
    assert_string_equal(cell_text(place, &rows, 0, 0), "7");
    assert_string_equal(cell_text(place, &rows, 1, 0), "8");
    assert_string_equal(cell_text(place, &rows, 2, 0), "true");
}

static void validators_and_indexes_are_read(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    const struct table *empty = schema_table(schema, "empty");
    assert_int_equal(empty->row_count, 0);
    assert_true(empty->row_count_exact);
    const struct column *code = table_column(empty, "code");
    assert_false(code->nullable);
    assert_string_equal(code->comment, "as printed");
    assert_string_equal(type_of(schema, "empty", "in.side"), "BIGINT");
    assert_string_equal(type_of(schema, "empty__list", "value"), "TIMESTAMP");
    const struct table *users = schema_table(schema, "users");
    assert_int_equal(users->indexes.count, 2);
    const struct index *index = &users->indexes.items[1];
    assert_true(index->unique);
    assert_int_equal(index->columns.count, 2);
    assert_string_equal(index->columns.items[0], "address.city");
    assert_string_equal(index->columns.items[1], "age");
    struct rows rows = place_rows(place, "SELECT * FROM empty");
    assert_int_equal(rows.count, 0);
    assert_int_equal(rows.column_count, 3);
}

static void expect_row(struct place *place, const char *sql, const char *wanted)
{
    struct rows rows = place_rows(place, sql);
    struct buf text;
    buf_init(&text, 1 << 16);
    for (size_t i = 0; i < rows.count; i++) {
        for (size_t c = 0; c < rows.column_count; c++) {
            (void)buf_format(&text, "%s%s",
                             c   ? "|"
                             : i ? "; "
                                 : "",
                             cell_text(place, &rows, i, c));
        }
    }
    assert_string_equal(buf_get(&text), wanted);
    buf_release(&text);
}

static void values_come_out_whole(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    expect_row(place,
               "SELECT _id, name, \"address.city\", \"address.geo.lat\", age, joined,"
               " balance FROM users ORDER BY _id",
               "65f000000000000000000001|Ada|Bonn|50.7|36|2024-02-29 10:00:00.5|"
               "1234567890.10; "
               "65f000000000000000000002|Ben \xF0\x9F\x98\x80|Rome||9007199254740993|"
               "2024-05-01 00:00:00|0.50; "
               "65f000000000000000000003||||||");
    expect_row(place,
               "SELECT token, key, active, Name_2 FROM users WHERE active IS NOT NULL",
               "x'00ff10'|550e8400-e29b-41d4-a716-446655440000|false|other");
    expect_row(place, "SELECT users_id, position, value FROM users__tags",
               "65f000000000000000000001|1|vip; 65f000000000000000000001|2|early");
    expect_row(place, "SELECT position, value FROM users__extra", "1|[1,2]; 2|[3]");
    expect_row(place, "SELECT sku, sum(count) FROM orders__items GROUP BY sku ORDER BY 1",
               "book|1; pen|7");
    expect_row(place, "SELECT parts FROM orders__items WHERE sku = 'pen' ORDER BY 1",
               "[1]; ");
    expect_row(place,
               "SELECT u.name, count(*), sum(o.total) FROM users AS u JOIN orders AS o"
               " ON o.\"user\" = u._id GROUP BY u.name ORDER BY u.name",
               "Ada|1|20.5; Ben \xF0\x9F\x98\x80|2|12.25");
    expect_row(place,
               "SELECT o._id FROM orders AS o LEFT JOIN orders__items AS i ON"
               " i.orders_id = o._id WHERE i.sku IS NULL",
               "3");
}

/* What the last find of a collection asked for. */
static void expect_find(struct place *place, const char *sql, const char *wanted)
{
    char sent[2000];
    (void)place_rows(place, sql);
    mongodb_peer_tell("last", place->path, "find", sent, sizeof sent);
    if (!strstr(sent, wanted)) {
        fail_msg("%s: no %s in %s", sql, wanted, sent);
    }
}

/* Arrays are tables of their own, but part of the documents that a policy speaks of. */
static void arrays_are_held_back_with_their_documents(void **state)
{
    static const struct {
        const char *policy;
        const char *table; /* with the array in question */
        bool there;
    } cases[] = {
        {"tables: {deny: [users]}", "users__tags", false},
        {"tables: {deny: [users]}", "orders__items", true},
        {"columns: {deny: [users.tags]}", "users__tags", false},
        {"columns: {deny: [users.tags]}", "users__extra", true},
        {"columns: {mask: {orders.items.sku: redact}}", "orders__items", false},
        {"rows: {users: \"name = 'Ada'\"}", "users__tags", false},
        {"rows: {users: \"name = 'Ada'\", users__tags: \"value = 'vip'\"}", "users__tags",
         true},
        {"columns: {deny: [users.name]}", "users__tags", true},
    };
    struct place *place = *state;
    (void)place_open(place, shop);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        err_clear(&err);
        struct datasource *source = place_open_policy(place, cases[i].policy);
        struct schema *schema = datasource_describe(source, NULL, &err);
        if (!schema) {
            fail_msg("%s: %s", cases[i].policy, err.message);
        }
        schema_normalize(schema);
        if ((schema_table(schema, cases[i].table) != NULL) != cases[i].there) {
            fail_msg("%s: %s", cases[i].policy, cases[i].table);
        }
        struct rows rows;
        const char *sql = arena_format(place->arena, "SELECT * FROM %s", cases[i].table);
        rows_init(&rows, place->arena);
        assert_int_equal(datasource_execute(source, sql, NULL, NULL, &rows, &err),
                         cases[i].there);
        schema_unref(schema);
        datasource_close(source);
    }
}

static void filters_columns_and_limits_go_to_the_server(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    (void)place_schema(place);
    expect_find(place, "SELECT name FROM users WHERE \"address.city\" = 'Bonn'",
                "\"filter\":{\"$and\":[{\"address.city\":{\"$eq\":\"Bonn\"}}]}");
    expect_find(place, "SELECT name FROM users WHERE \"address.city\" = 'Bonn'",
                "\"projection\":{\"name\":1,\"address.city\":1,\"_id\":0}");
    expect_find(place, "SELECT name FROM users LIMIT 2", "\"limit\":2");
    expect_find(place, "SELECT name FROM users", "\"limit\":10001");
    expect_find(place, "SELECT count(*) FROM users", "\"projection\":{\"_id\":1}");
    expect_find(place, "SELECT name FROM users u WHERE u.age >= 30 AND u.age < 40.5",
                "[{\"age\":{\"$gte\":30}},{\"age\":{\"$lt\":40.5}}]");
    expect_find(place, "SELECT name FROM users WHERE age BETWEEN 1 AND 5 AND name <> ''",
                "[{\"age\":{\"$gte\":1,\"$lte\":5}},{\"name\":{\"$ne\":\"\"}}]");
    expect_find(place, "SELECT name FROM users WHERE joined >= DATE '2024-03-01'",
                "[{\"joined\":{\"$gte\":{\"$date\":\"2024-03-01T00:00:00Z\"}}}]");
    expect_find(place, "SELECT name FROM users WHERE _id = '65f000000000000000000001'",
                "[{\"_id\":{\"$eq\":{\"$oid\":\"65f000000000000000000001\"}}}]");
    expect_find(place, "SELECT name FROM users WHERE name IN ('Ada', 'Eve')",
                "[{\"name\":{\"$in\":[\"Ada\",\"Eve\"]}}]");
    expect_find(place,
                "SELECT total FROM users AS u JOIN orders AS o ON u._id = o.\"user\""
                " WHERE total < 9 AND name = 'Ada' AND o._id IN (1, -2)",
                "[{\"total\":{\"$lt\":9}},{\"_id\":{\"$in\":[1,-2]}}]");
    expect_find(place, "SELECT sku FROM orders__items WHERE orders_id = 1",
                "[{\"_id\":{\"$eq\":1}}]");
    expect_find(place, "SELECT sku FROM orders__items",
                "\"projection\":{\"items.sku\":1,\"_id\":0}");
}

/* Rows of a subquery, or of a query that looks at all of them, are not those of the
 * documents. */
static void limits_stay_here_unless_documents_are_rows(void **state)
{
    struct place *place = *state;
    static const char *const queries[] = {
        "SELECT n FROM (SELECT count(*) AS n FROM users) AS t",
        "SELECT name FROM (SELECT name FROM users ORDER BY age) AS t LIMIT 1",
        "SELECT DISTINCT name FROM users LIMIT 1",
        "SELECT name FROM users LIMIT 50%",
        "SELECT name FROM users ORDER BY name LIMIT 1",
        "SELECT (SELECT count(*) FROM users) LIMIT 1",
    };
    (void)place_open(place, shop);
    (void)place_schema(place);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        char sent[2000];
        (void)place_rows(place, queries[i]);
        mongodb_peer_tell("last", place->path, "find", sent, sizeof sent);
        if (strstr(sent, "limit")) {
            fail_msg("%s: %s", queries[i], sent);
        }
    }
}

/* Whatever stands for columns without naming them. */
static void columns_that_are_not_named_are_read_too(void **state)
{
    struct place *place = *state;
    static const char *const queries[] = {
        "SELECT orders FROM orders",
        "SELECT o FROM orders AS o",
        "FROM orders",
        "SELECT o.* FROM orders o",
        "SELECT c FROM orders AS o (a, b, c)",
        "SELECT COLUMNS('t.*') FROM orders",
    };
    (void)place_open(place, shop);
    (void)place_schema(place);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        expect_find(place, queries[i],
                    "\"projection\":{\"_id\":1,\"user\":1,\"total\":1}");
    }
    expect_find(place, "SELECT count(*) FILTER (WHERE total > 6) FROM orders",
                "\"projection\":{\"total\":1,\"_id\":0}");
    expect_find(place, "SELECT extract(year FROM joined) FROM users",
                "\"projection\":{\"joined\":1,\"_id\":0}");
}

/* Where the server might judge otherwise than the SQL, it is not asked to. */
static void what_is_not_certain_stays_here(void **state)
{
    struct place *place = *state;
    static const char *const queries[] = {
        "SELECT name FROM users WHERE age > 3 OR name = 'x'",
        "SELECT name FROM users WHERE NOT age > 3",
        "SELECT name FROM users WHERE lower(name) = 'ada'",
        "SELECT name FROM users WHERE name LIKE 'A%'",
        "SELECT name FROM users WHERE score = '7'",
        "SELECT name FROM users WHERE age = 1 + 1",
        "SELECT a.name FROM users AS a JOIN users AS b ON a._id = b._id WHERE b.age = 36",
        "SELECT name FROM users WHERE age IS NULL",
        "SELECT name FROM users WHERE _id = '65F000000000000000000001'",
        "SELECT name FROM users WHERE age = 36 UNION SELECT name FROM users",
        "SELECT sku FROM orders__items WHERE sku = 'pen'",
        "SELECT name FROM users WHERE joined > DATE '2024-02-29 09:00:00'",
        "WITH u AS (SELECT * FROM users) SELECT name FROM u WHERE age = 36",
    };
    (void)place_open(place, shop);
    (void)place_schema(place);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        expect_find(place, queries[i], "\"filter\":{}");
    }
    expect_row(place, "SELECT name FROM users WHERE age > 3 OR name = '' ORDER BY 1",
               "; Ada; Ben \xF0\x9F\x98\x80");
    expect_row(place, "SELECT count(*) FROM users WHERE age IS NULL", "1");
}

/* The words of people never become operators or code. */
static void nothing_of_the_question_becomes_an_operator(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct err err;
    expect_row(place, "SELECT count(*) FROM users WHERE name = '{\"$gt\": \"\"}'", "0");
    expect_row(place, "SELECT count(*) FROM users WHERE name IN ('$where', '$function')",
               "0");
    assert_false(place_raw(place, "SELECT \"$where\" FROM users", NULL, NULL, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    char sent[2000];
    expect_find(place, "SELECT name FROM users WHERE name = '$where'",
                "{\"$eq\":\"$where\"}");
    static const char *const never[] = {"insert",    "update",    "delete",
                                        "aggregate", "mapReduce", "findAndModify",
                                        "drop",      "create",    "eval"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        mongodb_peer_tell("count", place->path, never[i], sent, sizeof sent);
        assert_string_equal(sent, "0");
    }
}

struct asking {
    struct place *place;
    const char *sql;
    struct cancel cancel;
    struct err err;
};

static void *ask(void *context)
{
    struct asking *asking = context;
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                             .max_rows = INT64_MAX - 1,
                                             .max_bytes = INT64_MAX,
                                             .cancel = &asking->cancel};
    (void)place_raw(asking->place, asking->sql, &limits, NULL, &asking->err);
    return NULL;
}

/* Seen on the wire: what the server works on is looked for by its comment and ended. */
static void stop_sends_kill_commands(void **state)
{
    struct place *place = *state;
    static const char *const kills[][2] = {{"SELECT count(*) FROM endless", "killOp"},
                                           {"SELECT a FROM many", "killCursors"}};
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    for (size_t i = 0; i < 2; i++) {
        struct asking asking = {.place = place, .sql = kills[i][0]};
        pthread_t thread;
        long before = mongodb_peer_ask("count", place->path, kills[i][1]);
        cancel_init(&asking.cancel);
        assert_int_equal(pthread_create(&thread, NULL, ask, &asking), 0);
        for (int waited = 0; mongodb_peer_ask("running", place->path, "") == 0;
             waited++) {
            assert_true(waited < 1000);
            (void)usleep(10000);
        }
        cancel_fire(&asking.cancel);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(asking.err.code, ERR_STOPPED);
        assert_true(mongodb_peer_ask("count", place->path, kills[i][1]) > before);
        cancel_release(&asking.cancel);
    }
}

static void new_fields_are_found_without_describing(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    expect_row(place, "SELECT count(*) FROM orders", "3");
    kind->script(place->path, "{\"insert\": \"orders\", \"documents\": [{\"_id\": 4,"
                              " \"total\": 1, \"coupon\": \"SPRING\"}]}");
    expect_row(place, "SELECT coupon FROM orders WHERE coupon IS NOT NULL", "SPRING");
}

/* A thousand fields, and a value that the samples did not foretell. */
static void wide_and_uneven_collections_come_out(void **state)
{
    struct place *place = *state;
    struct buf script;
    buf_init(&script, 1 << 20);
    (void)buf_text(&script, "{\"insert\": \"wide\", \"documents\": [{\"_id\": 1");
    for (int i = 0; i < 1000; i++) {
        (void)buf_format(&script, ", \"field_%d\": %d", i, i);
    }
    (void)buf_text(&script, "}]}; {\"insert\": \"uneven\", \"documents\": [");
    for (int i = 0; i < 1200; i++) {
        (void)buf_format(&script, "%s{\"_id\": %d, \"n\": %s}", i ? ", " : "", i,
                         i == 600 ? "\"many\"" : "1");
    }
    (void)buf_text(&script, "]}");
    (void)place_open(place, buf_get(&script));
    buf_release(&script);
    struct rows rows = place_rows(place, "SELECT * FROM wide");
    assert_int_equal(rows.column_count, 1001);
    assert_string_equal(cell_text(place, &rows, 0, 1000), "999");
    struct schema *schema = place_schema(place);
    assert_int_equal(schema_table(schema, "wide")->columns.count, 1001);
    assert_string_equal(type_of(schema, "uneven", "n"), "BIGINT");
    assert_int_equal(schema_table(schema, "uneven")->row_count, 1200);
    assert_false(schema_table(schema, "uneven")->row_count_exact);
    expect_row(place, "SELECT n FROM uneven WHERE _id = 600", "many");
}

/* Every type of BSON, and the far ends of those that have some. */
static void odd_values_come_out(void **state)
{
    struct place *place = *state;
    (void)place_open(
        place,
        "{\"insert\": \"odd\", \"documents\": [{\"_id\": \"a\","
        " \"big\": {\"$numberDecimal\": \"12E+3\"}, \"tiny\": {\"$numberDecimal\":"
        " \"-1E-7\"}, \"nan\": {\"$numberDecimal\": \"NaN\"},"
        " \"exact\": {\"$numberDecimal\": \"12345678901234567890.12345678901234\"},"
        " \"vast\": {\"$numberDecimal\": \"1E+6000\"},"
        " \"least\": {\"$numberLong\": \"-9223372036854775808\"},"
        " \"real\": {\"$numberDouble\": \"-Infinity\"}, \"third\": 0.1,"
        " \"old\": {\"$date\": {\"$numberLong\": \"-1\"}},"
        " \"leap\": {\"$date\": \"1600-02-29T23:59:59Z\"},"
        " \"stamp\": {\"$timestamp\": {\"t\": 1700000000, \"i\": 1}},"
        " \"pattern\": {\"$regularExpression\": {\"pattern\": \"^a\", \"options\":"
        " \"i\"}}, \"code\": {\"$code\": \"while (1);\"}, \"low\": {\"$minKey\": 1},"
        " \"high\": {\"$maxKey\": 1}, \"symbol\": {\"$symbol\": \"s\"},"
        " \"empty\": {}, \"nothing\": {\"$undefined\": true},"
        " \"map\": {\"deep\": [{\"day\": {\"$date\": \"2024-01-01T00:00:00Z\"}}]}}]}");
    expect_row(place, "SELECT big, tiny, nan, exact, vast FROM odd",
               "12000|-0.0000001|NaN|12345678901234567890.12345678901234|1E6000");
    expect_row(place, "SELECT least, \"real\", third FROM odd",
               "-9223372036854775808|-Infinity|0.1");
    expect_row(place, "SELECT old, leap, stamp FROM odd",
               "1969-12-31 23:59:59.999|1600-02-29 23:59:59|2023-11-14 22:13:20");
    expect_row(place, "SELECT pattern, code, low, high, symbol, empty, nothing FROM odd",
               "/^a/i|while (1);|MinKey|MaxKey|s|{}|");
    expect_row(place, "SELECT position, day FROM \"odd__map__deep\"",
               "1|2024-01-01 00:00:00");
    expect_row(place, "SELECT count(*) FROM odd WHERE stamp > '2020-01-01'", "1");
}

/* Names that mean something else to MongoDB, to SQL, or to both. */
static void odd_names_do_no_harm(void **state)
{
    struct place *place = *state;
    (void)place_open(place,
                     "{\"insert\": \"odd\", \"documents\": [{\"_id\": 1, \"a.b\": 1,"
                     " \"a\": {\"b\": 2}, \"$set\": 3, \"\": 4, \"say \\\"hi\\\"\": 5,"
                     " \"select\": 6, \"__proto\": 7}]};"
                     "{\"insert\": \"sales.orders\", \"documents\": [{\"_id\": 5}]};"
                     "{\"insert\": \"orders__items\", \"documents\": [{\"_id\": 8}]};"
                     "{\"insert\": \"orders\", \"documents\": [{\"_id\": 9, \"items\":"
                     " [1, 2]}]}");
    expect_row(place,
               "SELECT \"a.b\", \"a.b_2\", \"$set\", \"_\", \"say \"\"hi\"\"\","
               " \"select\", __proto FROM odd",
               "1|2|3|4|5|6|7");
    expect_row(place, "SELECT _id FROM sales.orders", "5");
    expect_row(place, "SELECT * FROM orders__items", "8"); /* the collection wins */
    struct schema *schema = place_schema(place);
    assert_string_equal(schema_table(schema, "sales.orders")->namespace, "sales");
    assert_int_equal(schema_table(schema, "orders__items")->columns.count, 1);
    expect_row(place, "SELECT * FROM orders__items", "8");
}

static void doctor_warns_of_roles_that_write(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    (void)mongodb_peer_ask("roles", place->path,
                           "[{\"role\": \"read\", \"db\": \"shop\"},"
                           " {\"role\": \"readWrite\", \"db\": \"shop\"},"
                           " {\"role\": \"root\", \"db\": \"admin\"}]");
    struct datasource_inspection found;
    struct err err;
    err_clear(&err);
    assert_true(datasource_inspect(place->source, NULL, place->arena, &found, &err));
    assert_int_equal(found.ruling.count, 1);
    assert_string_equal(found.ruling.items[0], "has the role 'root' on 'admin'");
    assert_non_null(strstr(found.reader.items[0], "{role: \"read\", db: \"dragoman-"));
    /* a new connection of such a login is refused */
    assert_null(place_try_open(place, place_url(place), &err));
    assert_int_equal(err.code, ERR_SUPERUSER_LOGIN);
    assert_non_null(strstr(err.message, "reader has the role 'root' on 'admin'"));
    const char *allowed =
        arena_format(place->arena, "%s&allow_superuser=true", place_url(place));
    assert_non_null(place_try_open(place, allowed, &err));
    (void)mongodb_peer_ask("roles", place->path, "[]");
    assert_string_equal(found.version, "MongoDB 6.0.0");
    assert_string_equal(found.user, "reader");
    assert_string_equal(found.encryption, "none");
    assert_false(found.remote);
    assert_int_equal(found.dangers.count, 2);
    assert_string_equal(found.dangers.items[0], "has the role 'readWrite' on 'shop'");
    assert_string_equal(found.dangers.items[1], "has the role 'root' on 'admin'");
}

int suite_mongodb(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(nested_documents_and_arrays_become_tables),
        PLACE_TEST(mixed_types_are_named),
        PLACE_TEST(validators_and_indexes_are_read),
        PLACE_TEST(values_come_out_whole),
        PLACE_TEST(filters_columns_and_limits_go_to_the_server),
        PLACE_TEST(limits_stay_here_unless_documents_are_rows),
        PLACE_TEST(columns_that_are_not_named_are_read_too),
        PLACE_TEST(what_is_not_certain_stays_here),
        PLACE_TEST(nothing_of_the_question_becomes_an_operator),
        PLACE_TEST(arrays_are_held_back_with_their_documents),
        PLACE_TEST(stop_sends_kill_commands),
        PLACE_TEST(new_fields_are_found_without_describing),
        PLACE_TEST(wide_and_uneven_collections_come_out),
        PLACE_TEST(odd_values_come_out),
        PLACE_TEST(odd_names_do_no_harm),
        PLACE_TEST(doctor_warns_of_roles_that_write),
    };
    return cmocka_run_group_tests_name("mongodb", tests, NULL, NULL);
}
