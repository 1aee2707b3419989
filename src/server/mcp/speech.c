/* What is said about one message of an MCP client. */
#include "server/mcp/speech.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/workers.h"
#include "server/exchange.h"
#include "server/mcp/assistants.h"
#include "server/questions/watchdog.h"
#include "server/state.h"

enum {
    BLOCK_SIZE = 256,
    LOG_MOST = 16 << 20,   /* more than any reply and its notices */
    LOG_BEHIND = 256 << 10 /* notices are dropped for a client that is so far behind */
};

static const char beat[] = ": hi\n\n";

struct speech {
    struct server *server;
    struct mcp_client *client; /* a reference */
    bool alone;
    atomic_int references;
    /* guards the rest, but for the list; inside the locks of the list and of a call */
    pthread_mutex_t lock;
    struct exchange *exchange; /* a reference */
    bool guarded;              /* the watchdog looks whether the client is there */
    bool streams;
    bool ended; /* the last frame was said */
    bool over;  /* the connection has nothing to do with it any more */
    bool suspended;
    bool beats; /* a comment is due */
    struct buf log;
    size_t at; /* in the log */
    struct speech *next;
    struct speech **link;
};

static void speech_unref(struct speech *speech)
{
    if (atomic_fetch_sub(&speech->references, 1) == 1) {
        assistants_forget(speech->server->assistants, speech);
        exchange_unref(speech->exchange);
        mcp_client_unref(speech->client);
        buf_release(&speech->log);
        (void)pthread_mutex_destroy(&speech->lock);
        memory_free(speech);
    }
}

/* With the lock held: the connection may be closed at any time from here on. */
static void unguard(struct speech *speech)
{
    if (speech->guarded) {
        speech->guarded = false;
        watchdog_unguard(speech->exchange);
    }
}

/* With the lock held. */
static void wake(struct speech *speech)
{
    if (speech->suspended) {
        speech->suspended = false;
        (void)atomic_fetch_sub(&speech->server->counts.waiting, 1);
        MHD_resume_connection(speech->exchange->connection);
    }
}

/* Called on the connection's thread when the client can receive more. */
static ssize_t read_log(void *context, uint64_t position, char *out, size_t most)
{
    struct speech *speech = context;
    (void)position;
    ssize_t result = 0;
    (void)pthread_mutex_lock(&speech->lock);
    size_t left = speech->log.size - speech->at;
    if (speech->beats && left == 0 && !speech->ended && most >= sizeof beat - 1) {
        memcpy(out, beat, sizeof beat - 1);
        result = sizeof beat - 1;
    } else if (left) {
        size_t size = left < most ? left : most;
        memcpy(out, speech->log.data + speech->at, size);
        speech->at += size;
        result = (ssize_t)size;
    } else if (speech->ended) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        speech->suspended = true;
        (void)atomic_fetch_add(&speech->server->counts.waiting, 1);
        MHD_suspend_connection(speech->exchange->connection);
    }
    speech->beats = false;
    if (speech->at && speech->at == speech->log.size) {
        buf_clear(&speech->log);
        speech->at = 0;
    }
    (void)pthread_mutex_unlock(&speech->lock);
    return result;
}

static void cancel(void *context)
{
    struct speech *speech = context;
    mcp_client_ref(speech->client);
    mcp_client_close(speech->client);
    speech_unref(speech);
}

/* A worker cancels: this may be called with locks held, and a cancel may block. */
static void cancel_later(struct speech *speech)
{
    if (speech->alone) { /* in a conversation of 2025 a lost stream is no cancel */
        (void)atomic_fetch_add(&speech->references, 1);
        workers_submit_hurried(speech->server->workers, cancel, speech);
    }
}

/* The connection is done with the stream. */
static void stream_free(void *context)
{
    struct speech *speech = context;
    (void)pthread_mutex_lock(&speech->lock);
    bool early = !speech->ended;
    speech->over = true;
    unguard(speech);
    (void)pthread_mutex_unlock(&speech->lock);
    (void)atomic_fetch_sub(&speech->server->counts.streams, 1);
    if (early) {
        cancel_later(speech);
    }
    speech_unref(speech);
}

/* The watchdog: the client has gone, with its connection's lock held. */
static void client_left(void *context)
{
    struct speech *speech = context;
    (void)atomic_fetch_add(&speech->server->counts.gone, 1);
    cancel_later(speech);
}

