/* Lessons as a mapper of names: what is renamed in SQL and in questions, and what is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/memory/mapping.h"
#include "agent/memory/remembering.h"
#include "base/arena.h"
#include "unit/agent/small_instance.h"

struct scene {
    struct small_instance instance;
    struct run *run;
};

static const struct pair {
    enum lesson_kind kind;
    const char *said;
    const char *meant;
    double confidence;
} taught[] = {
    {LESSON_TABLE, "Customers", "PROD_Customers", 1},
    {LESSON_TABLE, "staff", "odd name", 1},
    {LESSON_TABLE, "ghosts", "nowhere", 1},
    {LESSON_TABLE, "payments", "PROD_Orders", 0.2}, /* not trusted */
    {LESSON_COLUMN, "region", "PROD_Customers.geographic_area", 1},
    {LESSON_COLUMN, "price", "PROD_Orders.order", 1},
};

static int set_up(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct clarification none = {0};
    struct err err;
    *state = scene;
    if (!small_instance_open(&scene->instance) ||
        !small_instance_change(
            &scene->instance,
            "CREATE TABLE PROD_Customers (id INTEGER, name TEXT, geographic_area TEXT);"
            "CREATE TABLE PROD_Orders (id INTEGER, customer INTEGER, \"order\" REAL);"
            "CREATE TABLE old_Customers (id INTEGER, name TEXT);"
            "CREATE TABLE \"odd name\" (id INTEGER, customers INTEGER)")) {
        return -1;
    }
    scene->run = small_instance_waiting(&scene->instance, "How many customers?", &none);
    struct lessons_scope scope = remembering_scope(scene->run);
    for (size_t i = 0; i < sizeof taught / sizeof *taught; i++) {
        char id[ID_SIZE];
        struct lesson lesson = {.kind = taught[i].kind,
                                .schema_name = taught[i].said,
                                .actual_name = taught[i].meant,
                                .confidence = taught[i].confidence};
        if (!lessons_add(&scope, &lesson, id, &err)) {
            return -1;
        }
    }
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    run_free(scene->run);
    small_instance_close(&scene->instance);
    free(scene);
    return 0;
}

static void becomes(void **state, const char *sql, const char *expected)
{
    struct scene *scene = *state;
    assert_string_equal(mapping_sql(scene->run, sql), expected);
}

static void stays(void **state, const char *sql)
{
    becomes(state, sql, sql);
}

static void tables_are_renamed(void **state)
{
    becomes(state, "SELECT COUNT(*) FROM Customers",
            "SELECT COUNT(*) FROM PROD_Customers");
    becomes(state, "SELECT c.name FROM customers c",
            "SELECT c.name FROM PROD_Customers c");
    becomes(state, "SELECT c.name FROM customers AS c WHERE c.name = 'Customers'",
            "SELECT c.name FROM PROD_Customers AS c WHERE c.name = 'Customers'");
    becomes(state, "SELECT Customers.name FROM Customers",
            "SELECT Customers.name FROM PROD_Customers AS Customers");
    becomes(state, "SELECT 1 FROM \"Customers\" WHERE id IN (SELECT id FROM Customers)",
            "SELECT 1 FROM PROD_Customers WHERE id IN (SELECT id FROM PROD_Customers)");
    becomes(state, "SELECT COUNT(*) FROM staff", "SELECT COUNT(*) FROM \"odd name\"");
}

static void a_rule_renames_what_is_not_there(void **state)
{
    becomes(state, "SELECT SUM(o.customer) FROM Orders o",
            "SELECT SUM(o.customer) FROM PROD_Orders o");
    becomes(state, "SELECT 1 FROM Customers c JOIN Orders o ON o.customer = c.id",
            "SELECT 1 FROM PROD_Customers c JOIN PROD_Orders o ON o.customer = c.id");
    becomes(state, "SELECT 1 FROM Customers c, Orders o WHERE o.customer = c.id",
            "SELECT 1 FROM PROD_Customers c, PROD_Orders o WHERE o.customer = c.id");
    stays(state, "SELECT COUNT(*) FROM users"); /* there: a rule says nothing about it */
}

static void columns_are_renamed_where_they_are_missing(void **state)
{
    becomes(state, "SELECT region FROM PROD_Customers GROUP BY region",
            "SELECT geographic_area FROM PROD_Customers GROUP BY geographic_area");
    becomes(state, "SELECT c.region AS region FROM Customers c",
            "SELECT c.geographic_area AS geographic_area FROM PROD_Customers c");
    becomes(state, "SELECT MAX(price) FROM PROD_Orders",
            "SELECT MAX(\"order\") FROM PROD_Orders");
    stays(state, "SELECT region FROM users"); /* of another table */
}

static void other_things_of_the_name_stay(void **state)
{
    stays(state, "SELECT customers FROM \"odd name\"");
    stays(state, "SELECT 'Customers' AS x FROM users");
    stays(state,
          "WITH Customers AS (SELECT id FROM users) SELECT COUNT(*) FROM Customers");
    stays(state, "SELECT COUNT(*) FROM ghosts");   /* means nothing that is there */
    stays(state, "SELECT COUNT(*) FROM payments"); /* has failed too often */
    stays(state, "SELECT 1 FROM Customers, PROD_Customers"); /* both are meant */
}

static void only_what_reads_is_renamed(void **state)
{
    stays(state, "DELETE FROM Customers");
    stays(state, "INSERT INTO Customers (id) VALUES (1)");
    stays(state, "UPDATE Customers SET id = 1");
    stays(state, "SELECT 1 FROM Customers; DELETE FROM Customers");
    stays(state, "DROP TABLE Customers");
    stays(state, "SELECT ( FROM Customers");
    stays(state, "");
}

static void what_the_user_wants_stays(void **state)
{
    struct scene *scene = *state;
    assert_true(
        small_instance_change(&scene->instance, "CREATE TABLE customers (id INTEGER)"));
    struct clarification none = {0};
    run_free(scene->run);
    scene->run = small_instance_waiting(&scene->instance, "How many customers?", &none);
    becomes(state, "SELECT COUNT(id) FROM customers",
            "SELECT COUNT(id) FROM PROD_Customers");
    VEC_PUSH(scene->run->arena, &scene->run->request.correction.use_tables, "customers");
    stays(state, "SELECT COUNT(id) FROM customers");
}

static void questions_are_put_in_the_schemas_words(void **state)
{
    struct scene *scene = *state;
    assert_string_equal(mapping_question(scene->run, "How many customers?"),
                        "How many PROD Customers?");
    assert_string_equal(mapping_question(scene->run, "How many PROD customers?"),
                        "How many PROD customers?");
    assert_string_equal(mapping_question(scene->run, "How many users?"),
                        "How many users?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tables_are_renamed),
        TEST(a_rule_renames_what_is_not_there),
        TEST(columns_are_renamed_where_they_are_missing),
        TEST(other_things_of_the_name_stay),
        TEST(only_what_reads_is_renamed),
        TEST(what_the_user_wants_stays),
        TEST(questions_are_put_in_the_schemas_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
