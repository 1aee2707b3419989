/* A message from a client: read, checked, and given to whoever handles it. */
#include <string.h>

#include "base/str.h"
#include "base/workers.h"
#include "mcp/abilities.h"
#include "mcp/call.h"
#include "mcp/client_request.h"
#include "mcp/methods.h"
#include "mcp/reply.h"

enum { HTTP_ACCEPTED = 202, HTTP_BAD = 400 };

static void cancel(struct mcp_client *client, const struct mcp_message *message)
{
    struct arena *arena = arena_new();
    const char *id =
        mcp_message_token(arena, json_object_get(message->params, "requestId"));
    struct mcp_call *call = id ? mcp_client_find(client, id) : NULL;
    if (call) {
        mcp_call_cancel(call);
        mcp_call_unref(call);
    }
    arena_free(arena);
}

/* Notifications that are not known here are none of our business. */
static void notice(struct mcp_client *client, const struct mcp_message *message)
{
    if (str_equal(message->method, "notifications/cancelled")) {
        cancel(client, message);
    }
}

static void run(void *context)
{
    struct mcp_call *call = context;
    call->method->run(call);
    mcp_call_unref(call);
}

/* Takes over the message. */
static void request(struct mcp_client *client, struct mcp_message *message,
                    const struct mcp_headers *headers, const struct mcp_outlet *outlet)
{
    bool modern = mcp_abilities_is_modern(message->params, headers);
    const struct mcp_method *method = mcp_method_find(message->method, modern);
    struct mcp_call *call = mcp_call_new(client, message, outlet);
    if (!call) {
        return;
    }
    call->modern = modern;
    call->method = method;
    struct workers *workers = client->mcp->settings.workers;
    if (!mcp_abilities_take(call, message->method, headers)) {
        mcp_call_unref(call);
    } else if (!method) {
        const char *problem =
            arena_format(call->arena, "There is no method '%.60s'.", message->method);
        mcp_reply_refuse(call, MCP_UNKNOWN_METHOD, problem, NULL);
        mcp_call_unref(call);
    } else if (method->quick || !workers) {
        run(call);
    } else {
        workers_submit(workers, run, call);
    }
}

enum mcp_way mcp_way(const struct mcp_message *message, const struct mcp_headers *headers)
{
    if (message->kind == MCP_BAD || mcp_abilities_is_modern(message->params, headers)) {
        return MCP_WAY_ALONE;
    }
    return message->kind == MCP_REQUEST && str_equal(message->method, "initialize")
               ? MCP_WAY_GREETING
               : MCP_WAY_CONVERSATION;
}

void mcp_handle(struct mcp_client *client, const struct mcp_headers *headers,
                struct mcp_message *message, const struct mcp_outlet *outlet)
{
    static const struct mcp_frame nothing = {.kind = MCP_NOTHING,
                                             .http_status = HTTP_ACCEPTED};
    if (message->kind == MCP_REQUEST) {
        request(client, message, headers, outlet);
        return;
    }
    if (message->kind == MCP_BAD) {
        mcp_reply_error(outlet, message->id, message->error, HTTP_BAD, message->problem);
    } else {
        if (message->kind == MCP_NOTIFICATION) {
            notice(client, message);
        } else {
            mcp_client_request_answered(client, message);
        }
        outlet->send(outlet->context, &nothing);
    }
    arena_free(message->arena);
}
