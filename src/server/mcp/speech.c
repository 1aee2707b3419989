/* What is said about one message of an MCP client. */
#include "server/mcp/speech.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/workers.h"
#include "server/exchange.h"
#include "server/mcp/assistants.h"
#include "server/questions/watchdog.h"
#include "server/recheck.h"
#include "server/state.h"

enum {
    BLOCK_SIZE = 256,
    HTTP_UNAUTHORIZED = 401,
    LOG_MOST = 16 << 20,    /* more than any reply and its notices */
    LOG_BEHIND = 256 << 10, /* notices are dropped for a client that is so far behind … */
    LOG_KEPT = 1 << 20      /* … and for a stream whose log is that long */
};

static const char beat[] = ": hi\n\n";

/* One connection that reads the log of a speech. After a client has lost a stream, another
 * one goes on: only the latest reads, and earlier ones end. */
struct stream {
    struct speech *speech;     /* a reference */
    struct exchange *exchange; /* a reference */
    bool suspended;            /* under the speech's lock */
};

struct speech {
    struct server *server;
    struct mcp_client *client; /* a reference */
    enum speech_kind kind;
    bool primes;      /* its stream begins with an id and no data */
    char id[ID_SIZE]; /* of its stream; the ids of its events begin with it */
    atomic_int references;
    atomic_bool left; /* the client has gone */
    /* guards the rest, but for the list; inside the locks of the list and of a call */
    pthread_mutex_t lock;
    struct exchange *exchange; /* of the latest connection, a reference */
    bool guarded;              /* the watchdog looks whether the client is there */
    bool streams;              /* a stream has begun */
    bool ended;                /* the last frame was said */
    bool lost;                 /* its caller may not have it any more */
    bool beats;                /* a comment is due */
    struct stream *stream;     /* the one that reads; NULL: the client is away */
    struct buf log;
    size_t at;     /* in the log */
    int64_t event; /* the number of the last one */
    struct speech *next;
    struct speech **link;
};

static void speech_ref(struct speech *speech)
{
    (void)atomic_fetch_add(&speech->references, 1);
}

void speech_unref(struct speech *speech)
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
static void wake(struct speech *speech, struct stream *stream)
{
    if (stream && stream->suspended) {
        stream->suspended = false;
        (void)atomic_fetch_sub(&speech->server->counts.waiting, 1);
        MHD_resume_connection(stream->exchange->connection);
    }
}

/* With the lock held: waits for more to be said. */
static void suspend(struct speech *speech, struct stream *stream)
{
    stream->suspended = true;
    (void)atomic_fetch_add(&speech->server->counts.waiting, 1);
    MHD_suspend_connection(stream->exchange->connection);
}

/* With the lock held. A stream of a conversation of 2025 can be asked for again. */
static void forget_read(struct speech *speech)
{
    if (speech->kind != SPEECH_CALL && speech->at && speech->at == speech->log.size) {
        buf_clear(&speech->log);
        speech->at = 0;
    }
}

/* Called on the connection's thread when the client can receive more. */
static ssize_t read_log(void *context, uint64_t position, char *out, size_t most)
{
    struct stream *stream = context;
    struct speech *speech = stream->speech;
    (void)position;
    ssize_t result = 0;
    (void)pthread_mutex_lock(&speech->lock);
    bool mine = speech->stream == stream;
    size_t left = mine ? speech->log.size - speech->at : 0;
    if (!mine) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (left) {
        size_t size = left < most ? left : most;
        memcpy(out, speech->log.data + speech->at, size);
        speech->at += size;
        result = (ssize_t)size;
    } else if (speech->ended) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (speech->beats && most >= sizeof beat - 1) {
        memcpy(out, beat, sizeof beat - 1);
        result = sizeof beat - 1;
    } else {
        suspend(speech, stream);
    }
    if (mine) {
        speech->beats = false;
        forget_read(speech);
    }
    (void)pthread_mutex_unlock(&speech->lock);
    return result;
}

static void leave(void *context)
{
    struct speech *speech = context;
    if (speech->kind == SPEECH_ALONE) {
        mcp_client_ref(speech->client);
        mcp_client_close(speech->client);
    } else {
        mcp_client_deafen(speech->client, speech);
    }
    speech_unref(speech);
}

/* A worker cancels: this may be called with locks held, and a cancel may block. In a
 * conversation of 2025 a lost stream of a call is no cancel. */
static void leave_later(struct speech *speech)
{
    atomic_store(&speech->left, true);
    if (speech->kind != SPEECH_CALL) {
        speech_ref(speech);
        workers_submit_hurried(speech->server->workers, leave, speech);
    }
}

