/* The conversations of MCP clients of 2025, and the open streams of all. */
#include "server/mcp/assistants.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "server/mcp/speech.h"
#include "server/state.h"

enum {
    MANY = 10000,     /* more than these are ended, the longest idle first … */
    TOO_MANY = 12000, /* … and here no new one begins */
    KEPT = 256, /* streams that have ended, for clients that lost them; the oldest go … */
    ENDED = 4096,   /* conversations that do not begin again */
    KEPT_MS = 60000 /* … and all after this time */
};

struct conversation {
    char id[MCP_SESSION_SIZE];
    struct mcp_client *client; /* a reference */
    int64_t used_ms;
};

struct kept {
    struct speech *speech; /* a reference; NULL: free */
    int64_t until_ms;
};

struct assistants {
    struct server *server;
    struct mcp *mcp;
    pthread_mutex_t lock; /* guards the rest; held for moments only */
    struct map conversations;
    struct speech *streams;
    struct kept kept[KEPT];
    size_t kept_next;      /* the oldest one */
    uint64_t ended[ENDED]; /* hashes of ids whose clients have ended them */
    size_t ended_next;
};

struct assistants *assistants_new(struct server *server)
{
    struct assistants *assistants = memory_alloc(sizeof *assistants);
    const struct mcp_settings settings = {.dgm = server->dgm,
                                          .later = server->workers,
                                          .watch_ms = server->settings.watch_ms};
    assistants->server = server;
    assistants->mcp = mcp_new(&settings);
    (void)pthread_mutex_init(&assistants->lock, NULL);
    map_init(&assistants->conversations, false);
    return assistants;
}

void assistants_free(struct assistants *assistants)
{
    if (assistants) {
        assistants_close(assistants);
        map_release(&assistants->conversations);
        (void)pthread_mutex_destroy(&assistants->lock);
        mcp_free(assistants->mcp);
        memory_free(assistants);
    }
}

struct mcp *assistants_mcp(struct assistants *assistants)
{
    return assistants->mcp;
}

bool assistants_are_many(struct assistants *assistants)
{
    (void)pthread_mutex_lock(&assistants->lock);
    bool many = assistants->conversations.count >= TOO_MANY;
    (void)pthread_mutex_unlock(&assistants->lock);
    return many;
}

/* The client gets a reference. False: there are too many, or it is there. */
static bool enter(struct assistants *assistants, struct mcp_client *client,
                  const char *id)
{
    struct conversation *conversation = memory_alloc(sizeof *conversation);
    str_put(conversation->id, sizeof conversation->id, id);
    conversation->client = client;
    conversation->used_ms = clock_ms();
    (void)pthread_mutex_lock(&assistants->lock);
    bool fits = assistants->conversations.count < TOO_MANY &&
                !map_get(&assistants->conversations, id);
    if (fits) {
        mcp_client_ref(client);
        (void)map_set(&assistants->conversations, conversation->id, conversation);
    }
    (void)pthread_mutex_unlock(&assistants->lock);
    if (!fits) {
        memory_free(conversation);
    }
    return fits;
}

bool assistants_open(struct assistants *assistants, struct mcp_client *client,
                     char id[MCP_SESSION_SIZE])
{
    mcp_session_write(client, id);
    return enter(assistants, client, id);
}

/* With the lock held. */
static void remember_ended(struct assistants *assistants, const char *id)
{
    assistants->ended[assistants->ended_next] = hash_of(id, strlen(id));
    assistants->ended_next = (assistants->ended_next + 1) % ENDED;
}

/* With the lock held: the conversation, if it is this caller's. */
static struct conversation *find(struct assistants *assistants, const char *id,
                                 const struct dgm_access *access)
{
    struct conversation *found = map_get(&assistants->conversations, id);
    const struct dgm_access *owner = found ? mcp_client_access(found->client) : NULL;
    return owner && str_equal(owner->key_id, access->key_id) &&
                   str_equal(owner->actor, access->actor)
               ? found
               : NULL;
}

