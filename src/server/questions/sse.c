/* Sends the events of a question as a stream. */
#include "server/questions/sse.h"

#include <string.h>
#include <sys/types.h>

#include "base/memory.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/recheck.h"
#include "server/response.h"
#include "server/state.h"
#include "server/questions/inquiry.h"
#include "server/questions/inquiry_events.h"

/* The library writes chunks directly to the connection's memory; the response's own block
 * is not used, but allocated for every stream. */
enum { BLOCK_SIZE = 256 };

static const char beat[] = ": hi\n\n";

struct stream {
    struct inquiry *inquiry; /* a reference; its lock guards the rest */
    struct MHD_Connection *connection;
    struct dgm_access access; /* of who opened it */
    size_t at;                /* in the log */
    size_t passed;            /* number of events before that, while … */
    int64_t after;  /* the client has all events up to this number; 0: checked */
    size_t last_at; /* in the last event */
    bool skip_last; /* the client has it already */
    bool beats;     /* a heartbeat comment is due */
    bool suspended;
    bool lost; /* its caller may not have it any more */
    struct stream *next;
    struct stream **link;
};

static void resume(struct stream *stream)
{
    if (stream->suspended) {
        stream->suspended = false;
        (void)atomic_fetch_sub(&stream->inquiry->server->counts.waiting, 1);
        MHD_resume_connection(stream->connection);
    }
}

void sse_wake(struct inquiry *inquiry)
{
    for (struct stream *at = inquiry->streams; at; at = at->next) {
        resume(at);
    }
}

void sse_beat(struct inquiry *inquiry)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    for (struct stream *at = inquiry->streams; at; at = at->next) {
        at->beats = true;
        resume(at);
    }
    for (struct exchange *at = inquiry->waiters; at; at = at->next) {
        if (at->beat) {
            at->beat(at);
        }
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
}

void sse_note(struct inquiry *inquiry)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    for (const struct stream *at = inquiry->streams; at; at = at->next) {
        recheck_note(inquiry->server->recheck, &at->access);
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
}

void sse_cut(struct inquiry *inquiry)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    for (struct stream *at = inquiry->streams; at; at = at->next) {
        at->lost = at->lost || recheck_is_lost(inquiry->server->recheck, &at->access);
        if (at->lost) {
            resume(at);
        }
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
}

static size_t copy(char *out, size_t most, const struct buf *from, size_t *at)
{
    size_t size = from->size - *at < most ? from->size - *at : most;
    if (size) {
        memcpy(out, from->data + *at, size);
        *at += size;
    }
    return size;
}

/* Skips the events that the client has, even if they arrive later: this process may
 * receive them later than the one that sent them. */
static void pass(struct stream *stream)
{
    const struct inquiry *inquiry = stream->inquiry;
    while (stream->after && stream->passed < inquiry->count) {
        if (inquiry_number(inquiry, stream->passed) > stream->after) {
            stream->after = 0;
        } else {
            stream->at = inquiry->ends[stream->passed++];
        }
    }
    if (inquiry->rested && stream->after) { /* its end alone is left */
        stream->skip_last = inquiry_number(inquiry, inquiry->count) == stream->after;
        stream->after = 0;
    }
}

/* Called on the connection's thread when the client can receive more. If there is nothing
 * to send, the connection is suspended; returning 0 would be a busy loop. */
