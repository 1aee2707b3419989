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
#include "store/tables/table.h"
#include "store/batch.h"

enum {
    MOST_BYTES = 8 * 1024 * 1024, /* some 2,000 questions: what a slow disk may hold up */
    FOLLOWED_BYTES = 32 * 1024 * 1024, /* with more, events for followers are left out */
    TRIES = 3,
    TRIES_SHARED = 50, /* another database may be taking over from one that failed */
    RETRY_MS = 100,
};

struct store_queue {
    struct store_connection *store;
    struct store_leases *leases; /* of a store that is shared, or NULL */
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

struct store_queue *store_queue_new(struct store_connection *connection,
                                    struct store_leases *leases, int64_t commit_ms)
{
    struct store_queue *queue = memory_alloc(sizeof *queue);
    queue->store = connection;
    queue->leases = leases;
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

static bool question_write(struct store_queue *queue, struct batch_entry *entry,
                           struct err *err)
{
    entry->kept = true;
    return queue->leases
               ? store_table_held_write(queue->store, queue->leases, &entry->question,
                                        &entry->kept, err)
               : store_table_question_write(queue->store, &entry->question, err);
}

/* Notifications for processes that follow the question. */
static bool news_write(struct store_queue *queue, const struct batch *batch,
                       struct err *err)
{
    struct store_connection *store = queue->store;
    bool ok = true;
    for (const struct batch_event *at = batch->events; ok && at; at = at->next) {
        ok = store_table_event_write(store, queue->leases, at->id, at->fence,
                                     buf_get(&at->lines), err) &&
             store_table_notify(store, 'e', at->id, err);
    }
    for (const struct batch_entry *at = batch->first; ok && at; at = at->next) {
        if (queue->leases && at->question.status &&
            !map_has(&batch->events_by_id, at->question.id)) {
            ok = store_table_notify(store, 'e', at->question.id, err);
        }
    }
    return ok;
}

static bool write_together(struct store_queue *queue, const struct batch *batch,
                           struct err *err)
{
    struct store_connection *store = queue->store;
    bool ok = store_query_run(store, QUERY_BEGIN, err, "");
    bool begun = ok;
    for (struct batch_entry *at = batch->first; ok && at; at = at->next) {
        ok = question_write(queue, at, err);
    }
    ok = ok && news_write(queue, batch, err) &&
         store_query_run(store, QUERY_COMMIT, err, "");
    if (begun && !ok) {
        struct err ignored = {0};
        (void)store_query_run(store, QUERY_ROLLBACK, &ignored, "");
    }
    return ok;
}

/* The last resort: one that cannot be written must not take the others with it. */
static bool write_singly(struct store_queue *queue, const struct batch *batch,
                         struct err *err)
{
    bool all = true;
    for (struct batch_entry *at = batch->first; at; at = at->next) {
        struct err why = {0};
        if (!question_write(queue, at, &why)) {
            LOG(LOG_STORE, LOG_ERROR, "question %s could not be kept: %s",
                at->question.id, why.message);
            *err = why;
            all = false;
        }
    }
    struct err ignored = {0};
    (void)news_write(queue, batch, &ignored);
    return all;
}

static bool batch_write(struct store_queue *queue, const struct batch *batch,
                        struct err *err)
{
    struct store_connection *store = queue->store;
    int tries = queue->leases ? TRIES_SHARED : TRIES;
    bool ok = false;
    for (int try = 1; !ok && try <= tries; try++) {
        if (try > 1) {
            struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
            (void)nanosleep(&pause, NULL);
        }
        (void)pthread_mutex_lock(&store->lock);
        ok = try < tries ? write_together(queue, batch, err)
                         : write_singly(queue, batch, err);
        (void)pthread_mutex_unlock(&store->lock);
    }
    for (const struct batch_entry *at = batch->first; ok && queue->leases && at;
         at = at->next) {
        const struct store_question *question = &at->question;
        if (at->kept) {
            store_leases_written(queue->leases, question->id, question->fence,
                                 question->status != NULL);
        } else {
            store_leases_refused(queue->leases, question->id, question->fence);
        }
    }
    return ok;
}

static void failure_note(struct store_queue *queue, const struct err *why)
{
    if (queue->failure.code == ERR_OK) {
        queue->failure = *why;
    }
}

/* Waits for a commit interval, unless a caller waits for a flush. Lock held. */
static void interval_wait(struct store_queue *queue)
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
    struct store_queue *queue = context;
    (void)pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (store_batch_empty(&queue->waiting) && !queue->ending) {
            (void)pthread_cond_wait(&queue->work, &queue->lock);
        }
        if (store_batch_empty(&queue->waiting)) {
            break;
        }
        interval_wait(queue);
        queue->hurry = false;
        queue->writing = queue->waiting;
        store_batch_init(&queue->waiting);
        queue->batches++;
        (void)pthread_mutex_unlock(&queue->lock);
        struct err err = {0};
        bool ok = batch_write(queue, &queue->writing, &err);
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
static bool queue_start(struct store_queue *queue)
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

void store_queue_free(struct store_queue *queue)
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
static void save_directly(struct store_queue *queue, struct batch_entry *entry)
{
    struct batch single;
    store_batch_init(&single);
    store_batch_put(&single, entry);
    struct err err = {0};
    if (!batch_write(queue, &single, &err)) {
        store_queue_lost(queue, &err);
    }
    store_batch_release(&single);
}

void store_queue_save(struct store_queue *queue, const struct store_question *question)
{
    struct batch_entry *entry = store_batch_entry_new(question);
    if (queue->leases) {
        entry->question.fence = store_leases_fence(queue->leases, question->id);
    }
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
    bool first = store_batch_empty(&queue->waiting);
    store_batch_put(&queue->waiting, entry);
    if (first) {
        (void)pthread_cond_signal(&queue->work);
    }
    (void)pthread_mutex_unlock(&queue->lock);
}

/* Followers can do without: when there is too much already, it is not kept. */
void store_queue_event(struct store_queue *queue, const char *id, int64_t fence,
                       const char *json)
{
    (void)pthread_mutex_lock(&queue->lock);
    if (queue->waiting.bytes + queue->writing.bytes < FOLLOWED_BYTES &&
        queue_start(queue)) {
        bool first = store_batch_empty(&queue->waiting);
        (void)store_batch_event(&queue->waiting, id, fence, json);
        if (first) {
            (void)pthread_cond_signal(&queue->work);
        }
    }
    (void)pthread_mutex_unlock(&queue->lock);
}

void store_queue_lost(struct store_queue *queue, const struct err *why)
{
    (void)pthread_mutex_lock(&queue->lock);
    failure_note(queue, why);
    (void)pthread_mutex_unlock(&queue->lock);
}

/* Until all that is queued now was written or dropped. Lock held. */
static void queued_await(struct store_queue *queue)
{
    uint64_t until = queue->batches + (store_batch_empty(&queue->waiting) ? 0 : 1);
    while (queue->written < until) {
        queue->hurry = true;
        (void)pthread_cond_signal(&queue->work);
        (void)pthread_cond_wait(&queue->done, &queue->lock);
    }
}

bool store_queue_flush(struct store_queue *queue, struct err *err)
{
    (void)pthread_mutex_lock(&queue->lock);
    queued_await(queue);
    bool ok = queue->failure.code == ERR_OK;
    if (!ok) {
        *err = queue->failure;
        err_clear(&queue->failure);
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return ok;
}

bool store_queue_get(struct store_queue *queue, struct arena *arena, const char *id,
                     struct store_question *out)
{
    (void)pthread_mutex_lock(&queue->lock);
    bool found = store_batch_get(&queue->waiting, arena, id, out) ||
                 store_batch_get(&queue->writing, arena, id, out);
    if (found && queue->leases && out->status) {
        /* it counts when the store has taken it: the question may be another process's */
        queued_await(queue);
        found = false;
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return found;
}
