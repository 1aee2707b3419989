/* The running questions and those that ended recently. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "server/questions/inquiry.h"
#include "server/exchange.h"
#include "server/state.h"

static struct registry_shard *shard_of(struct registry *registry, const char *id)
{
    size_t size = strlen(id);
    unsigned char last = size ? (unsigned char)id[size - 1] : 0;
    return &registry->shards[last % REGISTRY_SHARDS];
}

void registry_init(struct registry *registry, int64_t keep_ms, size_t keep_bytes)
{
    for (size_t i = 0; i < REGISTRY_SHARDS; i++) {
        (void)pthread_mutex_init(&registry->shards[i].lock, NULL);
        map_init(&registry->shards[i].inquiries, false);
    }
    (void)pthread_mutex_init(&registry->lock, NULL);
    registry->first = NULL;
    registry->end = &registry->first;
    registry->bytes = 0;
    registry->count = 0;
    registry->keep_ms = keep_ms;
    registry->keep_bytes = keep_bytes;
}

static size_t weight(const struct inquiry *inquiry)
{
    return sizeof *inquiry + inquiry->told.capacity + inquiry->log.capacity +
           inquiry->trace.capacity + inquiry->last.capacity +
           inquiry->capacity * sizeof *inquiry->ends;
}

/* Removes it from the map, unless the same question, resumed, has replaced it. */
void registry_remove(struct registry *registry, struct inquiry *inquiry)
{
    struct registry_shard *shard = shard_of(registry, inquiry->id);
    (void)pthread_mutex_lock(&shard->lock);
    bool own = map_get(&shard->inquiries, inquiry->id) == inquiry;
    if (own) {
        (void)map_remove(&shard->inquiries, inquiry->id);
    }
    (void)pthread_mutex_unlock(&shard->lock);
    if (own) {
        inquiry_unref(inquiry);
    }
}

static struct inquiry *take_oldest(struct registry *registry, int64_t now_ms)
{
    (void)pthread_mutex_lock(&registry->lock);
    struct inquiry *oldest = registry->first;
    if (oldest && (now_ms - oldest->rested_ms >= registry->keep_ms ||
                   registry->bytes > registry->keep_bytes)) {
        registry->first = oldest->next_rested;
        if (!registry->first) {
            registry->end = &registry->first;
        }
        registry->bytes -= oldest->weight;
        registry->count--;
    } else {
        oldest = NULL;
    }
    (void)pthread_mutex_unlock(&registry->lock);
    return oldest;
}

void registry_sweep(struct registry *registry, int64_t now_ms)
{
    struct inquiry *oldest = NULL;
    while ((oldest = take_oldest(registry, now_ms))) {
        registry_remove(registry, oldest);
        inquiry_unref(oldest); /* the list's own */
    }
}

void registry_release(struct registry *registry)
{
    registry->keep_ms = -1;
    registry_sweep(registry, clock_ms() + 1);
    for (size_t i = 0; i < REGISTRY_SHARDS; i++) {
        struct map_entry *entry = NULL;
        for (size_t at = 0; (entry = map_next(&registry->shards[i].inquiries, &at));) {
            inquiry_unref(entry->value);
        }
        map_release(&registry->shards[i].inquiries);
        (void)pthread_mutex_destroy(&registry->shards[i].lock);
    }
    (void)pthread_mutex_destroy(&registry->lock);
}

struct inquiry *registry_get(struct registry *registry, const char *account,
                             const char *id)
{
    struct registry_shard *shard = shard_of(registry, id);
    (void)pthread_mutex_lock(&shard->lock);
    struct inquiry *inquiry = map_get(&shard->inquiries, id);
    if (inquiry && !str_empty(account) && !str_equal(account, inquiry->account)) {
        inquiry = NULL;
    }
    if (inquiry) {
        inquiry_ref(inquiry);
    }
    (void)pthread_mutex_unlock(&shard->lock);
    return inquiry;
}

/* Call it with the inquiry's lock held. A resumed question continues to number its events
 * where it stopped. */
void registry_add(struct registry *registry, struct inquiry *inquiry)
{
    struct registry_shard *shard = shard_of(registry, inquiry->id);
    inquiry_ref(inquiry);
    (void)pthread_mutex_lock(&shard->lock);
    struct inquiry *before = map_set(&shard->inquiries, inquiry->id, inquiry);
    (void)pthread_mutex_unlock(&shard->lock);
    if (before) {
        (void)pthread_mutex_lock(&before->lock);
        inquiry->before =
            before->before + (int64_t)(before->count + before->later) + before->rested;
        (void)pthread_mutex_unlock(&before->lock);
        inquiry_unref(before);
    }
}

/* Call it with the inquiry's lock held; after it the answer does not change. */
void registry_rest(struct registry *registry, struct inquiry *inquiry)
{
    inquiry_ref(inquiry);
    (void)pthread_mutex_lock(&registry->lock);
    inquiry->next_rested = NULL;
    *registry->end = inquiry;
    registry->end = &inquiry->next_rested;
    inquiry->weight = weight(inquiry); /* who streams it later makes it larger */
    registry->bytes += inquiry->weight;
    registry->count++;
    (void)pthread_mutex_unlock(&registry->lock);
}

/* Calls `call` without the shard's lock, because it takes the inquiry's lock, and another
 * thread with that lock may be about to register. */
void registry_each_at_work(struct registry *registry, void (*call)(struct inquiry *))
{
    for (size_t i = 0; i < REGISTRY_SHARDS; i++) {
        struct registry_shard *shard = &registry->shards[i];
        struct map_entry *entry = NULL;
        size_t count = 0;
        (void)pthread_mutex_lock(&shard->lock);
        struct inquiry **all = memory_array(shard->inquiries.count + 1, sizeof *all);
        for (size_t at = 0; (entry = map_next(&shard->inquiries, &at));) {
            all[count] = entry->value;
            inquiry_ref(all[count++]);
        }
        (void)pthread_mutex_unlock(&shard->lock);
        for (size_t at = 0; at < count; at++) {
            call(all[at]);
            inquiry_unref(all[at]);
        }
        memory_free(all);
    }
}

struct inquiry *registry_find(struct exchange *exchange, const char *id)
{
    const struct dgm_access *access = &exchange->caller.access;
    struct inquiry *inquiry =
        registry_get(&exchange->server->registry, exchange->caller.account, id);
    if (inquiry && *access->datasources &&
        !str_equal(inquiry->reach, access->datasources)) {
        inquiry_unref(inquiry);
        return NULL;
    }
    return inquiry;
}
