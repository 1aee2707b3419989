/* An event loop on a thread of its own: epoll, an eventfd for posts, a heap of timers. */
#include "base/loop.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

enum {
    EVENTS = 256,
    STACK_BYTES = 1024 * 1024,
    SPARE_TIMERS = 1024, /* kept for reuse; more are given back */
};

struct loop_timer {
    int64_t due_us;
    size_t place; /* in the heap */
    void (*fire)(void *context);
    void *context;
    struct loop_timer *next; /* among the spare ones */
};

struct watch {
    void (*ready)(void *context, int fd, uint32_t events);
    void *context;
    uint32_t events;
    bool
        armed; /* the kernel will report it; a one-shot watch is reported once each time */
    uint32_t
        round; /* tells an event for this watch from one for an older, same-numbered fd */
};

struct post {
    void (*job)(void *context);
    void *context;
};

struct posts {
    struct post *items;
    size_t count;
    size_t capacity;
};

struct loop {
    pthread_t thread;
    int epoll;
    int wake;
    pthread_mutex_t lock;
    struct posts posted; /* under lock */
    bool ending;         /* under lock */
    /* the loop's own thread only */
    struct posts running;
    struct watch *watches; /* by fd */
    size_t watch_count;
    struct loop_timer **heap;
    size_t heap_count;
    size_t heap_capacity;
    struct loop_timer *spare;
    size_t spare_count;
};

static _Thread_local const struct loop *current; /* the loop whose thread this is */

/*
 * Timers: a binary heap by due time; every timer knows its place, so it can be removed.
 */

static void heap_put(struct loop *loop, size_t place, struct loop_timer *timer)
{
    loop->heap[place] = timer;
    timer->place = place;
}

static void heap_rise(struct loop *loop, size_t place)
{
    struct loop_timer *timer = loop->heap[place];
    while (place > 0) {
        size_t parent = (place - 1) / 2;
        if (loop->heap[parent]->due_us <= timer->due_us) {
            break;
        }
        heap_put(loop, place, loop->heap[parent]);
        place = parent;
    }
    heap_put(loop, place, timer);
}

static void heap_sink(struct loop *loop, size_t place)
{
    struct loop_timer *timer = loop->heap[place];
    for (;;) {
        size_t child = place * 2 + 1;
        if (child >= loop->heap_count) {
            break;
        }
        if (child + 1 < loop->heap_count &&
            loop->heap[child + 1]->due_us < loop->heap[child]->due_us) {
            child++;
        }
        if (timer->due_us <= loop->heap[child]->due_us) {
            break;
        }
        heap_put(loop, place, loop->heap[child]);
        place = child;
    }
    heap_put(loop, place, timer);
}

static void heap_remove(struct loop *loop, struct loop_timer *timer)
{
    size_t place = timer->place;
    struct loop_timer *last = loop->heap[--loop->heap_count];
    if (last != timer) {
        heap_put(loop, place, last);
        heap_rise(loop, place);
        heap_sink(loop, last->place);
    }
}

static void timer_give_back(struct loop *loop, struct loop_timer *timer)
{
    if (loop->spare_count >= SPARE_TIMERS) {
        memory_free(timer);
        return;
    }
    timer->next = loop->spare;
    loop->spare = timer;
    loop->spare_count++;
}

struct loop_timer *loop_timer(struct loop *loop, int64_t delay_ms,
                              void (*fire)(void *context), void *context)
{
    struct loop_timer *timer = loop->spare;
    if (timer) {
        loop->spare = timer->next;
        loop->spare_count--;
    } else {
        timer = memory_alloc(sizeof *timer);
    }
    int64_t delay_us = delay_ms <= 0                 ? 0
                       : delay_ms < INT64_MAX / 2000 ? delay_ms * 1000
                                                     : INT64_MAX / 2;
    timer->due_us = clock_us() + delay_us;
    timer->fire = fire;
    timer->context = context;
    if (loop->heap_count == loop->heap_capacity) {
        loop->heap_capacity = loop->heap_capacity ? loop->heap_capacity * 2 : 64;
        loop->heap = memory_resize(loop->heap, loop->heap_capacity * sizeof *loop->heap);
    }
    loop->heap[loop->heap_count] = timer;
    heap_rise(loop, loop->heap_count++);
    return timer;
}

