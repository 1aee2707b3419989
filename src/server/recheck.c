/* Looks whether callers with something open still have access, and closes what they lost. */
#include "server/recheck.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "server/access.h"
#include "server/mcp/assistants.h"
#include "server/questions/sse.h"
#include "server/state.h"

enum { EVERY_MS = 500 };

/* Somebody's access, once for all that is open with it. */
struct holder {
    struct dgm_access access;
    bool lost;
};

struct recheck {
    struct server *server;
    pthread_mutex_t lock; /* guards the next three fields */
    bool looking;
    bool over;
    int64_t due_ms;
    /* the rest belongs to the look, of which there is one at a time */
    struct arena *arena;
    struct map holders; /* by key, and by the end of a token */
    struct holder *latest;
    size_t lost;
};

struct recheck *recheck_new(struct server *server)
{
    struct recheck *recheck = memory_alloc(sizeof *recheck);
    recheck->server = server;
    (void)pthread_mutex_init(&recheck->lock, NULL);
    return recheck;
}

void recheck_free(struct recheck *recheck)
{
    if (recheck) {
        (void)pthread_mutex_destroy(&recheck->lock);
        memory_free(recheck);
    }
}

static bool is_same(const struct dgm_access *a, const struct dgm_access *b)
{
    return a->until_s == b->until_s && a->scopes == b->scopes &&
           str_equal(a->key_id, b->key_id) && str_equal(a->datasources, b->datasources);
}

static const char *key_of(const struct recheck *recheck, const struct dgm_access *access)
{
    return arena_format(recheck->arena, "%s %lld %u %s", access->key_id,
                        (long long)access->until_s, access->scopes, access->datasources);
}

static struct holder *find(const struct recheck *recheck, const struct dgm_access *access)
{
    if (recheck->latest && is_same(&recheck->latest->access, access)) {
        return recheck->latest; /* many streams in a row have the same */
    }
    return map_get(&recheck->holders, key_of(recheck, access));
}

void recheck_note(struct recheck *recheck, const struct dgm_access *access)
{
    struct holder *holder = find(recheck, access);
    if (!holder) {
        holder = ARENA_NEW(recheck->arena, struct holder);
        holder->access = *access;
        (void)map_set(&recheck->holders, key_of(recheck, access), holder);
    }
    recheck->latest = holder;
}

bool recheck_is_lost(const struct recheck *recheck, const struct dgm_access *access)
{
    const struct holder *holder = find(recheck, access);
    return holder && holder->lost; /* what was opened since is looked at next time */
}

/* The local user is let in as long as there are no keys. */
static bool holds(const struct server *server, const struct dgm_access *access)
{
    return *access->key_id ? dgm_access_holds(server->dgm, access)
                           : access_is_open(server);
}

static void decide(struct recheck *recheck)
{
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&recheck->holders, &at));) {
        struct holder *holder = entry->value;
        holder->lost = !holds(recheck->server, &holder->access);
        recheck->lost += holder->lost;
    }
}

static void look(void *context)
{
    struct recheck *recheck = context;
    struct server *server = recheck->server;
    recheck->arena = arena_new();
    recheck->latest = NULL;
    recheck->lost = 0;
    map_init(&recheck->holders, false);
    assistants_note(server->assistants, recheck);
    if (atomic_load(&server->counts.streams)) {
        registry_each_at_work(&server->registry, sse_note);
    }
    decide(recheck);
    if (recheck->lost) {
        assistants_cut(server->assistants, recheck);
        registry_each_at_work(&server->registry, sse_cut);
    }
    map_release(&recheck->holders);
    arena_free(recheck->arena);
    (void)dgm_stop_revoked(server->dgm);
    (void)pthread_mutex_lock(&recheck->lock);
    recheck->looking = false;
    (void)pthread_mutex_unlock(&recheck->lock);
}

void recheck_tick(struct recheck *recheck, int64_t now_ms)
{
    (void)pthread_mutex_lock(&recheck->lock);
    if (!recheck->looking && !recheck->over && now_ms >= recheck->due_ms) {
        recheck->looking = true;
        recheck->due_ms = now_ms + EVERY_MS;
        /* An account may use all its threads for what should be stopped. */
        workers_submit_hurried(recheck->server->workers, look, recheck);
    }
    (void)pthread_mutex_unlock(&recheck->lock);
}

void recheck_end(struct recheck *recheck)
{
    (void)pthread_mutex_lock(&recheck->lock);
    recheck->over = true;
    (void)pthread_mutex_unlock(&recheck->lock);
}
