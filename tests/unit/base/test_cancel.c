/* Stop signals: hooks, races between firing and unhooking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "base/cancel.h"

static void count(void *context)
{
    atomic_fetch_add((atomic_int *)context, 1);
}

static void firing_calls_the_hook(void **state)
{
    (void)state;
    struct cancel cancel;
    atomic_int calls = 0;
    cancel_init(&cancel);
    assert_false(cancel_fired(&cancel));
    assert_true(cancel_hook(&cancel, count, &calls));
    cancel_fire(&cancel);
    assert_true(cancel_fired(&cancel));
    cancel_fire(&cancel);
    assert_int_equal(calls, 2);
    cancel_unhook(&cancel);
    cancel_fire(&cancel);
    assert_int_equal(calls, 2);
    cancel_release(&cancel);
}

static void a_hook_after_the_shot_is_refused(void **state)
{
    (void)state;
    struct cancel cancel;
    atomic_int calls = 0;
    cancel_init(&cancel);
    cancel_fire(&cancel);
    assert_false(cancel_hook(&cancel, count, &calls));
    assert_int_equal(calls, 0);
    cancel_release(&cancel);
}

static void no_cancel_is_fine(void **state)
{
    (void)state;
    atomic_int calls = 0;
    assert_false(cancel_fired(NULL));
    assert_true(cancel_hook(NULL, count, &calls));
    cancel_unhook(NULL);
}

struct race {
    struct cancel cancel;
    atomic_bool start;
};

static void *fire_later(void *context)
{
    struct race *race = context;
    while (!atomic_load(&race->start)) {
        (void)sched_yield();
    }
    cancel_fire(&race->cancel);
    return NULL;
}

struct blocked {
    atomic_bool gone; /* the hook must not run from here on */
    atomic_int late;
};

static void touch(void *context)
{
    struct blocked *blocked = context;
    if (atomic_load(&blocked->gone)) {
        atomic_fetch_add(&blocked->late, 1);
    }
}

static void a_hook_never_runs_after_unhook(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        struct race race;
        struct blocked blocked;
        atomic_init(&race.start, false);
        atomic_init(&blocked.gone, false);
        atomic_init(&blocked.late, 0);
        cancel_init(&race.cancel);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, fire_later, &race), 0);
        atomic_store(&race.start, true);
        (void)cancel_hook(&race.cancel, touch, &blocked);
        cancel_unhook(&race.cancel);
        atomic_store(&blocked.gone, true);
        (void)pthread_join(thread, NULL);
        assert_int_equal(blocked.late, 0);
        assert_true(cancel_fired(&race.cancel));
        cancel_release(&race.cancel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(firing_calls_the_hook),
        cmocka_unit_test(a_hook_after_the_shot_is_refused),
        cmocka_unit_test(no_cancel_is_fine),
        cmocka_unit_test(a_hook_never_runs_after_unhook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
