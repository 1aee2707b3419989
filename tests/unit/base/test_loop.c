/* Event loops: posts, timers, sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"

/* Lets the test thread wait for something that happens on a loop. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count;
};

static void gate_init(struct gate *gate)
{
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->changed, NULL);
    gate->count = 0;
}

static void gate_add(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->count++;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

static void gate_await(struct gate *gate, int count)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->count < count) {
        pthread_cond_wait(&gate->changed, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
}

struct order {
    struct loop *loop;
    struct gate gate;
    char text[64];
    bool on_thread;
    struct loop_timer *doomed;
    int sockets[2];
    uint32_t events;
};

struct step {
    struct order *order;
    char letter;
};

static void write_letter(void *context)
{
    const struct step *step = context;
    char letter[2] = {step->letter, '\0'};
    strncat(step->order->text, letter,
            sizeof step->order->text - strlen(step->order->text) - 1);
    step->order->on_thread = loop_on_thread(step->order->loop);
    gate_add(&step->order->gate);
}

static void test_posts_keep_their_order(void **state)
{
    (void)state;
    struct order order = {.loop = loop_new()};
    gate_init(&order.gate);
    struct step steps[20];
    for (int i = 0; i < 20; i++) {
        steps[i] = (struct step){&order, (char)('a' + i)};
        loop_post(order.loop, write_letter, &steps[i]);
    }
    gate_await(&order.gate, 20);
    assert_string_equal(order.text, "abcdefghijklmnopqrst");
    assert_true(order.on_thread);
    assert_false(loop_on_thread(order.loop));
    loop_free(order.loop);
}

static struct step step_a, step_b, step_c, step_d;

static void set_timers(void *context)
{
    struct order *order = context;
    (void)loop_timer(order->loop, 30, write_letter, &step_c);
    (void)loop_timer(order->loop, 1, write_letter, &step_a);
    (void)loop_timer(order->loop, 15, write_letter, &step_b);
    order->doomed = loop_timer(order->loop, 10, write_letter, &step_d);
    loop_timer_cancel(order->loop, order->doomed);
}

static void test_timers_fire_by_time_and_can_be_cancelled(void **state)
{
    (void)state;
    struct order order = {.loop = loop_new()};
    gate_init(&order.gate);
    step_a = (struct step){&order, 'a'};
    step_b = (struct step){&order, 'b'};
    step_c = (struct step){&order, 'c'};
    step_d = (struct step){&order, 'd'};
    int64_t start = clock_ms();
    loop_post(order.loop, set_timers, &order);
    gate_await(&order.gate, 3);
    assert_true(clock_ms() - start >= 30); /* never early */
    assert_string_equal(order.text, "abc");
    loop_free(order.loop);
}

struct many {
    struct loop *loop;
    struct gate gate;
    struct loop_timer *timers[500];
    int64_t due[500];
    int64_t
        slack; /* what setting them took: the last one's clock started that much later */
    int64_t last;
    bool ordered;
    int fired;
};

static struct many *the_many;

static void many_fire(void *context)
{
    size_t index = (size_t)(uintptr_t)context;
    int64_t due = the_many->due[index];
    the_many->ordered = the_many->ordered && due + the_many->slack >= the_many->last;
    the_many->last = due;
    the_many->fired++;
    if (the_many->fired == 250) {
        gate_add(&the_many->gate);
    }
}

static void many_set(void *context)
{
    struct many *many = context;
    int64_t start = clock_ms();
    for (size_t i = 0; i < 500; i++) {
        many->due[i] = (int64_t)(i * 7919 % 97);
        many->timers[i] =
            loop_timer(many->loop, many->due[i], many_fire, (void *)(uintptr_t)i);
    }
    for (size_t i = 0; i < 500; i += 2) { /* out of the middle of the heap */
        loop_timer_cancel(many->loop, many->timers[i]);
    }
    many->slack = clock_ms() - start + 1;
}

static void test_many_timers_with_cancels_stay_in_order(void **state)
{
    (void)state;
    struct many many = {.loop = loop_new(), .ordered = true};
    gate_init(&many.gate);
    the_many = &many;
    loop_post(many.loop, many_set, &many);
    gate_await(&many.gate, 1);
    loop_free(many.loop);
    assert_true(many.ordered);
    assert_int_equal(many.fired, 250);
}

