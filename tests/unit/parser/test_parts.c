/* A query as parts: what it is made of, what a change makes of it, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/writer.h"
#include "parser/parts/parts.h"
#include "unit/parser/ir_shop.h"

enum { TEXT_MOST = 1 << 20 };

static const struct {
    const char *sql;
    const char *ir;
} known[] = {
#include "unit/parser/ir_sql_cases.def"
};

static int setup(void **state)
{
    static struct ir_shop shop;
    ir_shop_init(&shop, DIALECT_SQLITE);
    *state = &shop;
    return 0;
}

static int teardown(void **state)
{
    ir_shop_release(*state);
    return 0;
}

static struct parts *open_sql(const struct ir_shop *shop, const char *sql,
                              struct parts_request *request, struct err *err)
{
    *request = (struct parts_request){
        .schema = shop->ir, .dialect = DIALECT_SQLITE, .today = "2024-05-15", .sql = sql};
    err_clear(err);
    return parts_open(shop->arena, request, err);
}

static const char *text_of(const struct ir_shop *shop, const struct parts *parts)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    parts_write(parts, &writer);
    writer_object_end(&writer);
    const char *text = buf_clone(&buf, shop->arena);
    buf_release(&buf);
    return text;
}

static json_t *read_json(const struct ir_shop *shop, const char *text)
{
    struct err err;
    json_t *json = json_parse(shop->arena, text, strlen(text), &err);
    if (!json) {
        fail_msg("%s: %s", err.message, text);
    }
    return json;
}

/* Two SQL texts that say the same: as they come back from an object that nobody changed. */
static const char *unchanged(const struct ir_shop *shop, const char *sql,
                             struct parts_change *change)
{
    struct err err;
    struct parts_request request;
    struct parts *parts = open_sql(shop, sql, &request, &err);
    *change = (struct parts_change){0};
    if (!parts) {
        return NULL;
    }
    const char *text = text_of(shop, parts);
    if (parts_change(parts, read_json(shop, text), change, &err) ||
        !str_equal(err.message, "Nothing was changed.")) {
        print_error("%s\n  %s\n  changed: %s\n  error: %s\n", sql, text,
                    change->said ? change->said : "(nothing)", err.message);
        return "";
    }
    return change->sql;
}

static void comes_back_as_it_was(void **state)
{
    size_t fits = 0;
    size_t wrong = 0;
    size_t all = sizeof known / sizeof *known;
    for (size_t i = 0; i < all; i++) {
        struct parts_change once;
        struct parts_change twice;
        const char *sql = unchanged(*state, known[i].sql, &once);
        fits += sql != NULL;
        /* Medians of SQLite are more than can be read; ranges lose their heading. */
        const char *again = sql && *sql ? unchanged(*state, sql, &twice) : sql;
        bool same = !again || str_equal(sql, again) || strstr(sql, "CASE");
        if (sql && (!*sql || !same)) {
            print_error("%s\n  once: %s\n  twice: %s\n", known[i].sql, sql,
                        again ? again : "");
            wrong++;
        }
    }
    print_message("%zu of %zu queries fit\n", fits, all);
    assert_int_equal(wrong, 0);
    assert_true(fits * 10 >= all * 7);
}

/* What a query is, and how a change of one field shows. */
static const struct {
    const char *sql;
    const char *parts; /* as JSON, without labels */
    const char *changed;
    const char *result;
    const char *said;
} changes[] = {
#include "unit/parser/parts_cases.def"
};

static void drop_labels(json_t *value)
{
    size_t index = 0;
    const char *key = NULL;
    json_t *item = NULL;
    if (json_is_object(value)) {
        (void)json_object_del(value, "label");
        json_object_foreach(value, key, item)
        {
            drop_labels(item);
        }
    }
    json_array_foreach(value, index, item)
    {
        drop_labels(item);
    }
}

static bool same_parts(const struct ir_shop *shop, const char *text, const char *expected)
{
    json_t *json = read_json(shop, text);
    drop_labels(json);
    return json_equal(json, read_json(shop, expected));
}

