/* Sends the answer to a request. */
#include "server/openai/answering.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/openai/markdown.h"
#include "server/openai/stream.h"
#include "server/questions/inquiry.h"
#include "server/response.h"
#include "server/state.h"

static struct openai_reply begin(const struct openai_call *call, const char *id)
{
    return (struct openai_reply){.id = id,
                                 .model = call->model,
                                 .created = call->created,
                                 .text = "",
                                 .with_usage = call->with_usage};
}

/* The error of a question that failed, was stopped, or goes on in another process. */
static void take_error(const json_t *answer, struct dgm_error *error)
{
    const json_t *told = json_object_at(answer, "error");
    enum err_code code = answer ? ERR_STOPPED : ERR_INTERRUPTED;
    (void)err_find(str_or_empty(json_text_at(told, "code")), &code);
    *error = (struct dgm_error){.http_status = err_http_status(code), .position = -1};
    str_put(error->code, sizeof error->code, err_name(code));
    str_put(error->message, sizeof error->message,
            told     ? json_text_at(told, "message")
            : answer ? "The question was stopped."
                     : "The server is shutting down.");
    str_put(error->detail, sizeof error->detail, json_text_at(told, "detail"));
    str_put(error->hint, sizeof error->hint, json_text_at(told, "hint"));
}

static void send_text(struct exchange *exchange, const struct openai_call *call,
                      const struct openai_reply *reply)
{
    struct buf out;
    buf_init(&out, OPENAI_REPLY_MOST);
    if (call->stream) {
        call->format->end(&out, reply);
        openai_stream_add(call->events, &out);
        openai_stream_end(call->events);
        buf_release(&out);
    } else {
        call->format->write(&out, reply);
        response_buf(exchange, 200, &out);
    }
}

static void send_error(struct exchange *exchange, const struct openai_call *call,
                       const struct openai_reply *reply, const struct dgm_error *error)
{
    struct buf out;
    if (!call->stream) {
        exchange->once = true;
        response_error(exchange, error);
        return;
    }
    buf_init(&out, OPENAI_REPLY_MOST);
    call->format->failed(&out, reply, error);
    openai_stream_add(call->events, &out);
    openai_stream_end(call->events);
    buf_release(&out);
}

/* On the question's thread, when it has ended or asks back. */
static void answered(struct exchange *exchange, struct inquiry *inquiry)
{
    const struct openai_call *call = exchange->answering;
    struct err err;
    struct arena *arena = arena_new();
    const json_t *answer = json_parse(arena, inquiry->last.data + inquiry->answer_at,
                                      inquiry->answer_size, &err);
    const json_t *usage = json_object_at(answer, "usage");
    struct openai_reply reply = begin(call, inquiry->id);
    reply.asked = true;
    reply.session_id = inquiry->session_id;
    reply.tokens_in = json_int_at(usage, "tokens_in", 0);
    reply.tokens_out = json_int_at(usage, "tokens_out", 0);
    if (str_equal(json_text_at(answer, "status"), "finished")) {
        struct buf text;
        buf_init(&text, OPENAI_MARKDOWN_MOST);
        openai_markdown_write(&text, answer,
                              arena_format(arena, "%s/#/q/%s", call->place, inquiry->id));
        reply.text = buf_get(&text);
        send_text(exchange, call, &reply);
        buf_release(&text);
    } else {
        struct dgm_error error;
        take_error(answer, &error);
        send_error(exchange, call, &reply, &error);
    }
    arena_free(arena);
}

/* With the inquiry's lock held. */
static void beat(struct exchange *exchange)
{
    const struct openai_call *call = exchange->answering;
    openai_stream_beat(call->events);
}

static void begin_stream(struct exchange *exchange, struct openai_call *call,
                         const char *id)
{
    struct buf out;
    struct openai_reply reply = begin(call, id);
    call->events = openai_stream_new(exchange);
    buf_init(&out, OPENAI_REPLY_MOST);
    call->format->begin(&out, &reply);
    openai_stream_add(call->events, &out);
    buf_release(&out);
}

/* The connection cannot be closed before it has the reply, so that comes last. */
void openai_answer_later(struct exchange *exchange, struct openai_call *call,
                         struct inquiry *inquiry)
{
    exchange->answering = call;
    exchange->answered = answered;
    if (!call->stream) {
        inquiry_wait(inquiry, exchange);
        return;
    }
    begin_stream(exchange, call, inquiry->id);
    struct openai_stream *events = openai_stream_ref(call->events);
    exchange->beat = beat;
    inquiry_wait(inquiry, exchange);
    openai_stream_reply(exchange, events);
}

void openai_answer_now(struct exchange *exchange, struct openai_call *call,
                       const char *text)
{
    struct openai_reply reply = begin(call, exchange->id);
    reply.text = text;
    if (call->stream) {
        begin_stream(exchange, call, exchange->id);
        openai_stream_reply(exchange, openai_stream_ref(call->events));
    }
    send_text(exchange, call, &reply);
}
