/* Beginnings that request bodies have in common: found, kept, dropped, by many threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "llm/prefix.h"

enum { ROOM = 8192 };

/* Text that differs from that of any other seed in its first byte and later. */
static void fill(char *out, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) {
        out[i] = (char)('a' + (seed * 7 + i * (seed % 5 + 1) + i / 26) % 26);
    }
    if (size >= sizeof seed) {
        memcpy(out, &seed, sizeof seed);
    }
}

static struct prefix *take(struct prefix_shelf *shelf, const char *data, size_t size,
                           size_t *common)
{
    struct prefix *prefix = prefix_take(shelf, data, size, common);
    assert_true(*common <= size);
    if (prefix) {
        assert_true(*common <= prefix->size);
        assert_memory_equal(prefix->data, data, *common);
    } else {
        assert_int_equal(*common, 0);
    }
    return prefix;
}

/* Bodies that nobody sees again. */
static void pass_strangers(struct prefix_shelf *shelf, unsigned from, unsigned count)
{
    static char body[ROOM];
    for (unsigned i = 0; i < count; i++) {
        size_t common;
        fill(body, 2000, from + i);
        struct prefix *prefix = take(shelf, body, 2000, &common);
        assert_int_equal(common, 2000); /* kept as it is */
        prefix_unref(prefix);
    }
}

static void test_what_is_equal_is_shared(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    char body[ROOM];
    size_t common;
    prefix_shelf_init(&shelf);
    fill(body, 3000, 1);
    struct prefix *one = take(&shelf, body, 3000, &common);
    assert_int_equal(common, 3000);
    body[2900] = '!';
    struct prefix *two = take(&shelf, body, 3500, &common);
    assert_ptr_equal(one, two);
    assert_int_equal(common, 2900);
    assert_int_equal(atomic_load(&one->references), 3); /* with the shelf's */
    for (size_t at = 1024; at < 1024 + 600; at++) {     /* wherever the difference is */
        fill(body, 2000, 2);
        struct prefix *before = take(&shelf, body, 2000, &common);
        body[at] = '!';
        prefix_unref(take(&shelf, body, at + 300, &common));
        assert_int_equal(common, at);
        prefix_unref(before);
    }
    prefix_shelf_release(&shelf);
    assert_int_equal(atomic_load(&one->references), 2); /* outlive the shelf */
    prefix_unref(one);
    prefix_unref(two);
    prefix_unref(NULL);
}

static void test_little_is_not_shared(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    char body[ROOM];
    size_t common;
    prefix_shelf_init(&shelf);
    assert_null(take(&shelf, "", 0, &common));
    fill(body, 3000, 1);
    assert_null(take(&shelf, body, PREFIX_WORTH - 1, &common));
    assert_null(take(&shelf, body, PREFIX_WORTH - 1, &common)); /* nor kept */
    prefix_unref(take(&shelf, body, PREFIX_WORTH, &common));
    assert_int_equal(common, PREFIX_WORTH);
    body[PREFIX_WORTH - 1] = '!'; /* one byte too few in common, the rest is short */
    struct prefix *other = take(&shelf, body, PREFIX_WORTH, &common);
    assert_int_equal(common, PREFIX_WORTH);
    assert_int_equal(shelf.count, 2);
    prefix_unref(other);
    prefix_shelf_release(&shelf);
}

static void test_a_body_inside_another(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    char body[ROOM];
    size_t common;
    prefix_shelf_init(&shelf);
    fill(body, 4000, 1);
    struct prefix *whole = take(&shelf, body, 4000, &common);
    struct prefix *part = take(&shelf, body, 3000, &common);
    assert_ptr_equal(part, whole);
    assert_int_equal(common, 3000); /* no rest at all */
    struct prefix *less = take(&shelf, body, 1500, &common);
    assert_ptr_not_equal(less, whole); /* 1,500 bytes must not hold 4,000 */
    assert_int_equal(common, 1500);
    prefix_unref(whole);
    prefix_unref(part);
    prefix_unref(less);
    prefix_shelf_release(&shelf);
}

static void test_a_long_rest_is_kept_for_the_next(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    char one[ROOM];
    char two[ROOM];
    size_t common;
    prefix_shelf_init(&shelf);
    fill(one, 4000, 1);
    memcpy(two, one, 2500);
    fill(two + 2500, 3000, 2); /* the same prompt about another database */
    struct prefix *first = take(&shelf, one, 4000, &common);
    struct prefix *second = take(&shelf, two, 5500, &common);
    assert_ptr_equal(first, second);
    assert_int_equal(common, 2500);
    two[5400] = '!';
    struct prefix *third = take(&shelf, two, 5500, &common);
    assert_ptr_not_equal(third, first);
    assert_int_equal(common, 5400);
    one[3990] = '!';
    struct prefix *fourth = take(&shelf, one, 4000, &common);
    assert_ptr_equal(fourth, first);
    prefix_unref(first);
    prefix_unref(second);
    prefix_unref(third);
    prefix_unref(fourth);
    prefix_shelf_release(&shelf);
}

