/* A question as its clients see it: its events written down as they come. */
#include "server/inquiry.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/sse.h"
#include "server/state.h"
#include "server/inquiry_events.h"
#include "server/watchdog.h"

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
    memory_free(inquiry->reach);
    memory_free(inquiry->sql);
    memory_free(inquiry->ends);
    buf_release(&inquiry->trace);
    buf_release(&inquiry->log);
    buf_release(&inquiry->last);
    (void)pthread_mutex_destroy(&inquiry->lock);
    memory_free(inquiry);
}

/* With the lock held. The first who knows the id makes the question known by it. */
static void register_once(struct inquiry *inquiry, const char *id)
{
    if (!inquiry->registered) {
        inquiry->registered = true;
        (void)snprintf(inquiry->id, sizeof inquiry->id, "%s", id);
        registry_add(&inquiry->server->registry, inquiry);
    }
}

static void note_state(struct inquiry *inquiry, const struct dgm_event *event)
{
    (void)snprintf(inquiry->state, sizeof inquiry->state, "%s",
                   str_or_empty(event->state));
    (void)snprintf(inquiry->status, sizeof inquiry->status, "%s",
                   str_or_empty(event->status));
    if (event->kind == DGM_STATUS) {
        (void)buf_format(&inquiry->trace, "%s{\"state\":\"%s\",\"ms\":%.3f}",
                         inquiry->trace.size ? "," : "", inquiry->state, event->ms);
    } else if (event->kind == DGM_SQL) {
        memory_free(inquiry->sql);
        inquiry->sql = memory_text(event->text);
    }
}

/* With the lock held: everyone who waits is taken out of the list and answered. */
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
        watchdog_unguard(inquiry->server->watchdog, waiters);
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
                 event->kind == DGM_CLARIFICATION;
    const char *json = rests ? dgm_answer_json(event->answer) : NULL;
    struct exchange *waiters = NULL;
    (void)pthread_mutex_lock(&inquiry->lock);
    register_once(inquiry, event->query_id);
    note_state(inquiry, event);
    inquiry_log(inquiry, event);
    if (rests) {
        inquiry_log_end(inquiry, event->kind == DGM_FAILED ? "error" : "done", json);
        inquiry->rested = true;
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

bool inquiry_waits(struct inquiry *inquiry)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    bool waits = inquiry->rested && inquiry->waits;
    (void)pthread_mutex_unlock(&inquiry->lock);
    return waits;
}

void inquiry_write(struct inquiry *inquiry, struct buf *out)
{
    struct writer writer;
    writer_init(&writer, out);
    (void)pthread_mutex_lock(&inquiry->lock);
    if (inquiry->rested) {
        (void)buf_add(out, inquiry->last.data + inquiry->answer_at, inquiry->answer_size);
    } else {
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