void loop_timer_cancel(struct loop *loop, struct loop_timer *timer)
{
    if (timer) {
        heap_remove(loop, timer);
        timer_give_back(loop, timer);
    }
}

static void run_timers(struct loop *loop)
{
    if (loop->heap_count == 0) {
        return;
    }
    /* One look at the clock: a timer that sets itself to "now" again waits for the next
     * round, so sockets are served in between. */
    int64_t now = clock_us();
    while (loop->heap_count > 0 && loop->heap[0]->due_us <= now) {
        struct loop_timer *timer = loop->heap[0];
        void (*fire)(void *context) = timer->fire;
        void *context = timer->context;
        heap_remove(loop, timer);
        timer_give_back(loop, timer);
        fire(context);
    }
}

static int next_wait_ms(const struct loop *loop)
{
    if (loop->heap_count == 0) {
        return -1;
    }
    int64_t wait_us = loop->heap[0]->due_us - clock_us();
    int64_t wait_ms = wait_us <= 0 ? 0 : (wait_us + 999) / 1000;
    return wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}

/* Sockets. */

static struct watch *watch_of(struct loop *loop, int fd)
{
    if ((size_t)fd >= loop->watch_count) {
        size_t count = loop->watch_count ? loop->watch_count : 64;
        while (count <= (size_t)fd) {
            count *= 2;
        }
        loop->watches = memory_resize(loop->watches, count * sizeof *loop->watches);
        for (size_t i = loop->watch_count; i < count; i++) {
            loop->watches[i] = (struct watch){0};
        }
        loop->watch_count = count;
    }
    return &loop->watches[fd];
}

static void watch_arm(struct loop *loop, struct watch *watch, int fd, int operation)
{
    struct epoll_event event = {.events = watch->events,
                                .data.u64 = (uint64_t)watch->round << 32 | (uint32_t)fd};
    watch->armed = true;
    if (epoll_ctl(loop->epoll, operation, fd, &event) != 0) {
        /* the fd was closed and opened again behind our back, or was never removed */
        (void)epoll_ctl(loop->epoll, errno == ENOENT ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd,
                        &event);
    }
}

void loop_watch(struct loop *loop, int fd, uint32_t events,
                void (*ready)(void *context, int fd, uint32_t events), void *context)
{
    struct watch *watch = watch_of(loop, fd);
    bool known = watch->ready != NULL;
    bool same = known && watch->events == events;
    if (!known) {
        watch->round++;
    }
    watch->ready = ready;
    watch->context = context;
    watch->events = events;
    if (!same) {
        watch_arm(loop, watch, fd, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD);
    }
}

void loop_watch_foreign(struct loop *loop, int fd, uint32_t events,
                        void (*ready)(void *context, int fd, uint32_t events),
                        void *context)
{
    loop_watch(loop, fd, events | EPOLLONESHOT, ready, context);
}

void loop_forget(struct loop *loop, int fd)
{
    if (fd >= 0 && (size_t)fd < loop->watch_count) {
        loop->watches[fd].ready = NULL;
    }
}

void loop_unwatch(struct loop *loop, int fd)
{
    if (fd < 0 || (size_t)fd >= loop->watch_count || !loop->watches[fd].ready) {
        return;
    }
    loop->watches[fd].ready = NULL;
    (void)epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
}

