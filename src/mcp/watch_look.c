/* Looks for changes of what is subscribed to, and tells those who hear. */
#include "base/map.h"
#include "base/vec.h"
#include "base/workers.h"
#include "mcp/resources.h"
#include "mcp/watch_state.h"

#define RESOURCE_UPDATED "notifications/resources/updated"
#define LIST_CHANGED     "notifications/resources/list_changed"

static void tell(struct mcp_watch *watch, const char *method, const char *uri)
{
    struct buf buf;
    struct writer json;
    mcp_watch_note(&json, &buf, watch, method);
    writer_key_text(&json, "uri", uri);
    mcp_watch_send(&json, &buf, watch);
}

/* A client that has not greeted may be one of 2026-07-28, which must be asked for nothing. */
static bool is_greeted(const struct mcp_watch *watch)
{
    struct mcp_client *client = watch->client;
    (void)pthread_mutex_lock(&client->lock);
    bool greeted = watch->call || client->version;
    (void)pthread_mutex_unlock(&client->lock);
    return greeted;
}

/* A reference to somebody who hears and was not looked at in this round. */
static struct mcp_watch *next_watch(struct mcp_watches *watches)
{
    struct mcp_watch *at = watches->over ? NULL : watches->first;
    while (at && (at->round == watches->round || !is_greeted(at))) {
        at = at->next;
    }
    if (at) {
        at->round = watches->round;
        at->references++;
        mcp_client_ref(at->client);
    }
    return at;
}

/* What one look has read: each resource once for all who may see the same. */
struct look {
    struct arena *arena;
    struct map seen;
};

struct sight {
    bool there;
    uint64_t hash;
};

/* uri NULL: the list. */
static const struct sight *look_at(struct look *look, const struct mcp_client *client,
                                   const char *uri)
{
    const struct dgm_access *access = &client->access;
    const char *key =
        arena_format(look->arena, "%s\n%s\n%s\n%s\n%s", access->key_id, access->account,
                     access->actor, access->datasources, uri ? uri : "");
    struct sight *sight = map_get(&look->seen, key);
    if (!sight) {
        sight = ARENA_NEW(look->arena, struct sight);
        sight->there = !uri || mcp_resource_hash(client, uri, &sight->hash);
        sight->hash = uri ? sight->hash : mcp_resource_list_hash(client);
        (void)map_set(&look->seen, key, sight);
    }
    return sight;
}

/* May the listener hear anything still? Asked once for all with the same key. */
static bool may_hear(struct look *look, const struct mcp_client *client,
                     const struct dgm_access *access)
{
    const char *key =
        arena_format(look->arena, "%s %lld", access->key_id, (long long)access->until_s);
    struct sight *sight = map_get(&look->seen, key);
    if (!sight) {
        sight = ARENA_NEW(look->arena, struct sight);
        sight->there = dgm_access_holds(client->mcp->settings.dgm, access);
        (void)map_set(&look->seen, key, sight);
    }
    return sight->there;
}

/* The addresses, copied so that they can be read without the lock. */
static void copy_uris(struct arena *arena, const struct mcp_watch *watch,
                      struct texts *uris)
{
    for (size_t i = 0; i < watch->count; i++) {
        VEC_PUSH(arena, uris, arena_text(arena, watch->items[i].uri));
    }
}

static void compare_list(struct mcp_watch *watch, const struct sight *sight)
{
    if (watch->list_known && watch->list_hash != sight->hash) {
        struct buf buf;
        struct writer json;
        mcp_watch_note(&json, &buf, watch, LIST_CHANGED);
        mcp_watch_send(&json, &buf, watch);
    }
    watch->list_known = true;
    watch->list_hash = sight->hash;
}

static void look_for(struct look *look, struct mcp_watches *watches,
                     struct mcp_watch *watch, struct mcp_client *client)
{
    struct texts uris = {0};
    struct dgm_access access = client->access;
    (void)pthread_mutex_lock(&watches->lock);
    bool listed = watch->link != NULL;
    if (listed && watch->access) {
        access = *watch->access;
    }
    copy_uris(look->arena, watch, &uris);
    (void)pthread_mutex_unlock(&watches->lock);
    if (!listed || !may_hear(look, client, &access)) {
        return; /* the transport closes what it has */
    }
    for (size_t i = 0; i < uris.count; i++) {
        const struct sight *sight = look_at(look, client, uris.items[i]);
        (void)pthread_mutex_lock(&watches->lock);
        struct mcp_watched *watched = mcp_watch_find(watch, uris.items[i]);
        if (watched && watch->link && sight->there && watched->hash != sight->hash) {
            watched->hash = sight->hash;
            tell(watch, RESOURCE_UPDATED, watched->uri);
        }
        (void)pthread_mutex_unlock(&watches->lock);
    }
    if (watch->wants_list) {
        const struct sight *sight = look_at(look, client, NULL);
        (void)pthread_mutex_lock(&watches->lock);
        if (watch->link) {
            compare_list(watch, sight);
        }
        (void)pthread_mutex_unlock(&watches->lock);
    }
}

static void look(void *context)
{
    struct mcp *mcp = context;
    struct mcp_watches *watches = &mcp->watches;
    struct look looking = {.arena = arena_new()};
    map_init(&looking.seen, false);
    for (;;) {
        (void)pthread_mutex_lock(&watches->lock);
        struct mcp_watch *watch = next_watch(watches);
        struct mcp_client *client = watch ? watch->client : NULL;
        (void)pthread_mutex_unlock(&watches->lock);
        if (!watch) {
            break;
        }
        look_for(&looking, watches, watch, client);
        (void)pthread_mutex_lock(&watches->lock);
        mcp_watch_unref(watch);
        (void)pthread_mutex_unlock(&watches->lock);
        mcp_client_unref(client);
    }
    map_release(&looking.seen);
    arena_free(looking.arena);
    (void)pthread_mutex_lock(&watches->lock);
    watches->looking = false;
    (void)pthread_mutex_unlock(&watches->lock);
    mcp_free(mcp);
}

void mcp_tick(struct mcp *mcp, int64_t now_ms)
{
    struct mcp_watches *watches = &mcp->watches;
    struct workers *later = mcp->settings.later;
    (void)pthread_mutex_lock(&watches->lock);
    bool due = later && watches->first && !watches->looking && !watches->over &&
               now_ms >= watches->due_ms;
    if (due) {
        watches->looking = true;
        watches->round++;
        watches->due_ms = now_ms + mcp->settings.watch_ms;
    }
    (void)pthread_mutex_unlock(&watches->lock);
    if (due) {
        (void)atomic_fetch_add(&mcp->references, 1);
        workers_submit(later, look, mcp);
    }
}
