/* The beam over networks of arbitrary numbers: sound, ordered, the same every time. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/search/beam.h"
#include "parser/link/features/features.h"
#include "parser/ir/ir.h"
#include "parser/ir/ir_grammar.h"
#include "parser/network/network_state.h"
#include "parser/parser_state.h"
#include "unit/parser/features_shop.h"
#include "unit/parser/weights_made.h"

static const char *const questions[] = {
    "How many orders are there?",
    "customers without orders",
    "What is the average price of the products in each category, most expensive first?",
    "names of customers who live in Berlin and ordered a Steel Lamp in 2024",
    "?",
    "drop table customers; -- please",
};

enum { QUESTIONS = sizeof questions / sizeof *questions, WIDTH = 6, SEEDS = 8 };

struct place {
    struct features_shop shop;
    struct network *network;
    struct arena *arena;
};

static void place_init(struct place *place, uint32_t seed)
{
    struct err err;
    struct made_weights made;
    size_t size = 0;
    place->arena = arena_new();
    features_shop_init(&place->shop);
    made_weights(&made, place->arena, made_own_names(), seed % 2, seed);
    made_favour(&made, IR_FROM, 10.0F);
    made_favour(&made, IR_END, 20.0F);
    void *file = made_file(&made, &size);
    place->network = network_of(file, size, made_own_names(), &err);
    assert_non_null(place->network);
}

static void place_release(struct place *place)
{
    network_close(place->network);
    features_shop_release(&place->shop);
    arena_free(place->arena);
}

static struct beam_candidates search(struct place *place, const char *question,
                                     size_t width, size_t *values)
{
    struct arena *arena = place->arena;
    struct features features;
    features_build(arena, place->shop.schema, place->shop.index, question, &features);
    struct network_input input =
        network_input_of(arena, place->network, place->shop.schema, &features);
    struct network_memory *memory = network_encode(place->network, arena, &input);
    struct beam_layout layout = {features.tokens.count,
                                 features.values.count,
                                 features.selection.table_count,
                                 features.selection.column_count,
                                 NULL,
                                 NULL};
    struct beam_candidates out = {0};
    beam_search(place->network, memory, &layout, width, arena, &out);
    *values = features.values.count;
    return out;
}

/* Does the grammar take it to the end? */
static bool accepted(const struct ir_tokens *tokens)
{
    struct ir_state state;
    ir_state_init(&state);
    for (size_t i = 0; i < tokens->count; i++) {
        if (!ir_state_take(&state, tokens->items[i])) {
            return false;
        }
    }
    return ir_state_take(&state, (struct ir_token){IR_KEYWORD, IR_END});
}

static bool same_tokens(const struct ir_tokens *a, const struct ir_tokens *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = a->items[i].kind == b->items[i].kind &&
               a->items[i].index == b->items[i].index;
    }
    return same;
}

static void check_candidates(const struct beam_candidates *found, size_t values)
{
    assert_in_range(found->count, 0, WIDTH);
    for (size_t c = 0; c < found->count; c++) {
        const struct beam_candidate *candidate = &found->items[c];
        assert_true(candidate->log_probability <= 0.0);
        assert_true(c == 0 ||
                    candidate->log_probability <= found->items[c - 1].log_probability);
        assert_true(accepted(&candidate->tokens));
        for (size_t t = 0; t < candidate->tokens.count; t++) {
            assert_true(candidate->tokens.items[t].kind != IR_VALUE ||
                        (size_t)candidate->tokens.items[t].index < values);
        }
        for (size_t other = 0; other < c; other++) {
            assert_false(same_tokens(&candidate->tokens, &found->items[other].tokens));
        }
    }
}

static void test_sound_and_ordered(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        struct place place;
        place_init(&place, seed);
        for (size_t i = 0; i < QUESTIONS; i++) {
            size_t values = 0;
            struct beam_candidates candidates =
                search(&place, questions[i], WIDTH, &values);
            check_candidates(&candidates, values);
            found += candidates.count;
        }
        place_release(&place);
    }
    assert_true(found > QUESTIONS); /* most ends are never reached by such networks */
}

static void test_same_every_time(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, 2);
    for (size_t i = 0; i < QUESTIONS; i++) {
        size_t values = 0;
        struct beam_candidates first = search(&place, questions[i], WIDTH, &values);
        struct beam_candidates again = search(&place, questions[i], WIDTH, &values);
        assert_int_equal(first.count, again.count);
        for (size_t c = 0; c < first.count; c++) {
            assert_true(same_tokens(&first.items[c].tokens, &again.items[c].tokens));
            assert_memory_equal(&first.items[c].log_probability,
                                &again.items[c].log_probability, sizeof(double));
        }
    }
    place_release(&place);
}

/* Other processors round otherwise, but find the same to be the best. */
static void test_all_kernels_agree(void **state)
{
    (void)state;
    size_t compared = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        struct place place;
        place_init(&place, seed);
        size_t values = 0;
        struct beam_candidates best = search(&place, questions[0], WIDTH, &values);
        for (size_t k = 1; (place.network->kernels = kernels_at(k)); k++) {
            struct beam_candidates other = search(&place, questions[0], WIDTH, &values);
            if (best.count && other.count) {
                double difference =
                    best.items[0].log_probability - other.items[0].log_probability;
                assert_true(difference < 1e-3 && difference > -1e-3);
                compared++;
            }
        }
        place_release(&place);
    }
    assert_true(compared > 0 || !kernels_at(1));
}

struct worker {
    struct place place; /* shop and network are everybody's, the arena its own */
    struct beam_candidates found;
    pthread_t thread;
};

static void *work(void *context)
{
    struct worker *worker = context;
    size_t values = 0;
    worker->found = search(&worker->place, questions[2], WIDTH, &values);
    return NULL;
}

/* A network that is open never changes: threads need no lock. */
static void test_threads_share_a_network(void **state)
{
    (void)state;
    struct place place;
    struct worker workers[4];
    size_t values = 0;
    place_init(&place, 2);
    struct beam_candidates alone = search(&place, questions[2], WIDTH, &values);
    assert_true(alone.count > 0);
    for (size_t i = 0; i < 4; i++) {
        workers[i].place = place;
        workers[i].place.arena = arena_new();
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].found.count, alone.count);
        assert_memory_equal(&workers[i].found.items[0].log_probability,
                            &alone.items[0].log_probability, sizeof(double));
        assert_true(
            same_tokens(&workers[i].found.items[0].tokens, &alone.items[0].tokens));
        arena_free(workers[i].place.arena);
    }
    place_release(&place);
}

static void test_width(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, 3);
    size_t values = 0;
    struct beam_candidates one = search(&place, questions[0], 1, &values);
    struct beam_candidates many = search(&place, questions[0], 1000, &values);
    assert_in_range(one.count, 0, 1);
    assert_in_range(many.count, 0, 32);
    place_release(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_and_ordered),
        cmocka_unit_test(test_same_every_time),
        cmocka_unit_test(test_all_kernels_agree),
        cmocka_unit_test(test_threads_share_a_network),
        cmocka_unit_test(test_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