static void test_the_useful_stays(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    char body[ROOM];
    size_t common;
    prefix_shelf_init(&shelf);
    fill(body, 3000, 1);
    struct prefix *useful = take(&shelf, body, 3000, &common);
    prefix_unref(take(&shelf, body, 3000, &common)); /* used once more: to the front */
    pass_strangers(&shelf, 100, 1000);
    struct prefix *again = take(&shelf, body, 3000, &common);
    assert_ptr_equal(again, useful);
    assert_int_equal(shelf.count, PREFIX_SHELF);
    prefix_unref(useful);
    prefix_unref(again);
    prefix_shelf_release(&shelf);
}

static void test_the_oldest_goes(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    static char bodies[PREFIX_SHELF + 1][3000];
    size_t common;
    prefix_shelf_init(&shelf);
    struct prefix *first = NULL;
    for (unsigned i = 0; i <= PREFIX_SHELF; i++) { /* one more than there is room for */
        fill(bodies[i], sizeof bodies[i], i + 1);
        struct prefix *prefix = take(&shelf, bodies[i], sizeof bodies[i], &common);
        prefix_unref(take(&shelf, bodies[i], sizeof bodies[i], &common));
        if (i == 0) {
            first = prefix;
        } else {
            prefix_unref(prefix);
        }
    }
    assert_int_equal(atomic_load(&first->references), 1); /* only ours is left */
    assert_memory_equal(first->data, bodies[0], sizeof bodies[0]);
    struct prefix *fresh = take(&shelf, bodies[0], sizeof bodies[0], &common);
    assert_ptr_not_equal(fresh, first);
    prefix_unref(first);
    prefix_unref(fresh);
    prefix_shelf_release(&shelf);
}

static void test_the_shelf_has_a_ceiling(void **state)
{
    (void)state;
    struct prefix_shelf shelf;
    size_t size = PREFIX_MOST + 1;
    char *body = memory_alloc(size);
    size_t common;
    prefix_shelf_init(&shelf);
    fill(body, size, 1);
    assert_null(take(&shelf, body, size, &common));
    assert_int_equal(shelf.count, 0);
    struct prefix *most = take(&shelf, body, PREFIX_MOST, &common);
    assert_int_equal(common, PREFIX_MOST);
    struct prefix *larger = take(&shelf, body, size, &common);
    assert_ptr_equal(larger, most); /* not kept, but it may use what is */
    assert_int_equal(common, PREFIX_MOST);
    prefix_unref(most);
    prefix_unref(larger);
    memory_free(body);
    prefix_shelf_release(&shelf);
}

enum { THREADS = 8, ROUNDS = 4000, HELD = 16, KINDS = 12 };

struct held {
    struct prefix *prefix;
    size_t common;
    unsigned kind;
};

static struct prefix_shelf shared;

/* More kinds than there is room for; each holds some for a while, as waiting calls do. */
static void *thread_main(void *context)
{
    unsigned number = *(unsigned *)context;
    struct held held[HELD] = {{0}};
    uintptr_t wrong = 0;
    char body[ROOM];
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct held *slot = &held[round % HELD];
        if (slot->prefix) {
            fill(body, 3000, slot->kind);
            if (memcmp(slot->prefix->data, body,
                       slot->common < 3000 ? slot->common : 3000)) {
                wrong++; /* changed while it was held */
            }
            prefix_unref(slot->prefix);
        }
        slot->kind = 1 + (round * 7 + number * 3) % KINDS;
        fill(body, 3000, slot->kind);
        size_t size = 3000 + (round + number) % 2000;
        fill(body + 3000, size - 3000, round * THREADS + number);
        slot->prefix = prefix_take(&shared, body, size, &slot->common);
        if (!slot->prefix || slot->common < 3000 ||
            memcmp(slot->prefix->data, body, slot->common)) {
            wrong++;
        }
    }
    for (size_t i = 0; i < HELD; i++) {
        prefix_unref(held[i].prefix);
    }
    return (void *)wrong;
}

static void test_many_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    prefix_shelf_init(&shared);
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, thread_main, &numbers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        (void)pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    assert_int_equal(shared.count, PREFIX_SHELF);
    for (size_t i = 0; i < shared.count; i++) {
        assert_int_equal(atomic_load(&shared.items[i]->references), 1);
    }
    prefix_shelf_release(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_equal_is_shared),
        cmocka_unit_test(test_little_is_not_shared),
        cmocka_unit_test(test_a_body_inside_another),
        cmocka_unit_test(test_a_long_rest_is_kept_for_the_next),
        cmocka_unit_test(test_the_useful_stays),
        cmocka_unit_test(test_the_oldest_goes),
        cmocka_unit_test(test_the_shelf_has_a_ceiling),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
