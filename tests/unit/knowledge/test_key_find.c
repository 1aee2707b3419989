/* Keys that the data show: found where values and names say so, and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/keys/key_find.h"
#include "value_house.h"

#define NUMBERS(most)                                                                    \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " #most ") "

static void fill(struct value_house *house, const char *sql)
{
    struct err err;
    err_clear(&err);
    value_house_open(house, sql);
    assert_true(datasource_enrich(house->source, house->schema, NULL, &err));
    key_find(house->source, house->schema, NULL);
}

/* "orders.customer_id=customers.id orders.…" in the order of the schema. */
static const char *keys_of(const struct value_house *house, struct arena *arena)
{
    struct texts parts = {0};
    const struct tables *tables = &house->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct foreign_keys *keys = &tables->items[i].foreign_keys;
        for (size_t k = 0; k < keys->count; k++) {
            const struct foreign_key *key = &keys->items[k];
            VEC_PUSH(arena, &parts,
                     arena_format(arena, "%s.%s=%s.%s%s", tables->items[i].name,
                                  key->columns.items[0], key->table,
                                  key->references.items[0],
                                  key->confidence >= 1                ? ""
                                  : key->confidence >= KEY_FIND_NAMED ? "?"
                                                                      : "??"));
        }
    }
    return str_join(arena, &parts, " ");
}

struct key_case {
    const char *sql;
    const char *keys;
};

static const struct key_case cases[] = {
    /* a name, and values that are all there */
    {"CREATE TABLE customers (id INTEGER PRIMARY KEY, town TEXT);" NUMBERS(
         30) "INSERT INTO customers SELECT i, 'town ' || i FROM n;"
             "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT, stars "
             "INT);" NUMBERS(
                 90) "INSERT INTO orders SELECT i, i % 30 + 1, i % 5 + 1 FROM n;",
     "orders.customer_id=customers.id?"},
    /* the name says so, the values do not */
    {"CREATE TABLE customers (id INTEGER PRIMARY KEY, town TEXT);" NUMBERS(
         30) "INSERT INTO customers SELECT i, 'town ' || i FROM n;"
             "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT);" NUMBERS(
                 90) "INSERT INTO orders SELECT i, i + 500 FROM n;",
     ""},
    /* small numbers fit everywhere, and a name alone does not make a grade an id */
    {"CREATE TABLE class (id INTEGER PRIMARY KEY, room TEXT);" NUMBERS(
         200) "INSERT INTO class SELECT i, 'room ' || i FROM n;"
              "CREATE TABLE pupil (pid INTEGER PRIMARY KEY, class INT, age INT);" NUMBERS(
                  90) "INSERT INTO pupil SELECT i, i % 12 + 1, i % 9 + 6 FROM n;",
     ""},
    /* words that another table has under another name; all the same says nothing */
    {"CREATE TABLE airports (code TEXT PRIMARY KEY, town TEXT, country TEXT);"
     "INSERT INTO airports VALUES ('TXL', 'Berlin', 'DE'), ('FCO', 'Rome', 'DE'),"
     " ('OSL', 'Oslo', 'DE'), ('LIS', 'Lisbon', 'DE');"
     "CREATE TABLE countries (name TEXT PRIMARY KEY, size INT);"
     "INSERT INTO countries VALUES ('DE', 1), ('IT', 2), ('PT', 3);"
     "CREATE TABLE flights (no INTEGER PRIMARY KEY, origin TEXT);"
     "INSERT INTO flights VALUES (1, 'TXL'), (2, 'FCO'), (3, 'OSL'), (4, 'TXL');",
     "flights.origin=airports.code??"},
    /* the natural key is called like its table */
    {"CREATE TABLE state (state_id INTEGER PRIMARY KEY, name TEXT);"
     "INSERT INTO state VALUES (1, 'Utah'), (2, 'Ohio'), (3, 'Iowa'), (4, 'Maine');"
     "CREATE TABLE river (name TEXT, state TEXT);"
     "INSERT INTO river VALUES ('A', 'Utah'), ('B', 'Ohio'), ('C', 'Iowa'), ('D', "
     "'Ohio');",
     "river.state=state.name?"},
    /* numbers that nobody hits by chance need no name */
    {"CREATE TABLE book (isbn INTEGER PRIMARY KEY, title TEXT);" NUMBERS(
         40) "INSERT INTO book SELECT i * 7919 + 900000, 'title ' || i FROM n;"
             "CREATE TABLE sold (no INTEGER PRIMARY KEY, article INT);" NUMBERS(
                 80) "INSERT INTO sold SELECT i, (i % 40 + 1) * 7919 + 900000 FROM n;",
     "sold.article=book.isbn??"},
    /* within one table, by what it is called */
    {"CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, manager_id INT, desk "
     "INT);" NUMBERS(40) "INSERT INTO staff SELECT i, NULLIF(i / 2, 0), i % 20 FROM n;",
     "staff.manager_id=staff.staff_id?"},
    /* a declared key between two tables is enough */
    {"CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);" NUMBERS(
         9) "INSERT INTO team SELECT i, 'team ' || i FROM n;"
            "CREATE TABLE game (id INTEGER PRIMARY KEY, home_team_id INT REFERENCES "
            "team(id), away_team_id INT);" NUMBERS(
                90) "INSERT INTO game SELECT i, i % 9 + 1, (i + 3) % 9 + 1 FROM n;",
     "game.home_team_id=team.id"},
};

static void finds_what_the_data_show(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value_house house;
        fill(&house, cases[i].sql);
        assert_string_equal(keys_of(&house, arena), cases[i].keys);
        value_house_close(&house);
    }
    arena_free(arena);
}

static void knows_constant_columns(void **state)
{
    (void)state;
    struct value_house house;
    fill(&house, "CREATE TABLE a (x INT, y TEXT, z TEXT, w INT);"
                 "INSERT INTO a VALUES (1, 'k', 'p', 4), (2, 'k', NULL, 4),"
                 " (3, 'k', 'p', 4), (4, 'k', 'p', 4);"
                 "CREATE TABLE few (x INT); INSERT INTO few VALUES (1), (1);");
    const struct table *table = schema_table(house.schema, "a");
    static const bool constant[] = {false, true, false, true};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(key_is_constant(table, &table->columns.items[i]), constant[i]);
    }
    table = schema_table(house.schema, "few");
    assert_false(key_is_constant(table, &table->columns.items[0]));
    value_house_close(&house);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_the_data_show),
        cmocka_unit_test(knows_constant_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