/* Of a sign-in, a newer token may allow less than the one that began the conversation, or
 * more. */
static bool is_outdated(const struct conversation *conversation,
                        const struct dgm_access *access)
{
    const struct dgm_access *owner = mcp_client_access(conversation->client);
    return owner->scopes != access->scopes ||
           !str_equal(owner->datasources, access->datasources);
}

/* Its client, whose reference is the caller's now; without the lock held. */
static void end(struct conversation *conversation)
{
    mcp_client_close(conversation->client);
    memory_free(conversation);
}

static struct mcp_client *find_client(struct assistants *assistants, const char *id,
                                      const struct dgm_access *access, bool *ended)
{
    uint64_t hash = hash_of(id, strlen(id));
    (void)pthread_mutex_lock(&assistants->lock);
    struct conversation *found = find(assistants, id, access);
    struct conversation *outdated = found && is_outdated(found, access) ? found : NULL;
    struct mcp_client *client = found && !outdated ? found->client : NULL;
    if (client) {
        found->used_ms = clock_ms();
        mcp_client_ref(client);
    } else if (outdated) { /* it begins again, from its id */
        (void)map_remove(&assistants->conversations, id);
    }
    *ended = false;
    for (size_t i = 0; i < ENDED && !client && !*ended; i++) {
        *ended = assistants->ended[i] == hash;
    }
    (void)pthread_mutex_unlock(&assistants->lock);
    if (outdated) {
        end(outdated);
    }
    return client;
}

struct mcp_client *assistants_find(struct assistants *assistants, const char *id,
                                   const struct dgm_access *access)
{
    bool ended = false;
    struct mcp_client *client = find_client(assistants, id, access, &ended);
    if (client || ended) {
        return client;
    }
    struct mcp_client *adopted = mcp_session_adopt(assistants->mcp, access, id);
    if (!adopted || enter(assistants, adopted, id)) {
        return adopted;
    }
    mcp_client_unref(adopted); /* another request was first, or there are too many */
    return find_client(assistants, id, access, &ended);
}

bool assistants_end(struct assistants *assistants, const char *id,
                    const struct dgm_access *access)
{
    (void)pthread_mutex_lock(&assistants->lock);
    struct conversation *found = find(assistants, id, access);
    if (found) {
        (void)map_remove(&assistants->conversations, id);
        remember_ended(assistants, id);
    }
    (void)pthread_mutex_unlock(&assistants->lock);
    if (found) {
        end(found);
    }
    return found != NULL;
}

/* Takes the conversation that was not used for longest, if that is since before `before_ms`
 * (what it still waits for then, nobody will answer), or if there are more than `most`. One
 * with a call at work is left. */
static struct conversation *take_idle(struct assistants *assistants, int64_t before_ms,
                                      size_t most)
{
    struct conversation *oldest = NULL;
    struct map_entry *entry = NULL;
    (void)pthread_mutex_lock(&assistants->lock);
    bool many = assistants->conversations.count > most;
    for (size_t at = 0; (entry = map_next(&assistants->conversations, &at));) {
        struct conversation *each = entry->value;
        bool older = !oldest || each->used_ms < oldest->used_ms;
        bool idle = each->used_ms < before_ms && !mcp_client_works(each->client) &&
                    !mcp_client_hears(each->client);
        if (older && (idle || (many && mcp_client_calls(each->client) == 0))) {
            oldest = each;
        }
    }
    if (oldest) {
        (void)map_remove(&assistants->conversations, oldest->id);
        if (oldest->used_ms < before_ms) { /* one of too many may come again */
            remember_ended(assistants, oldest->id);
        }
    }
    (void)pthread_mutex_unlock(&assistants->lock);
    return oldest;
}

