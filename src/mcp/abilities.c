/* What a request says about its client: the era of the protocol, and what it is able to do. */
#include "mcp/abilities.h"

#include <string.h>

#include "base/str.h"
#include "mcp/base64.h"
#include "mcp/logging.h"
#include "mcp/methods.h"
#include "mcp/reply.h"

#define KEY "io.modelcontextprotocol/"

enum { HTTP_BAD = 400 };

struct mcp_abilities mcp_abilities_read(const json_t *capabilities, const char *version)
{
    const json_t *elicitation = json_object_at(capabilities, "elicitation");
    bool form = json_object_get(elicitation, "form") != NULL;
    bool url = json_object_get(elicitation, "url") != NULL;
    return (struct mcp_abilities){
        .elicits = elicitation && (form || !url), /* {} means a form */
        .old_enums = str_equal(version, "2025-06-18"),
        .samples = json_object_at(capabilities, "sampling") != NULL,
        .roots = json_object_at(capabilities, "roots") != NULL,
    };
}

bool mcp_abilities_is_modern(const json_t *params, const struct mcp_headers *headers)
{
    const json_t *meta = json_object_at(params, "_meta");
    bool named = headers && headers->version && !mcp_version_is_old(headers->version);
    return named || json_object_get(meta, KEY "protocolVersion") != NULL;
}

static bool mismatch(struct mcp_call *call, const char *header, bool missing)
{
    const char *problem =
        arena_format(call->arena, "The header %s %s.", header,
                     missing ? "is missing" : "and the body say different things");
    mcp_reply_refuse(call, MCP_HEADER_MISMATCH, problem, NULL);
    return false;
}

/* A value that no header could carry as it is travels as =?base64?...?=. */
static const char *decoded(struct mcp_call *call, const char *value)
{
    static const char before[] = "=?base64?";
    static const char after[] = "?=";
    size_t size = strlen(value);
    size_t around = sizeof before - 1 + sizeof after - 1;
    if (size < around || !str_starts(value, before) || !str_ends(value, after)) {
        return str_trim(call->arena, value);
    }
    return mcp_base64_read(call->arena, value + sizeof before - 1, size - around);
}

static bool check_header(struct mcp_call *call, const char *header, const char *value,
                         const char *wanted)
{
    if (!value) {
        return mismatch(call, header, true);
    }
    const char *said = decoded(call, value);
    return str_equal(said, wanted) || mismatch(call, header, false);
}

/* The headers repeat the body, so that proxies need not read it; both must agree. */
static bool check_headers(struct mcp_call *call, const char *method, const char *version,
                          const struct mcp_headers *headers)
{
    const char *named = call->method ? call->method->named : NULL;
    if (!check_header(call, "MCP-Protocol-Version", headers->version, version) ||
        !check_header(call, "Mcp-Method", headers->method, method)) {
        return false;
    }
    const char *name = named ? json_text_at(call->params, named) : NULL;
    return !named || !name || check_header(call, "Mcp-Name", headers->name, name);
}

static bool refuse_version(struct mcp_call *call, const char *version)
{
    struct buf data;
    struct writer json;
    buf_init(&data, MCP_REPLY_MOST);
    writer_init(&json, &data);
    writer_object(&json);
    writer_key(&json, "supported");
    writer_array(&json);
    writer_text(&json, MCP_VERSION_2026);
    writer_array_end(&json);
    writer_key_text(&json, "requested", version);
    writer_object_end(&json);
    mcp_reply_refuse(call, MCP_UNSUPPORTED_VERSION, "Unsupported protocol version.",
                     buf_get(&data));
    buf_release(&data);
    return false;
}

static bool take_modern(struct mcp_call *call, const char *method,
                        const struct mcp_headers *headers)
{
    const json_t *meta = json_object_at(call->params, "_meta");
    const char *version = json_text_at(meta, KEY "protocolVersion");
    const json_t *capabilities = json_object_at(meta, KEY "clientCapabilities");
    if (version && headers && !check_headers(call, method, version, headers)) {
        return false;
    }
    if (!version || !capabilities) {
        mcp_reply_refuse_as(call, MCP_INVALID_PARAMS, HTTP_BAD,
                            version ? "_meta lacks " KEY "clientCapabilities."
                                    : "_meta lacks " KEY "protocolVersion.",
                            NULL);
        return false;
    }
    if (!str_equal(version, MCP_VERSION_2026)) {
        return refuse_version(call, version);
    }
    call->abilities = mcp_abilities_read(capabilities, NULL);
    call->level = mcp_level_find(json_text_at(meta, KEY "logLevel"));
    return true;
}

bool mcp_abilities_take(struct mcp_call *call, const char *method,
                        const struct mcp_headers *headers)
{
    const json_t *meta = json_object_at(call->params, "_meta");
    call->progress =
        mcp_message_token(call->arena, json_object_get(meta, "progressToken"));
    if (call->modern) {
        return take_modern(call, method, headers);
    }
    struct mcp_client *client = call->client;
    (void)pthread_mutex_lock(&client->lock);
    call->abilities = client->abilities;
    call->level = client->level;
    (void)pthread_mutex_unlock(&client->lock);
    return true;
}
