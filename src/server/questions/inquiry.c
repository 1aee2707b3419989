/*
 * One question: its events, its answer, and the clients that follow it.
 */
#include "server/questions/inquiry.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/questions/sse.h"
#include "server/state.h"
#include "server/questions/inquiry_events.h"
#include "server/questions/watchdog.h"

enum { TRACE_MOST = 64 * 1024, ANSWER_MOST = 1 << 30 };

struct inquiry *inquiry_new(struct server *server, const char *account,
                            const char *question, const char *session_id)
{
    struct inquiry *inquiry = memory_alloc(sizeof *inquiry);
    inquiry->server = server;
    inquiry->account = str_empty(account) ? NULL : memory_text(account);
    inquiry->question = memory_text(question);
    inquiry->session_id = memory_text(session_id);
    atomic_init(&inquiry->references, 1);
    (void)pthread_mutex_init(&inquiry->lock, NULL);
    inquiry->http_status = 200;
    (void)snprintf(inquiry->state, sizeof inquiry->state, "INITIALIZING");
    (void)snprintf(inquiry->status, sizeof inquiry->status, "understanding");
    buf_init(&inquiry->trace, TRACE_MOST);
    buf_init(&inquiry->log, INQUIRY_LOG_MOST);
    buf_init(&inquiry->last, ANSWER_MOST);
    return inquiry;
}

void inquiry_ref(struct inquiry *inquiry)
{
    (void)atomic_fetch_add(&inquiry->references, 1);
}

void inquiry_unref(struct inquiry *inquiry)
{
    if (!inquiry || atomic_fetch_sub(&inquiry->references, 1) != 1) {
        return;
    }
    memory_free(inquiry->account);
    memory_free(inquiry->question);
    memory_free(inquiry->session_id);
    memory_free(inquiry->import);
    memory_free(inquiry->reach);
    memory_free(inquiry->sql);
    memory_free(inquiry->ends);
    memory_free(inquiry->numbers);
    buf_release(&inquiry->told);
    buf_release(&inquiry->trace);
    buf_release(&inquiry->log);
    buf_release(&inquiry->last);
    (void)pthread_mutex_destroy(&inquiry->lock);
    memory_free(inquiry);
}

/* Call it with the lock held. Registers the question when its id is first known. */
static void register_once(struct inquiry *inquiry, const char *id)
{
    if (!inquiry->registered) {
        inquiry->registered = true;
        str_put(inquiry->id, sizeof inquiry->id, id);
        registry_add(&inquiry->server->registry, inquiry);
    }
}

static bool is_final(const char *status)
{
    return str_equal(status, "finished") || str_equal(status, "failed") ||
           str_equal(status, "stopped");
}

/* The answer arrives a moment after the event of its state. Clients that poll stop at a
 * final status, so that status is shown only with the answer (`rests`). */
static void note_state(struct inquiry *inquiry, const struct dgm_event *event, bool rests)
{
    if (rests || !is_final(event->status)) {
        str_put(inquiry->state, sizeof inquiry->state, event->state);
        str_put(inquiry->status, sizeof inquiry->status, event->status);
    }
    if (event->kind == DGM_SQL) {
        memory_free(inquiry->sql);
        inquiry->sql = memory_text(event->text);
    }
}

/* Call it with the lock held: takes the list of waiting exchanges. */
static struct exchange *take_waiters(struct inquiry *inquiry)
{
    struct exchange *waiters = inquiry->waiters;
    inquiry->waiters = NULL;
    return waiters;
}

static void answer_waiters(struct inquiry *inquiry, struct exchange *waiters)
{
    while (waiters) {
        struct exchange *next = waiters->next;
        watchdog_unguard(waiters);
        waiters->answered(waiters, inquiry);
        exchange_unref(waiters);
        inquiry_unref(inquiry);
        waiters = next;
    }
}

