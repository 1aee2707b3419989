/* Turns: order within an owner, fairness between them, what is kept for whoever comes;
 * nobody starves and nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/turns.h"

static void nothing(void *context)
{
    (void)context;
}

static void add(struct turns *turns, const char *owner, const char *job)
{
    turns_add(turns, owner, nothing, (void *)(uintptr_t)job);
}

/* Takes the next one, which must be this; NULL: there must be none. */
static struct turns_job *take(struct turns *turns, const char *job)
{
    struct turns_job *taken = turns_take(turns);
    if (!job) {
        assert_null(taken);
        return NULL;
    }
    assert_non_null(taken);
    assert_string_equal(taken->context, job);
    return taken;
}

static void take_all(struct turns *turns, const char *const *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        turns_done(turns, take(turns, jobs[i]));
    }
    assert_null(turns_take(turns));
    assert_int_equal(turns->waiting, 0);
    assert_int_equal(turns->owners.count, 0);
    turns_release(turns);
}

static void one_owner_keeps_the_order(void **state)
{
    (void)state;
    struct turns turns;
    turns_init(&turns, 1, 0);
    assert_false(turns_ready(&turns));
    add(&turns, "a", "1");
    add(&turns, "a", "2");
    add(&turns, "a", "3");
    assert_true(turns_ready(&turns));
    take_all(&turns, (const char *[]){"1", "2", "3"}, 3);
}

static void owners_take_turns(void **state)
{
    (void)state;
    struct turns turns;
    turns_init(&turns, 1, 0);
    add(&turns, "a", "a1");
    add(&turns, "a", "a2");
    add(&turns, "a", "a3");
    add(&turns, "b", "b1");
    add(&turns, NULL, "nobody's 1"); /* nobody's are one owner more */
    add(&turns, "", "nobody's 2");
    add(&turns, "b", "b2");
    assert_int_equal(turns.waiting, 7);
    assert_int_equal(turns_waiting(&turns, "a"), 3);
    assert_int_equal(turns_waiting(&turns, NULL), 2);
    assert_int_equal(turns_waiting(&turns, "c"), 0);
    take_all(&turns,
             (const char *[]){"a1", "b1", "nobody's 1", "a2", "b2", "nobody's 2", "a3"},
             7);
}

static void a_reserve_is_kept_for_whoever_comes(void **state)
{
    (void)state;
    struct turns turns;
    struct turns_job *held[6];
    turns_init(&turns, 6, 2);
    for (int i = 0; i < 10; i++) {
        add(&turns, "a", "a");
    }
    for (size_t i = 0; i < 4; i++) {
        held[i] = take(&turns, "a");
    }
    (void)take(&turns, NULL); /* alone, it has all but the reserve */
    add(&turns, "b", "b1");
    add(&turns, "b", "b2");
    held[4] = take(&turns, "b1");
    (void)take(&turns, NULL); /* a second one is not a newcomer's any more */
    add(&turns, "c", "c");
    held[5] = take(&turns, "c");
    add(&turns, "d", "d");
    (void)take(&turns, NULL); /* now no thread is left */
    turns_done(&turns, held[0]);
    held[0] = take(&turns, "d"); /* the first that is goes to who has none */
    turns_done(&turns, held[5]);
    turns_done(&turns, held[0]);
    (void)take(&turns, NULL); /* and the reserve is filled before others have more */
    turns_done(&turns, held[1]);
    held[1] = take(&turns, "b2"); /* whoever holds fewer comes first */
    for (size_t i = 1; i < 5; i++) {
        turns_done(&turns, held[i]);
    }
    take_all(&turns, (const char *[]){"a", "a", "a", "a", "a", "a"}, 6);
}

static void without_a_reserve_all_threads_are_used(void **state)
{
    (void)state;
    struct turns turns;
    struct turns_job *held[3];
    turns_init(&turns, 3, 0);
    for (size_t i = 0; i < 4; i++) {
        add(&turns, NULL, "x");
    }
    for (size_t i = 0; i < 3; i++) {
        held[i] = take(&turns, "x");
    }
    (void)take(&turns, NULL);
    for (size_t i = 0; i < 3; i++) {
        turns_done(&turns, held[i]);
    }
    take_all(&turns, (const char *[]){"x"}, 1);
}

static void what_was_stopped_need_not_wait(void **state)
{
    (void)state;
    struct turns turns;
    static const char last[] = "a3";
    turns_init(&turns, 2, 1);
    add(&turns, "a", "a1");
    add(&turns, "a", "a2");
    turns_add(&turns, "a", nothing, (void *)(uintptr_t)last);
    struct turns_job *held = take(&turns, "a1");
    (void)take(&turns, NULL);
    assert_false(turns_hurry(&turns, "b", last)); /* not theirs */
    assert_false(turns_hurry(&turns, "a", &turns));
    assert_true(turns_hurry(&turns, "a", last));
    assert_false(turns_hurry(&turns, "a", last)); /* once is enough */
    assert_int_equal(turns_waiting(&turns, "a"), 1);
    assert_int_equal(turns.waiting, 2);
    turns_done(&turns, take(&turns, "a3")); /* though its owner has its share */
    add(&turns, "a", "a4");                 /* the end of the list was moved */
    turns_add_hurried(&turns, nothing, (void *)(uintptr_t) "hurried");
    turns_done(&turns, take(&turns, "hurried"));
    (void)take(&turns, NULL);
    turns_done(&turns, held);
    take_all(&turns, (const char *[]){"a2", "a4"}, 2);
}