static void run_event(struct loop *loop, const struct epoll_event *event)
{
    int fd = (int)(uint32_t)event->data.u64;
    if (fd == loop->wake) {
        uint64_t ignored;
        (void)!read(fd, &ignored, sizeof ignored);
        return;
    }
    uint32_t round = (uint32_t)(event->data.u64 >> 32);
    struct watch *watch = &loop->watches[fd];
    if (!watch->ready || watch->round != round) {
        return;
    }
    watch->armed = !(watch->events & EPOLLONESHOT);
    watch->ready(watch->context, fd, event->events);
    watch = &loop->watches[fd]; /* the table may have grown */
    if (watch->ready && watch->round == round && !watch->armed) {
        watch_arm(loop, watch, fd, EPOLL_CTL_MOD);
    }
}

/* Posts. */

static void wake_up(struct loop *loop)
{
    uint64_t one = 1;
    (void)!write(loop->wake, &one, sizeof one);
}

void loop_post(struct loop *loop, void (*job)(void *context), void *context)
{
    (void)pthread_mutex_lock(&loop->lock);
    struct posts *posts = &loop->posted;
    if (posts->count == posts->capacity) {
        posts->capacity = posts->capacity ? posts->capacity * 2 : 64;
        posts->items =
            memory_resize(posts->items, posts->capacity * sizeof *posts->items);
    }
    /* Only the first of a batch wakes the loop; it takes the batch as a whole. */
    bool wake = posts->count == 0;
    posts->items[posts->count++] = (struct post){.job = job, .context = context};
    (void)pthread_mutex_unlock(&loop->lock);
    if (wake) {
        wake_up(loop);
    }
}

/* Runs what was posted; false when the loop is to end and nothing is left. */
static bool run_posts(struct loop *loop)
{
    for (;;) {
        (void)pthread_mutex_lock(&loop->lock);
        struct posts batch = loop->posted;
        loop->posted = loop->running;
        loop->posted.count = 0;
        bool ending = loop->ending;
        (void)pthread_mutex_unlock(&loop->lock);
        for (size_t i = 0; i < batch.count; i++) {
            batch.items[i].job(batch.items[i].context);
        }
        loop->running = batch;
        if (!ending || batch.count == 0) {
            return !ending;
        }
    }
}

static void *loop_main(void *context)
{
    struct loop *loop = context;
    current = loop;
    sigset_t all; /* signals belong to the program's own threads */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    struct epoll_event events[EVENTS];
    for (;;) {
        int count = epoll_wait(loop->epoll, events, EVENTS, next_wait_ms(loop));
        for (int i = 0; i < count; i++) {
            run_event(loop, &events[i]);
        }
        run_timers(loop);
        if (!run_posts(loop)) {
            break;
        }
    }
    return NULL;
}

bool loop_on_thread(const struct loop *loop)
{
    return current == loop;
}

struct loop *loop_new(void)
{
    struct loop *loop = memory_alloc(sizeof *loop);
    (void)pthread_mutex_init(&loop->lock, NULL);
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint32_t)loop->wake};
    pthread_attr_t attributes;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (loop->epoll < 0 || loop->wake < 0 ||
        epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) != 0 ||
        pthread_create(&loop->thread, &attributes, loop_main, loop) != 0) {
        abort(); /* no file or thread left at start: nothing can work */
    }
    (void)pthread_attr_destroy(&attributes);
    return loop;
}

void loop_free(struct loop *loop)
{
    if (!loop) {
        return;
    }
    (void)pthread_mutex_lock(&loop->lock);
    loop->ending = true;
    (void)pthread_mutex_unlock(&loop->lock);
    wake_up(loop);
    (void)pthread_join(loop->thread, NULL);
    while (loop->heap_count > 0) {
        memory_free(loop->heap[--loop->heap_count]);
    }
    while (loop->spare) {
        struct loop_timer *timer = loop->spare;
        loop->spare = timer->next;
        memory_free(timer);
    }
    (void)close(loop->wake);
    (void)close(loop->epoll);
    memory_free(loop->heap);
    memory_free(loop->watches);
    memory_free(loop->posted.items);
    memory_free(loop->running.items);
    (void)pthread_mutex_destroy(&loop->lock);
    memory_free(loop);
}
