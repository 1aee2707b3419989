/* Workers: every job runs once, in order on one thread, also at the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/workers.h"

static void count(void *context)
{
    atomic_fetch_add((atomic_int *)context, 1);
}

static void every_job_runs_before_free_returns(void **state)
{
    (void)state;
    atomic_int done = 0;
    struct workers *workers = workers_new(4);
    assert_int_equal(workers_threads(workers), 4);
    for (int i = 0; i < 5000; i++) {
        workers_submit(workers, count, &done);
    }
    workers_free(workers);
    assert_int_equal(done, 5000);
    workers_free(NULL);
}

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int entered;
    bool open;
};

static void wait_at(void *context)
{
    struct gate *gate = context;
    (void)pthread_mutex_lock(&gate->lock);
    gate->entered++;
    (void)pthread_cond_broadcast(&gate->change);
    while (!gate->open) {
        (void)pthread_cond_wait(&gate->change, &gate->lock);
    }
    (void)pthread_mutex_unlock(&gate->lock);
}

static void gate_met(struct gate *gate, int entered)
{
    (void)pthread_mutex_lock(&gate->lock);
    while (gate->entered < entered) {
        (void)pthread_cond_wait(&gate->change, &gate->lock);
    }
    (void)pthread_mutex_unlock(&gate->lock);
}

static void gate_open(struct gate *gate)
{
    (void)pthread_mutex_lock(&gate->lock);
    gate->open = true;
    (void)pthread_cond_broadcast(&gate->change);
    (void)pthread_mutex_unlock(&gate->lock);
}

static void waiting_counts_what_has_not_begun(void **state)
{
    (void)state;
    struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .change = PTHREAD_COND_INITIALIZER};
    atomic_int done = 0;
    struct workers *workers = workers_new(1);
    workers_submit(workers, wait_at, &gate);
    gate_met(&gate, 1);
    for (int i = 0; i < 3; i++) {
        workers_submit(workers, count, &done);
    }
    assert_int_equal(workers_waiting(workers), 3);
    assert_int_equal(done, 0);
    gate_open(&gate);
    workers_free(workers);
    assert_int_equal(done, 3);
}

/* Every job of the first one waits at a gate that opens when all others are through. */
static void one_owner_does_not_keep_others_waiting(void **state)
{
    (void)state;
    struct gate first = {.lock = PTHREAD_MUTEX_INITIALIZER,
                         .change = PTHREAD_COND_INITIALIZER};
    struct gate second = first;
    struct gate stopped = first;
    second.open = stopped.open = true;
    struct workers *workers = workers_new_fair(2);
    assert_int_equal(workers_threads(workers), 3);
    for (int i = 0; i < 4; i++) {
        workers_submit_for(workers, "first", wait_at, &first);
    }
    workers_submit_for(workers, "first", wait_at, &stopped);
    gate_met(&first, 2);
    for (int i = 0; i < 100; i++) {
        workers_submit_for(workers, "second", wait_at, &second);
    }
    gate_met(&second, 100);
    assert_int_equal(workers_waiting(workers), 3);
    assert_true(workers_full(workers, "first", 3));
    assert_false(workers_full(workers, "second", 3));
    assert_true(workers_full(workers, "second", 2)); /* all together */
    assert_true(workers_hurry(workers, "first", &stopped));
    assert_false(workers_hurry(workers, "second", &first));
    gate_met(&stopped, 1);
    workers_submit_hurried(workers, wait_at, &stopped);
    gate_met(&stopped, 2);
    assert_int_equal(first.entered, 2);
    gate_open(&first);
    workers_free(workers);
    assert_int_equal(first.entered, 4);
}

enum { SUBMITTERS = 4, EACH = 2000 };

struct crowd {
    struct workers *workers;
    atomic_int at_once[SUBMITTERS];
    atomic_int too_many;
    atomic_int done;
};

struct member {
    struct crowd *crowd;
    int number;
};

static void work_for(void *context)
{
    struct member *member = context;
    struct crowd *crowd = member->crowd;
    int at_once = atomic_fetch_add(&crowd->at_once[member->number], 1) + 1;
    atomic_fetch_add(&crowd->too_many, at_once > 3);
    atomic_fetch_add(&crowd->done, 1);
    atomic_fetch_sub(&crowd->at_once[member->number], 1);
}

