/* Requests of the server to a client of 2025, and their responses. */
#include "mcp/client_request.h"

#include "base/buf.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "mcp/reply.h"

/* One request that waits for its response; in the list of its call, under the call's lock. */
struct mcp_asked {
    char id[ID_SIZE];
    mcp_heard *heard;
    void *context;
    struct mcp_asked *next;
};

static bool is_silent(struct mcp_client *client)
{
    (void)pthread_mutex_lock(&client->lock);
    bool silent = client->silent || client->closed;
    (void)pthread_mutex_unlock(&client->lock);
    return silent;
}

/* With the call's lock held, before and after a change of its list: a call that waits for
 * its client is not at work. */
static void count_waiting(struct mcp_call *call, bool waited)
{
    bool waits = call->asked != NULL;
    if (waits && !waited) {
        (void)atomic_fetch_add(&call->client->waiting, 1);
    } else if (!waits && waited) {
        (void)atomic_fetch_sub(&call->client->waiting, 1);
    }
}

/* False: the call has ended. */
static bool enter(struct mcp_call *call, struct mcp_asked *asked)
{
    (void)pthread_mutex_lock(&call->lock);
    bool waited = call->asked != NULL;
    bool ended = call->ended;
    if (!ended) {
        asked->next = call->asked;
        call->asked = asked;
        count_waiting(call, waited);
    }
    (void)pthread_mutex_unlock(&call->lock);
    return !ended;
}

/* Takes the request with this id out of the list, NULL: the first one; NULL: there is none. */
static struct mcp_asked *take(struct mcp_call *call, const char *id)
{
    (void)pthread_mutex_lock(&call->lock);
    bool waited = call->asked != NULL;
    struct mcp_asked **at = &call->asked;
    while (*at && id && !str_equal((*at)->id, id)) {
        at = &(*at)->next;
    }
    struct mcp_asked *found = *at;
    if (found) {
        *at = found->next;
        count_waiting(call, waited);
    }
    (void)pthread_mutex_unlock(&call->lock);
    return found;
}

bool mcp_client_request(struct mcp_call *call, const char *method, const char *params,
                        mcp_heard *heard, void *context)
{
    struct buf buf;
    struct writer json;
    struct mcp_asked *asked = memory_alloc(sizeof *asked);
    asked->heard = heard;
    asked->context = context;
    id_new("ask", asked->id); /* cannot be guessed by who was not asked */
    buf_init(&buf, MCP_REPLY_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    writer_key_text(&json, "jsonrpc", "2.0");
    writer_key_text(&json, "id", asked->id);
    writer_key_text(&json, "method", method);
    writer_key(&json, "params");
    writer_raw(&json, params);
    writer_object_end(&json);
    bool sent = !buf.full && !is_silent(call->client) && enter(call, asked);
    if (sent) { /* from here on the response, or the end of the call, frees it */
        mcp_call_note(call, buf_get(&buf), buf.size);
    } else {
        memory_free(asked);
    }
    buf_release(&buf);
    if (sent && is_silent(call->client)) { /* it may have become silent meanwhile */
        mcp_client_request_give_up(call);
    }
    return sent;
}

bool mcp_client_request_hold(struct mcp_call *call, mcp_heard *heard, void *context)
{
    struct mcp_asked *asked = memory_alloc(sizeof *asked);
    asked->heard = heard;
    asked->context = context;
    id_new("hold", asked->id);
    bool held = !is_silent(call->client) && enter(call, asked);
    if (!held) {
        memory_free(asked);
    } else if (is_silent(call->client)) {
        mcp_client_request_give_up(call);
    }
    return held;
}

static void tell(struct mcp_call *call, struct mcp_asked *asked, const json_t *result)
{
    asked->heard(call, result, asked->context);
    memory_free(asked);
}

void mcp_client_request_give_up(struct mcp_call *call)
{
    struct mcp_asked *asked = NULL;
    while ((asked = take(call, NULL))) {
        tell(call, asked, NULL);
    }
}

/* With the client's lock held: does the call wait for the response with this id? */
static bool waits_for(struct mcp_call *call, const char *id)
{
    (void)pthread_mutex_lock(&call->lock);
    const struct mcp_asked *at = call->asked;
    while (at && !str_equal(at->id, id)) {
        at = at->next;
    }
    (void)pthread_mutex_unlock(&call->lock);
    return at != NULL;
}

void mcp_client_request_answered(struct mcp_client *client,
                                 const struct mcp_message *message)
{
    const char *id = json_text_at(message->root, "id");
    (void)pthread_mutex_lock(&client->lock);
    struct mcp_call *call = id ? client->calls : NULL;
    while (call && !waits_for(call, id)) {
        call = call->next;
    }
    if (call) {
        mcp_call_ref(call);
    }
    (void)pthread_mutex_unlock(&client->lock);
    if (!call) {
        return;
    }
    struct mcp_asked *asked = take(call, id); /* only one response counts */
    if (asked) {
        tell(call, asked, json_object_at(message->root, "result"));
    }
    mcp_call_unref(call);
}