static void changes_one_part(void **state)
{
    const struct ir_shop *shop = *state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct err err;
        struct parts_request request;
        struct parts_change change = {0};
        struct parts *parts = open_sql(shop, changes[i].sql, &request, &err);
        if (!parts) {
            fail_msg("%s: %s", changes[i].sql, err.message);
        }
        const char *text = text_of(shop, parts);
        bool ok = parts_change(parts, read_json(shop, changes[i].changed), &change, &err);
        if (!same_parts(shop, text, changes[i].parts) || !ok ||
            !str_equal(change.sql, changes[i].result) ||
            !str_equal(change.said, changes[i].said)) {
            wrong++;
            print_error("%s\n  %s\n  %s\n  %s\n  %s\n", changes[i].sql, text,
                        change.sql ? change.sql : "", ok ? change.said : err.message,
                        ok ? "" : err.detail);
        }
    }
    assert_int_equal(wrong, 0);
}

static const char *const hostile[] = {
    "[]",
    "{}",
    "{\"measures\": {}}",
    "{\"measures\": [1]}",
    "{\"measures\": [{}]}",
    "{\"measures\": [null]}",
    "{\"measures\": [{\"figure\": \"sum\"}]}",
    "{\"measures\": [{\"figure\": \"sum\", \"column\": \"orders.status\"}]}",
    "{\"measures\": [{\"figure\": \"drop\", \"column\": \"orders.total\"}]}",
    "{\"measures\": [{\"figure\": \"sum\", \"column\": \"orders.total) FROM "
    "orders--\"}]}",
    "{\"measures\": [{\"figure\": \"sum\", \"column\": \"sqlite_master.name\"}]}",
    "{\"measures\": [{\"figure\": \"sum\", \"table\": \"orders\"}]}",
    "{\"measures\": [{\"figure\": \"count\", \"table\": \"nothing\"}]}",
    "{\"measures\": [{\"kept\": -1}]}",
    "{\"measures\": [{\"kept\": 99999999999}]}",
    "{\"measures\": [{\"kept\": \"0\"}]}",
    "{\"measures\": [{\"column\": \"orders.total\"}]}",
    "{\"columns\": [{\"figure\": \"sum\", \"column\": \"orders.total\"}]}",
    "{\"columns\": [{\"column\": \"orders.total\", \"by\": \"month\"}]}",
    "{\"columns\": [{\"column\": \"orders.ordered_at\", \"by\": \"minute\"}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}, {\"column\": \"orders.id\"}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": \"1=1\"}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.total\", \"test\": \"more\", \"values\": [\"1 OR 1=1\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.total\", \"test\": \"more\", \"values\": [\"1.2.3\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.total\", \"test\": \"more\", \"values\": []}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.total\", \"test\": \"more\", \"values\": [5]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.total\", \"test\": \"contains\", \"values\": [\"5\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.ordered_at\", \"test\": \"in\", \"values\": [\"2024' OR '1'='1\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.ordered_at\", \"test\": \"in\", \"values\": [\"2024-99\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.ordered_at\", \"test\": \"in\", \"values\": [\"last 5000 months\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": [{\"column\": "
    "\"orders.ordered_at\", \"test\": \"in\", \"values\": [\"last -3 months\"]}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"order\": [{\"column\": 1}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"order\": [{\"kept\": 0}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"order\": [{}]}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"limit\": -1}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"limit\": \"5\"}",
    "{\"columns\": [{\"column\": \"orders.id\"}], \"limit\": 99999999999}",
    "{\"columns\": [{\"column\": \"orders.id\"}, {\"column\": \"orders.status\"}, "
    "{\"column\": \"orders.total\"}, {\"column\": \"orders.customer_id\"}, {\"column\": "
    "\"products.id\"}, {\"column\": \"products.name\"}, {\"column\": "
    "\"products.price\"}, "
    "{\"column\": \"products.stock\"}, {\"column\": \"customers.id\"}, {\"column\": "
    "\"customers.city\"}, {\"column\": \"customers.first_name\"}, {\"column\": "
    "\"customers.last_name\"}, {\"column\": \"customers.active\"}]}",
};

static void refuses_what_is_not_there(void **state)
{
    const struct ir_shop *shop = *state;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct err err;
        struct parts_request request;
        struct parts_change change = {0};
        struct parts *parts =
            open_sql(shop, "SELECT status, SUM(total) FROM orders GROUP BY status",
                     &request, &err);
        assert_non_null(parts);
        if (parts_change(parts, read_json(shop, hostile[i]), &change, &err)) {
            fail_msg("%s was accepted: %s", hostile[i], change.sql);
        }
        assert_true(*err.message);
    }
}

/* Rows of both tables cannot be there at once, or the joined rows are no longer those that
 * a rate is over. */
static const struct {
    const char *sql;
    const char *changed;
} apart[] = {
    {"SELECT COUNT(*) FROM customers",
     "{\"measures\": [{\"figure\": \"count\", \"table\": \"customers\"}, "
     "{\"figure\": \"count\", \"table\": \"products\"}]}"},
    {"SELECT 100.0 * COUNT(CASE WHEN city = 'Rome' THEN 1 END) / COUNT(*) FROM customers",
     "{\"measures\": [{\"kept\": 0}, {\"figure\": \"sum\", \"column\": "
     "\"orders.total\"}]}"},
};

static void refuses_figures_that_drop_rows(void **state)
{
    const struct ir_shop *shop = *state;
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        struct err err;
        struct parts_request request;
        struct parts_change change = {0};
        struct parts *parts = open_sql(shop, apart[i].sql, &request, &err);
        assert_non_null(parts);
        if (parts_change(parts, read_json(shop, apart[i].changed), &change, &err)) {
            fail_msg("%s was accepted: %s", apart[i].changed, change.sql);
        }
        assert_non_null(strstr(err.message, "leaving some of them out"));
    }
}

