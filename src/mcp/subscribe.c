/* The methods of subscriptions, of both eras. */
#include "base/memory.h"
#include "mcp/client_request.h"
#include "mcp/extras.h"
#include "mcp/methods.h"
#include "mcp/reply.h"
#include "mcp/resources.h"
#include "mcp/watch_state.h"

#define ACKNOWLEDGED "notifications/subscriptions/acknowledged"

static void reply_empty(struct mcp_call *call)
{
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    mcp_reply_close(&reply);
}

void mcp_subscribe(struct mcp_call *call)
{
    const char *uri = json_text_at(call->params, "uri");
    struct mcp_watches *watches = &call->client->mcp->watches;
    uint64_t hash = 0;
    if (!uri || !mcp_resource_hash(call->client, uri, &hash)) {
        if (!mcp_extras_handle(call)) {
            mcp_resource_refuse(call, uri);
        }
        return;
    }
    (void)pthread_mutex_lock(&watches->lock);
    bool added = mcp_watch_add(mcp_watch_of(call->client), uri, hash);
    (void)pthread_mutex_unlock(&watches->lock);
    if (added) {
        reply_empty(call);
    } else {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS, "There are too many subscriptions.",
                         NULL);
    }
}

void mcp_unsubscribe(struct mcp_call *call)
{
    const char *uri = json_text_at(call->params, "uri");
    struct mcp_watches *watches = &call->client->mcp->watches;
    if (!uri) {
        mcp_resource_refuse(call, uri);
        return;
    }
    (void)pthread_mutex_lock(&watches->lock);
    if (call->client->watch) {
        mcp_watch_drop(call->client->watch, uri);
    }
    (void)pthread_mutex_unlock(&watches->lock);
    reply_empty(call);
}

/* The call of a listener ends: cancelled, or because nobody will hear any more. */
static void over(struct mcp_call *call, const json_t *result, void *context)
{
    struct mcp_watch *watch = context;
    struct mcp_watches *watches = &call->client->mcp->watches;
    (void)result;
    (void)pthread_mutex_lock(&watches->lock);
    struct mcp_client *client = mcp_watch_unlist(watch);
    mcp_watch_unref(watch);
    (void)pthread_mutex_unlock(&watches->lock);
    reply_empty(call); /* nothing, if the call was cancelled */
    if (client) {
        mcp_client_unref(client);
    }
    mcp_call_unref(call); /* the watch's */
}

/* What was asked for and is there: what the list of tools or prompts would say never
 * changes. */
static void acknowledge(struct mcp_watch *watch)
{
    struct buf buf;
    struct writer json;
    mcp_watch_note(&json, &buf, watch, ACKNOWLEDGED);
    writer_key(&json, "notifications");
    writer_object(&json);
    if (watch->wants_list) {
        writer_key_bool(&json, "resourcesListChanged", true);
    }
    if (watch->count) {
        writer_key(&json, "resourceSubscriptions");
        writer_array(&json);
        for (size_t i = 0; i < watch->count; i++) {
            writer_text(&json, watch->items[i].uri);
        }
        writer_array_end(&json);
    }
    writer_object_end(&json);
    mcp_watch_send(&json, &buf, watch);
}

void mcp_subscriptions_listen(struct mcp_call *call)
{
    const json_t *wanted = json_object_at(call->params, "notifications");
    const json_t *uris = json_array_at(wanted, "resourceSubscriptions");
    struct mcp_watches *watches = &call->client->mcp->watches;
    if (!wanted) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS, "notifications is missing.", NULL);
        return;
    }
    struct mcp_watch *watch = memory_alloc(sizeof *watch);
    watch->references = 1; /* given back by `over` */
    watch->client = call->client;
    watch->call = call;
    watch->wants_list = json_bool_at(wanted, "resourcesListChanged", false);
    for (size_t i = 0; i < json_array_size(uris); i++) {
        const char *uri = json_string_value(json_array_get(uris, i));
        uint64_t hash = 0;
        if (uri && mcp_resource_hash(call->client, uri, &hash)) {
            (void)mcp_watch_add(watch, uri, hash);
        }
    }
    mcp_call_ref(call);
    acknowledge(watch); /* the first frame */
    (void)pthread_mutex_lock(&watches->lock);
    bool listens = !watches->over;
    if (listens) {
        atomic_store(&call->client->hears, true);
        mcp_watch_list(watches, watch);
    }
    (void)pthread_mutex_unlock(&watches->lock);
    if (!listens || !mcp_client_request_hold(call, over, watch)) {
        over(call, NULL, watch);
    }
}

/* A reference to a call that listens. */
static struct mcp_call *any_listener(struct mcp_watches *watches)
{
    struct mcp_call *call = NULL;
    (void)pthread_mutex_lock(&watches->lock);
    watches->over = true;
    for (struct mcp_watch *at = watches->first; at && !call; at = at->next) {
        call = at->call;
    }
    if (call) {
        mcp_call_ref(call);
    }
    (void)pthread_mutex_unlock(&watches->lock);
    return call;
}

void mcp_hush(struct mcp *mcp)
{
    struct mcp_call *call = NULL;
    while ((call = any_listener(&mcp->watches))) {
        mcp_client_request_give_up(call);
        mcp_call_unref(call);
    }
}