static ssize_t read_events(void *context, uint64_t position, char *out, size_t most)
{
    struct stream *stream = context;
    struct inquiry *inquiry = stream->inquiry;
    (void)position;
    ssize_t result = 0;
    (void)pthread_mutex_lock(&inquiry->lock);
    size_t size = 0;
    if (stream->lost) {
        (void)pthread_mutex_unlock(&inquiry->lock);
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    pass(stream);
    bool between =
        stream->last_at == 0 && (stream->at == 0 || stream->at == inquiry->log.size);
    if (stream->beats && between && most >= sizeof beat - 1) {
        memcpy(out, beat, sizeof beat - 1); /* never in the middle of an event */
        size = sizeof beat - 1;
    }
    stream->beats = false;
    size += copy(out + size, most - size, &inquiry->log, &stream->at);
    bool logged = stream->at == inquiry->log.size;
    if (logged && inquiry->rested && !stream->skip_last && !inquiry->gone) {
        size += copy(out + size, most - size, &inquiry->last, &stream->last_at);
    }
    if (size) {
        result = (ssize_t)size;
    } else if (inquiry->rested) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        stream->suspended = true;
        (void)atomic_fetch_add(&inquiry->server->counts.waiting, 1);
        MHD_suspend_connection(stream->connection);
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
    return result;
}

static void stream_free(void *context)
{
    struct stream *stream = context;
    struct inquiry *inquiry = stream->inquiry;
    (void)pthread_mutex_lock(&inquiry->lock);
    *stream->link = stream->next;
    if (stream->next) {
        stream->next->link = stream->link;
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
    (void)atomic_fetch_sub(&inquiry->server->counts.streams, 1);
    inquiry_unref(inquiry);
    memory_free(stream);
}

/* Where the log goes on after the client's last event. In a process by itself a number
 * from beyond the end belongs to another life of the question: then everything is sent.
 * Where several count together each life has its own numbers. Of what is told again from
 * the answer nothing has the number it had: who has seen some of it gets the end. */
static void find_place(struct stream *stream, int64_t last_id)
{
    const struct inquiry *inquiry = stream->inquiry;
    int64_t end = inquiry_number(inquiry, inquiry->count);
    if (last_id <= 0) {
        return;
    }
    if (inquiry->retold && last_id <= INQUIRY_RETOLD) {
        stream->at = inquiry->log.size;
    } else if (inquiry->server->shared || last_id < end ||
               (last_id == end && inquiry->rested)) {
        stream->after = last_id;
    }
}

int64_t sse_last_id(struct exchange *exchange)
{
    const char *text = MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                                   "Last-Event-ID");
    if (!text) {
        text = MHD_lookup_connection_value(exchange->connection, MHD_GET_ARGUMENT_KIND,
                                           "last_event_id");
    }
    int64_t id = 0;
    return text && str_to_int(text, &id) && id > 0 ? id : 0;
}

/* Browsers reconnect after every stream that ended, unless the reply says that there
 * is no more. */
static bool has_all(struct inquiry *inquiry, int64_t last_id)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    inquiry_catch_up(inquiry);
    bool all = inquiry->rested && !inquiry->gone && last_id > 0 &&
               last_id == inquiry_number(inquiry, inquiry->count);
    (void)pthread_mutex_unlock(&inquiry->lock);
    return all;
}

void sse_reply(struct exchange *exchange, struct inquiry *inquiry, int64_t last_id)
{
    if (has_all(inquiry, last_id)) {
        response_nothing(exchange);
        return;
    }
    struct stream *stream = memory_alloc(sizeof *stream);
    stream->connection = exchange->connection;
    stream->access = exchange->caller.access;
    stream->inquiry = inquiry;
    stream->beats = true; /* so that the client has the headers at once */
    inquiry_ref(inquiry);
    (void)pthread_mutex_lock(&inquiry->lock);
    inquiry_catch_up(inquiry);
    find_place(stream, last_id);
    stream->next = inquiry->streams;
    stream->link = &inquiry->streams;
    if (stream->next) {
        stream->next->link = &stream->next;
    }
    inquiry->streams = stream;
    (void)pthread_mutex_unlock(&inquiry->lock);
    (void)atomic_fetch_add(&inquiry->server->counts.streams, 1);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_SIZE, read_events, stream, stream_free);
    (void)MHD_add_response_header(response, "Content-Type", "text/event-stream");
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Accel-Buffering", "no");
    exchange_reply(exchange, 200, response);
}
