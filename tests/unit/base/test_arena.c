/* Arenas: alignment, zeroes, growth, clean-ups, reset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

static bool all_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i]) {
            return false;
        }
    }
    return true;
}

static void memory_is_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    unsigned char *before = NULL;
    for (size_t size = 0; size < 600; size += 7) {
        unsigned char *now = arena_alloc(arena, size);
        assert_non_null(now);
        assert_int_equal((uintptr_t)now % alignof(max_align_t), 0);
        assert_true(all_zero(now, size));
        assert_ptr_not_equal(now, before);
        memset(now, 0xAB, size);
        before = now;
    }
    arena_free(arena);
}

static void large_pieces_get_a_block_of_their_own(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_int_equal(arena_size(arena), 0);
    unsigned char *large = arena_alloc(arena, 3 * 1024 * 1024);
    assert_true(all_zero(large, 3 * 1024 * 1024));
    assert_true(arena_size(arena) >= 3 * 1024 * 1024);
    arena_free(arena);
}

static void one_of_known_size_has_one_block(void **state)
{
    (void)state;
    struct arena *arena = arena_new_for(3000);
    assert_int_equal(arena_size(arena), 3000);
    for (int i = 0; i < 90; i++) {
        assert_true(all_zero(arena_alloc(arena, 24), 24));
    }
    assert_int_equal(arena_size(arena), 3000);
    (void)arena_alloc(arena, 1000); /* no room: another block, as ever */
    assert_true(arena_size(arena) >= 4000);
    arena_reset(arena);
    assert_int_equal(arena_size(arena), 3000);
    arena_free(arena);
}

static void texts_are_copied(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char text[] = "orders";
    char *copy = arena_text(arena, text);
    text[0] = 'x';
    assert_string_equal(copy, "orders");
    assert_null(arena_text(arena, NULL));
    assert_string_equal(arena_copy(arena, "customers", 4), "cust");
    assert_string_equal(arena_format(arena, "%s-%d", "a", 12), "a-12");
    arena_free(arena);
}

struct log {
    int order[4];
    int count;
};

struct step {
    struct log *log;
    int number;
};

static void note(void *object)
{
    struct step *step = object;
    step->log->order[step->log->count++] = step->number;
}

static void clean_ups_run_newest_first(void **state)
{
    (void)state;
    struct log log = {0};
    struct step steps[] = {{&log, 1}, {&log, 2}, {&log, 3}};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < 3; i++) {
        arena_defer(arena, note, &steps[i]);
    }
    arena_free(arena);
    assert_int_equal(log.count, 3);
    assert_int_equal(log.order[0], 3);
    assert_int_equal(log.order[1], 2);
    assert_int_equal(log.order[2], 1);
}

static void reset_cleans_up_once_and_zeroes(void **state)
{
    (void)state;
    struct log log = {0};
    struct step step = {&log, 7};
    struct arena *arena = arena_new();
    memset(arena_alloc(arena, 1000), 0xFF, 1000);
    (void)arena_alloc(arena, 100000);
    arena_defer(arena, note, &step);
    size_t before = arena_size(arena);
    arena_reset(arena);
    assert_int_equal(log.count, 1);
    assert_true(arena_size(arena) < before);
    assert_true(all_zero(arena_alloc(arena, 1500), 1500));
    arena_reset(arena);
    arena_free(arena);
    assert_int_equal(log.count, 1);
    arena_free(NULL);
}

static void vectors_grow_and_keep_their_items(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct texts texts = {0};
    for (int i = 0; i < 1000; i++) {
        VEC_PUSH(arena, &texts, arena_format(arena, "%d", i));
    }
    assert_int_equal(texts.count, 1000);
    assert_string_equal(texts.items[0], "0");
    assert_string_equal(texts.items[999], "999");
    const char **slot = VEC_ADD(arena, &texts);
    assert_null(*slot);
    arena_free(arena);
}

/* What a thread keeps for its next rooms is as new, whoever ends. */
static void *use_rooms(void *context)
{
    (void)context;
    for (int round = 0; round < 20; round++) {
        struct arena *rooms[8];
        for (size_t i = 0; i < 8; i++) {
            rooms[i] = arena_new();
            for (size_t piece = 100; piece < 6000; piece += 700) {
                unsigned char *bytes = arena_alloc(rooms[i], piece);
                for (size_t b = 0; b < piece; b++) {
                    assert_int_equal(bytes[b], 0);
                }
                memset(bytes, 0xAA, piece);
            }
        }
        for (size_t i = 0; i < 8; i++) {
            arena_free(rooms[i]);
        }
    }
    return NULL;
}

static void blocks_are_zero_when_they_come_again(void **state)
{
    (void)state;
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use_rooms, NULL), 0);
    }
    (void)use_rooms(NULL);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(large_pieces_get_a_block_of_their_own),
        cmocka_unit_test(one_of_known_size_has_one_block),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(clean_ups_run_newest_first),
        cmocka_unit_test(reset_cleans_up_once_and_zeroes),
        cmocka_unit_test(vectors_grow_and_keep_their_items),
        cmocka_unit_test(blocks_are_zero_when_they_come_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
