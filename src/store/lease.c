/*
 * What this process owns in a shared store: the fence of each question it works on. A
 * thread extends the leases, receives notifications of other processes, and informs the
 * service. This is only a cache: the database itself refuses writes with an old fence.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"
#include "store/tables/table.h"

struct lease {
    int64_t fence;
    int64_t written_ms; /* clock_ms() of the last time it was in the store; 0: not yet */
    bool lost;
};

struct store_leases {
    struct store *store;
    char owner[ID_SIZE];
    int64_t lease_ms;
    pthread_mutex_t lock; /* guards the next two */
    struct map held;      /* id -> struct lease */
    bool released;
    atomic_int replicas;
    _Atomic int64_t taken;   /* questions taken over */
    _Atomic int64_t refused; /* writes that came too late */

    struct store_connection *listener; /* of the thread alone */
    struct store_watcher watcher;
    void *context;
    pthread_t thread;
    atomic_bool runs;
    atomic_bool ends;
    int wake;
};

struct store_leases *store_leases_new(struct store *store, const struct options *options)
{
    struct store_leases *leases = memory_alloc(sizeof *leases);
    leases->store = store;
    leases->lease_ms = options->store_lease_ms ? options->store_lease_ms : 10000;
    id_new("replica", leases->owner);
    (void)pthread_mutex_init(&leases->lock, NULL);
    map_init(&leases->held, false);
    atomic_init(&leases->replicas, 1);
    leases->wake = -1;
    return leases;
}

void store_leases_free(struct store_leases *leases)
{
    if (!leases) {
        return;
    }
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&leases->held, &at));) {
        memory_free(entry->value);
    }
    map_release(&leases->held);
    (void)pthread_mutex_destroy(&leases->lock);
    memory_free(leases);
}

const char *store_leases_owner(const struct store_leases *leases)
{
    return leases->owner;
}

int64_t store_leases_ms(const struct store_leases *leases)
{
    return leases->lease_ms;
}

/* With the lock held. */
static struct lease *lease_of(struct store_leases *leases, const char *id, int64_t fence)
{
    struct lease *lease = map_get(&leases->held, id);
    if (!lease) {
        lease = memory_alloc(sizeof *lease);
        lease->fence = fence;
        lease->lost = leases->released;
        (void)map_set(&leases->held, id, lease);
    }
    return lease;
}

int64_t store_leases_fence(struct store_leases *leases, const char *id)
{
    (void)pthread_mutex_lock(&leases->lock);
    /*
     * A question that was given up is not written by this process: no row has this fence.
     */
    int64_t fence = leases->released ? 0 : lease_of(leases, id, 1)->fence;
    (void)pthread_mutex_unlock(&leases->lock);
    return fence;
}

int64_t store_leases_held(struct store_leases *leases, const char *id)
{
    (void)pthread_mutex_lock(&leases->lock);
    const struct lease *lease = map_get(&leases->held, id);
    int64_t fence = !lease ? 0 : leases->released ? -1 : lease->fence;
    (void)pthread_mutex_unlock(&leases->lock);
    return fence;
}

void store_leases_claimed(struct store_leases *leases, const char *id, int64_t fence)
{
    (void)pthread_mutex_lock(&leases->lock);
    struct lease *lease = lease_of(leases, id, fence);
    lease->fence = fence;
    lease->lost = leases->released;
    lease->written_ms = clock_ms();
    (void)pthread_mutex_unlock(&leases->lock);
}

void store_leases_written(struct store_leases *leases, const char *id, int64_t fence,
                          bool rests)
{
    (void)pthread_mutex_lock(&leases->lock);
    struct lease *lease = map_get(&leases->held, id);
    if (lease && lease->fence == fence) {
        lease->written_ms = clock_ms();
        if (rests && !lease->lost) {
            memory_free(map_remove(&leases->held, id));
        }
    }
    (void)pthread_mutex_unlock(&leases->lock);
}

/* Logs it once. */
static void lose(struct store_leases *leases, const char *id, int64_t fence)
{
    (void)pthread_mutex_lock(&leases->lock);
    struct lease *lease = map_get(&leases->held, id);
    bool news = lease && lease->fence == fence && !lease->lost;
    if (news) {
        lease->lost = true;
    }
    (void)pthread_mutex_unlock(&leases->lock);
    if (news) {
        LOG(LOG_STORE, LOG_WARN, "%s was taken over by another process", id);
        if (leases->runs) {
            leases->watcher.lost(leases->context, id);
        }
    }
}

void store_leases_refused(struct store_leases *leases, const char *id, int64_t fence)
{
    if (fence) {
        (void)atomic_fetch_add(&leases->refused, 1);
        lose(leases, id, fence);
    }
}

/* ------------------------------------------------------------------- what is asked */

