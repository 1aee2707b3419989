/* MCP (Streamable HTTP): one message, and what is said about it. */
#include "base/memory.h"
#include "base/str.h"
#include "mcp/mcp.h"
#include "server/exchange.h"
#include "server/mcp/assistants.h"
#include "server/mcp/speech.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { HTTP_BAD = 400, HTTP_GONE = 404 };

static const char *header(const struct exchange *exchange, const char *name)
{
    const char *value =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
    return value ? str_trim(exchange->arena, value) : NULL;
}

/* A message that belongs to a conversation that is not there. */
static void refuse(struct exchange *exchange, bool named)
{
    static const char missing[] =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":"
        "\"The header Mcp-Session-Id is missing; initialize returns it.\"}}";
    static const char unknown[] =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":"
        "\"This conversation has ended. Begin again with initialize.\"}}";
    response_json(exchange, named ? HTTP_GONE : HTTP_BAD,
                  memory_text(named ? unknown : missing));
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
    (void)speech_new(exchange, client, way == MCP_WAY_ALONE, &outlet);
    mcp_handle(client, &headers, message, &outlet);
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