/* A reference that nobody needs any more: kept too long, or (all) whatever is kept. */
static struct speech *take_kept(struct assistants *assistants, int64_t now_ms, bool all)
{
    struct speech *speech = NULL;
    (void)pthread_mutex_lock(&assistants->lock);
    for (size_t i = 0; i < KEPT && !speech; i++) {
        struct kept *kept = &assistants->kept[i];
        if (kept->speech && (all || kept->until_ms <= now_ms)) {
            speech = kept->speech;
            kept->speech = NULL;
        }
    }
    (void)pthread_mutex_unlock(&assistants->lock);
    return speech;
}

static void drop_kept(struct assistants *assistants, int64_t now_ms, bool all)
{
    struct speech *speech = NULL;
    while ((speech = take_kept(assistants, now_ms, all))) {
        speech_unref(speech);
    }
}

void assistants_keep(struct assistants *assistants, struct speech *speech)
{
    (void)pthread_mutex_lock(&assistants->lock);
    struct kept *kept = &assistants->kept[assistants->kept_next];
    struct speech *oldest = kept->speech;
    assistants->kept_next = (assistants->kept_next + 1) % KEPT;
    *kept = (struct kept){.speech = speech, .until_ms = clock_ms() + KEPT_MS};
    (void)pthread_mutex_unlock(&assistants->lock);
    if (oldest) {
        speech_unref(oldest);
    }
}

struct speech *assistants_recall(struct assistants *assistants,
                                 const struct mcp_client *client, const char *id,
                                 size_t size)
{
    (void)pthread_mutex_lock(&assistants->lock);
    struct speech *speech = speech_find(assistants->streams, client, id, size);
    (void)pthread_mutex_unlock(&assistants->lock);
    return speech;
}

void assistants_sweep(struct assistants *assistants, int64_t now_ms)
{
    enum { AT_ONCE = 64 }; /* each looks at all of them */
    int64_t life_ms = assistants->server->settings.session_ttl_s * 1000;
    struct conversation *idle = NULL;
    mcp_tick(assistants->mcp, now_ms);
    drop_kept(assistants, now_ms, false);
    for (size_t i = 0; i < AT_ONCE; i++) {
        idle = take_idle(assistants, now_ms - life_ms, MANY);
        if (!idle) {
            return;
        }
        end(idle);
    }
}

void assistants_close(struct assistants *assistants)
{
    mcp_hush(assistants->mcp);
    drop_kept(assistants, 0, true);
    for (;;) {
        size_t at = 0;
        (void)pthread_mutex_lock(&assistants->lock);
        struct map_entry *entry = map_next(&assistants->conversations, &at);
        struct conversation *any = entry ? entry->value : NULL;
        if (any) {
            (void)map_remove(&assistants->conversations, any->id);
        }
        (void)pthread_mutex_unlock(&assistants->lock);
        if (!any) {
            return;
        }
        end(any);
    }
}

void assistants_beat(struct assistants *assistants)
{
    (void)pthread_mutex_lock(&assistants->lock);
    speech_beat(assistants->streams);
    (void)pthread_mutex_unlock(&assistants->lock);
}

void assistants_note(struct assistants *assistants, struct recheck *recheck)
{
    (void)pthread_mutex_lock(&assistants->lock);
    speech_note(assistants->streams, recheck);
    (void)pthread_mutex_unlock(&assistants->lock);
}

void assistants_cut(struct assistants *assistants, const struct recheck *recheck)
{
    struct speech *speech = NULL;
    do {
        (void)pthread_mutex_lock(&assistants->lock);
        speech = speech_take_lost(assistants->streams, recheck);
        (void)pthread_mutex_unlock(&assistants->lock);
        if (speech) {
            speech_cut(speech);
            speech_unref(speech);
        }
    } while (speech);
}

void assistants_hear(struct assistants *assistants, struct speech *speech)
{
    (void)pthread_mutex_lock(&assistants->lock);
    speech_link(speech, &assistants->streams);
    (void)pthread_mutex_unlock(&assistants->lock);
}

void assistants_forget(struct assistants *assistants, struct speech *speech)
{
    (void)pthread_mutex_lock(&assistants->lock);
    speech_unlink(speech);
    (void)pthread_mutex_unlock(&assistants->lock);
}
