/* How tables are joined: by declared keys, by names, by values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "knowledge/keys/join_guess.h"
#include "agent/joins/joins.h"
#include "base/arena.h"
#include "base/str.h"
#include "unit/agent/small_schema.h"

static const char *const shop[] = {
    "customers(id* INTEGER, name TEXT)",
    "products(id* INTEGER, title TEXT)",
    "orders(id* INTEGER, customer_id INTEGER -> customers.id)",
    "order_items(order_id INTEGER -> orders.id, product_id INTEGER -> products.id)",
    "weather(day DATE, rain REAL)",
    ("flights(id* INTEGER, origin_id INTEGER -> airports.id, goal_id INTEGER -> "
     "airports.id)"),
    "airports(id* INTEGER, code TEXT)",
    "staff(id* INTEGER, boss_id INTEGER -> staff.id)",
};

struct world {
    struct arena *arena;
    struct schema *schema;
};

static int set_up(void **state)
{
    struct arena *arena = arena_new();
    struct world *world = ARENA_NEW(arena, struct world);
    world->arena = arena;
    world->schema = small_schema(shop, sizeof shop / sizeof *shop);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    schema_unref(world->schema);
    arena_free(world->arena);
    return 0;
}

static struct joins_result infer(struct world *world, const char *names)
{
    struct joins_result result;
    struct texts list = {0};
    str_split(world->arena, names, ' ', &list);
    const struct table **tables = arena_array(world->arena, list.count, sizeof *tables);
    for (size_t i = 0; i < list.count; i++) {
        tables[i] = schema_table(world->schema, list.items[i]);
        assert_non_null(tables[i]);
    }
    joins_infer(world->arena, world->schema, tables, list.count, NULL, &result);
    return result;
}

static const char *conditions(struct world *world, const struct joins_result *result)
{
    return str_join(world->arena, &result->conditions, "; ");
}

static void one_key_is_certain_in_both_directions(void **state)
{
    struct joins_result there = infer(*state, "orders customers");
    struct joins_result back = infer(*state, "customers orders");
    assert_int_equal(there.found, JOINS_CERTAIN);
    assert_int_equal(back.found, JOINS_CERTAIN);
    assert_string_equal(conditions(*state, &there), "orders.customer_id = customers.id");
    assert_string_equal(conditions(*state, &back), "orders.customer_id = customers.id");
}

static void one_table_needs_no_join(void **state)
{
    struct joins_result result = infer(*state, "weather");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 0);
}

static void a_bridge_is_crossed(void **state)
{
    struct joins_result result = infer(*state, "orders products");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 2);
    assert_non_null(
        strstr(conditions(*state, &result), "order_items.order_id = orders.id"));
    assert_non_null(
        strstr(conditions(*state, &result), "order_items.product_id = products.id"));
}

static void a_long_way_is_found(void **state)
{
    struct joins_result result = infer(*state, "customers products");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 3);
}

static void a_table_on_the_way_is_not_joined_twice(void **state)
{
    struct joins_result result = infer(*state, "customers products orders order_items");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 3);
}

static void two_keys_are_ambiguous(void **state)
{
    struct joins_result result = infer(*state, "flights airports");
    assert_int_equal(result.found, JOINS_AMBIGUOUS);
    assert_int_equal(result.options.count, 2);
    assert_string_equal(result.left->name, "flights");
    assert_string_equal(result.right->name, "airports");
}

static void no_way_is_unknown(void **state)
{
    struct joins_result result = infer(*state, "orders weather");
    assert_int_equal(result.found, JOINS_UNKNOWN);
    assert_string_equal(result.left->name, "orders");
    assert_string_equal(result.right->name, "weather");
}

/* orders.user holds the _id of a user: an id of that kind stands there for no other
 * reason. A text of that name may be anything. */
