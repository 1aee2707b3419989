/* Replies of /v1/chat/completions: one object, or a stream of chunks. */
#include "server/openai/reply.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/writer.h"

static void begin(struct writer *writer, const struct openai_reply *reply,
                  const char *object)
{
    char id[80];
    (void)snprintf(id, sizeof id, "chatcmpl-%s", reply->id);
    writer_object(writer);
    writer_key_text(writer, "id", id);
    writer_key_text(writer, "object", object);
    writer_key_int(writer, "created", reply->created);
    writer_key_text(writer, "model", reply->model);
    writer_key(writer, "system_fingerprint");
    writer_null(writer);
}

static void write_usage(struct writer *writer, const struct openai_reply *reply)
{
    writer_key(writer, "usage");
    writer_object(writer);
    writer_key_int(writer, "prompt_tokens", reply->tokens_in);
    writer_key_int(writer, "completion_tokens", reply->tokens_out);
    writer_key_int(writer, "total_tokens", reply->tokens_in + reply->tokens_out);
    writer_object_end(writer);
}

static void completion_write(struct buf *out, const struct openai_reply *reply)
{
    struct writer writer;
    writer_init(&writer, out);
    begin(&writer, reply, "chat.completion");
    writer_key(&writer, "choices");
    writer_array(&writer);
    writer_object(&writer);
    writer_key_int(&writer, "index", 0);
    writer_key(&writer, "message");
    writer_object(&writer);
    writer_key_text(&writer, "role", "assistant");
    writer_key_text(&writer, "content", reply->text);
    writer_key(&writer, "refusal");
    writer_null(&writer);
    writer_object_end(&writer);
    writer_key(&writer, "logprobs");
    writer_null(&writer);
    writer_key_text(&writer, "finish_reason", "stop");
    writer_object_end(&writer);
    writer_array_end(&writer);
    write_usage(&writer, reply);
    if (reply->asked) {
        writer_key_text(&writer, "query_id", reply->id);
        writer_key_text(&writer, "session_id", reply->session_id);
    }
    writer_object_end(&writer);
}

/* One chunk. text NULL: no content; role: the first one; finish: the last one. */
static void write_chunk(struct buf *out, const struct openai_reply *reply, bool role,
                        const char *text, size_t size, bool finish)
{
    struct writer writer;
    (void)buf_text(out, "data: ");
    writer_init(&writer, out);
    begin(&writer, reply, "chat.completion.chunk");
    writer_key(&writer, "choices");
    writer_array(&writer);
    writer_object(&writer);
    writer_key_int(&writer, "index", 0);
    writer_key(&writer, "delta");
    writer_object(&writer);
    if (role) {
        writer_key_text(&writer, "role", "assistant");
    }
    if (text) {
        writer_key(&writer, "content");
        writer_text_n(&writer, text, size);
    }
    writer_object_end(&writer);
    writer_key(&writer, "logprobs");
    writer_null(&writer);
    writer_key(&writer, "finish_reason");
    writer_text(&writer, finish ? "stop" : NULL);
    writer_object_end(&writer);
    writer_array_end(&writer);
    if (reply->with_usage) {
        writer_key(&writer, "usage");
        writer_null(&writer);
    }
    writer_object_end(&writer);
    (void)buf_text(out, "\n\n");
}

static void completion_stream_begin(struct buf *out, const struct openai_reply *reply)
{
    write_chunk(out, reply, true, "", 0, false);
}

static void write_last(struct buf *out, const struct openai_reply *reply)
{
    struct writer writer;
    if (reply->with_usage) {
        (void)buf_text(out, "data: ");
        writer_init(&writer, out);
        begin(&writer, reply, "chat.completion.chunk");
        writer_key(&writer, "choices");
        writer_array(&writer);
        writer_array_end(&writer);
        write_usage(&writer, reply);
        writer_object_end(&writer);
        (void)buf_text(out, "\n\n");
    }
    (void)buf_text(out, "data: [DONE]\n\n");
}

static void completion_stream_end(struct buf *out, const struct openai_reply *reply)
{
    for (const char *at = reply->text; *at;) {
        size_t size = openai_piece(at);
        write_chunk(out, reply, false, at, size, false);
        at += size;
    }
    write_chunk(out, reply, false, NULL, 0, true);
    write_last(out, reply);
}

static void completion_stream_fail(struct buf *out, const struct openai_reply *reply,
                                   const struct dgm_error *error)
{
    struct writer writer;
    (void)reply;
    (void)buf_text(out, "data: ");
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key(&writer, "error");
    openai_error_write(&writer, error, NULL);
    writer_object_end(&writer);
    (void)buf_text(out, "\n\n");
}

const struct openai_format openai_completion = {
    .messages = "messages",
    .write = completion_write,
    .begin = completion_stream_begin,
    .end = completion_stream_end,
    .failed = completion_stream_fail,
};
