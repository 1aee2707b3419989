/* A stream of events that a request gets as its reply. */
#include "server/openai/stream.h"

#include <string.h>

#include "base/memory.h"
#include "server/exchange.h"
#include "server/openai/reply.h"
#include "server/state.h"

/* libmicrohttpd writes to the connection's memory; its own block is not used. */
enum { BLOCK_SIZE = 256 };

struct openai_stream {
    struct server *server;
    struct MHD_Connection *connection;
    atomic_int references;
    pthread_mutex_t lock; /* guards the rest */
    struct buf events;
    size_t sent; /* bytes of them */
    bool ended;
    bool suspended;
};

static void unref(struct openai_stream *stream)
{
    if (atomic_fetch_sub(&stream->references, 1) == 1) {
        buf_release(&stream->events);
        (void)pthread_mutex_destroy(&stream->lock);
        memory_free(stream);
    }
}

struct openai_stream *openai_stream_new(struct exchange *exchange)
{
    struct openai_stream *stream = memory_alloc(sizeof *stream);
    stream->server = exchange->server;
    stream->connection = exchange->connection;
    atomic_init(&stream->references, 1);
    (void)pthread_mutex_init(&stream->lock, NULL);
    buf_init(&stream->events, OPENAI_REPLY_MOST);
    return stream;
}

struct openai_stream *openai_stream_ref(struct openai_stream *stream)
{
    (void)atomic_fetch_add(&stream->references, 1);
    return stream;
}

/* With the lock held. */
static void wake(struct openai_stream *stream)
{
    if (stream->suspended) {
        stream->suspended = false;
        (void)atomic_fetch_sub(&stream->server->counts.waiting, 1);
        MHD_resume_connection(stream->connection);
    }
}

/* On the connection's thread, when the client can receive more. If there is nothing to
 * send, the connection is suspended; returning 0 would be a busy loop. */
static ssize_t read_events(void *context, uint64_t position, char *out, size_t most)
{
    struct openai_stream *stream = context;
    ssize_t result = 0;
    (void)position;
    (void)pthread_mutex_lock(&stream->lock);
    size_t left = stream->events.size - stream->sent;
    if (left) {
        size_t size = left < most ? left : most;
        memcpy(out, stream->events.data + stream->sent, size);
        stream->sent += size;
        result = (ssize_t)size;
    } else if (stream->ended) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        stream->suspended = true;
        (void)atomic_fetch_add(&stream->server->counts.waiting, 1);
        MHD_suspend_connection(stream->connection);
    }
    (void)pthread_mutex_unlock(&stream->lock);
    return result;
}

static void stream_free(void *context)
{
    struct openai_stream *stream = context;
    (void)atomic_fetch_sub(&stream->server->counts.streams, 1);
    unref(stream);
}

void openai_stream_reply(struct exchange *exchange, struct openai_stream *stream)
{
    (void)atomic_fetch_add(&stream->server->counts.streams, 1);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_SIZE, read_events, stream, stream_free);
    (void)MHD_add_response_header(response, "Content-Type", "text/event-stream");
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Accel-Buffering", "no");
    (void)MHD_add_response_header(response, "X-Request-Id", exchange->id);
    exchange_reply(exchange, 200, response);
}

static void add(struct openai_stream *stream, const char *data, size_t size)
{
    (void)buf_add(&stream->events, data, size);
    wake(stream);
}

void openai_stream_add(struct openai_stream *stream, const struct buf *events)
{
    (void)pthread_mutex_lock(&stream->lock);
    add(stream, buf_get(events), events->size);
    (void)pthread_mutex_unlock(&stream->lock);
}

void openai_stream_beat(struct openai_stream *stream)
{
    static const char beat[] = ": wait\n\n";
    (void)pthread_mutex_lock(&stream->lock);
    if (stream->sent == stream->events.size && !stream->ended) {
        buf_clear(&stream->events);
        stream->sent = 0;
        add(stream, beat, sizeof beat - 1);
    }
    (void)pthread_mutex_unlock(&stream->lock);
}

void openai_stream_end(struct openai_stream *stream)
{
    (void)pthread_mutex_lock(&stream->lock);
    stream->ended = true;
    wake(stream);
    (void)pthread_mutex_unlock(&stream->lock);
    unref(stream);
}
