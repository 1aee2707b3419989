/* One call as HTTP requests: sent, read, and sent again when that may help. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/call.h"

enum {
    ADAPTIONS_MOST = 5,
    /* Around each token a stream says much else; more than this is not a reply. */
    WIRE_FACTOR = 32,
    WIRE_EXTRA = 256 * 1024,
};

static bool is_streaming(const struct llm_ticket *ticket)
{
    return ticket->llm->settings.stream && !(ticket->quirks & QUIRK_NO_STREAM);
}

static void exchange_fail(struct llm_ticket *ticket, const struct err *error)
{
    ticket_deliver(ticket, error);
    ticket_over(ticket);
}

static void succeed(struct llm_ticket *ticket)
{
    ticket_show(ticket);
    ticket_deliver(ticket, NULL);
}

/* Reading. */

static bool on_event(void *context, const char *data, size_t size)
{
    struct llm_ticket *ticket = context;
    if (ticket->said.finished) {
        return true;
    }
    return ticket->llm->provider->event(&ticket->said, data, size);
}

static bool on_data(void *context, const char *data, size_t size)
{
    struct llm_ticket *ticket = context;
    if (ticket->delivered) {
        return true; /* only the end of the response is missing */
    }
    struct err error;
    ticket->said.error = &error;
    if (!ticket->stream_open) {
        ticket->stream_open = true;
        stream_init(&ticket->stream, ticket->llm->provider->framing,
                    ticket->llm->settings.max_reply_bytes * 2 + WIRE_EXTRA);
    }
    struct stream_receiver receiver = {.receive = on_event, .context = ticket};
    bool ok = stream_feed(&ticket->stream, data, size, &receiver);
    ticket_show(ticket);
    if (!ok) {
        (void)said_nonsense(&ticket->said, "a line of the stream is too long");
        ticket->last = ticket->last ? ticket->last : memory_alloc(sizeof *ticket->last);
        *ticket->last = error;
    } else if (ticket->said.finished) {
        succeed(ticket); /* now, even when the service is slow to hang up */
    }
    ticket->said.error = NULL;
    return ok;
}

/* A response that came to its end. */
static bool read_rest(struct llm_ticket *ticket, const struct fetch_result *result,
                      struct err *error)
{
    struct llm_said *said = &ticket->said;
    const struct llm_provider *provider = ticket->llm->provider;
    said->error = error;
    if (!is_streaming(ticket)) {
        return provider->whole(said, result->body, result->body_size);
    }
    if (!ticket->stream_open) {
        return said_nonsense(said, "the response is empty");
    }
    if (ticket->stream.whole) {
        return provider->whole(said, buf_get(&ticket->stream.line),
                               ticket->stream.line.size);
    }
    struct stream_receiver receiver = {.receive = on_event, .context = ticket};
    bool ok = stream_end(&ticket->stream, &receiver);
    if (ok && !said->finished && said->text.size == 0) {
        return said_nonsense(said, "the stream ended before the reply");
    }
    return ok || said_nonsense(said, "the stream makes no sense");
}

/* Failing. */

static void error_from_fetch(const struct llm_ticket *ticket, const struct err *from,
                             struct err *error)
{
    if (from->code == ERR_TIMEOUT) {
        (void)err_set(error, ERR_LLM_TIMEOUT, "The model did not answer in time. %s",
                      from->message);
    } else if (from->code == ERR_RESULT_TOO_LARGE) {
        (void)err_set(error, ERR_LLM_NONSENSE,
                      "The model's reply is longer than llm.max_reply_bytes (%zu).",
                      ticket->llm->settings.max_reply_bytes);
    } else {
        (void)err_set(error, ERR_LLM_UNAVAILABLE,
                      "The model service cannot be reached. %s", from->message);
        (void)err_hint(error, "%s", from->hint);
    }
    (void)err_detail(error, "%s", from->detail);
}

/* What became of one request. */
struct outcome {
    struct err error;
    bool passing;
    unsigned quirk;
    int64_t retry_after_ms;
};

/* True when the reply is complete. */
static bool exchange_judge(struct llm_ticket *ticket, const struct fetch_result *result,
                           struct outcome *outcome)
{
    outcome->retry_after_ms = result->retry_after_ms;
    outcome->passing = false;
    outcome->quirk = 0;
    if (ticket->said.failed &&
        ticket->last) { /* seen in the stream, which was then closed */
        outcome->error = *ticket->last;
        outcome->passing = !ticket->said.text.full;
        return false;
    }
    if (!result->ok) {
        error_from_fetch(ticket, &result->error, &outcome->error);
        outcome->passing = outcome->error.code != ERR_LLM_NONSENSE;
        return false;
    }
    if (result->status >= 200 && result->status < 300) {
        outcome->passing = true;
        return read_rest(ticket, result, &outcome->error);
    }
    struct llm_problem problem = {0};
    problem_read(result->status, result->body, result->body_size, &problem,
                 &outcome->error);
    outcome->passing = problem.retry;
    outcome->quirk = problem.quirk & ~ticket->quirks;
    return false;
}