/* The connection is done with the stream. */
static void stream_free(void *context)
{
    struct stream *stream = context;
    struct speech *speech = stream->speech;
    (void)pthread_mutex_lock(&speech->lock);
    bool mine = speech->stream == stream;
    bool early = mine && !speech->ended;
    if (mine) {
        speech->stream = NULL;
        unguard(speech);
    }
    (void)pthread_mutex_unlock(&speech->lock);
    (void)atomic_fetch_sub(&speech->server->counts.streams, 1);
    if (early) {
        leave_later(speech);
    }
    exchange_unref(stream->exchange);
    memory_free(stream);
    speech_unref(speech);
}

/* The watchdog: the client has gone, with its connection's lock held. */
static void client_left(void *context)
{
    struct speech *speech = context;
    (void)atomic_fetch_add(&speech->server->counts.gone, 1);
    leave_later(speech);
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

/* With the lock held: the current connection reads from here on. */
static void open_stream(struct speech *speech)
{
    struct stream *stream = memory_alloc(sizeof *stream);
    stream->speech = speech;
    stream->exchange = speech->exchange;
    speech_ref(speech);
    exchange_ref(stream->exchange);
    speech->stream = stream;
    speech->streams = true;
    (void)atomic_fetch_add(&speech->server->counts.streams, 1);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_SIZE, read_log, stream, stream_free);
    (void)MHD_add_response_header(response, "X-Accel-Buffering", "no");
    reply_with(speech, 200, response, "text/event-stream");
}

/* With the lock held: something precedes the reply. A client of 2025-11-25 gets an id at
 * once, with which it can come again. */
static void begin_stream(struct speech *speech)
{
    if (speech->primes) {
        (void)buf_format(&speech->log, "id: %s/0\ndata: \n\n", speech->id);
    } else {
        (void)buf_text(&speech->log, beat);
    }
    open_stream(speech);
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
    unsigned status = frame->http_status ? frame->http_status : 200;
    status = speech->lost && frame->kind != MCP_REPLY ? HTTP_UNAUTHORIZED : status;
    reply_with(speech, status, response,
               frame->kind == MCP_REPLY ? "application/json" : NULL);
}

/* With the lock held: an event of the stream. */
static void write_event(struct speech *speech, const struct mcp_frame *frame)
{
    bool lasts = speech->kind == SPEECH_CALL;
    bool heard = speech->stream || lasts;
    bool behind = speech->log.size - speech->at > LOG_BEHIND ||
                  (lasts && speech->log.size > LOG_KEPT);
    if (!heard || frame->kind == MCP_NOTHING || (frame->kind == MCP_NOTICE && behind)) {
        return;
    }
    if (lasts) {
        (void)buf_format(&speech->log, "id: %s/%lld\n", speech->id,
                         (long long)++speech->event);
    }
    (void)buf_text(&speech->log, "event: message\ndata: ");
    (void)buf_add(&speech->log, frame->text, frame->size);
    (void)buf_text(&speech->log, "\n\n");
}

/* The outlet. */
static void say(void *context, const struct mcp_frame *frame)
{
    struct speech *speech = context;
    bool last = frame->kind != MCP_NOTICE;
    char id[MCP_SESSION_SIZE] = "";
    if (frame->greets &&
        !assistants_open(speech->server->assistants, speech->client, id)) {
        id[0] = '\0'; /* too many have come meanwhile: the client must greet again */
    }
    (void)pthread_mutex_lock(&speech->lock);
    speech->ended = speech->ended || last;
    bool keeps = last && speech->streams && speech->kind == SPEECH_CALL;
    if (last && !speech->streams) {
        reply_once(speech, frame, id);
    } else {
        if (!speech->streams) {
            begin_stream(speech);
        }
        write_event(speech, frame);
        wake(speech, speech->stream);
    }
    (void)pthread_mutex_unlock(&speech->lock);
    if (keeps) { /* for a client that comes again; with the outlet's own reference */
        assistants_keep(speech->server->assistants, speech);
    } else if (last) {
        speech_unref(speech);
    }
}

/* With the lock held, or before others know it: the client is there. */
static void guard(struct speech *speech)
{
    speech->guarded = true;
    speech->exchange->left = client_left;
    speech->exchange->left_context = speech;
    watchdog_guard(speech->server->watchdog, speech->exchange);
}

