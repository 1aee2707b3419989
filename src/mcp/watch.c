/* Subscriptions: who hears, and where what they hear goes. */
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "mcp/methods.h"
#include "mcp/watch_state.h"

enum { URI_MOST = 1024, NOTE_MOST = 128 * 1024 };

void mcp_watch_unref(struct mcp_watch *watch)
{
    if (--watch->references == 0) {
        for (size_t i = 0; i < watch->count; i++) {
            memory_free(watch->items[i].uri);
        }
        memory_free(watch);
    }
}

void mcp_watch_free(struct mcp_watch *watch)
{
    if (watch) {
        mcp_watch_unref(watch); /* no lock: a client that is freed is not listed */
    }
}

struct mcp_watch *mcp_watch_of(struct mcp_client *client)
{
    if (!client->watch) {
        client->watch = memory_alloc(sizeof *client->watch);
        client->watch->references = 1;
        client->watch->client = client;
        client->watch->wants_list = true;
    }
    return client->watch;
}

void mcp_watch_list(struct mcp_watches *watches, struct mcp_watch *watch)
{
    if (!watch->link) {
        mcp_client_ref(watch->client);
        watch->references++;
        watch->next = watches->first;
        watch->link = &watches->first;
        if (watch->next) {
            watch->next->link = &watch->next;
        }
        watches->first = watch;
        watches->due_ms = 0; /* what is there now must be known soon */
    }
}

/* The caller gives back the reference to the client, after the lock. */
struct mcp_client *mcp_watch_unlist(struct mcp_watch *watch)
{
    if (!watch->link) {
        return NULL;
    }
    *watch->link = watch->next;
    if (watch->next) {
        watch->next->link = watch->link;
    }
    watch->link = NULL;
    struct mcp_client *client = watch->client;
    mcp_watch_unref(watch);
    return client;
}

struct mcp_watched *mcp_watch_find(struct mcp_watch *watch, const char *uri)
{
    for (size_t i = 0; i < watch->count; i++) {
        if (str_equal(watch->items[i].uri, uri)) {
            return &watch->items[i];
        }
    }
    return NULL;
}

/* False: too many. */
bool mcp_watch_add(struct mcp_watch *watch, const char *uri, uint64_t hash)
{
    if (mcp_watch_find(watch, uri)) {
        return true;
    }
    if (watch->count == MCP_WATCHED_MOST || strlen(uri) > URI_MOST) {
        return false;
    }
    watch->items[watch->count++] =
        (struct mcp_watched){.uri = memory_text(uri), .hash = hash};
    return true;
}

void mcp_watch_drop(struct mcp_watch *watch, const char *uri)
{
    struct mcp_watched *found = mcp_watch_find(watch, uri);
    if (found) {
        memory_free(found->uri);
        *found = watch->items[--watch->count];
    }
}

void mcp_watch_note(struct writer *json, struct buf *buf, const struct mcp_watch *watch,
                    const char *method)
{
    buf_init(buf, NOTE_MOST);
    writer_init(json, buf);
    writer_object(json);
    writer_key_text(json, "jsonrpc", "2.0");
    writer_key_text(json, "method", method);
    writer_key(json, "params");
    writer_object(json);
    if (watch->call) {
        writer_key(json, "_meta");
        writer_object(json);
        writer_key(json, MCP_SUBSCRIPTION_ID);
        writer_raw(json, watch->call->id);
        writer_object_end(json);
    }
}

void mcp_watch_send(struct writer *json, struct buf *buf, struct mcp_watch *watch)
{
    writer_object_end(json);
    writer_object_end(json);
    const struct mcp_frame frame = {
        .kind = MCP_NOTICE, .text = buf_get(buf), .size = buf->size};
    if (watch->call) {
        mcp_call_note(watch->call, frame.text, frame.size);
    } else if (watch->hears) {
        watch->outlet.send(watch->outlet.context, &frame);
    }
    buf_release(buf);
}

/* The last frame of an outlet that hears. */
static void end_outlet(struct mcp_watch *watch)
{
    static const struct mcp_frame nothing = {.kind = MCP_NOTHING};
    if (watch->hears) {
        watch->hears = false;
        atomic_store(&watch->client->hears, false);
        watch->outlet.send(watch->outlet.context, &nothing);
    }
}

void mcp_client_listen(struct mcp_client *client, const struct dgm_access *access,
                       const struct mcp_outlet *outlet)
{
    static const struct mcp_frame nothing = {.kind = MCP_NOTHING};
    struct mcp_watches *watches = &client->mcp->watches;
    (void)pthread_mutex_lock(&client->lock);
    bool closed = client->closed;
    (void)pthread_mutex_unlock(&client->lock);
    (void)pthread_mutex_lock(&watches->lock);
    bool refused = closed || watches->over;
    if (!refused) {
        struct mcp_watch *watch = mcp_watch_of(client);
        end_outlet(watch);
        watch->outlet = *outlet;
        watch->access = access;
        watch->hears = true;
        atomic_store(&client->hears, true);
        mcp_watch_list(watches, watch);
    }
    (void)pthread_mutex_unlock(&watches->lock);
    if (refused) {
        outlet->send(outlet->context, &nothing);
        return;
    }
    (void)pthread_mutex_lock(&client->lock);
    closed = client->closed; /* it may have been closed meanwhile */
    (void)pthread_mutex_unlock(&client->lock);
    if (closed) {
        mcp_watch_close(client);
    }
}

/* context NULL: whichever outlet it is. */
static void deafen(struct mcp_client *client, const void *context)
{
    struct mcp_watches *watches = &client->mcp->watches;
    struct mcp_client *listed = NULL;
    (void)pthread_mutex_lock(&watches->lock);
    struct mcp_watch *watch = client->watch;
    if (watch && watch->hears && (!context || watch->outlet.context == context)) {
        end_outlet(watch);
        listed = mcp_watch_unlist(watch);
    }
    (void)pthread_mutex_unlock(&watches->lock);
    if (listed) {
        mcp_client_unref(listed);
    }
}

void mcp_client_deafen(struct mcp_client *client, const void *context)
{
    deafen(client, context);
}

void mcp_watch_close(struct mcp_client *client)
{
    deafen(client, NULL);
}