void inquiry_observe(void *context, const struct dgm_event *event)
{
    struct inquiry *inquiry = context;
    bool rests = event->kind == DGM_DONE || event->kind == DGM_FAILED ||
                 event->kind == DGM_CLARIFICATION || event->kind == DGM_GONE;
    const char *json = !rests          ? NULL
                       : event->answer ? dgm_answer_json(event->answer)
                                       : str_or_empty(event->data);
    struct exchange *waiters = NULL;
    (void)pthread_mutex_lock(&inquiry->lock);
    register_once(inquiry, event->query_id);
    note_state(inquiry, event, rests);
    inquiry_log(inquiry, event);
    if (rests) {
        inquiry_log_end(inquiry, json);
        inquiry->rested = true;
        inquiry->gone = event->kind == DGM_GONE;
        inquiry->waits = event->kind == DGM_CLARIFICATION;
        inquiry->rested_ms = clock_ms();
        registry_rest(&inquiry->server->registry, inquiry);
        waiters = take_waiters(inquiry);
    }
    sse_wake(inquiry);
    (void)pthread_mutex_unlock(&inquiry->lock);
    answer_waiters(inquiry, waiters);
    if (rests) {
        inquiry_unref(inquiry); /* the observer's own */
    }
}

void inquiry_accept(struct inquiry *inquiry, struct dgm_question *question)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    register_once(inquiry, dgm_question_id(question));
    (void)pthread_mutex_unlock(&inquiry->lock);
    dgm_question_free(question);
}

void inquiry_wait(struct inquiry *inquiry, struct exchange *exchange)
{
    exchange_ref(exchange);
    inquiry_ref(inquiry);
    exchange->inquiry = inquiry;
    watchdog_guard(inquiry->server->watchdog, exchange);
    (void)pthread_mutex_lock(&inquiry->lock);
    bool rested = inquiry->rested;
    if (!rested) {
        exchange->next = inquiry->waiters;
        inquiry->waiters = exchange;
    } else {
        exchange->next = NULL;
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
    if (rested) {
        answer_waiters(inquiry, exchange);
    }
}

bool inquiry_is_old(struct inquiry *inquiry)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    bool old = inquiry->rested && (inquiry->waits || inquiry->server->shared);
    (void)pthread_mutex_unlock(&inquiry->lock);
    return old;
}

struct inquiry *inquiry_follow(struct exchange *exchange, const char *id,
                               struct dgm_error *error)
{
    struct server *server = exchange->server;
    struct inquiry *inquiry = inquiry_new(server, exchange->caller.account, NULL, NULL);
    char name[ID_SIZE];
    /* It is registered under another name, so that it gets heartbeats but cannot be found
     * by its id. */
    (void)snprintf(name, sizeof name, "~%zu", atomic_fetch_add(&server->followed, 1));
    (void)pthread_mutex_lock(&inquiry->lock);
    register_once(inquiry, name);
    (void)pthread_mutex_unlock(&inquiry->lock);
    inquiry_ref(inquiry); /* the observer's, given back at the end */
    if (dgm_follow(server->dgm, &exchange->caller.access, id, inquiry_observe, inquiry,
                   error)) {
        return inquiry;
    }
    registry_remove(&server->registry, inquiry);
    inquiry_unref(inquiry);
    inquiry_unref(inquiry);
    return NULL;
}

void inquiry_write(struct inquiry *inquiry, struct buf *out)
{
    struct writer writer;
    writer_init(&writer, out);
    (void)pthread_mutex_lock(&inquiry->lock);
    if (inquiry->rested) {
        (void)buf_add(out, inquiry->last.data + inquiry->answer_at, inquiry->answer_size);
    } else {
        inquiry_catch_up(inquiry);
        writer_object(&writer);
        writer_key_text(&writer, "query_id", inquiry->id);
        writer_key_text(&writer, "session_id", inquiry->session_id);
        writer_key_text(&writer, "status", inquiry->status);
        writer_key_text(&writer, "state", inquiry->state);
        writer_key_text(&writer, "question", inquiry->question);
        writer_key_text(&writer, "sql", inquiry->sql);
        writer_key(&writer, "trace");
        writer_array(&writer);
        if (inquiry->trace.size) {
            writer_raw(&writer, buf_get(&inquiry->trace));
        }
        writer_array_end(&writer);
        writer_object_end(&writer);
    }
    (void)pthread_mutex_unlock(&inquiry->lock);
}
