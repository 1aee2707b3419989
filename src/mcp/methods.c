/* The table of methods, and those about the protocol itself. */
#include "mcp/methods.h"

#include <string.h>

#include "base/str.h"
#include "mcp/abilities.h"
#include "mcp/call.h"
#include "mcp/reply.h"

/* The newest first. */
static const char *const revisions[] = {MCP_VERSION_2025, MCP_VERSION_OLDER};
static const char *const older[] = {"2025-03-26", "2024-11-05", "2024-10-07"};

static const char instructions[] =
    "dragoman answers questions about databases, read-only. Start with ask: the user's "
    "question in plain words. If the result says choose or unsure, call ask again with "
    "resume and option, or write SQL from its context for execute_sql. search_objects "
    "finds tables and columns; explain shows how an answer was found.";

static void write_capabilities(struct writer *json)
{
    static const char *const names[] = {"tools", "prompts", "completions", "logging"};
    writer_key(json, "capabilities");
    writer_object(json);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        writer_key(json, names[i]);
        writer_object(json);
        writer_object_end(json);
    }
    writer_key(json, "resources");
    writer_object(json);
    writer_key_bool(json, "subscribe", true);
    writer_key_bool(json, "listChanged", true);
    writer_object_end(json);
    writer_object_end(json);
}

static bool is_among(const char *text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal(text, list[i])) {
            return true;
        }
    }
    return false;
}

/* The revision of 2025 that is spoken with a client who asks for this one. */
static const char *revision_for(const char *asked)
{
    for (size_t i = 0; i < sizeof revisions / sizeof *revisions; i++) {
        if (str_equal(revisions[i], asked)) {
            return revisions[i];
        }
    }
    return revisions[0];
}

bool mcp_version_is_old(const char *version)
{
    return is_among(version, revisions, sizeof revisions / sizeof *revisions) ||
           is_among(version, older, sizeof older / sizeof *older);
}

bool mcp_method_refuses_cursor(struct mcp_call *call)
{
    const char *cursor = json_text_at(call->params, "cursor");
    if (!cursor) {
        return false;
    }
    mcp_reply_refuse(call, MCP_INVALID_PARAMS, "There is no such cursor.", NULL);
    return true;
}

static void initialize(struct mcp_call *call)
{
    const char *asked = json_text_at(call->params, "protocolVersion");
    const json_t *capabilities = json_object_at(call->params, "capabilities");
    if (!asked || !capabilities) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS,
                         "initialize wants protocolVersion and capabilities.", NULL);
        return;
    }
    struct mcp_client *client = call->client;
    const char *version = revision_for(asked);
    (void)pthread_mutex_lock(&client->lock);
    client->version = version;
    client->abilities = mcp_abilities_read(capabilities, version);
    (void)pthread_mutex_unlock(&client->lock);
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    reply.greets = true;
    writer_key_text(&reply.json, "protocolVersion", version);
    write_capabilities(&reply.json);
    writer_key(&reply.json, "serverInfo");
    mcp_reply_server(&reply.json);
    writer_key_text(&reply.json, "instructions", instructions);
    mcp_reply_close(&reply);
}

static void discover(struct mcp_call *call)
{
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "supportedVersions");
    writer_array(&reply.json);
    writer_text(&reply.json, MCP_VERSION_2026);
    for (size_t i = 0; i < sizeof revisions / sizeof *revisions; i++) {
        writer_text(&reply.json, revisions[i]);
    }
    writer_array_end(&reply.json);
    write_capabilities(&reply.json);
    writer_key_text(&reply.json, "instructions", instructions);
    mcp_reply_cacheable(&reply, true);
    mcp_reply_close(&reply);
}

static void ping(struct mcp_call *call)
{
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    mcp_reply_close(&reply);
}

static const struct mcp_method table[] = {
    {"initialize", initialize, MCP_ERA_2025, true, NULL},
    {"ping", ping, MCP_ERA_2025, true, NULL},
    {"server/discover", discover, MCP_ERA_2026, true, NULL},
    {"tools/list", mcp_tools_list, MCP_ERA_BOTH, true, NULL},
    {"tools/call", mcp_tools_call, MCP_ERA_BOTH, false, "name"},
    {"resources/list", mcp_resources_list, MCP_ERA_BOTH, false, NULL},
    {"resources/templates/list", mcp_resources_templates, MCP_ERA_BOTH, true, NULL},
    {"resources/read", mcp_resources_read, MCP_ERA_BOTH, false, "uri"},
    {"resources/subscribe", mcp_subscribe, MCP_ERA_2025, false, NULL},
    {"resources/unsubscribe", mcp_unsubscribe, MCP_ERA_2025, true, NULL},
    {"subscriptions/listen", mcp_subscriptions_listen, MCP_ERA_2026, false, NULL},
    {"prompts/list", mcp_prompts_list, MCP_ERA_BOTH, true, NULL},
    {"prompts/get", mcp_prompts_get, MCP_ERA_BOTH, true, "name"},
    {"logging/setLevel", mcp_logging_set, MCP_ERA_2025, true, NULL},
    {"completion/complete", mcp_complete, MCP_ERA_BOTH, false, NULL},
};

const struct mcp_method *mcp_method_find(const char *name, bool modern)
{
    unsigned era = modern ? MCP_ERA_2026 : MCP_ERA_2025;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if ((table[i].eras & era) && str_equal(table[i].name, name)) {
            return &table[i];
        }
    }
    return NULL;
}
