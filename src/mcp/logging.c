/* Log messages for clients, and the method that sets their level. */
#include "mcp/logging.h"

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "mcp/methods.h"
#include "mcp/plain.h"
#include "mcp/reply.h"

enum { NOTE_MOST = 16 * 1024 };

static const char *const names[] = {
    [MCP_LOG_DEBUG] = "debug",   [MCP_LOG_INFO] = "info",
    [MCP_LOG_NOTICE] = "notice", [MCP_LOG_WARNING] = "warning",
    [MCP_LOG_ERROR] = "error",   [MCP_LOG_CRITICAL] = "critical",
    [MCP_LOG_ALERT] = "alert",   [MCP_LOG_EMERGENCY] = "emergency",
};

enum mcp_level mcp_level_find(const char *name)
{
    enum mcp_level level = MCP_LOG_DEBUG;
    while (level < MCP_LOG_NONE && !str_equal(names[level], name)) {
        level++;
    }
    return level;
}

void mcp_log(struct mcp_call *call, enum mcp_level level, const char *text)
{
    struct buf buf;
    struct writer json;
    if (level < call->level || level >= MCP_LOG_NONE) {
        return;
    }
    buf_init(&buf, NOTE_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    writer_key_text(&json, "jsonrpc", "2.0");
    writer_key_text(&json, "method", "notifications/message");
    writer_key(&json, "params");
    writer_object(&json);
    writer_key_text(&json, "level", names[level]);
    writer_key_text(&json, "logger", "dragoman");
    struct arena *arena = arena_new();
    writer_key_text(&json, "data", mcp_plain(arena, text, MCP_LINES));
    arena_free(arena);
    writer_object_end(&json);
    writer_object_end(&json);
    if (!buf.full) {
        mcp_call_note(call, buf_get(&buf), buf.size);
    }
    buf_release(&buf);
}

void mcp_logging_set(struct mcp_call *call)
{
    enum mcp_level level = mcp_level_find(json_text_at(call->params, "level"));
    struct mcp_reply reply;
    if (level == MCP_LOG_NONE) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS, "There is no such log level.", NULL);
        return;
    }
    (void)pthread_mutex_lock(&call->client->lock);
    call->client->level = level;
    (void)pthread_mutex_unlock(&call->client->lock);
    mcp_reply_open(&reply, call);
    mcp_reply_close(&reply);
}