struct speech *speech_new(struct exchange *exchange, struct mcp_client *client,
                          enum speech_kind kind, struct mcp_outlet *outlet)
{
    struct speech *speech = memory_alloc(sizeof *speech);
    exchange_ref(exchange);
    mcp_client_ref(client);
    speech->server = exchange->server;
    speech->exchange = exchange;
    speech->client = client;
    speech->kind = kind;
    speech->primes = kind == SPEECH_CALL && mcp_client_resumes(client);
    id_new("s", speech->id);
    atomic_init(&speech->references, 1);
    atomic_init(&speech->left, false);
    (void)pthread_mutex_init(&speech->lock, NULL);
    buf_init(&speech->log, LOG_MOST);
    outlet->send = say;
    outlet->context = speech;
    assistants_hear(speech->server->assistants, speech);
    guard(speech);
    if (kind == SPEECH_CHANGES) {
        (void)pthread_mutex_lock(&speech->lock);
        begin_stream(speech);
        (void)pthread_mutex_unlock(&speech->lock);
    }
    return speech;
}

void speech_changes(struct exchange *exchange, struct mcp_client *client)
{
    struct mcp_outlet outlet;
    struct speech *speech = speech_new(exchange, client, SPEECH_CHANGES, &outlet);
    speech_ref(speech);
    mcp_client_listen(client, &exchange->caller.access, &outlet);
    if (atomic_load(&speech->left)) { /* before it could be told */
        mcp_client_deafen(client, speech);
    }
    speech_unref(speech);
}

/* With the lock held: where the event after the one with this number begins. */
static size_t place_after(const struct speech *speech, int64_t event)
{
    char line[ID_SIZE + 32];
    (void)snprintf(line, sizeof line, "id: %s/%lld\n", speech->id, (long long)event + 1);
    const char *log = buf_get(&speech->log);
    const char *found = strstr(log, line);
    return found ? (size_t)(found - log) : speech->log.size;
}

bool speech_goes_on(struct speech *speech, struct exchange *exchange, int64_t event)
{
    (void)pthread_mutex_lock(&speech->lock);
    bool streams = speech->streams;
    if (streams) {
        struct stream *before = speech->stream;
        unguard(speech);
        exchange_ref(exchange);
        exchange_unref(speech->exchange);
        speech->exchange = exchange;
        speech->at = place_after(speech, event);
        open_stream(speech);
        wake(speech, before); /* it is not the one that reads any more */
        if (!speech->ended) {
            guard(speech);
        }
    }
    (void)pthread_mutex_unlock(&speech->lock);
    return streams;
}

struct speech *speech_find(struct speech *first, const struct mcp_client *client,
                           const char *id, size_t size)
{
    for (struct speech *at = first; at; at = at->next) {
        if (at->client == client && at->kind == SPEECH_CALL && strlen(at->id) == size &&
            strncmp(at->id, id, size) == 0) {
            speech_ref(at);
            return at;
        }
    }
    return NULL;
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
        wake(at, at->stream);
        (void)pthread_mutex_unlock(&at->lock);
    }
}

void speech_note(struct speech *first, struct recheck *recheck)
{
    for (struct speech *at = first; at; at = at->next) {
        (void)pthread_mutex_lock(&at->lock);
        if (!at->ended) {
            recheck_note(recheck, &at->exchange->caller.access);
        }
        (void)pthread_mutex_unlock(&at->lock);
    }
}

/* With the lock held. A call that runs ends by itself, and clients renew their tokens
 * meanwhile; who listens would listen forever. */
static bool is_lost(const struct speech *speech, const struct recheck *recheck)
{
    const struct dgm_access *access = &speech->exchange->caller.access;
    bool lasts = speech->kind == SPEECH_CHANGES ||
                 (speech->kind == SPEECH_ALONE && mcp_client_hears(speech->client));
    return !speech->ended && !speech->lost && (lasts || !access->until_s) &&
           recheck_is_lost(recheck, access);
}

struct speech *speech_take_lost(struct speech *first, const struct recheck *recheck)
{
    for (struct speech *at = first; at; at = at->next) {
        (void)pthread_mutex_lock(&at->lock);
        bool lost = is_lost(at, recheck);
        at->lost = at->lost || lost;
        (void)pthread_mutex_unlock(&at->lock);
        if (lost) {
            speech_ref(at);
            return at;
        }
    }
    return NULL;
}

void speech_cut(struct speech *speech)
{
    if (speech->kind == SPEECH_CHANGES) {
        mcp_client_deafen(speech->client, speech);
    } else {
        mcp_client_ref(speech->client);
        mcp_client_close(speech->client);
    }
}
