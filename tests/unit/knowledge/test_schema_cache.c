/* The schema cache: two levels, shared by reference, a cold schema read once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/clock.h"
#include "knowledge/schema/schema_cache.h"
#include "shop.h"
#include "store/store.h"

struct fixture {
    struct store *store;
    struct schema_cache *cache;
    struct arena *arena;
    struct err err;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct options options = {.store_url = "memory:", .store_commit_ms = 1};
    fixture->store = store_open(&options, &fixture->err);
    fixture->cache = schema_cache_new(fixture->store);
    fixture->arena = arena_new();
    *state = fixture;
    return fixture->store ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    schema_cache_free(fixture->cache);
    store_close(fixture->store);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static void put_shop(struct fixture *fixture, const char *signature)
{
    struct schema *schema = shop_new();
    schema->signature = signature;
    assert_true(schema_cache_put(fixture->cache, schema, &fixture->err));
    schema_unref(schema);
}

static struct schema *get(struct fixture *fixture, const char *signature)
{
    struct schema *schema =
        schema_cache_get(fixture->cache, "shop", signature, &fixture->err);
    assert_int_equal(fixture->err.code, ERR_OK);
    return schema;
}

static void test_both_levels(void **state)
{
    struct fixture *fixture = *state;
    assert_null(get(fixture, NULL));
    put_shop(fixture, "v1");
    struct schema *first = get(fixture, "v1");
    struct schema *second = get(fixture, NULL);
    assert_ptr_equal(first, second);
    assert_null(get(fixture, "v2"));
    schema_unref(first);
    schema_unref(second);
    schema_cache_drop(fixture->cache, "shop"); /* level 2 has it still */
    struct schema *again = get(fixture, "v1");
    assert_non_null(again);
    assert_int_equal(again->tables.count, 6);
    assert_string_equal(again->signature, "v1");
    struct schema *same = get(fixture, "v1");
    assert_ptr_equal(same, again); /* and level 1 was filled from it */
    schema_unref(again);
    schema_unref(same);
    put_shop(fixture, "v2");
    struct schema *newest = get(fixture, NULL);
    assert_string_equal(newest->signature, "v2");
    schema_unref(newest);
    struct schema *older = get(fixture, "v1"); /* a database that went back */
    assert_string_equal(older->signature, "v1");
    schema_unref(older);
}

/* Where it was found is told and counted; an origin finds only what began there. */
static void test_levels_are_counted(void **state)
{
    struct fixture *fixture = *state;
    enum schema_level level = SCHEMA_LEVEL_MEMORY;
    assert_null(schema_cache_look(fixture->cache, "shop", "a1", &level, &fixture->err));
    assert_string_equal(schema_level_name(level), "none");
    put_shop(fixture, "a1");
    schema_unref(schema_cache_look(fixture->cache, "shop", "a1", &level, &fixture->err));
    assert_string_equal(schema_level_name(level), "L1");
    put_shop(fixture, "b1");
    schema_cache_drop(fixture->cache, "shop");
    struct schema *known =
        schema_cache_stale(fixture->cache, "shop", "a*", &fixture->err);
    assert_string_equal(known->signature, "a1"); /* although b1 is newer */
    schema_unref(known);
    assert_null(schema_cache_stale(fixture->cache, "shop", "c*", &fixture->err));
    schema_unref(schema_cache_look(fixture->cache, "shop", "b1", &level, &fixture->err));
    assert_string_equal(schema_level_name(level), "L2");
    assert_null(get(fixture, "a*x"));
    int64_t counts[SCHEMA_LEVELS];
    schema_cache_counts(fixture->cache, counts);
    for (size_t i = 0; i < SCHEMA_LEVELS; i++) {
        assert_int_equal(counts[i], 1);
    }
}

/* A store that cannot keep it is reported, but the schema is there to work with. */
static void test_store_failures(void **state)
{
    struct fixture *fixture = *state;
    struct schema *schema = shop_new();
    store_fail_at(fixture->store, 1, ERR_DISK_FULL);
    assert_false(schema_cache_put(fixture->cache, schema, &fixture->err));
    assert_int_equal(fixture->err.code, ERR_DISK_FULL);
    schema_unref(schema);
    struct schema *held = get(fixture, "v1");
    assert_non_null(held);
    schema_unref(held);
    schema_cache_drop(fixture->cache, "shop");
    store_fail_at(fixture->store, 1, ERR_STORE);
    assert_null(schema_cache_get(fixture->cache, "shop", "v1", &fixture->err));
    assert_int_equal(fixture->err.code, ERR_STORE);
    assert_true(
        store_schema_put(fixture->store, "shop", "v1", "{broken", 7, &fixture->err));
    assert_null(get(fixture, "v1"));
}

