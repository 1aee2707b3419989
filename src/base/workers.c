/* A fixed set of threads with one queue. */
#include "base/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

struct job {
    struct job *next;
    void (*run)(void *context);
    void *context;
};

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct job *first;
    struct job **last;
    size_t waiting;
    size_t idle;
    bool ending;
    size_t count;
    pthread_t *threads;
};

enum { STACK_BYTES = 8 * 1024 * 1024 }; /* deep SQL parse trees recurse */

static void *worker_main(void *context)
{
    struct workers *workers = context;
    (void)pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (!workers->first && !workers->ending) {
            workers->idle++;
            (void)pthread_cond_wait(&workers->wake, &workers->lock);
            workers->idle--;
        }
        struct job *job = workers->first;
        if (!job) {
            break;
        }
        workers->first = job->next;
        if (!workers->first) {
            workers->last = &workers->first;
        }
        workers->waiting--;
        (void)pthread_mutex_unlock(&workers->lock);
        job->run(job->context);
        memory_free(job);
        (void)pthread_mutex_lock(&workers->lock);
    }
    (void)pthread_mutex_unlock(&workers->lock);
    return NULL;
}

struct workers *workers_new(size_t threads)
{
    struct workers *workers = memory_alloc(sizeof *workers);
    (void)pthread_mutex_init(&workers->lock, NULL);
    (void)pthread_cond_init(&workers->wake, NULL);
    workers->last = &workers->first;
    workers->threads = memory_array(threads, sizeof *workers->threads);
    pthread_attr_t attributes;
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (size_t i = 0; i < threads; i++) {
        if (pthread_create(&workers->threads[i], &attributes, worker_main, workers) !=
            0) {
            break;
        }
        workers->count++;
    }
    (void)pthread_attr_destroy(&attributes);
    if (workers->count == 0) {
        abort(); /* no thread at all: the process cannot do its job */
    }
    return workers;
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
    memory_free(workers->threads);
    memory_free(workers);
}

void workers_submit(struct workers *workers, void (*job)(void *context), void *context)
{
    struct job *entry = memory_alloc(sizeof *entry);
    entry->run = job;
    entry->context = context;
    (void)pthread_mutex_lock(&workers->lock);
    *workers->last = entry;
    workers->last = &entry->next;
    workers->waiting++;
    if (workers->idle > 0) {
        /* Under the lock: once a job runs, whoever waits for it may free the workers. */
        (void)pthread_cond_signal(&workers->wake);
    }
    (void)pthread_mutex_unlock(&workers->lock);
}

size_t workers_waiting(struct workers *workers)
{
    (void)pthread_mutex_lock(&workers->lock);
    size_t waiting = workers->waiting;
    (void)pthread_mutex_unlock(&workers->lock);
    return waiting;
}

size_t workers_threads(const struct workers *workers)
{
    return workers->count;
}

/* Work on many things side by side: whoever is free takes the next one. */
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
