/* Pairs of columns that a model is told of: by names, and by what is known of values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/keys/join_hint.h"
#include "unit/agent/small_schema.h"

struct world {
    struct arena *arena;
    struct schema *schema;
};

static void begin(struct world *world, const char *const *tables, size_t count)
{
    world->arena = arena_new();
    world->schema = small_schema(tables, count);
}

static void end(struct world *world)
{
    schema_unref(world->schema);
    arena_free(world->arena);
}

static struct column *column(struct world *world, const char *table, const char *name)
{
    struct column *found = table_column(schema_table(world->schema, table), name);
    assert_non_null(found);
    return found;
}

static void range(struct world *world, const char *table, const char *name,
                  const char *least, const char *greatest)
{
    column(world, table, name)->least = least;
    column(world, table, name)->greatest = greatest;
}

static void samples(struct world *world, const char *table, const char *name,
                    const char *values, bool all)
{
    struct column *found = column(world, table, name);
    found->samples = (struct texts){0};
    str_split(world->schema->arena, values, ' ', &found->samples);
    found->samples_all = all;
}

/* "a.x = b.y; …" */
static const char *hints(struct world *world, size_t most)
{
    const struct tables *tables = &world->schema->tables;
    const struct table **list = arena_array(world->arena, tables->count, sizeof *list);
    struct join_guesses out = {0};
    struct texts texts = {0};
    for (size_t i = 0; i < tables->count; i++) {
        list[i] = &tables->items[i];
    }
    join_hint_all(world->arena, list, tables->count, most, &out);
    for (size_t i = 0; i < out.count; i++) {
        VEC_PUSH(world->arena, &texts, join_guess_condition(world->arena, &out.items[i]));
    }
    return texts.count ? str_join(world->arena, &texts, "; ") : "";
}

#define BEGIN(world, tables) begin(world, tables, sizeof(tables) / sizeof *(tables))

static void test_equal_names_need_values(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "orders(id* INTEGER, batch_ref TEXT, grade TEXT)",
        "returns(id* INTEGER, batch_ref TEXT, grade TEXT)"};
    struct world world;
    BEGIN(&world, tables);
    assert_string_equal(hints(&world, 9), ""); /* nothing is known of them */
    samples(&world, "orders", "batch_ref", "B-17 B-18 B-19", false);
    samples(&world, "returns", "batch_ref", "B-18 B-30", false);
    samples(&world, "orders", "grade", "good poor", true);
    samples(&world, "returns", "grade", "good poor", true);
    assert_string_equal(hints(&world, 9), "orders.batch_ref = returns.batch_ref");
    samples(&world, "orders", "batch_ref", "B-17 B-18", true); /* few, but references */
    assert_string_equal(hints(&world, 9), "orders.batch_ref = returns.batch_ref");
    samples(&world, "orders", "batch_ref", "B-17 B-19", true);
    samples(&world, "returns", "batch_ref", "B-18 B-30", true);
    assert_string_equal(hints(&world, 9), ""); /* they have none in common */
    end(&world);
}

static void test_small_numbers_are_chance(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "rooms(id* INTEGER, storey INTEGER, site_no INTEGER)",
        "meters(id* INTEGER, storey INTEGER, site_no INTEGER)"};
    struct world world;
    BEGIN(&world, tables);
    range(&world, "rooms", "storey", "1", "4");
    range(&world, "meters", "storey", "1", "5");
    range(&world, "rooms", "site_no", "1000", "4000");
    range(&world, "meters", "site_no", "1200", "3000");
    assert_string_equal(hints(&world, 9), "meters.site_no = rooms.site_no");
    range(&world, "meters", "site_no", "5000", "9000");
    assert_string_equal(hints(&world, 9), "");
    end(&world);
}

static void test_a_table_called_so(void **state)
{
    (void)state;
    static const char *const tables[] = {"carriers(uid* TEXT, phone TEXT)",
                                         "shipments(id* INTEGER, carrier TEXT)"};
    struct world world;
    BEGIN(&world, tables);
    samples(&world, "carriers", "uid", "dhl ups tnt", true);
    samples(&world, "shipments", "carrier", "ups dhl", false);
    assert_string_equal(hints(&world, 9), "shipments.carrier = carriers.uid");
    samples(&world, "shipments", "carrier", "Smith Jones", true);
    assert_string_equal(hints(&world, 9), "");
    end(&world);
}

static void test_no_key_to_key(void **state)
{
    (void)state;
    static const char *const tables[] = {"parcels(uid* TEXT, parcel TEXT)",
                                         "vans(uid* TEXT, model TEXT)"};
    struct world world;
    BEGIN(&world, tables);
    samples(&world, "parcels", "uid", "a1 a2 a3 a4", true);
    samples(&world, "vans", "uid", "a1 a2 a3 a4", true);
    assert_string_equal(hints(&world, 9), "");
    end(&world);
}

/* What a key says needs no guess, declared or found in the data. */
static void test_keys_are_no_guesses(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "orders(id* INTEGER, customer_id INTEGER -> customers.id)",
        "customers(id* INTEGER, name TEXT)", "visits(id* INTEGER, customer_id INTEGER)"};
    struct world world;
    BEGIN(&world, tables);
    schema_table(world.schema, "orders")->foreign_keys.items[0].confidence = 0.9;
    assert_string_equal(hints(&world, 9), "visits.customer_id = customers.id");
    end(&world);
}

/* Base tables first; the cut leaves the surest, not the first by name; a question brings
 * those of its tables to the front. */
static void test_rank(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "a_view(zone_id INTEGER)",
        "alarms(id* INTEGER, last_pump_id INTEGER)",
        "pumps(id* INTEGER, maker TEXT)",
        "zones(id* INTEGER, title TEXT)",
        "zone_visits(id* INTEGER, zone_id INTEGER)",
    };
    struct world world;
    BEGIN(&world, tables);
    schema_table(world.schema, "a_view")->is_view = true;
    assert_string_equal(hints(&world, 9),
                        "zone_visits.zone_id = zones.id; alarms.last_pump_id = pumps.id; "
                        "a_view.zone_id = zones.id");
    assert_string_equal(hints(&world, 1), "zone_visits.zone_id = zones.id");
    const struct table *ranked[] = {schema_table(world.schema, "pumps"),
                                    schema_table(world.schema, "alarms")};
    const struct table **all = arena_array(world.arena, 5, sizeof *all);
    for (size_t i = 0; i < 5; i++) {
        all[i] = &world.schema->tables.items[i];
    }
    struct join_guesses guesses = {0};
    struct join_guesses picked = {0};
    join_hint_all(world.arena, all, 5, 9, &guesses);
    join_hint_pick(world.arena, &guesses, ranked, 2, 1, &picked);
    assert_int_equal(picked.count, 1);
    assert_string_equal(join_guess_condition(world.arena, &picked.items[0]),
                        "alarms.last_pump_id = pumps.id");
    end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_names_need_values),
        cmocka_unit_test(test_small_numbers_are_chance),
        cmocka_unit_test(test_a_table_called_so),
        cmocka_unit_test(test_no_key_to_key),
        cmocka_unit_test(test_keys_are_no_guesses),
        cmocka_unit_test(test_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