bool store_shared(const struct store *store)
{
    return store->leases != NULL;
}

int64_t store_question_fence(struct store *store, const char *id)
{
    int64_t fence = store->leases ? store_leases_held(store->leases, id) : 0;
    return fence > 0 ? fence : 0;
}

bool store_question_settle(struct store *store, const char *id, int64_t *fence)
{
    struct store_leases *leases = store->leases;
    *fence = 0;
    if (!leases) {
        return true;
    }
    struct err err;
    err_clear(&err);
    if (!store_queue_flush(store->queue, &err)) {
        LOG(LOG_STORE, LOG_WARN, "%s could not be kept: %s", id, err.message);
    }
    (void)pthread_mutex_lock(&leases->lock);
    struct lease *lease = map_get(&leases->held, id);
    bool held = !lease || !lease->lost;
    if (lease) {
        *fence = lease->fence;
        memory_free(map_remove(&leases->held, id));
    }
    (void)pthread_mutex_unlock(&leases->lock);
    return held;
}

/* What the database says of its fence; -1: it could not be asked. */
static int64_t fence_now(struct store *store, const char *id)
{
    struct err err;
    err_clear(&err);
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row =
        store_query_start(state, QUERY_HELD_LOOK, &err, "tt", id, store->leases->owner);
    int64_t fence =
        row && store_query_next(state, row, &err) ? store_query_integer(row, 0) : 0;
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return err.code == ERR_OK ? fence : -1;
}

bool store_question_confirm(struct store *store, const char *id)
{
    struct store_leases *leases = store->leases;
    struct err err;
    err_clear(&err);
    if (!leases) {
        return true;
    }
    (void)pthread_mutex_lock(&leases->lock);
    const struct lease *lease = map_get(&leases->held, id);
    int64_t fence = lease && !lease->lost ? lease->fence : 0;
    (void)pthread_mutex_unlock(&leases->lock);
    return fence && store_queue_flush(store->queue, &err) &&
           fence_now(store, id) == fence;
}

void store_question_release(struct store *store)
{
    struct store_leases *leases = store->leases;
    struct err err;
    struct map_entry *entry = NULL;
    err_clear(&err);
    if (!leases) {
        return;
    }
    (void)store_queue_flush(store->queue, &err);
    (void)pthread_mutex_lock(&leases->lock);
    leases->released = true;
    for (size_t at = 0; (entry = map_next(&leases->held, &at));) {
        ((struct lease *)entry->value)->lost = true;
    }
    (void)pthread_mutex_unlock(&leases->lock);
    struct store_connection *state = store_connection_of(store);
    (void)pthread_mutex_lock(&state->lock);
    (void)store_query_run(state, QUERY_HELD_RELEASE, &err, "t", leases->owner);
    (void)pthread_mutex_unlock(&state->lock);
}

int store_replicas(struct store *store)
{
    return store->leases ? atomic_load(&store->leases->replicas) : 1;
}

void store_question_taken(struct store *store)
{
    if (store->leases) {
        (void)atomic_fetch_add(&store->leases->taken, 1);
    }
}

void store_event_add(struct store *store, const char *id, const char *json)
{
    if (store->leases) {
        store_queue_event(store->queue, id, store_leases_fence(store->leases, id), json);
    }
}

/* ------------------------------------------------------------------- the thread */

struct names {
    const char **items;
    size_t count;
    size_t capacity;
};

/* Extends the leases; *stop: questions that must be stopped. */
static bool extend(struct store_leases *leases, struct arena *arena, struct map *seen,
                   struct names *stop, struct err *err)
{
    struct store_connection *state = store_connection_of(leases->store);
    err_clear(err);
    (void)pthread_mutex_lock(&state->lock);
    struct store_cursor *row = store_query_start(state, QUERY_HELD_EXTEND, err, "ti",
                                                 leases->owner, leases->lease_ms);
    while (row && store_query_next(state, row, err)) {
        const char *id = store_query_text(row, 0, arena);
        (void)map_set(seen, id, leases);
        if (store_query_integer(row, 1)) {
            VEC_PUSH(arena, stop, id);
        }
    }
    store_query_end(row);
    bool ok = err->code == ERR_OK &&
              store_query_run(state, QUERY_REPLICA_SEEN, err, "tiii", leases->owner,
                              leases->lease_ms, atomic_load(&leases->taken),
                              atomic_load(&leases->refused));
    row = ok ? store_query_start(state, QUERY_REPLICA_COUNT, err, "") : NULL;
    if (row && store_query_next(state, row, err)) {
        int64_t count = store_query_integer(row, 0);
        atomic_store(&leases->replicas, count > 0 ? (int)count : 1);
    }
    store_query_end(row);
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}

