/* Reads one JSON-RPC message, strictly. */
#include "mcp/message.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "mcp/mcp.h"

enum { TOKEN_MOST = 1024, METHOD_MOST = 128 };

const char *mcp_message_token(struct arena *arena, const json_t *value)
{
    if (json_is_integer(value)) {
        return arena_format(arena, "%lld", (long long)json_integer_value(value));
    }
    if (!json_is_string(value) || json_string_length(value) > TOKEN_MOST) {
        return NULL;
    }
    struct buf buf;
    buf_init(&buf, (size_t)TOKEN_MOST * 8);
    writer_quote(&buf, json_string_value(value), json_string_length(value));
    const char *token = buf_clone(&buf, arena);
    buf_release(&buf);
    return token;
}

static void bad(struct mcp_message *message, enum mcp_error error, const char *problem)
{
    message->kind = MCP_BAD;
    message->error = error;
    message->problem = problem;
}

static void read_request(struct mcp_message *message)
{
    const json_t *root = message->root;
    const json_t *params = json_object_get(root, "params");
    message->method = json_text_at(root, "method");
    message->kind = json_object_get(root, "id") ? MCP_REQUEST : MCP_NOTIFICATION;
    message->params = params;
    if (!message->method || strlen(message->method) > METHOD_MOST) {
        bad(message, MCP_INVALID_REQUEST, "The method must be a short text.");
    } else if (message->kind == MCP_REQUEST && !message->id) {
        bad(message, MCP_INVALID_REQUEST, "The id must be a text or an integer.");
    } else if (params && !json_is_object(params)) {
        bad(message, MCP_INVALID_REQUEST, "The params must be an object.");
    }
}

static void read_response(struct mcp_message *message)
{
    const json_t *result = json_object_get(message->root, "result");
    const json_t *error = json_object_get(message->root, "error");
    message->kind = MCP_RESPONSE;
    if (!message->id || (result != NULL) == (error != NULL)) {
        bad(message, MCP_INVALID_REQUEST, "This is neither a request nor a response.");
    }
}

static void read_text(struct mcp_message *message, const char *text, size_t size)
{
    struct arena *arena = message->arena;
    struct err err;
    err_clear(&err);
    if (!text || size > MCP_MESSAGE_MOST) {
        bad(message, MCP_PARSE,
            arena_format(arena, "A message may be %d bytes long.", MCP_MESSAGE_MOST));
        return;
    }
    message->root = json_parse(arena, text, size, &err);
    if (!message->root) {
        bad(message, MCP_PARSE, arena_text(arena, err.message));
        return;
    }
    if (!json_is_object(message->root)) {
        bad(message, MCP_INVALID_REQUEST,
            json_is_array(message->root) ? "Batches are not part of this protocol."
                                         : "A message is an object.");
        return;
    }
    message->id = mcp_message_token(arena, json_object_get(message->root, "id"));
    if (!str_equal(json_text_at(message->root, "jsonrpc"), "2.0")) {
        bad(message, MCP_INVALID_REQUEST, "The field jsonrpc must be \"2.0\".");
    } else if (json_object_get(message->root, "method")) {
        read_request(message);
    } else {
        read_response(message);
    }
}

struct mcp_message *mcp_read(const char *text, size_t size)
{
    struct arena *arena = arena_new();
    struct mcp_message *message = ARENA_NEW(arena, struct mcp_message);
    message->arena = arena;
    read_text(message, text, size);
    return message;
}

void mcp_drop(struct mcp_message *message)
{
    arena_free(message->arena);
}
