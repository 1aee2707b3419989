/* The sample database: the same every time, consistent, and never half written. */
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
#include "base/file.h"
#include "base/hash.h"
#include "service/sample/sample.h"

static char folder[40];
static char path[80];
static char again[80];

static int setup(void **state)
{
    (void)state;
    struct err err;
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/shop.db", folder);
    (void)snprintf(again, sizeof again, "%s/again.db", folder);
    return sample_create(path, &err) && sample_create(again, &err) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    (void)unlink(path);
    (void)unlink(again);
    return rmdir(folder); /* fails when a draft was left behind */
}

static sqlite3 *shop(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    return db;
}

static int64_t number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return value;
}

static void every_run_writes_the_same_bytes(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err;
    size_t sizes[2] = {0};
    const char *one = file_read(arena, path, 64 << 20, &sizes[0], &err);
    const char *two = file_read(arena, again, 64 << 20, &sizes[1], &err);
    assert_non_null(one);
    assert_non_null(two);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(one, two, sizes[0]);
    arena_free(arena);
}

/* Over the contents, since another SQLite may lay the bytes out differently. */
static void contents_are_those_that_were_agreed(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "categories", "suppliers", "products",  "promotions", "stores",
        "employees",  "customers", "addresses", "orders",     "order_items",
        "payments",   "shipments", "returns",   "reviews"};
    sqlite3 *db = shop();
    struct hash *hash = hash_new();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char sql[80];
        sqlite3_stmt *statement = NULL;
        (void)snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY id", tables[i]);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            for (int c = 0; c < sqlite3_column_count(statement); c++) {
                const char *text = (const char *)sqlite3_column_text(statement, c);
                hash_text(hash, text ? text : "\x01");
            }
        }
        (void)sqlite3_finalize(statement);
    }
    char digest[33];
    hash_hex(hash, digest);
    hash_free(hash);
    (void)sqlite3_close(db);
    assert_string_equal(digest, "2e244a12e29dd158bd641bcde9da6b5c");
}

static void shop_is_consistent(void **state)
{
    (void)state;
    static const char *const faults[] = {
        "SELECT count(*) FROM pragma_foreign_key_check",
        "SELECT count(*) FROM (SELECT 1 FROM orders AS o JOIN order_items AS i ON"
        " i.order_id = o.id GROUP BY o.id"
        " HAVING abs(sum(i.line_total) - o.total_amount) > 0.005)",
        "SELECT count(*) FROM orders WHERE id NOT IN (SELECT order_id FROM order_items)",
        "SELECT count(*) FROM order_items WHERE abs(round(quantity * unit_price *"
        " (100 - discount_percent) / 100.0, 2) - line_total) > 0.0101",
        "SELECT count(*) FROM payments AS p JOIN orders AS o ON o.id = p.order_id"
        " WHERE p.amount <> o.total_amount",
        "SELECT count(*) FROM orders AS o JOIN customers AS c ON c.id = o.customer_id"
        " WHERE date(o.ordered_at) < c.created_on",
        "SELECT count(*) FROM orders AS o JOIN stores AS s ON s.id = o.store_id"
        " WHERE date(o.ordered_at) < s.opened_on",
        "SELECT count(*) FROM order_items AS i JOIN orders AS o ON o.id = i.order_id JOIN"
        " products AS p ON p.id = i.product_id WHERE date(o.ordered_at) < p.launched_on",
        "SELECT count(*) FROM shipments WHERE delivered_on < shipped_on",
        "SELECT count(*) FROM orders WHERE (channel = 'online') <> (store_id IS NULL)",
        "SELECT count(*) FROM orders WHERE ordered_at < '2023-01-01' OR"
        " ordered_at >= '2026-01-01'",
        "SELECT count(*) FROM employees WHERE manager_id IS NULL AND id <> 1",
        "SELECT count(*) - count(DISTINCT name) FROM products",
    };
    sqlite3 *db = shop();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (number(db, faults[i]) != 0) {
            fail_msg("%lld: %s", (long long)number(db, faults[i]), faults[i]);
        }
    }
    (void)sqlite3_close(db);
}

static void shop_is_worth_asking_about(void **state)
{
    (void)state;
    sqlite3 *db = shop();
    assert_int_equal(
        number(db, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT"
                   " LIKE 'sqlite_%'"),
        14);
    int64_t rows =
        number(db, "SELECT (SELECT count(*) FROM orders) + (SELECT count(*) FROM"
                   " order_items) + (SELECT count(*) FROM payments) + (SELECT"
                   " count(*) FROM shipments) + (SELECT count(*) FROM customers)"
                   " + (SELECT count(*) FROM addresses)");
    assert_in_range(rows, 50000, 65000);
    /* December beats February, and each year the one before */
    assert_true(number(db, "SELECT sum(strftime('%m', ordered_at) = '12') > 2 *"
                           " sum(strftime('%m', ordered_at) = '02') FROM orders"));
    assert_true(number(db,
                       "SELECT sum(ordered_at >= '2025') > sum(ordered_at BETWEEN '2024'"
                       " AND '2025') FROM orders"));
    assert_true(number(db, "SELECT count(DISTINCT status) FROM orders") == 5);
    (void)sqlite3_close(db);
}

static void folder_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct err err;
    assert_false(sample_create("/nowhere/at/all/shop.db", &err));
    assert_int_equal(err.code, ERR_STORE);
    assert_true(err.hint[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_writes_the_same_bytes),
        cmocka_unit_test(contents_are_those_that_were_agreed),
        cmocka_unit_test(shop_is_consistent),
        cmocka_unit_test(shop_is_worth_asking_about),
        cmocka_unit_test(folder_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