/* A text of the object is never more than a text in the SQL. */
static void quotes_values(void **state)
{
    const struct ir_shop *shop = *state;
    struct err err;
    struct parts_request request;
    struct parts_change change = {0};
    struct parts *parts = open_sql(shop, "SELECT id FROM orders", &request, &err);
    assert_non_null(parts);
    assert_true(parts_change(
        parts,
        read_json(shop, "{\"columns\": [{\"column\": \"orders.id\"}], \"filters\": "
                        "[{\"column\": \"orders.status\", \"test\": \"is\", \"values\": "
                        "[\"x' OR '1'='1\", \"%\\\\\"]}]}"),
        &change, &err));
    assert_string_equal(change.sql, "SELECT id FROM orders WHERE status IN "
                                    "('x'' OR ''1''=''1', '%\\')");
}

static void says_what_does_not_fit(void **state)
{
    const struct ir_shop *shop = *state;
    static const char *const texts[] = {
        "SELECT id FROM orders UNION SELECT id FROM customers",
        "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY customer_id)",
        "SELECT json_extract(status, '$') FROM orders", "SELECT", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct err err;
        struct parts_request request;
        assert_null(open_sql(shop, texts[i], &request, &err));
        assert_int_equal(err.code, ERR_CANNOT_ANSWER);
    }
}

static void finds_cells(void **state)
{
    const struct ir_shop *shop = *state;
    struct parts_request request = {
        .schema = shop->ir, .dialect = DIALECT_SQLITE, .today = "2024-05-15"};
    struct parts *parts = parts_of_schema(shop->arena, &request);
    const char *sql = NULL;
    struct err err;
    assert_true(parts_values_sql(parts, "orders.status", "it's", &sql, &err));
    assert_string_equal(sql, "SELECT status, COUNT(*) AS count FROM orders WHERE "
                             "status LIKE '%it''s%' GROUP BY status ORDER BY count "
                             "DESC, status LIMIT 50");
    assert_false(parts_values_sql(parts, "orders.secret", NULL, &sql, &err));
    assert_false(parts_values_sql(parts, NULL, NULL, &sql, &err));
}

static void offers_what_is_near(void **state)
{
    const struct ir_shop *shop = *state;
    struct err err;
    struct parts_request request;
    struct buf buf;
    struct writer writer;
    struct parts *parts = open_sql(shop, "SELECT COUNT(*) FROM orders", &request, &err);
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    parts_write_choices(parts, &writer);
    const json_t *json = read_json(shop, buf_clone(&buf, shop->arena));
    buf_release(&buf);
    const json_t *first = json_array_get(json_array_at(json, "columns"), 0);
    assert_string_equal(
        json_string_value(json_array_get(json_array_at(json, "tables"), 0)), "orders");
    assert_string_equal(json_text_at(first, "table"), "orders");
    assert_true(json_array_size(json_array_at(json, "columns")) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_as_it_was),
        cmocka_unit_test(changes_one_part),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(refuses_figures_that_drop_rows),
        cmocka_unit_test(quotes_values),
        cmocka_unit_test(says_what_does_not_fit),
        cmocka_unit_test(finds_cells),
        cmocka_unit_test(offers_what_is_near),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