/* The one job of an owner in the middle, at the end and at the beginning of the queue. */
static void an_owner_may_leave_the_queue(void **state)
{
    (void)state;
    static const char x[] = "x";
    for (int place = 0; place < 3; place++) {
        struct turns turns;
        turns_init(&turns, 1, 0);
        for (int i = 0; i < 3; i++) {
            char owner[2] = {(char)('a' + i), '\0'};
            add(&turns, i == place ? "mine" : owner, i == place ? x : "other");
        }
        assert_true(turns_hurry(&turns, "mine", x));
        add(&turns, "d", "last");
        take_all(&turns, (const char *[]){"other", "other", "x", "last"}, 4);
    }
}

/* Chance decides what comes, ends and is stopped; the same on every run. */
enum { OWNERS = 40, JOBS = 20000, THREADS = 9, RESERVE = 3 };

struct made {
    int owner;
    int number; /* among its owner's */
    bool hurried;
    bool taken;
};

struct world {
    struct turns turns;
    struct made made[JOBS];
    size_t count;
    int given[OWNERS];
    int next[OWNERS];   /* number that must come next; hurried ones are skipped */
    int held[OWNERS];   /* without hurried ones */
    int passed[OWNERS]; /* taken by others while it waits and holds none */
    struct turns_job *running[THREADS];
    size_t busy;
    uint32_t chance;
};

static uint32_t any(struct world *world, uint32_t below)
{
    world->chance = world->chance * 1664525U + 1013904223U;
    return (world->chance >> 8) % below;
}

static void name_of(int owner, char out[12])
{
    (void)snprintf(out, 12, "%d", owner);
}

static void world_add(struct world *world)
{
    char name[12];
    struct made *made = &world->made[world->count++];
    /* half of all is one owner's */
    made->owner = any(world, 2) ? 0 : (int)any(world, OWNERS);
    made->number = world->given[made->owner]++;
    name_of(made->owner, name);
    turns_add(&world->turns, name, nothing, made);
}

static void world_hurry(struct world *world)
{
    char name[12];
    struct made *made = &world->made[any(world, (uint32_t)world->count)];
    name_of(made->owner, name);
    bool waits = !made->taken && !made->hurried;
    assert_int_equal(turns_hurry(&world->turns, name, made), waits);
    made->hurried = made->hurried || waits;
}

static bool first_of(const struct world *world, const struct made *made)
{
    for (size_t i = 0; i < world->count; i++) {
        const struct made *other = &world->made[i];
        if (other->owner == made->owner && !other->taken && !other->hurried &&
            other->number < made->number) {
            return false;
        }
    }
    return true;
}

static void world_take(struct world *world)
{
    char name[12];
    struct turns_job *job = turns_take(&world->turns);
    if (!job) {
        return;
    }
    struct made *made = job->context;
    assert_false(made->taken);
    if (!made->hurried) {
        assert_true(made->number >= world->next[made->owner]);
        world->next[made->owner] = made->number + 1;
        assert_true(++world->held[made->owner] <= THREADS - RESERVE);
        assert_true(world->held[made->owner] == 1 || world->busy < THREADS - RESERVE);
        assert_true(world->count % 64 || first_of(world, made)); /* which takes long */
    }
    made->taken = true;
    assert_true(world->busy < THREADS);
    world->running[world->busy++] = job;
    for (int i = 0; i < OWNERS; i++) {
        name_of(i, name);
        bool waits = turns_waiting(&world->turns, name) && !world->held[i];
        world->passed[i] = waits ? world->passed[i] + 1 : 0;
        assert_true(world->passed[i] <= OWNERS + 1); /* nobody starves */
    }
}

static void world_end_one(struct world *world)
{
    if (world->busy) {
        size_t at = any(world, (uint32_t)world->busy);
        struct turns_job *job = world->running[at];
        const struct made *made = job->context;
        world->held[made->owner] -= !made->hurried;
        turns_done(&world->turns, job);
        world->running[at] = world->running[--world->busy];
    }
}

static void nothing_starves_and_nothing_is_lost(void **state)
{
    (void)state;
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->chance = 7;
    turns_init(&world->turns, THREADS, RESERVE);
    while (world->count < JOBS) {
        world_add(world);
        uint32_t steps = any(world, 4);
        for (uint32_t i = 0; i < steps; i++) {
            world_take(world);
            world_end_one(world);
            world_take(world);
        }
        if (any(world, 8) == 0) {
            world_hurry(world);
        }
    }
    while (world->turns.waiting || world->busy) {
        world_take(world);
        world_end_one(world);
    }
    for (size_t i = 0; i < JOBS; i++) {
        assert_true(world->made[i].taken);
    }
    assert_int_equal(world->turns.owners.count, 0);
    turns_release(&world->turns);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_owner_keeps_the_order),
        cmocka_unit_test(owners_take_turns),
        cmocka_unit_test(a_reserve_is_kept_for_whoever_comes),
        cmocka_unit_test(without_a_reserve_all_threads_are_used),
        cmocka_unit_test(what_was_stopped_need_not_wait),
        cmocka_unit_test(an_owner_may_leave_the_queue),
        cmocka_unit_test(nothing_starves_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