static void test_level_one_is_bounded(void **state)
{
    struct fixture *fixture = *state;
    struct schema_cache *small = schema_cache_new(NULL);
    for (int i = 0; i < 300; i++) {
        struct schema *schema = schema_new();
        schema->datasource = arena_format(schema->arena, "d%d", i);
        schema->signature = "v";
        assert_true(schema_cache_put(small, schema, &fixture->err));
        schema_unref(schema);
    }
    assert_null(schema_cache_get(small, "d0", NULL, &fixture->err));
    struct schema *last = schema_cache_get(small, "d299", NULL, &fixture->err);
    assert_non_null(last);
    schema_unref(last);
    schema_cache_free(small);
}

static void test_derived_is_made_once(void **state)
{
    struct fixture *fixture = *state;
    put_shop(fixture, "v1");
    struct schema *schema = get(fixture, "v1");
    struct schema_text_settings settings = {.name_length = 50, .types = true};
    const struct schema_text *text =
        schema_cache_text(fixture->cache, fixture->arena, schema, &settings);
    assert_int_equal(text->tables.count, 6);
    assert_ptr_equal(schema_cache_text(fixture->cache, fixture->arena, schema, &settings),
                     text);
    settings.samples = 2;
    assert_ptr_not_equal(
        schema_cache_text(fixture->cache, fixture->arena, schema, &settings), text);
    struct ranked_tables ranked;
    schema_cache_rank(fixture->cache, fixture->arena, schema, NULL, "orders", NULL, 2,
                      &ranked);
    assert_string_equal(ranked.items[0].table->name, "orders");
    /* The cache lets go; who holds the schema still has the text and may still rank. */
    schema_cache_drop(fixture->cache, "shop");
    assert_non_null(strstr(text->text, "customers(id PK"));
    schema_cache_rank(fixture->cache, fixture->arena, schema, NULL, "orders", NULL, 2,
                      &ranked);
    assert_string_equal(ranked.items[0].table->name, "orders");
    text = schema_cache_text(fixture->cache, fixture->arena, schema, &settings);
    schema_unref(schema);
    assert_non_null(strstr(text->text, "customers(id PK")); /* in the arena */
}

static void test_kept_lines_are_the_same(void **state)
{
    struct fixture *fixture = *state;
    put_shop(fixture, "v1");
    struct schema *schema = get(fixture, "v1");
    struct schema_text_settings settings = {
        .samples = 2, .name_length = 8, .comment_length = 20, .types = true};
    const struct table *tables[] = {schema_table(schema, "orders"),
                                    schema_table(schema, "customers")};
    for (int round = 0; round < 2; round++) {
        for (int budget = 1; budget < 80; budget++) {
            struct schema_text kept;
            struct schema_text fresh;
            schema_cache_render(fixture->cache, fixture->arena, schema, tables, 2,
                                &settings, budget, &kept);
            schema_text_render(fixture->arena, schema, tables, 2, &settings, budget,
                               &fresh);
            assert_string_equal(kept.text, fresh.text);
            assert_int_equal(kept.tokens, fresh.tokens);
            assert_int_equal(kept.left_out, fresh.left_out);
            assert_int_equal(kept.shortened, fresh.shortened);
            assert_true(kept.names.count >= fresh.names.count);
        }
    }
    struct schema_text kept; /* and for settings beyond what is kept */
    for (size_t i = 0; i < 6; i++) {
        settings.samples = i;
        schema_cache_render(fixture->cache, fixture->arena, schema, tables, 2, &settings,
                            INT32_MAX, &kept);
        assert_int_equal(kept.tables.count, 2);
    }
    schema_unref(schema);
}

struct crowd {
    struct fixture *fixture;
    atomic_int reads;
    atomic_int served;
    atomic_int refused;
    enum err_code fail_first; /* the first reader fails like this */
};

/* One question on a cold schema. */
static void *crowd_run(void *context)
{
    struct crowd *crowd = context;
    struct schema_cache *cache = crowd->fixture->cache;
    struct err err;
    enum schema_turn turn =
        schema_cache_begin(cache, "shop", "v1", clock_ms() + 20000, NULL, &err);
    if (turn == SCHEMA_TURN_MINE) {
        int number = atomic_fetch_add(&crowd->reads, 1);
        struct timespec pause = {.tv_nsec = 30000000};
        (void)nanosleep(&pause, NULL);
        if (number == 0 && crowd->fail_first != ERR_OK) {
            struct err failure;
            (void)err_set(&failure, crowd->fail_first, "first");
            schema_cache_end(cache, "shop", &failure);
            return NULL;
        }
        struct schema *schema = shop_new();
        (void)schema_cache_put(cache, schema, &err);
        schema_unref(schema);
        schema_cache_end(cache, "shop", NULL);
    }
    if (turn == SCHEMA_TURN_FAILED) {
        atomic_fetch_add(&crowd->refused, err.code == crowd->fail_first);
        return NULL;
    }
    struct schema *schema = schema_cache_get(cache, "shop", "v1", &err);
    if (schema) {
        atomic_fetch_add(&crowd->served, 1);
        schema_unref(schema);
    }
    return NULL;
}