static void ids_of_documents_refer(void **state)
{
    struct world *world = *state;
    struct schema *schema = schema_new();
    struct table *users = schema_add_table(schema, "users");
    table_add_column(schema, users, "_id", "objectId")->primary = true;
    struct table *orders = schema_add_table(schema, "orders");
    table_add_column(schema, orders, "_id", "objectId")->primary = true;
    (void)table_add_column(schema, orders, "user", "objectId");
    struct table *visits = schema_add_table(schema, "visits");
    (void)table_add_column(schema, visits, "user", "string");
    schema_normalize(schema);
    struct join_guesses guesses;
    join_guess_names(world->arena, schema_table(schema, "orders"),
                     schema_table(schema, "users"), &guesses);
    assert_int_equal(guesses.count, 1);
    assert_string_equal(join_guess_condition(world->arena, &guesses.items[0]),
                        "orders.user = users._id");
    assert_true(guesses.items[0].confidence > 0.69);
    join_guess_names(world->arena, schema_table(schema, "visits"),
                     schema_table(schema, "users"), &guesses);
    assert_true(guesses.count == 0 || guesses.items[0].confidence < 0.5);
    schema_unref(schema);
}

/* The ambiguous pair is reported even when a later table has no way at all. */
static void no_way_outweighs_ambiguity(void **state)
{
    struct joins_result result = infer(*state, "flights airports weather");
    assert_int_equal(result.found, JOINS_UNKNOWN);
    assert_string_equal(result.right->name, "weather");
}

static void a_table_that_refers_to_itself_stands_alone(void **state)
{
    struct joins_result result = infer(*state, "staff");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 0);
    result = infer(*state, "staff customers");
    assert_int_equal(result.found, JOINS_UNKNOWN);
}

static void the_same_table_twice_is_joined_once(void **state)
{
    struct joins_result result = infer(*state, "orders customers orders customers");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.conditions.count, 1);
}

