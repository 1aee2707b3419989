/* Reads one JSON-RPC message, strictly. */
#ifndef DGM_MCP_MESSAGE_H
#define DGM_MCP_MESSAGE_H

#include <stddef.h>

#include "base/json.h"

enum mcp_message_kind {
    MCP_REQUEST,
    MCP_NOTIFICATION,
    MCP_RESPONSE,
    MCP_BAD, /* `error` and `problem` say why */
};

/* The codes of JSON-RPC and of the protocol. */
enum mcp_error {
    MCP_PARSE = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_UNKNOWN_METHOD = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_INTERNAL = -32603,
    MCP_RESOURCE_NOT_FOUND = -32002, /* until 2025-11-25 */
    MCP_HEADER_MISMATCH = -32020,
    MCP_MISSING_CAPABILITY = -32021,
    MCP_UNSUPPORTED_VERSION = -32022,
};

struct mcp_message {
    struct arena *arena; /* its own */
    enum mcp_message_kind kind;
    const json_t *root;
    const json_t *params; /* an object, or NULL */
    const char *method;   /* of a request or notification */
    const char *id;       /* as JSON: "7" or "\"a\""; NULL: none that could be read */
    enum mcp_error error;
    const char *problem;
};

/* An id, or a progress token, as JSON; NULL: it is neither a text nor an integer, or it is
 * too long. */
const char *mcp_message_token(struct arena *arena, const json_t *value);

#endif