static void forget_reply(struct llm_ticket *ticket)
{
    if (ticket->shown > 0) {
        ticket->shown = 0;
        ticket->call.on_text(ticket->call.context, NULL, 0);
    }
    buf_clear(&ticket->said.text);
    ticket->said.failed = ticket->said.cut = ticket->said.finished = false;
    ticket->said.tokens_in = ticket->said.tokens_out = -1;
    if (ticket->stream_open) {
        stream_release(&ticket->stream);
        ticket->stream_open = false;
    }
}

/* The option is left out from now on, by this call and those that follow. */
static bool adapt(struct llm_ticket *ticket, unsigned quirk)
{
    if (!quirk || ticket->adaptions >= ADAPTIONS_MOST) {
        return false;
    }
    ticket->adaptions++;
    ticket->quirks |= quirk;
    (void)atomic_fetch_or(&ticket->llm->quirks, quirk);
    LOG(LOG_LLM, LOG_INFO,
        "the model service refuses an option (%u): going on without it", quirk);
    forget_reply(ticket);
    exchange_rebuild(ticket);
    exchange_send(ticket);
    return true;
}

/* A little unevenness, so that many calls refused together do not come back together. */
static int64_t spread(const struct llm_ticket *ticket, int64_t wait_ms)
{
    uint64_t mix = ((uint64_t)(uintptr_t)ticket >> 4) * 0x9E3779B97F4A7C15u;
    return wait_ms + (int64_t)((mix >> 32) % (uint64_t)(wait_ms / 10 + 1));
}

static bool try_again(struct llm_ticket *ticket, const struct outcome *outcome)
{
    const struct llm_settings *settings = &ticket->llm->settings;
    ticket->failures++;
    enum retry_kind kind = retry_kind_of(outcome->error.code, outcome->passing);
    int64_t asked =
        outcome->retry_after_ms; /* from a header; else from the error message */
    asked = asked < 0 ? problem_wait_ms(outcome->error.detail) : asked;
    int64_t wait = retry_wait_ms(settings, kind, ticket->failures, asked);
    int64_t spent = (clock_us() - ticket->started_us) / 1000;
    if (wait < 0 || spent + wait >= settings->total_timeout_ms) {
        return false;
    }
    LOG(LOG_LLM, LOG_INFO, "%s: %s; again in %d ms", ticket->call.stage,
        err_name(outcome->error.code), (int)wait);
    forget_reply(ticket);
    ticket_wait(ticket, spread(ticket, wait), exchange_send);
    return true;
}

static void on_done(void *context, const struct fetch_result *result)
{
    struct llm_ticket *ticket = context;
    (void)pthread_mutex_lock(&ticket->lock);
    fetch_forget(ticket->fetch);
    ticket->fetch = NULL;
    (void)pthread_mutex_unlock(&ticket->lock);
    if (ticket->delivered) {
        ticket_over(ticket);
        return;
    }
    struct outcome outcome;
    if (atomic_load(&ticket->cancelled) || result->cancelled) {
        (void)err_set(&outcome.error, ERR_STOPPED, "The model call was stopped.");
        exchange_fail(ticket, &outcome.error);
        return;
    }
    if (exchange_judge(ticket, result, &outcome)) {
        succeed(ticket);
        ticket_over(ticket);
    } else if (!adapt(ticket, outcome.quirk) && !try_again(ticket, &outcome)) {
        exchange_fail(ticket, &outcome.error);
    }
}

void exchange_send(struct llm_ticket *ticket)
{
    struct llm *llm = ticket->llm;
    const struct llm_settings *settings = &llm->settings;
    int64_t left = settings->total_timeout_ms - (clock_us() - ticket->started_us) / 1000;
    bool streaming = is_streaming(ticket);
    ticket->attempts++;
    struct fetch_request request = {
        .method = "POST",
        .url = settings->url,
        .headers = llm->headers,
        .prefix = ticket->body.prefix ? ticket->body.prefix->data : NULL,
        .prefix_size = ticket->body.prefix_size,
        .body = ticket->body.rest,
        .body_size = ticket->body.rest_size,
        .body_borrowed = true,
        .connect_timeout_ms = settings->connect_timeout_ms,
        .idle_timeout_ms = settings->idle_timeout_ms,
        .total_timeout_ms = left > 1 ? left : 1,
        .max_bytes =
            settings->max_reply_bytes * (streaming ? WIRE_FACTOR : 2) + WIRE_EXTRA,
        .on_data = streaming ? on_data : NULL,
        .on_done = on_done,
        .context = ticket,
    };
    (void)pthread_mutex_lock(&ticket->lock);
    ticket->phase = PHASE_SENDING;
    ticket->fetch = fetch_start(llm->fetch, &request);
    if (atomic_load(&ticket->cancelled)) {
        fetch_cancel(ticket->fetch);
    }
    (void)pthread_mutex_unlock(&ticket->lock);
}