static void *submit_many(void *context)
{
    static const char *const names[SUBMITTERS] = {"a", "b", "c", NULL};
    struct member *member = context;
    struct workers *workers = member->crowd->workers;
    for (int i = 0; i < EACH; i++) {
        workers_submit_for(workers, names[member->number], work_for, member);
        if (i % 16 == 0) { /* found or not, it is run once */
            atomic_int *done = &member->crowd->done;
            workers_submit_for(workers, names[member->number], count, done);
            (void)workers_hurry(workers, names[member->number], done);
        }
    }
    return NULL;
}

static void many_owners_at_once(void **state)
{
    (void)state;
    struct crowd crowd = {.workers = workers_new_fair(3)};
    struct member members[SUBMITTERS];
    pthread_t threads[SUBMITTERS];
    for (int i = 0; i < SUBMITTERS; i++) {
        members[i] = (struct member){&crowd, i};
        assert_int_equal(pthread_create(&threads[i], NULL, submit_many, &members[i]), 0);
    }
    for (int i = 0; i < SUBMITTERS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    workers_free(crowd.workers);
    assert_int_equal(crowd.too_many, 0);
    assert_int_equal(crowd.done, SUBMITTERS * (EACH + EACH / 16));
}

struct order {
    int next;
    bool broken;
};

struct numbered {
    struct order *order;
    int number;
};

static void check_order(void *context)
{
    struct numbered *item = context;
    item->order->broken = item->order->broken || item->order->next != item->number;
    item->order->next++;
}

static void one_thread_keeps_the_order(void **state)
{
    (void)state;
    struct order order = {0};
    static struct numbered items[1000];
    struct workers *workers = workers_new(1);
    for (int i = 0; i < 1000; i++) {
        items[i] = (struct numbered){&order, i};
        workers_submit(workers, check_order, &items[i]);
    }
    workers_free(workers);
    assert_false(order.broken);
    assert_int_equal(order.next, 1000);
}

struct chain {
    struct workers *workers;
    atomic_int left;
};

static void submit_next(void *context)
{
    struct chain *chain = context;
    if (atomic_fetch_sub(&chain->left, 1) > 1) {
        workers_submit(chain->workers, submit_next, chain);
    }
}

static void a_job_may_submit_another(void **state)
{
    (void)state;
    struct chain chain = {.workers = workers_new(3)};
    atomic_init(&chain.left, 500);
    workers_submit(chain.workers, submit_next, &chain);
    workers_free(chain.workers); /* what a running job submits is run too */
    assert_int_equal(chain.left, 0);
}

enum { MANY = 100 };

struct side_by_side {
    pthread_barrier_t all_there;
    atomic_int seen[MANY];
};

static void see(void *context, size_t index)
{
    struct side_by_side *work = context;
    atomic_fetch_add(&work->seen[index], 1);
}

/* Passes only when three are at work at the same time. */
static void meet(void *context, size_t index)
{
    struct side_by_side *work = context;
    (void)pthread_barrier_wait(&work->all_there);
    see(work, index);
}

static void each_is_done_once_side_by_side(void **state)
{
    (void)state;
    struct side_by_side work = {0};
    workers_each(MANY, 7, see, &work);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(work.seen[i], 1);
    }
    workers_each(0, 7, see, &work);
    workers_each(1, 7, see, &work);
    assert_int_equal(work.seen[0], 2);
    assert_int_equal(pthread_barrier_init(&work.all_there, NULL, 3), 0);
    workers_each(3, 3, meet, &work);
    assert_int_equal(work.seen[2], 2);
    (void)pthread_barrier_destroy(&work.all_there);
}

static void meet_others(void *context)
{
    (void)pthread_barrier_wait(context);
}

/* The threads sleep when a round begins. If one of them were not woken, no round would end. */
static void each_job_wakes_a_thread(void **state)
{
    (void)state;
    enum { ROUNDS = 500, JOBS = 3 };
    struct workers *workers = workers_new(JOBS);
    pthread_barrier_t all_there;
    assert_int_equal(pthread_barrier_init(&all_there, NULL, JOBS + 1), 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < JOBS; i++) {
            workers_submit(workers, meet_others, &all_there);
        }
        (void)pthread_barrier_wait(&all_there);
    }
    workers_free(workers);
    (void)pthread_barrier_destroy(&all_there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_before_free_returns),
        cmocka_unit_test(waiting_counts_what_has_not_begun),
        cmocka_unit_test(one_owner_does_not_keep_others_waiting),
        cmocka_unit_test(many_owners_at_once),
        cmocka_unit_test(one_thread_keeps_the_order),
        cmocka_unit_test(a_job_may_submit_another),
        cmocka_unit_test(each_is_done_once_side_by_side),
        cmocka_unit_test(each_job_wakes_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
