/* MCP (Streamable HTTP): one message, and what is said about it. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "mcp/mcp.h"
#include "server/exchange.h"
#include "server/media.h"
#include "server/mcp/assistants.h"
#include "server/mcp/speech.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { HTTP_BAD = 400, HTTP_GONE = 404, HTTP_NOT_ACCEPTABLE = 406, HTTP_TYPE = 415 };

static const char *header(const struct exchange *exchange, const char *name)
{
    const char *value =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
    return value ? str_trim(exchange->arena, value) : NULL;
}

static void refuse_as(struct exchange *exchange, unsigned status, const char *why)
{
    response_json(exchange, status,
                  memory_text(arena_format(
                      exchange->arena,
                      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
                      "\"message\":\"%s\"}}",
                      why)));
}

/* A body of another type could come from a page of another site without a question first
 * (CORS). A client must take both kinds of reply, since it cannot know which one comes. */
static bool is_negotiated(struct exchange *exchange)
{
    const char *accept = header(exchange, "Accept");
    if (!media_is(header(exchange, "Content-Type"), "application/json")) {
        refuse_as(exchange, HTTP_TYPE,
                  "The header Content-Type must be application/json.");
        return false;
    }
    if (accept && !(media_accepts(accept, "application/json") &&
                    media_accepts(accept, "text/event-stream"))) {
        refuse_as(exchange, HTTP_NOT_ACCEPTABLE,
                  "The header Accept must list application/json and text/event-stream.");
        return false;
    }
    return true;
}

/* A message that belongs to a conversation that is not there. */
static void refuse(struct exchange *exchange, bool named)
{
    refuse_as(exchange, named ? HTTP_GONE : HTTP_BAD,
              named ? "This conversation has ended. Begin again with initialize."
                    : "The header Mcp-Session-Id is missing; initialize returns it.");
}

void mcp_post(struct exchange *exchange)
{
    struct server *server = exchange->server;
    struct assistants *assistants = server->assistants;
    const struct dgm_access *access = &exchange->caller.access;
    const char *session = header(exchange, "Mcp-Session-Id");
    const struct mcp_headers headers = {
        .version = header(exchange, "MCP-Protocol-Version"),
        .method = header(exchange, "Mcp-Method"),
        .name = header(exchange, "Mcp-Name"),
    };
    struct mcp_client *client = NULL;
    if (!is_negotiated(exchange)) {
        return;
    }
    struct mcp_message *message = mcp_read(buf_get(&exchange->body), exchange->body.size);
    enum mcp_way way = mcp_way(message, &headers);
    if (way == MCP_WAY_GREETING && assistants_are_many(assistants)) {
        mcp_drop(message);
        response_busy(exchange);
        return;
    }
    if (way == MCP_WAY_CONVERSATION) {
        client = session ? assistants_find(assistants, session, access) : NULL;
    } else {
        client = mcp_client_new(assistants_mcp(assistants), access);
    }
    if (!client) {
        mcp_drop(message);
        refuse(exchange, session != NULL);
        return;
    }
    struct mcp_outlet outlet;
    (void)speech_new(exchange, client, way == MCP_WAY_ALONE ? SPEECH_ALONE : SPEECH_CALL,
                     &outlet);
    mcp_handle(client, &headers, message, &outlet);
    mcp_client_unref(client);
}

/* A stream that the client has lost, by the id of its last event. False: it is none. */
static bool resume(struct exchange *exchange, const struct mcp_client *client,
                   const char *last)
{
    struct assistants *assistants = exchange->server->assistants;
    const char *slash = last ? strchr(last, '/') : NULL;
    int64_t event = 0;
    if (!slash || !str_to_int(slash + 1, &event) || event < 0 || event > INT32_MAX) {
        return false;
    }
    struct speech *speech =
        assistants_recall(assistants, client, last, (size_t)(slash - last));
    bool goes_on = speech && speech_goes_on(speech, exchange, event);
    if (speech) {
        speech_unref(speech);
    }
    return goes_on;
}

void mcp_get(struct exchange *exchange)
{
    struct assistants *assistants = exchange->server->assistants;
    const char *session = header(exchange, "Mcp-Session-Id");
    const char *version = header(exchange, "MCP-Protocol-Version");
    const char *accept = header(exchange, "Accept");
    if (!session && version && !mcp_version_is_old(version)) {
        response_fail(exchange, ERR_METHOD,
                      "This protocol revision has no GET; use subscriptions/listen.");
        return;
    }
    if (!session) {
        response_fail(exchange, ERR_INVALID_DATA,
                      "The header Mcp-Session-Id is missing.");
        return;
    }
    if (accept && !media_accepts(accept, "text/event-stream")) {
        refuse_as(exchange, HTTP_NOT_ACCEPTABLE,
                  "The header Accept must list text/event-stream.");
        return;
    }
    struct mcp_client *client =
        assistants_find(assistants, session, &exchange->caller.access);
    if (!client) {
        response_fail(exchange, ERR_SESSION_NOT_FOUND, "This conversation has ended.");
        return;
    }
    if (!resume(exchange, client, header(exchange, "Last-Event-ID"))) {
        speech_changes(exchange, client);
    }
    mcp_client_unref(client);
}

void mcp_delete(struct exchange *exchange)
{
    const char *session = header(exchange, "Mcp-Session-Id");
    if (!session) {
        response_fail(exchange, ERR_INVALID_DATA,
                      "The header Mcp-Session-Id is missing.");
    } else if (assistants_end(exchange->server->assistants, session,
                              &exchange->caller.access)) {
        response_nothing(exchange);
    } else {
        response_fail(exchange, ERR_SESSION_NOT_FOUND, "This conversation has ended.");
    }
}
