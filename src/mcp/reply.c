/* Writes what the server says: responses, errors and notifications. */
#include "mcp/reply.h"

#include <string.h>

#include "base/str.h"
#include "mcp/call.h"
#include "mcp/methods.h"

enum { ERROR_MOST = 16 * 1024, KEEP_MS = 60000, HTTP_OK = 200, HTTP_BAD = 400 };

void mcp_reply_server(struct writer *json)
{
    writer_object(json);
    writer_key_text(json, "name", "dragoman");
    writer_key_text(json, "title", "dragoman: ask your databases");
    writer_key_text(json, "version", dgm_version());
    writer_object_end(json);
}

static void open_message(struct writer *json, struct buf *buf)
{
    writer_init(json, buf);
    writer_object(json);
    writer_key_text(json, "jsonrpc", "2.0");
}

void mcp_reply_open_as(struct mcp_reply *reply, struct mcp_call *call, const char *type)
{
    struct writer *json = &reply->json;
    reply->call = call;
    reply->greets = false;
    buf_init(&reply->buf, MCP_REPLY_MOST);
    open_message(json, &reply->buf);
    writer_key(json, "id");
    writer_raw(json, call->id);
    writer_key(json, "result");
    writer_object(json);
    if (call->modern) {
        writer_key_text(json, "resultType", type);
        writer_key(json, "_meta");
        writer_object(json);
        writer_key(json, "io.modelcontextprotocol/serverInfo");
        mcp_reply_server(json);
        if (call->method && call->method->run == mcp_subscriptions_listen) {
            writer_key(json, MCP_SUBSCRIPTION_ID);
            writer_raw(json, call->id);
        }
        writer_object_end(json);
    }
}

void mcp_reply_open(struct mcp_reply *reply, struct mcp_call *call)
{
    mcp_reply_open_as(reply, call, "complete");
}

void mcp_reply_cacheable(struct mcp_reply *reply, bool for_all)
{
    if (reply->call->modern) {
        writer_key_int(&reply->json, "ttlMs", KEEP_MS);
        writer_key_text(&reply->json, "cacheScope", for_all ? "public" : "private");
    }
}

void mcp_reply_close(struct mcp_reply *reply)
{
    writer_object_end(&reply->json);
    writer_object_end(&reply->json);
    if (reply->buf.full) {
        mcp_reply_refuse(reply->call, MCP_INTERNAL, "The result is too large.", NULL);
    } else {
        const struct mcp_frame frame = {.kind = MCP_REPLY,
                                        .text = buf_get(&reply->buf),
                                        .size = reply->buf.size,
                                        .http_status = HTTP_OK,
                                        .greets = reply->greets};
        (void)mcp_call_end(reply->call, &frame);
    }
    buf_release(&reply->buf);
}

static void write_text(struct writer *json, const char *text, size_t size)
{
    writer_key(json, "content");
    writer_array(json);
    writer_object(json);
    writer_key_text(json, "type", "text");
    writer_key(json, "text");
    writer_text_n(json, text, size);
    writer_object_end(json);
    writer_array_end(json);
}

void mcp_reply_result(struct mcp_call *call, const char *text, size_t size)
{
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    write_text(&reply.json, text, size);
    writer_key(&reply.json, "structuredContent");
    writer_raw(&reply.json, text);
    mcp_reply_close(&reply);
}

void mcp_reply_failed(struct mcp_call *call, const char *text)
{
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    write_text(&reply.json, text, strlen(text));
    writer_key_bool(&reply.json, "isError", true);
    mcp_reply_close(&reply);
}

void mcp_reply_failure(struct mcp_call *call, const struct dgm_error *error,
                       const char *query_id)
{
    struct buf text;
    buf_init(&text, ERROR_MOST);
    (void)buf_format(&text, "%s: %s", error->code, error->message);
    if (*error->detail) {
        (void)buf_format(&text, "\n%s", error->detail);
    }
    if (*error->hint) {
        (void)buf_format(&text, "\n%s", error->hint);
    }
    if (query_id) {
        (void)buf_format(&text, "\nquery_id: %s", query_id);
    }
    mcp_reply_failed(call, buf_get(&text));
    buf_release(&text);
}

static void write_error(struct buf *buf, const char *id, enum mcp_error error,
                        const char *problem, const char *data)
{
    struct writer json;
    buf_init(buf, ERROR_MOST);
    open_message(&json, buf);
    writer_key(&json, "id");
    writer_raw(&json, id ? id : "null");
    writer_key(&json, "error");
    writer_object(&json);
    writer_key_int(&json, "code", error);
    writer_key_text(&json, "message", problem);
    if (data) {
        writer_key(&json, "data");
        writer_raw(&json, data);
    }
    writer_object_end(&json);
    writer_object_end(&json);
}

/* HTTP's status for an error of a request of 2026-07-28. */
static unsigned status_of(enum mcp_error error)
{
    static const struct {
        enum mcp_error error;
        unsigned status;
    } rows[] = {
        {MCP_UNKNOWN_METHOD, 404},          {MCP_HEADER_MISMATCH, HTTP_BAD},
        {MCP_MISSING_CAPABILITY, HTTP_BAD}, {MCP_UNSUPPORTED_VERSION, HTTP_BAD},
        {MCP_INVALID_REQUEST, HTTP_BAD},    {MCP_PARSE, HTTP_BAD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].error == error) {
            return rows[i].status;
        }
    }
    return HTTP_OK;
}

void mcp_reply_refuse_as(struct mcp_call *call, enum mcp_error error,
                         unsigned http_status, const char *problem, const char *data)
{
    struct buf buf;
    write_error(&buf, call->id, error, problem, data);
    const struct mcp_frame frame = {.kind = MCP_REPLY,
                                    .text = buf_get(&buf),
                                    .size = buf.size,
                                    .http_status = http_status};
    (void)mcp_call_end(call, &frame);
    buf_release(&buf);
}

void mcp_reply_refuse(struct mcp_call *call, enum mcp_error error, const char *problem,
                      const char *data)
{
    mcp_reply_refuse_as(call, error, call->modern ? status_of(error) : HTTP_OK, problem,
                        data);
}

void mcp_reply_error(const struct mcp_outlet *outlet, const char *id,
                     enum mcp_error error, unsigned http_status, const char *problem)
{
    struct buf buf;
    write_error(&buf, id, error, problem, NULL);
    const struct mcp_frame frame = {.kind = MCP_REPLY,
                                    .text = buf_get(&buf),
                                    .size = buf.size,
                                    .http_status = http_status};
    outlet->send(outlet->context, &frame);
    buf_release(&buf);
}

void mcp_reply_progress(struct mcp_call *call, const char *text)
{
    struct buf buf;
    struct writer json;
    if (!call->progress) {
        return;
    }
    buf_init(&buf, ERROR_MOST);
    open_message(&json, &buf);
    writer_key_text(&json, "method", "notifications/progress");
    writer_key(&json, "params");
    writer_object(&json);
    writer_key(&json, "progressToken");
    writer_raw(&json, call->progress);
    (void)pthread_mutex_lock(&call->lock);
    int64_t step = ++call->steps;
    (void)pthread_mutex_unlock(&call->lock);
    writer_key_int(&json, "progress", step);
    writer_key_text(&json, "message", text);
    writer_object_end(&json);
    writer_object_end(&json);
    mcp_call_note(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}
