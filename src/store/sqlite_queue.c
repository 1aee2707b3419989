/*
 * Checkpoints on their way to the file. Saves are cheap: they copy the question into a
 * queue, and a thread writes the queue in one transaction every commit_ms. The newest
 * save of an id replaces the queued one, and a reader sees what is queued.
 *
 * The queue is bounded in bytes: a save that finds it full waits for the thread. A batch
 * that cannot be written is tried again a few times, then dropped and reported by the
 * next flush, so a broken disk slows questions down but never holds them for good.
 */
#include <signal.h>
#include <time.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/sqlite.h"
#include "store/sqlite_batch.h"

enum {
    MOST_BYTES = 64 * 1024 * 1024,
    TRIES = 3,
    RETRY_MS = 100,
};

struct sqlite_queue {
    struct sqlite_store *store;
    int64_t commit_ms;
    pthread_mutex_t lock;
    pthread_cond_t work; /* something to write, or a reason not to wait */
    pthread_cond_t done; /* a batch was written or dropped */
    pthread_t thread;
    bool started;
    bool ending;
    bool hurry; /* a flush or a full queue waits */
    struct batch waiting;
    struct batch writing; /* changed by the thread only, under the lock */
    uint64_t batches;   /* batches taken so far; the one that waits will be batches + 1 */
    uint64_t written;   /* batches written or dropped */
    struct err failure; /* the first since the last flush */
};

struct sqlite_queue *store_sqlite_queue_new(struct sqlite_store *store, int64_t commit_ms)
{
    struct sqlite_queue *queue = memory_alloc(sizeof *queue);
    queue->store = store;
    queue->commit_ms = commit_ms;
    (void)pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&queue->work, &monotonic);
    (void)pthread_cond_init(&queue->done, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    store_batch_init(&queue->waiting);
    store_batch_init(&queue->writing);
    return queue;
}

static bool write_together(struct sqlite_store *store, const struct batch *batch,
                           struct err *err)
{
    bool ok = store_query_run(store, QUERY_BEGIN, err, "");
    bool begun = ok;
    for (const struct batch_entry *at = batch->first; ok && at; at = at->next) {
        ok = store_sqlite_question_write(store, &at->question, err);
    }
    ok = ok && store_query_run(store, QUERY_COMMIT, err, "");
    if (begun && !ok) {
        struct err ignored = {0};
        (void)store_query_run(store, QUERY_ROLLBACK, &ignored, "");
    }
    return ok;
}

/* The last resort: one that cannot be written must not take the others with it. */
static bool write_singly(struct sqlite_store *store, const struct batch *batch,
                         struct err *err)
{
    bool all = true;
    for (const struct batch_entry *at = batch->first; at; at = at->next) {
        struct err why = {0};
        if (!store_sqlite_question_write(store, &at->question, &why)) {
            LOG(LOG_STORE, LOG_ERROR, "question %s could not be kept: %s",
                at->question.id, why.message);
            *err = why;
            all = false;
        }
    }
    return all;
}

static bool batch_write(struct sqlite_store *store, const struct batch *batch,
                        struct err *err)
{
    bool ok = false;
    for (int try = 1; !ok && try <= TRIES; try++) {
        if (try > 1) {
            struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
            (void)nanosleep(&pause, NULL);
        }
        (void)pthread_mutex_lock(&store->lock);
        ok = try < TRIES ? write_together(store, batch, err)
                         : write_singly(store, batch, err);
        (void)pthread_mutex_unlock(&store->lock);
    }
    return ok;
}

static void failure_note(struct sqlite_queue *queue, const struct err *why)
{
    if (queue->failure.code == ERR_OK) {
        queue->failure = *why;
    }
}

/* Lets a commit interval pass, unless somebody is in a hurry. Lock held. */
static void interval_wait(struct sqlite_queue *queue)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t nanoseconds = until.tv_nsec + queue->commit_ms % 1000 * 1000000;
    until.tv_sec += (time_t)(queue->commit_ms / 1000 + nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    int code = 0;
    while (code == 0 && !queue->hurry && !queue->ending) {
        code = pthread_cond_timedwait(&queue->work, &queue->lock, &until);
    }
}

