/* A client: who it is, what it is able to do, and its calls. */
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "mcp/call.h"
#include "mcp/client_request.h"

struct mcp *mcp_new(const struct mcp_settings *settings)
{
    struct mcp *mcp = memory_alloc(sizeof *mcp);
    char id[ID_SIZE];
    mcp->settings = *settings;
    atomic_init(&mcp->references, 1);
    (void)pthread_mutex_init(&mcp->watches.lock, NULL);
    (void)pthread_mutex_init(&mcp->secret_lock, NULL);
    id_new("mcp", id); /* 130 random bits */
    memcpy(mcp->secret, id, strlen(id) < MCP_SECRET ? strlen(id) : MCP_SECRET);
    return mcp;
}

static void mcp_unref(struct mcp *mcp)
{
    if (atomic_fetch_sub(&mcp->references, 1) == 1) {
        (void)pthread_mutex_destroy(&mcp->watches.lock);
        (void)pthread_mutex_destroy(&mcp->secret_lock);
        memory_free(mcp);
    }
}

void mcp_free(struct mcp *mcp)
{
    if (mcp) {
        mcp_unref(mcp);
    }
}

struct mcp_client *mcp_client_new(struct mcp *mcp, const struct dgm_access *access)
{
    struct mcp_client *client = memory_alloc(sizeof *client);
    (void)atomic_fetch_add(&mcp->references, 1);
    client->mcp = mcp;
    atomic_init(&client->count, 0);
    atomic_init(&client->waiting, 0);
    atomic_init(&client->hears, false);
    client->level = MCP_LOG_NONE;
    client->access = access ? *access : (struct dgm_access){0};
    atomic_init(&client->references, 1);
    (void)pthread_mutex_init(&client->lock, NULL);
    return client;
}

void mcp_client_ref(struct mcp_client *client)
{
    (void)atomic_fetch_add(&client->references, 1);
}

void mcp_client_unref(struct mcp_client *client)
{
    if (atomic_fetch_sub(&client->references, 1) == 1) {
        mcp_watch_free(client->watch);
        (void)pthread_mutex_destroy(&client->lock);
        mcp_unref(client->mcp);
        memory_free(client);
    }
}

/* A reference to one call that is open; NULL: there is none. */
static struct mcp_call *any_call(struct mcp_client *client)
{
    (void)pthread_mutex_lock(&client->lock);
    struct mcp_call *call = client->calls;
    if (call) {
        mcp_call_ref(call);
    }
    (void)pthread_mutex_unlock(&client->lock);
    return call;
}

void mcp_client_close(struct mcp_client *client)
{
    struct mcp_call *call = NULL;
    (void)pthread_mutex_lock(&client->lock);
    client->closed = true;
    (void)pthread_mutex_unlock(&client->lock);
    mcp_watch_close(client);
    while ((call = any_call(client))) {
        mcp_call_cancel(call);
        mcp_call_unref(call);
    }
    mcp_client_unref(client);
}

/* A reference to a call that waits for its client. */
static struct mcp_call *any_waiting(struct mcp_client *client)
{
    struct mcp_call *found = NULL;
    (void)pthread_mutex_lock(&client->lock);
    client->silent = true;
    for (struct mcp_call *at = client->calls; at && !found; at = at->next) {
        (void)pthread_mutex_lock(&at->lock);
        found = at->asked ? at : NULL;
        (void)pthread_mutex_unlock(&at->lock);
    }
    if (found) {
        mcp_call_ref(found);
    }
    (void)pthread_mutex_unlock(&client->lock);
    return found;
}

void mcp_client_no_more(struct mcp_client *client)
{
    struct mcp_call *call = NULL;
    while ((call = any_waiting(client))) {
        mcp_client_request_give_up(call);
        mcp_call_unref(call);
    }
}

size_t mcp_client_calls(struct mcp_client *client)
{
    return atomic_load(&client->count); /* no lock: callers may hold one of theirs */
}

bool mcp_client_works(struct mcp_client *client)
{
    return atomic_load(&client->count) > atomic_load(&client->waiting);
}

bool mcp_client_resumes(struct mcp_client *client)
{
    (void)pthread_mutex_lock(&client->lock);
    bool resumes = str_equal(client->version, "2025-11-25");
    (void)pthread_mutex_unlock(&client->lock);
    return resumes;
}

bool mcp_client_hears(struct mcp_client *client)
{
    return atomic_load(&client->hears); /* no lock, for the same reason */
}

const struct dgm_access *mcp_client_access(const struct mcp_client *client)
{
    return &client->access;
}

struct mcp_call *mcp_client_find(struct mcp_client *client, const char *id)
{
    (void)pthread_mutex_lock(&client->lock);
    struct mcp_call *at = client->calls;
    while (at && !str_equal(at->id, id)) {
        at = at->next;
    }
    if (at) {
        mcp_call_ref(at);
    }
    (void)pthread_mutex_unlock(&client->lock);
    return at;
}
