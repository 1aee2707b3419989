/* One request of a client while it is handled, and its one reply. */
#include "mcp/call.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "mcp/client_request.h"
#include "mcp/reply.h"

enum { HTTP_ACCEPTED = 202, HTTP_BAD = 400 };

/* With the client's lock held. The reply of a call is sent before it leaves the list, so a
 * quick client may use its id again. */
static bool is_taken(struct mcp_client *client, const char *id)
{
    bool taken = false;
    for (struct mcp_call *at = client->calls; at && !taken; at = at->next) {
        (void)pthread_mutex_lock(&at->lock);
        taken = !at->ended && str_equal(at->id, id);
        (void)pthread_mutex_unlock(&at->lock);
    }
    return taken;
}

/* Why the call may not be; NULL: it may, and is in the list. */
static const char *enter(struct mcp_client *client, struct mcp_call *call)
{
    const char *problem = NULL;
    (void)pthread_mutex_lock(&client->lock);
    if (client->closed) {
        problem = "The conversation is over.";
    } else if (is_taken(client, call->id)) {
        problem = "A request with this id is at work.";
    } else if (atomic_load(&client->count) >= MCP_CALLS_MOST) {
        problem = "Too many requests at once; wait for some of them to end.";
    } else {
        call->next = client->calls;
        call->link = &client->calls;
        if (call->next) {
            call->next->link = &call->next;
        }
        client->calls = call;
        (void)atomic_fetch_add(&client->count, 1);
        mcp_call_ref(call);
    }
    (void)pthread_mutex_unlock(&client->lock);
    return problem;
}

static void leave(struct mcp_call *call)
{
    struct mcp_client *client = call->client;
    (void)pthread_mutex_lock(&client->lock);
    bool listed = call->link != NULL;
    if (listed) {
        *call->link = call->next;
        if (call->next) {
            call->next->link = call->link;
        }
        call->link = NULL;
        (void)atomic_fetch_sub(&client->count, 1);
    }
    (void)pthread_mutex_unlock(&client->lock);
    if (listed) {
        mcp_call_unref(call);
    }
}

struct mcp_call *mcp_call_new(struct mcp_client *client,
                              const struct mcp_message *message,
                              const struct mcp_outlet *outlet)
{
    struct mcp_call *call = memory_alloc(sizeof *call);
    atomic_init(&call->references, 1);
    (void)pthread_mutex_init(&call->lock, NULL);
    mcp_client_ref(client);
    call->client = client;
    call->arena = message->arena;
    call->id = message->id;
    call->params = message->params;
    call->outlet = *outlet;
    const char *problem = enter(client, call);
    if (problem) {
        mcp_reply_error(outlet, message->id, MCP_INVALID_REQUEST, HTTP_BAD, problem);
        mcp_call_unref(call);
        return NULL;
    }
    return call;
}

void mcp_call_ref(struct mcp_call *call)
{
    (void)atomic_fetch_add(&call->references, 1);
}

void mcp_call_unref(struct mcp_call *call)
{
    if (atomic_fetch_sub(&call->references, 1) != 1) {
        return;
    }
    struct mcp_client *client = call->client;
    memory_free(call->options);
    arena_free(call->arena);
    (void)pthread_mutex_destroy(&call->lock);
    memory_free(call);
    mcp_client_unref(client);
}

void mcp_call_note(struct mcp_call *call, const char *text, size_t size)
{
    const struct mcp_frame frame = {.kind = MCP_NOTICE, .text = text, .size = size};
    (void)pthread_mutex_lock(&call->lock);
    if (!call->ended) {
        call->outlet.send(call->outlet.context, &frame);
    }
    (void)pthread_mutex_unlock(&call->lock);
}

bool mcp_call_end(struct mcp_call *call, const struct mcp_frame *frame)
{
    (void)pthread_mutex_lock(&call->lock);
    bool first = !call->ended;
    call->ended = true;
    if (first) {
        call->outlet.send(call->outlet.context, frame);
    }
    (void)pthread_mutex_unlock(&call->lock);
    if (first) {
        mcp_client_request_give_up(call);
        leave(call);
    }
    return first;
}

static void stop(void *context)
{
    struct mcp_call *call = context;
    struct dgm_error error;
    char query_id[ID_SIZE];
    (void)pthread_mutex_lock(&call->lock);
    str_put(query_id, sizeof query_id, call->query_id);
    (void)pthread_mutex_unlock(&call->lock);
    (void)dgm_stop(mcp_call_dgm(call), mcp_call_account(call), query_id, &error);
    mcp_call_unref(call);
}

void mcp_call_cancel(struct mcp_call *call)
{
    static const struct mcp_frame nothing = {.kind = MCP_NOTHING,
                                             .http_status = HTTP_ACCEPTED};
    struct workers *workers = call->client->mcp->settings.later;
    (void)pthread_mutex_lock(&call->lock);
    bool first = !call->cancelled && !call->ended;
    call->cancelled = true;
    bool works = *call->query_id;
    (void)pthread_mutex_unlock(&call->lock);
    (void)mcp_call_end(call, &nothing);
    if (!first || !works) {
        return;
    }
    mcp_call_ref(call);
    if (workers) { /* to cancel a query may need a connection */
        workers_submit_hurried(workers, stop, call);
    } else {
        stop(call);
    }
}

void mcp_call_works(struct mcp_call *call, struct dgm_question *question)
{
    (void)pthread_mutex_lock(&call->lock);
    str_put(call->query_id, sizeof call->query_id, dgm_question_id(question));
    bool cancelled = call->cancelled;
    (void)pthread_mutex_unlock(&call->lock);
    if (cancelled) {
        dgm_question_stop(question);
    }
    dgm_question_free(question);
}

const struct dgm_access *mcp_call_access(const struct mcp_call *call)
{
    return &call->client->access;
}

const char *mcp_client_account(const struct mcp_client *client)
{
    const struct dgm_access *access = &client->access;
    const char *account = *access->actor ? access->actor : access->account;
    return *account ? account : NULL;
}

const char *mcp_call_account(const struct mcp_call *call)
{
    return mcp_client_account(call->client);
}

struct dgm *mcp_call_dgm(const struct mcp_call *call)
{
    return call->client->mcp->settings.dgm;
}
