/* A fixed set of threads, and the jobs that wait for them. */
#include "base/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/turns.h"

struct workers {
    pthread_mutex_t lock; /* guards all but the threads */
    pthread_cond_t wake;
    struct turns turns;
    size_t idle;
    bool ending;
    size_t count;
    pthread_t *threads;
};

enum { STACK_BYTES = 8 * 1024 * 1024 }; /* deep SQL parse trees recurse */

/* Call it with the lock held: once a job runs, a thread that waited for it may free the
 * workers. */
static void wake_one(struct workers *workers)
{
    if (workers->idle > 0 && turns_ready(&workers->turns)) {
        (void)pthread_cond_signal(&workers->wake);
    }
}

static void *worker_main(void *context)
{
    struct workers *workers = context;
    (void)pthread_mutex_lock(&workers->lock);
    for (;;) {
        struct turns_job *job = turns_take(&workers->turns);
        if (!job && workers->ending) {
            break; /* what waits is taken by those who work for its owners */
        }
        if (!job) {
            workers->idle++;
            (void)pthread_cond_wait(&workers->wake, &workers->lock);
            workers->idle--;
            continue;
        }
        /* A job that is done can leave more than one that may begin. */
        wake_one(workers);
        (void)pthread_mutex_unlock(&workers->lock);
        job->run(job->context);
        (void)pthread_mutex_lock(&workers->lock);
        turns_done(&workers->turns, job);
    }
    (void)pthread_mutex_unlock(&workers->lock);
    return NULL;
}

static struct workers *start(size_t threads, size_t reserve)
{
    struct workers *workers = memory_alloc(sizeof *workers);
    size_t wanted = threads + reserve;
    (void)pthread_mutex_init(&workers->lock, NULL);
    (void)pthread_cond_init(&workers->wake, NULL);
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
    (void)pthread_cond_broadcast(&workers->wake);
    (void)pthread_mutex_unlock(&workers->lock);
    for (size_t i = 0; i < workers->count; i++) {
        (void)pthread_join(workers->threads[i], NULL);
    }
    (void)pthread_cond_destroy(&workers->wake);
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
    wake_one(workers);
    (void)pthread_mutex_unlock(&workers->lock);
}

void workers_submit_hurried(struct workers *workers, void (*job)(void *context),
                            void *context)
{
    (void)pthread_mutex_lock(&workers->lock);
    turns_add_hurried(&workers->turns, job, context);
    wake_one(workers);
    (void)pthread_mutex_unlock(&workers->lock);
}

bool workers_hurry(struct workers *workers, const char *owner, const void *context)
{
    (void)pthread_mutex_lock(&workers->lock);
    bool waits = turns_hurry(&workers->turns, owner, context);
    if (waits) {
        wake_one(workers);
    }
    (void)pthread_mutex_unlock(&workers->lock);
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