static void on_ready(void *context, int fd, uint32_t events)
{
    struct order *order = context;
    char byte;
    (void)!read(fd, &byte, 1);
    order->events = events; /* after the read: that is what orders it behind the test */
    order->text[strlen(order->text)] = byte;
    if (byte == 'z') {
        loop_unwatch(order->loop, fd);
    }
    gate_add(&order->gate);
}

static void watch(void *context)
{
    struct order *order = context;
    loop_watch(order->loop, order->sockets[0], EPOLLIN | EPOLLOUT, on_ready, order);
    loop_watch(order->loop, order->sockets[0], EPOLLIN, on_ready, order);
    gate_add(&order->gate);
}

static void test_sockets(void **state)
{
    (void)state;
    struct order order = {.loop = loop_new()};
    gate_init(&order.gate);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, order.sockets), 0);
    loop_post(order.loop, watch, &order);
    gate_await(&order.gate, 1);
    assert_int_equal(write(order.sockets[1], "x", 1), 1);
    gate_await(&order.gate, 2);
    assert_int_equal(order.events, EPOLLIN); /* the second watch changed the first */
    assert_int_equal(write(order.sockets[1], "z", 1), 1);
    gate_await(&order.gate, 3);
    assert_int_equal(write(order.sockets[1], "y", 1), 1); /* nobody listens any more */
    loop_free(order.loop);
    assert_string_equal(order.text, "xz");
    close(order.sockets[0]);
    close(order.sockets[1]);
}

/* Reads nothing at first: what is left unread must be told again. */
static void on_foreign(void *context, int fd, uint32_t events)
{
    struct order *order = context;
    (void)events;
    if (order->gate.count < 2) { /* only this thread adds to it */
        gate_add(&order->gate);
        return;
    }
    char byte;
    (void)!read(fd, &byte, 1);
    order->text[strlen(order->text)] = byte;
    if (byte == 'z') {
        /* as libcurl does: closed first, and then it says so */
        (void)close(fd);
        loop_forget(order->loop, fd);
    }
    gate_add(&order->gate);
}

static void watch_foreign(void *context)
{
    struct order *order = context;
    loop_watch_foreign(order->loop, order->sockets[0], EPOLLIN, on_foreign, order);
}

static void test_foreign_sockets(void **state)
{
    (void)state;
    struct order order = {.loop = loop_new()};
    gate_init(&order.gate);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, order.sockets), 0);
    loop_post(order.loop, watch_foreign, &order);
    assert_int_equal(write(order.sockets[1], "xyz", 3), 3);
    gate_await(&order.gate, 5);
    loop_free(order.loop);
    assert_string_equal(order.text, "xyz");
    close(order.sockets[1]);
}

static void post_again(void *context)
{
    struct order *order = context;
    static int left = 3;
    gate_add(&order->gate);
    if (--left > 0) {
        loop_post(order->loop, post_again, order);
    }
}

static void test_free_runs_what_was_posted(void **state)
{
    (void)state;
    struct order order = {.loop = loop_new()};
    gate_init(&order.gate);
    loop_post(order.loop, post_again, &order);
    loop_free(order.loop);
    assert_int_equal(order.gate.count, 3);
}

struct crowd {
    struct loop *loop;
    atomic_int done;
};

static void crowd_job(void *context)
{
    (void)atomic_fetch_add(&((struct crowd *)context)->done, 1);
}

static void *crowd_thread(void *context)
{
    struct crowd *crowd = context;
    for (int i = 0; i < 1000; i++) {
        loop_post(crowd->loop, crowd_job, crowd);
    }
    return NULL;
}

static void test_posts_from_many_threads(void **state)
{
    (void)state;
    struct crowd crowd = {.loop = loop_new()};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, crowd_thread, &crowd);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    loop_free(crowd.loop);
    assert_int_equal(atomic_load(&crowd.done), 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_posts_keep_their_order),
        cmocka_unit_test(test_timers_fire_by_time_and_can_be_cancelled),
        cmocka_unit_test(test_many_timers_with_cancels_stay_in_order),
        cmocka_unit_test(test_sockets),
        cmocka_unit_test(test_foreign_sockets),
        cmocka_unit_test(test_free_runs_what_was_posted),
        cmocka_unit_test(test_posts_from_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