/* Those that were not among the extended ones: at rest meanwhile, or another's. */
static void look_for_lost(struct store_leases *leases, struct arena *arena,
                          const struct map *seen, int64_t began_ms)
{
    struct names doubtful = {0};
    struct map_entry *entry = NULL;
    (void)pthread_mutex_lock(&leases->lock);
    for (size_t at = 0; (entry = map_next(&leases->held, &at));) {
        const struct lease *lease = entry->value;
        if (!lease->lost && lease->written_ms && lease->written_ms < began_ms &&
            !map_has(seen, entry->key)) {
            VEC_PUSH(arena, &doubtful, arena_text(arena, entry->key));
        }
    }
    (void)pthread_mutex_unlock(&leases->lock);
    for (size_t i = 0; i < doubtful.count; i++) {
        (void)pthread_mutex_lock(&leases->lock);
        const struct lease *lease = map_get(&leases->held, doubtful.items[i]);
        int64_t fence = lease ? lease->fence : 0;
        (void)pthread_mutex_unlock(&leases->lock);
        int64_t now = fence ? fence_now(leases->store, doubtful.items[i]) : -1;
        if (now >= 0 && now != fence) {
            lose(leases, doubtful.items[i], fence);
        }
    }
}

static void beat(struct store_leases *leases)
{
    struct err err;
    struct map seen;
    struct names stop = {0};
    struct arena *arena = arena_new();
    map_init(&seen, false);
    int64_t began_ms = clock_ms();
    if (extend(leases, arena, &seen, &stop, &err)) {
        look_for_lost(leases, arena, &seen, began_ms);
        for (size_t i = 0; i < stop.count; i++) {
            leases->watcher.stop(leases->context, stop.items[i]);
        }
    } else {
        LOG(LOG_STORE, LOG_WARN, "leases were not extended: %s", err.message);
    }
    leases->watcher.round(leases->context);
    map_release(&seen);
    arena_free(arena);
}

/* "s" and the id: stop it; "e" and the id: it has news; "k" and the id: the key is
 * revoked; "d": datasources, settings or descriptions have changed. */
static void heard(void *context, const char *text)
{
    struct store_leases *leases = context;
    if (!text) {
        leases->watcher.changed(leases->context, NULL);
    } else if (*text == 'e') {
        leases->watcher.changed(leases->context, text + 1);
    } else if (*text == 'k') {
        leases->watcher.revoked(leases->context, text + 1);
    } else if (*text == 'd') {
        leases->watcher.round(leases->context);
    } else if (*text == 's') {
        (void)pthread_mutex_lock(&leases->lock);
        bool ours = map_has(&leases->held, text + 1);
        (void)pthread_mutex_unlock(&leases->lock);
        if (ours) {
            leases->watcher.stop(leases->context, text + 1);
        }
    }
}

static void *watch_main(void *context)
{
    struct store_leases *leases = context;
    int64_t step_ms = leases->lease_ms / 3;
    int64_t next_ms = clock_ms();
    while (!atomic_load(&leases->ends)) {
        int64_t left = next_ms - clock_ms();
        if (left <= 0) {
            beat(leases);
            next_ms = clock_ms() + step_ms;
            left = step_ms;
        }
        struct err err;
        err_clear(&err);
        if (!leases->store->backend->listen(leases->listener, leases->wake, (int)left,
                                            heard, leases, &err)) {
            LOG(LOG_STORE, LOG_WARN, "notifications of other processes: %s", err.message);
            (void)usleep(200000);
        }
    }
    return NULL;
}

bool store_watch(struct store *store, const struct store_watcher *watcher, void *context,
                 struct err *err)
{
    struct store_leases *leases = store->leases;
    if (!leases || leases->runs) {
        return true;
    }
    leases->watcher = *watcher;
    leases->context = context;
    atomic_store(&leases->ends, false);
    leases->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    leases->listener = store->backend->connect_again(store->connections[0], err);
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all); /* signals belong to the threads of the program */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    leases->runs = leases->listener && leases->wake >= 0 &&
                   pthread_create(&leases->thread, NULL, watch_main, leases) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!leases->runs && leases->listener) {
        store->backend->close(leases->listener);
        leases->listener = NULL;
        return err_set(err, ERR_STORE,
                       "The thread that renews leases could not be started.");
    }
    return leases->runs;
}

void store_unwatch(struct store *store)
{
    struct store_leases *leases = store->leases;
    if (!leases || !leases->runs) {
        return;
    }
    uint64_t one = 1;
    atomic_store(&leases->ends, true);
    (void)!write(leases->wake, &one, sizeof one);
    (void)pthread_join(leases->thread, NULL);
    leases->runs = false;
    store->backend->close(leases->listener);
    (void)close(leases->wake);
    leases->listener = NULL;
}