static void conditions_must_name_columns(void **state)
{
    struct world *world = *state;
    static const char *const good[] = {
        "orders.customer_id = customers.id", "ORDERS.customer_id=customers.ID",
        "orders.id = order_items.order_id and orders.id = customers.id"};
    static const char *const bad[] = {"",
                                      "=",
                                      "orders.customer_id",
                                      "customer_id = id",
                                      "orders.nothing = customers.id",
                                      "nobody.id = customers.id",
                                      "orders.customer_id = customers.id and x",
                                      "orders.customer_id = ",
                                      ". = ."};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(joins_valid(world->arena, world->schema, good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (joins_valid(world->arena, world->schema, bad[i])) {
            fail_msg("'%s' was taken", bad[i]);
        }
    }
}

/* A schema that declares nothing. */
static const char *const bare[] = {
    "authors(id* INTEGER, name TEXT)",
    "books(isbn* TEXT, title TEXT, author_id INTEGER)",
    "loans(id* INTEGER, isbn TEXT, member INTEGER)",
    "members(id* INTEGER, name TEXT, city TEXT)",
    "branches(id* INTEGER, city TEXT)",
    "students(student_id* INTEGER, name TEXT)",
    "courses(code* TEXT, title TEXT)",
    "takes(student_id INTEGER, course_code TEXT)",
    "transfers(id* INTEGER, from_account_id INTEGER, to_account_id INTEGER)",
    "accounts(id* INTEGER, owner TEXT)",
    "birds(ring* TEXT, species TEXT)",
    "sightings(id* INTEGER, ring_number TEXT)",
    "tags(mark* TEXT)",
    "actors(id* INTEGER)",
    "actor_films(actor_id INTEGER, film_id INTEGER)",
    "films(id* INTEGER)",
};

/* What the data would say: "from.column>key share". */
static double overlap(void *context, const struct join_guess *guess)
{
    const char *const *facts = context;
    char pair[128];
    (void)snprintf(pair, sizeof pair, "%s.%s>%s", guess->from->name, guess->column->name,
                   guess->to->name);
    for (; *facts; facts++) {
        size_t size = strlen(pair);
        if (strncmp(*facts, pair, size) == 0 && (*facts)[size] == ' ') {
            double share = -1;
            assert_true(str_to_real(*facts + size + 1, &share));
            return share;
        }
    }
    return -1;
}

static struct joins_result infer_bare(struct world *world, const char *names,
                                      const char *const *facts)
{
    static const char *const none[] = {NULL};
    struct join_probe probe = {overlap, (void *)(uintptr_t)(facts ? facts : none)};
    struct joins_result result;
    struct texts list = {0};
    struct schema *declared = world->schema;
    world->schema = small_schema(bare, sizeof bare / sizeof *bare);
    schema_unref(declared);
    str_split(world->arena, names, ' ', &list);
    const struct table **tables = arena_array(world->arena, list.count, sizeof *tables);
    for (size_t i = 0; i < list.count; i++) {
        tables[i] = schema_table(world->schema, list.items[i]);
        assert_non_null(tables[i]);
    }
    joins_infer(world->arena, world->schema, tables, list.count, &probe, &result);
    return result;
}

static void names_lead_where_no_key_is_declared(void **state)
{
    static const struct {
        const char *tables;
        const char *conditions;
    } list[] = {
        {"books authors", "books.author_id = authors.id"},
        {"authors books", "books.author_id = authors.id"},
        {"loans books", "loans.isbn = books.isbn"},
        {"loans members", "loans.member = members.id"},
        {"sightings birds", "sightings.ring_number = birds.ring"},
        {"takes students", "takes.student_id = students.student_id"},
        {"students courses",
         "takes.student_id = students.student_id; takes.course_code = courses.code"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct joins_result result = infer_bare(*state, list[i].tables, NULL);
        assert_string_equal(conditions(*state, &result), list[i].conditions);
        assert_int_equal(result.found, JOINS_INFERRED);
        assert_true(result.confidence < 0.75); /* nobody has looked at the data */
    }
}

static void a_bridge_is_guessed_and_named(void **state)
{
    struct joins_result result = infer_bare(*state, "actors films", NULL);
    assert_int_equal(result.found, JOINS_INFERRED);
    assert_int_equal(result.bridges.count, 1);
    assert_string_equal(result.bridges.items[0]->name, "actor_films");
}

static void values_make_sure_or_refute(void **state)
{
    static const char *const fit[] = {"books.author_id>authors 1.0", NULL};
    static const char *const none[] = {"books.author_id>authors 0.0", NULL};
    struct joins_result result = infer_bare(*state, "books authors", fit);
    assert_int_equal(result.found, JOINS_INFERRED);
    assert_true(result.confidence >= 0.75);
    result = infer_bare(*state, "books authors", none);
    assert_int_equal(result.found, JOINS_UNKNOWN);
}

/* Only the values know that a mark is a ring. */
static void values_alone_lead_between_texts(void **state)
{
    static const char *const fit[] = {"sightings.ring_number>tags 1.0", NULL};
    struct joins_result result = infer_bare(*state, "sightings tags", NULL);
    assert_int_equal(result.found, JOINS_UNKNOWN);
    result = infer_bare(*state, "sightings tags", fit);
    assert_string_equal(conditions(*state, &result), "sightings.ring_number = tags.mark");
    assert_true(result.confidence < 0.75);
}

static void guesses_that_are_equally_good_are_options(void **state)
{
    static const char *const fit[] = {"transfers.from_account_id>accounts 1.0",
                                      "transfers.to_account_id>accounts 1.0", NULL};
    struct joins_result result = infer_bare(*state, "transfers accounts", fit);
    assert_int_equal(result.found, JOINS_AMBIGUOUS);
    assert_int_equal(result.options.count, 2);
    assert_true(result.confidence < 0.75);
    assert_string_equal(result.options.items[0].condition,
                        "transfers.from_account_id = accounts.id");
}

/* Equal cities do not join anything better than a key does. */
static void what_only_sounds_alike_is_weak(void **state)
{
    static const char *const fit[] = {"members.city>branches 1.0", NULL};
    struct joins_result result = infer_bare(*state, "members branches", fit);
    assert_int_equal(result.found, JOINS_UNKNOWN);
}

static void all_good_guesses_of_many_tables(void **state)
{
    struct world *world = *state;
    struct join_guesses all = {0};
    struct schema *schema = small_schema(bare, sizeof bare / sizeof *bare);
    const struct table *tables[sizeof bare / sizeof *bare];
    for (size_t i = 0; i < schema->tables.count; i++) {
        tables[i] = &schema->tables.items[i];
    }
    join_guess_all(world->arena, tables, schema->tables.count, 50, &all);
    struct texts texts = {0};
    for (size_t i = 0; i < all.count; i++) {
        VEC_PUSH(world->arena, &texts, join_guess_condition(world->arena, &all.items[i]));
        assert_true(all.items[i].confidence >= 0.65);
    }
    const char *text = str_join(world->arena, &texts, "; ");
    assert_non_null(strstr(text, "books.author_id = authors.id"));
    assert_non_null(strstr(text, "loans.isbn = books.isbn"));
    assert_non_null(strstr(text, "takes.course_code = courses.code"));
    assert_null(strstr(text, "city"));
    all.count = 0;
    join_guess_all(world->arena, tables, schema->tables.count, 2, &all);
    assert_int_equal(all.count, 2);
    schema_unref(schema);
    /* Declared keys stand in the schema already. */
    struct join_guesses none = {0};
    for (size_t i = 0; i < 4; i++) {
        tables[i] = schema_table(
            world->schema,
            (const char *const[]){"customers", "orders", "order_items", "products"}[i]);
    }
    join_guess_all(world->arena, tables, 4, 50, &none);
    assert_int_equal(none.count, 0);
    /* Names, cities and days are the same in many tables and link none of them. */
    static const char *const plain[] = {
        "stores(id* INTEGER, name TEXT, city TEXT, created_on DATE)",
        "suppliers(id* INTEGER, name TEXT, city TEXT, created_on DATE)"};
    struct schema *same = small_schema(plain, 2);
    for (size_t i = 0; i < 2; i++) {
        struct table *table = &same->tables.items[i];
        tables[i] = table;
        table->row_count = 3;
        table->row_count_exact = true;
        for (size_t c = 0; c < table->columns.count; c++) {
            table->columns.items[c].distinct = 3;
        }
    }
    join_guess_all(world->arena, tables, 2, 50, &none);
    assert_int_equal(none.count, 0);
    schema_unref(same);
    /* What refers to one table does not refer to another that sounds alike. */
    static const char *const twins[] = {
        "orders(id* INTEGER, customer_id INTEGER -> customers.id)",
        "customers(id* INTEGER)", "old_customers(customer_id* INTEGER)"};
    struct schema *alike = small_schema(twins, 3);
    for (size_t i = 0; i < 3; i++) {
        tables[i] = &alike->tables.items[i];
    }
    join_guess_all(world->arena, tables, 3, 50, &none);
    assert_int_equal(none.count, 0);
    schema_unref(alike);
}

static const char *const cinema[] = {
    "films(id* INTEGER, title TEXT)",
    "people(id* INTEGER, name TEXT)",
    "acts(film_id INTEGER -> films.id, person_id INTEGER -> people.id)",
    "directs(film_id INTEGER -> films.id, person_id INTEGER -> people.id)",
    "prizes(film_id INTEGER -> films.id, name TEXT)",
};

static void two_bridges_of_one_length_are_options(void **state)
{
    struct world *world = *state;
    schema_unref(world->schema);
    world->schema = small_schema(cinema, sizeof cinema / sizeof *cinema);
    struct joins_result result = infer(world, "films people");
    assert_int_equal(result.found, JOINS_AMBIGUOUS);
    assert_false(result.declared);
    assert_int_equal(result.options.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(
            joins_valid(world->arena, world->schema, result.options.items[i].condition));
    }
    /* Who names the bridge has said which. */
    result = infer(world, "films people acts");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.bridges.count, 0);
    result = infer(world, "people prizes acts");
    assert_int_equal(result.found, JOINS_CERTAIN);
    assert_int_equal(result.bridges.count, 1);
    assert_string_equal(result.bridges.items[0]->name, "films");
}

static void keys_of_a_table_to_itself(void **state)
{
    struct world *world = *state;
    struct texts keys = {0};
    joins_self(world->arena, schema_table(world->schema, "staff"), &keys);
    assert_int_equal(keys.count, 1);
    assert_string_equal(keys.items[0], "staff.boss_id = staff.id");
    joins_self(world->arena, schema_table(world->schema, "orders"), &keys);
    assert_int_equal(keys.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_key_is_certain_in_both_directions, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_table_needs_no_join, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bridge_is_crossed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_way_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_on_the_way_is_not_joined_twice, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(two_keys_are_ambiguous, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_way_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ids_of_documents_refer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_way_outweighs_ambiguity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_that_refers_to_itself_stands_alone,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_table_twice_is_joined_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(conditions_must_name_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_lead_where_no_key_is_declared, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_bridge_is_guessed_and_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_make_sure_or_refute, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_alone_lead_between_texts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(guesses_that_are_equally_good_are_options, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_only_sounds_alike_is_weak, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(two_bridges_of_one_length_are_options, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(keys_of_a_table_to_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_good_guesses_of_many_tables, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