static void reply_with(struct speech *speech, unsigned status,
                       struct MHD_Response *response, const char *type)
{
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    (void)MHD_add_response_header(response, "X-Request-Id", speech->exchange->id);
    if (type) {
        (void)MHD_add_response_header(response, "Content-Type", type);
    }
    exchange_reply(speech->exchange, status, response);
}

/* With the lock held: something precedes the reply. */
static void begin_stream(struct speech *speech)
{
    speech->streams = true;
    (void)atomic_fetch_add(&speech->references, 1);
    (void)atomic_fetch_add(&speech->server->counts.streams, 1);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_SIZE, read_log, speech, stream_free);
    (void)MHD_add_response_header(response, "X-Accel-Buffering", "no");
    reply_with(speech, 200, response, "text/event-stream");
}

/* With the lock held. */
static void reply_once(struct speech *speech, const struct mcp_frame *frame,
                       const char *conversation)
{
    struct MHD_Response *response = NULL;
    unguard(speech);
    if (frame->kind == MCP_REPLY) {
        char *text = memory_copy(frame->text, frame->size);
        response = MHD_create_response_from_buffer_with_free_callback_cls(
            frame->size, text, memory_free, text);
    } else {
        response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    }
    if (*conversation) {
        (void)MHD_add_response_header(response, "Mcp-Session-Id", conversation);
    }
    speech->over = true;
    reply_with(speech, frame->http_status ? frame->http_status : 200, response,
               frame->kind == MCP_REPLY ? "application/json" : NULL);
}

/* The outlet. */
static void say(void *context, const struct mcp_frame *frame)
{
    struct speech *speech = context;
    bool last = frame->kind != MCP_NOTICE;
    char id[ID_SIZE] = "";
    if (frame->greets &&
        !assistants_open(speech->server->assistants, speech->client, id)) {
        id[0] = '\0'; /* too many have come meanwhile: the client must greet again */
    }
    (void)pthread_mutex_lock(&speech->lock);
    speech->ended = speech->ended || last;
    if (last && !speech->streams) {
        reply_once(speech, frame, id);
    } else if (!speech->over) {
        if (!speech->streams) {
            begin_stream(speech);
        }
        bool behind = speech->log.size - speech->at > LOG_BEHIND;
        if (frame->kind == MCP_REPLY || (frame->kind == MCP_NOTICE && !behind)) {
            (void)buf_text(&speech->log, "event: message\ndata: ");
            (void)buf_add(&speech->log, frame->text, frame->size);
            (void)buf_text(&speech->log, "\n\n");
        }
        wake(speech);
    }
    (void)pthread_mutex_unlock(&speech->lock);
    if (last) {
        speech_unref(speech); /* the outlet's own */
    }
}

struct speech *speech_new(struct exchange *exchange, struct mcp_client *client,
                          bool alone, struct mcp_outlet *outlet)
{
    struct speech *speech = memory_alloc(sizeof *speech);
    exchange_ref(exchange);
    mcp_client_ref(client);
    speech->server = exchange->server;
    speech->exchange = exchange;
    speech->client = client;
    speech->alone = alone;
    atomic_init(&speech->references, 1);
    (void)pthread_mutex_init(&speech->lock, NULL);
    buf_init(&speech->log, LOG_MOST);
    speech->guarded = true;
    exchange->left = client_left;
    exchange->left_context = speech;
    outlet->send = say;
    outlet->context = speech;
    assistants_hear(speech->server->assistants, speech);
    watchdog_guard(speech->server->watchdog, exchange);
    return speech;
}

void speech_link(struct speech *speech, struct speech **first)
{
    speech->next = *first;
    speech->link = first;
    if (speech->next) {
        speech->next->link = &speech->next;
    }
    *first = speech;
}

void speech_unlink(struct speech *speech)
{
    if (speech->link) {
        *speech->link = speech->next;
        if (speech->next) {
            speech->next->link = speech->link;
        }
        speech->link = NULL;
    }
}

void speech_beat(struct speech *first)
{
    for (struct speech *at = first; at; at = at->next) {
        (void)pthread_mutex_lock(&at->lock);
        at->beats = true;
        wake(at);
        (void)pthread_mutex_unlock(&at->lock);
    }
}