static void *queue_run(void *context)
{
    struct sqlite_queue *queue = context;
    (void)pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->waiting.first && !queue->ending) {
            (void)pthread_cond_wait(&queue->work, &queue->lock);
        }
        if (!queue->waiting.first) {
            break;
        }
        interval_wait(queue);
        queue->hurry = false;
        queue->writing = queue->waiting;
        store_batch_init(&queue->waiting);
        queue->batches++;
        (void)pthread_mutex_unlock(&queue->lock);
        struct err err = {0};
        bool ok = batch_write(queue->store, &queue->writing, &err);
        (void)pthread_mutex_lock(&queue->lock);
        if (!ok) {
            failure_note(queue, &err);
        }
        store_batch_release(&queue->writing);
        queue->written = queue->batches;
        (void)pthread_cond_broadcast(&queue->done);
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Most commands save nothing, so the thread starts with the first save. Lock held. */
static bool queue_start(struct sqlite_queue *queue)
{
    if (!queue->started) {
        sigset_t all;
        sigset_t before;
        (void)sigfillset(&all); /* signals belong to the threads of the program */
        (void)pthread_sigmask(SIG_SETMASK, &all, &before);
        queue->started = pthread_create(&queue->thread, NULL, queue_run, queue) == 0;
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return queue->started;
}

void store_sqlite_queue_free(struct sqlite_queue *queue)
{
    (void)pthread_mutex_lock(&queue->lock);
    queue->ending = true;
    (void)pthread_cond_broadcast(&queue->work);
    (void)pthread_mutex_unlock(&queue->lock);
    if (queue->started) {
        (void)pthread_join(queue->thread, NULL);
    }
    store_batch_release(&queue->waiting);
    (void)pthread_cond_destroy(&queue->work);
    (void)pthread_cond_destroy(&queue->done);
    (void)pthread_mutex_destroy(&queue->lock);
    memory_free(queue);
}

/* Without a thread (the system has no more) the save is written at once. */
static void save_directly(struct sqlite_queue *queue, struct batch_entry *entry)
{
    struct batch single;
    store_batch_init(&single);
    store_batch_put(&single, entry);
    struct err err = {0};
    if (!batch_write(queue->store, &single, &err)) {
        store_sqlite_queue_lost(queue, &err);
    }
    store_batch_release(&single);
}

void store_sqlite_queue_save(struct sqlite_queue *queue,
                             const struct store_question *question)
{
    struct batch_entry *entry = store_batch_entry_new(question);
    (void)pthread_mutex_lock(&queue->lock);
    if (!queue_start(queue)) {
        (void)pthread_mutex_unlock(&queue->lock);
        save_directly(queue, entry);
        return;
    }
    size_t held = queue->waiting.bytes + queue->writing.bytes;
    while (held && held + entry->bytes > MOST_BYTES) {
        queue->hurry = true;
        (void)pthread_cond_signal(&queue->work);
        (void)pthread_cond_wait(&queue->done, &queue->lock);
        held = queue->waiting.bytes + queue->writing.bytes;
    }
    bool first = !queue->waiting.first;
    store_batch_put(&queue->waiting, entry);
    if (first) {
        (void)pthread_cond_signal(&queue->work);
    }
    (void)pthread_mutex_unlock(&queue->lock);
}

void store_sqlite_queue_lost(struct sqlite_queue *queue, const struct err *why)
{
    (void)pthread_mutex_lock(&queue->lock);
    failure_note(queue, why);
    (void)pthread_mutex_unlock(&queue->lock);
}

bool store_sqlite_queue_flush(struct sqlite_queue *queue, struct err *err)
{
    (void)pthread_mutex_lock(&queue->lock);
    uint64_t until = queue->batches + (queue->waiting.first ? 1 : 0);
    while (queue->written < until) {
        queue->hurry = true;
        (void)pthread_cond_signal(&queue->work);
        (void)pthread_cond_wait(&queue->done, &queue->lock);
    }
    bool ok = queue->failure.code == ERR_OK;
    if (!ok) {
        *err = queue->failure;
        err_clear(&queue->failure);
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return ok;
}

bool store_sqlite_queue_get(struct sqlite_queue *queue, struct arena *arena,
                            const char *id, struct store_question *out)
{
    (void)pthread_mutex_lock(&queue->lock);
    bool found = store_batch_get(&queue->waiting, arena, id, out) ||
                 store_batch_get(&queue->writing, arena, id, out);
    (void)pthread_mutex_unlock(&queue->lock);
    return found;
}
