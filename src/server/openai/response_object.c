/* Replies of /v1/responses: one object, or a stream of events. */
#include "server/openai/reply.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/writer.h"
#include "dragoman_server.h"

/* Number of events that are sent before the text is known. */
enum { EVENTS_BEFORE = 4 };

enum status { STATUS_RUNS, STATUS_COMPLETED, STATUS_FAILED };

static const char *const status_names[] = {
    [STATUS_RUNS] = "in_progress",
    [STATUS_COMPLETED] = "completed",
    [STATUS_FAILED] = "failed",
};

/* Fields that clients expect, of which nothing can be chosen here. */
static const char fixed_fields[] =
    "\"incomplete_details\":null,\"instructions\":null,\"metadata\":{},"
    "\"parallel_tool_calls\":false,\"temperature\":null,\"tool_choice\":\"none\","
    "\"tools\":[],\"top_p\":null";

static void write_id(struct writer *writer, const char *key, const char *prefix,
                     const struct openai_reply *reply)
{
    char id[80];
    (void)snprintf(id, sizeof id, "%s_%s", prefix, reply->id);
    writer_key_text(writer, key, id);
}

static void write_part(struct writer *writer, const char *text)
{
    writer_object(writer);
    writer_key_text(writer, "type", "output_text");
    writer_key_text(writer, "text", text);
    writer_key(writer, "annotations");
    writer_raw(writer, "[]");
    writer_key(writer, "logprobs");
    writer_raw(writer, "[]");
    writer_object_end(writer);
}

static void write_item(struct writer *writer, const struct openai_reply *reply,
                       enum status status)
{
    writer_object(writer);
    write_id(writer, "id", "msg", reply);
    writer_key_text(writer, "type", "message");
    writer_key_text(writer, "status", status_names[status]);
    writer_key_text(writer, "role", "assistant");
    writer_key(writer, "content");
    writer_array(writer);
    if (status == STATUS_COMPLETED) {
        write_part(writer, reply->text);
    }
    writer_array_end(writer);
    writer_object_end(writer);
}

static void write_usage(struct writer *writer, const struct openai_reply *reply)
{
    writer_object(writer);
    writer_key_int(writer, "input_tokens", reply->tokens_in);
    writer_key(writer, "input_tokens_details");
    writer_raw(writer, "{\"cached_tokens\":0}");
    writer_key_int(writer, "output_tokens", reply->tokens_out);
    writer_key(writer, "output_tokens_details");
    writer_raw(writer, "{\"reasoning_tokens\":0}");
    writer_key_int(writer, "total_tokens", reply->tokens_in + reply->tokens_out);
    writer_object_end(writer);
}

static void write_response(struct writer *writer, const struct openai_reply *reply,
                           enum status status, const struct dgm_error *error)
{
    writer_object(writer);
    write_id(writer, "id", "resp", reply);
    writer_key_text(writer, "object", "response");
    writer_key_int(writer, "created_at", reply->created);
    writer_key_text(writer, "status", status_names[status]);
    writer_key_text(writer, "model", reply->model);
    writer_key(writer, "error");
    if (error) {
        openai_error_write(writer, error, NULL);
    } else {
        writer_null(writer);
    }
    writer_raw(writer, fixed_fields);
    writer_key(writer, "output");
    writer_array(writer);
    if (status == STATUS_COMPLETED) {
        write_item(writer, reply, status);
    }
    writer_array_end(writer);
    writer_key(writer, "usage");
    if (status == STATUS_COMPLETED) {
        write_usage(writer, reply);
    } else {
        writer_null(writer);
    }
    if (reply->asked) {
        writer_key_text(writer, "query_id", reply->id);
        writer_key_text(writer, "session_id", reply->session_id);
    }
    writer_object_end(writer);
}

static void write_object(struct buf *out, const struct openai_reply *reply)
{
    struct writer writer;
    writer_init(&writer, out);
    write_response(&writer, reply, STATUS_COMPLETED, NULL);
}

/* ---------------------------------------------------------------- the stream */

static void begin_event(struct writer *writer, struct buf *out, const char *type,
                        size_t number)
{
    (void)buf_format(out, "event: %s\ndata: ", type);
    writer_init(writer, out);
    writer_object(writer);
    writer_key_text(writer, "type", type);
    writer_key_int(writer, "sequence_number", (int64_t)number);
}

static void end_event(struct writer *writer)
{
    writer_object_end(writer);
    (void)buf_text(writer->out, "\n\n");
}

static void add_response(struct buf *out, const struct openai_reply *reply,
                         const char *type, size_t number, enum status status,
                         const struct dgm_error *error)
{
    struct writer writer;
    begin_event(&writer, out, type, number);
    writer_key(&writer, "response");
    write_response(&writer, reply, status, error);
    end_event(&writer);
}

static void add_item(struct buf *out, const struct openai_reply *reply, const char *type,
                     size_t number, enum status status)
{
    struct writer writer;
    begin_event(&writer, out, type, number);
    writer_key_int(&writer, "output_index", 0);
    writer_key(&writer, "item");
    write_item(&writer, reply, status);
    end_event(&writer);
}

static void begin_text_event(struct writer *writer, struct buf *out,
                             const struct openai_reply *reply, const char *type,
                             size_t number)
{
    begin_event(writer, out, type, number);
    write_id(writer, "item_id", "msg", reply);
    writer_key_int(writer, "output_index", 0);
    writer_key_int(writer, "content_index", 0);
}

static void add_part(struct buf *out, const struct openai_reply *reply, const char *type,
                     size_t number, const char *text)
{
    struct writer writer;
    begin_text_event(&writer, out, reply, type, number);
    writer_key(&writer, "part");
    write_part(&writer, text);
    end_event(&writer);
}

static void add_text(struct buf *out, const struct openai_reply *reply, const char *type,
                     size_t number, const char *key, const char *text, size_t size)
{
    struct writer writer;
    begin_text_event(&writer, out, reply, type, number);
    writer_key(&writer, key);
    writer_text_n(&writer, text, size);
    writer_key(&writer, "logprobs");
    writer_raw(&writer, "[]");
    end_event(&writer);
}

static void begin_stream(struct buf *out, const struct openai_reply *reply)
{
    add_response(out, reply, "response.created", 0, STATUS_RUNS, NULL);
    add_response(out, reply, "response.in_progress", 1, STATUS_RUNS, NULL);
    add_item(out, reply, "response.output_item.added", 2, STATUS_RUNS);
    add_part(out, reply, "response.content_part.added", 3, "");
}

static void end_stream(struct buf *out, const struct openai_reply *reply)
{
    size_t number = EVENTS_BEFORE;
    for (const char *at = reply->text; *at;) {
        size_t size = openai_piece(at);
        add_text(out, reply, "response.output_text.delta", number++, "delta", at, size);
        at += size;
    }
    add_text(out, reply, "response.output_text.done", number++, "text", reply->text,
             strlen(reply->text));
    add_part(out, reply, "response.content_part.done", number++, reply->text);
    add_item(out, reply, "response.output_item.done", number++, STATUS_COMPLETED);
    add_response(out, reply, "response.completed", number, STATUS_COMPLETED, NULL);
}

static void fail_stream(struct buf *out, const struct openai_reply *reply,
                        const struct dgm_error *error)
{
    add_response(out, reply, "response.failed", EVENTS_BEFORE, STATUS_FAILED, error);
}

const struct openai_format openai_response = {
    .messages = "input",
    .previous = "previous_response_id",
    .write = write_object,
    .begin = begin_stream,
    .end = end_stream,
    .failed = fail_stream,
};