static void crowd_go(struct crowd *crowd)
{
    pthread_t threads[16];
    for (int i = 0; i < 16; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, crowd_run, crowd), 0);
    }
    for (int i = 0; i < 16; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

static void test_cold_schema_is_read_once(void **state)
{
    struct crowd crowd = {.fixture = *state};
    crowd_go(&crowd);
    assert_int_equal(crowd.reads, 1);
    assert_int_equal(crowd.served, 16);
}

static void test_stopped_reader_hands_over(void **state)
{
    struct crowd crowd = {.fixture = *state, .fail_first = ERR_STOPPED};
    crowd_go(&crowd);
    assert_int_equal(crowd.reads, 2);
    assert_int_equal(crowd.served, 15);
    assert_int_equal(crowd.refused, 0);
}

static void test_failure_is_shared(void **state)
{
    struct crowd crowd = {.fixture = *state, .fail_first = ERR_DATASOURCE_UNREACHABLE};
    crowd_go(&crowd);
    /* A thread that came after the failure starts anew; nobody is left out. */
    assert_int_equal(crowd.served + crowd.refused, 15);
    assert_true(crowd.refused > 0);
}

static void *wait_for_turn(void *context)
{
    struct fixture *fixture = context;
    struct err err;
    enum schema_turn turn =
        schema_cache_begin(fixture->cache, "shop", NULL, clock_ms() + 50, NULL, &err);
    bool timed_out = turn == SCHEMA_TURN_GIVEN_UP && err.code == ERR_TIMEOUT;
    struct cancel cancel;
    cancel_init(&cancel);
    cancel_fire(&cancel);
    turn = schema_cache_begin(fixture->cache, "shop", NULL, 0, &cancel, &err);
    bool stopped = turn == SCHEMA_TURN_GIVEN_UP && err.code == ERR_STOPPED;
    cancel_release(&cancel);
    return timed_out && stopped ? fixture : NULL;
}

static void test_waiting_ends(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(
        schema_cache_begin(fixture->cache, "shop", NULL, 0, NULL, &fixture->err),
        SCHEMA_TURN_MINE);
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, wait_for_turn, fixture), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, fixture);
    schema_cache_end(fixture->cache, "shop", NULL);
    schema_cache_end(fixture->cache, "shop", NULL); /* harmless */
}

struct crossing {
    struct fixture *fixture;
    pthread_barrier_t both;
    const char *first;
    const char *second;
};

static void *cross(void *context)
{
    struct crossing *crossing = context;
    struct schema_cache *cache = crossing->fixture->cache;
    struct err err;
    (void)schema_cache_begin(cache, crossing->first, NULL, 0, NULL, &err);
    (void)pthread_barrier_wait(&crossing->both);
    const char *other = crossing->second;
    enum schema_turn turn = schema_cache_begin(cache, other, NULL, 0, NULL, &err);
    schema_cache_end(cache, crossing->first, NULL);
    return turn == SCHEMA_TURN_MINE ? context : NULL;
}

/* Two questions over the same two databases, in opposite order, must not wait forever. */
static void test_crossed_turns_do_not_lock(void **state)
{
    struct crossing a = {.fixture = *state, .first = "left", .second = "right"};
    assert_int_equal(pthread_barrier_init(&a.both, NULL, 1), 0);
    struct err err;
    /* The main thread holds "right" and then wants what the other holds. */
    assert_int_equal(schema_cache_begin(a.fixture->cache, "right", NULL, 0, NULL, &err),
                     SCHEMA_TURN_MINE);
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, cross, &a), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &a);
    schema_cache_end(a.fixture->cache, "right", NULL);
    (void)pthread_barrier_destroy(&a.both);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_both_levels),
        TEST(test_store_failures),
        TEST(test_levels_are_counted),
        TEST(test_level_one_is_bounded),
        TEST(test_derived_is_made_once),
        TEST(test_kept_lines_are_the_same),
        TEST(test_cold_schema_is_read_once),
        TEST(test_stopped_reader_hands_over),
        TEST(test_failure_is_shared),
        TEST(test_waiting_ends),
        TEST(test_crossed_turns_do_not_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
