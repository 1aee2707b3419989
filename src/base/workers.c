/* A fixed set of threads, and the jobs that wait for them. */
#include "base/workers.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/turns.h"

/* A thread without a job. It lives on the stack of that thread, which waits for `wake`. */
struct sleeper {
    sem_t wake;
    struct sleeper *next;
};

struct workers {
    pthread_mutex_t lock; /* guards all but the threads */
    struct turns turns;
    struct sleeper *sleepers; /* who fell asleep last is woken first: its cache is warm */
    size_t waking;            /* taken off the list, and no job taken yet */
    bool ending;
    size_t count;
    pthread_t *threads;
};

enum { STACK_BYTES = 8 * 1024 * 1024 }; /* deep SQL parse trees recurse */

/* Who is to be woken, or NULL; the lock is held. Jobs that wait for a thread that is waking need no
 * other one. */
static struct sleeper *sleeper_take(struct workers *workers)
{
    struct sleeper *sleeper = workers->sleepers;
    if (!sleeper || workers->turns.waiting <= workers->waking ||
        !turns_ready(&workers->turns)) {
        return NULL;
    }
    workers->sleepers = sleeper->next;
    workers->waking++;
    return sleeper;
}

/* Gives up the lock first: whoever wakes wants it. The workers may be freed from then on, but not
 * while one of their threads sleeps. */
static void unlock_and_wake(struct workers *workers)
{
    struct sleeper *sleeper = sleeper_take(workers);
    (void)pthread_mutex_unlock(&workers->lock);
    if (sleeper) {
        (void)sem_post(&sleeper->wake);
    }
}

/* Until a job may have come; the lock is held before and after. */
static void worker_sleep(struct workers *workers, struct sleeper *self)
{
    self->next = workers->sleepers;
    workers->sleepers = self;
    (void)pthread_mutex_unlock(&workers->lock);
    while (sem_wait(&self->wake) != 0 && errno == EINTR) {}
    (void)pthread_mutex_lock(&workers->lock);
    workers->waking--;
}

static void *worker_main(void *context)
{
    struct workers *workers = context;
    struct sleeper self = {0};
    (void)sem_init(&self.wake, 0, 0);
    (void)pthread_mutex_lock(&workers->lock);
    for (;;) {
        struct turns_job *job = turns_take(&workers->turns);
        if (!job && workers->ending) {
            break; /* what waits is taken by those who work for its owners */
        }
        if (!job) {
            worker_sleep(workers, &self);
            continue;
        }
        /* A job that is done can leave more than one that may begin. */
        unlock_and_wake(workers);
        job->run(job->context);
        (void)pthread_mutex_lock(&workers->lock);
        turns_done(&workers->turns, job);
    }
    (void)pthread_mutex_unlock(&workers->lock);
    (void)sem_destroy(&self.wake);
    return NULL;
}

static struct workers *start(size_t threads, size_t reserve)
{
    struct workers *workers = memory_alloc(sizeof *workers);
    size_t wanted = threads + reserve;
    (void)pthread_mutex_init(&workers->lock, NULL);
    turns_init(&workers->turns, wanted, reserve);
    workers->threads = memory_array(wanted, sizeof *workers->threads);
    pthread_attr_t attributes;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (workers->count < wanted &&
           pthread_create(&workers->threads[workers->count], &attributes, worker_main,
                          workers) == 0) {
        workers->count++;
    }
    (void)pthread_attr_destroy(&attributes);
    if (workers->count == 0) {
        abort(); /* no thread at all: the process cannot do its job */
    }
    if (workers->count < wanted) {
        (void)pthread_mutex_lock(&workers->lock);
        workers->turns.threads = workers->count;
        workers->turns.reserve = reserve < workers->count ? reserve : workers->count - 1;
        (void)pthread_mutex_unlock(&workers->lock);
    }
    return workers;
}

struct workers *workers_new(size_t threads)
{
    return start(threads, 0);
}

struct workers *workers_new_fair(size_t threads)
{
    return start(threads, (threads + 1) / 2);
}

void workers_free(struct workers *workers)
{
    if (!workers) {
        return;
    }
    (void)pthread_mutex_lock(&workers->lock);
    workers->ending = true;
    while (workers->sleepers) {
        struct sleeper *sleeper = workers->sleepers;
        workers->sleepers = sleeper->next;
        workers->waking++;
        (void)sem_post(&sleeper->wake);
    }
    (void)pthread_mutex_unlock(&workers->lock);
    for (size_t i = 0; i < workers->count; i++) {
        (void)pthread_join(workers->threads[i], NULL);
    }
    (void)pthread_mutex_destroy(&workers->lock);
    turns_release(&workers->turns);
    memory_free(workers->threads);
    memory_free(workers);
}

void workers_submit(struct workers *workers, void (*job)(void *context), void *context)
{
    workers_submit_for(workers, NULL, job, context);
}

void workers_submit_for(struct workers *workers, const char *owner,
                        void (*job)(void *context), void *context)
{
    (void)pthread_mutex_lock(&workers->lock);
    turns_add(&workers->turns, owner, job, context);
    unlock_and_wake(workers);
}

void workers_submit_hurried(struct workers *workers, void (*job)(void *context),
                            void *context)
{
    (void)pthread_mutex_lock(&workers->lock);
    turns_add_hurried(&workers->turns, job, context);
    unlock_and_wake(workers);
}

bool workers_hurry(struct workers *workers, const char *owner, const void *context)
{
    (void)pthread_mutex_lock(&workers->lock);
    bool waits = turns_hurry(&workers->turns, owner, context);
    unlock_and_wake(workers);
    return waits;
}

size_t workers_waiting(struct workers *workers)
{
    (void)pthread_mutex_lock(&workers->lock);
    size_t waiting = workers->turns.waiting;
    (void)pthread_mutex_unlock(&workers->lock);
    return waiting;
}

bool workers_full(struct workers *workers, const char *owner, size_t most)
{
    (void)pthread_mutex_lock(&workers->lock);
    bool full = turns_waiting(&workers->turns, owner) >= most ||
                workers->turns.waiting >= most + (most + 1) / 2;
    (void)pthread_mutex_unlock(&workers->lock);
    return full;
}

size_t workers_threads(const struct workers *workers)
{
    return workers->count;
}

/* Parallel work on many items: a free thread takes the next one. */
struct each {
    void (*work)(void *context, size_t index);
    void *context;
    size_t count;
    atomic_size_t next;
};

static void each_run(void *context)
{
    struct each *each = context;
    size_t index = 0;
    while ((index = atomic_fetch_add(&each->next, 1)) < each->count) {
        each->work(each->context, index);
    }
}

void workers_each(size_t count, size_t most, void (*work)(void *context, size_t index),
                  void *context)
{
    struct each each = {.work = work, .context = context, .count = count};
    atomic_init(&each.next, 0);
    size_t threads = count < most ? count : most;
    if (threads <= 1) {
        each_run(&each);
        return;
    }
    struct workers *workers = workers_new(threads);
    for (size_t i = 0; i < threads; i++) {
        workers_submit(workers, each_run, &each);
    }
    workers_free(workers);
}
