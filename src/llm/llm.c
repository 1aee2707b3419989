/* Calls to a language model: their life from start to end, for all providers. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/loop.h"
#include "base/memory.h"
#include "llm/call.h"

static bool llm_build(struct llm *llm, const struct options *options, struct err *err)
{
    llm->provider = llm_resolve(options, llm->arena, &llm->settings, err);
    if (!llm->provider) {
        return false;
    }
    if (llm->provider == &llm_scripted) {
        llm->script = script_load(options->llm_script, err);
        if (!llm->script) {
            return false;
        }
    } else if (!llm->fetch) {
        return err_set(err, ERR_INTERNAL, "A model service needs a network client.");
    } else if (llm->provider != &llm_mcp) {
        struct texts headers = {0};
        llm->provider->headers(llm->arena, &llm->settings, &headers);
        VEC_PUSH(llm->arena, &headers, NULL);
        llm->headers = headers.items;
    }
    if (*options->llm_record) {
        llm->recorder = recorder_open(options->llm_record, err);
        return llm->recorder != NULL;
    }
    return true;
}

struct llm *llm_new(const struct options *options, struct fetch *fetch, struct err *err)
{
    struct llm *llm = memory_alloc(sizeof *llm);
    llm->arena = arena_new();
    llm->fetch = fetch;
    prefix_shelf_init(&llm->shelf);
    (void)pthread_mutex_init(&llm->lock, NULL);
    (void)pthread_cond_init(&llm->quiet, NULL);
    if (!llm_build(llm, options, err)) {
        llm_free(llm);
        return NULL;
    }
    return llm;
}

/*
 * Ends what is on its way and waits until it has: afterwards no callback comes any more.
 */
static void llm_quiet(struct llm *llm)
{
    (void)pthread_mutex_lock(&llm->lock);
    for (struct llm_ticket *ticket = llm->tickets; ticket; ticket = ticket->next) {
        llm_cancel(ticket);
    }
    while (llm->tickets) {
        (void)pthread_cond_wait(&llm->quiet, &llm->lock);
    }
    (void)pthread_mutex_unlock(&llm->lock);
}

void llm_free(struct llm *llm)
{
    if (!llm) {
        return;
    }
    llm_quiet(llm);
    recorder_close(llm->recorder);
    script_free(llm->script);
    prefix_shelf_release(&llm->shelf);
    (void)pthread_cond_destroy(&llm->quiet);
    (void)pthread_mutex_destroy(&llm->lock);
    arena_free(llm->arena);
    memory_free(llm);
}

const char *llm_provider_name(const struct llm *llm)
{
    return llm->provider->name;
}

const char *llm_model_name(const struct llm *llm)
{
    return llm->settings.model;
}

const char *llm_safe_url(const struct llm *llm)
{
    return llm->settings.safe_url;
}

static void ticket_unref(struct llm_ticket *ticket)
{
    if (atomic_fetch_sub_explicit(&ticket->references, 1, memory_order_acq_rel) == 1) {
        (void)pthread_mutex_destroy(&ticket->lock);
        memory_free(ticket);
    }
}

static struct llm_ticket *ticket_new(struct llm *llm, const struct llm_call *call)
{
    struct llm_ticket *ticket = memory_alloc(sizeof *ticket);
    atomic_init(&ticket->references, 2);
    (void)pthread_mutex_init(&ticket->lock, NULL);
    ticket->llm = llm;
    ticket->call = (struct llm_call){
        .stage = memory_text(call->stage ? call->stage : ""),
        .question = llm->recorder ? memory_text(call->question) : NULL,
        .max_tokens =
            call->max_tokens > 0 ? call->max_tokens : llm->settings.reply_tokens,
        .on_text = call->on_text,
        .on_done = call->on_done,
        .context = call->context,
    };
    ticket->started_us = clock_us();
    ticket->said = (struct llm_said){.tokens_in = -1, .tokens_out = -1};
    buf_init(&ticket->said.text, llm->settings.max_reply_bytes);
    ticket->loop = llm->fetch ? fetch_loop(llm->fetch) : NULL;
    (void)pthread_mutex_lock(&llm->lock);
    ticket->next = llm->tickets;
    ticket->link = &llm->tickets;
    if (llm->tickets) {
        llm->tickets->link = &ticket->next;
    }
    llm->tickets = ticket;
    (void)pthread_mutex_unlock(&llm->lock);
    return ticket;
}

/* Whether this is the call that a test wants to fail. */
static bool is_to_fail(struct llm *llm, enum err_code *code)
{
    (void)pthread_mutex_lock(&llm->lock);
    bool fail = llm->fail_after > 0 && --llm->fail_after == 0;
    *code = llm->fail_code;
    (void)pthread_mutex_unlock(&llm->lock);
    return fail;
}

static void fail_now(struct llm_ticket *ticket)
{
    struct err error;
    (void)err_set(&error, ticket->scripted_error,
                  "The model call failed, as the test asked.");
    ticket_deliver(ticket, &error);
    ticket_over(ticket);
}

struct llm_ticket *llm_start(struct llm *llm, const struct llm_call *call)
{
    struct llm_ticket *ticket = ticket_new(llm, call);
    enum err_code code;
    if (is_to_fail(llm, &code)) {
        ticket->scripted_error = code;
        if (llm->script) {
            fail_now(ticket);
        } else {
            ticket_wait(ticket, 0, fail_now);
        }
    } else if (llm->script) {
        scripted_start(ticket, call);
    } else if (llm->provider == &llm_mcp) {
        host_start(ticket, call);
    } else {
        exchange_prepare(ticket, call);
        exchange_send(ticket);
    }
    return ticket;
}

void llm_forget(struct llm_ticket *ticket)
{
    if (ticket) {
        ticket_unref(ticket);
    }
}

void llm_fail_at(struct llm *llm, int nth, enum err_code code)
{
    (void)pthread_mutex_lock(&llm->lock);
    llm->fail_after = nth;
    llm->fail_code = code;
    (void)pthread_mutex_unlock(&llm->lock);
}

/* Waits. Everything about the timer happens on its loop, in the order it was posted. */

static void wait_over(void *context)
{
    struct llm_ticket *ticket = context;
    ticket->timer = NULL;
    if (atomic_load(&ticket->cancelled)) {
        struct err error;
        (void)err_set(&error, ERR_STOPPED, "The model call was stopped.");
        ticket_deliver(ticket, &error);
        ticket_over(ticket);
    } else {
        ticket->after_wait(ticket);
    }
}

static void wait_begin(void *context)
{
    struct llm_ticket *ticket = context;
    int64_t delay_ms = ticket->wait_ms;
    if (delay_ms <= 0 || atomic_load(&ticket->cancelled)) {
        wait_over(ticket);
    } else {
        ticket->timer = loop_timer(ticket->loop, delay_ms, wait_over, ticket);
    }
}

void ticket_wait(struct llm_ticket *ticket, int64_t delay_ms,
                 void (*next)(struct llm_ticket *ticket))
{
    (void)pthread_mutex_lock(&ticket->lock);
    ticket->phase = PHASE_WAITING;
    ticket->after_wait = next;
    ticket->wait_ms = delay_ms;
    loop_post(ticket->loop, wait_begin, ticket);
    (void)pthread_mutex_unlock(&ticket->lock);
}

static void wait_cancel(void *context)
{
    struct llm_ticket *ticket = context;
    if (ticket->timer) {
        loop_timer_cancel(ticket->loop, ticket->timer);
        wait_over(ticket);
    }
    ticket_unref(ticket);
}

void llm_cancel(struct llm_ticket *ticket)
{
    (void)pthread_mutex_lock(&ticket->lock);
    bool first = !atomic_exchange(&ticket->cancelled, true);
    if (first && ticket->phase == PHASE_SENDING && ticket->fetch) {
        fetch_cancel(ticket->fetch);
    } else if (first && ticket->phase == PHASE_WAITING) {
        (void)atomic_fetch_add(&ticket->references, 1);
        loop_post(ticket->loop, wait_cancel, ticket);
    }
    (void)pthread_mutex_unlock(&ticket->lock);
}

/* The end. */

void ticket_show(struct llm_ticket *ticket)
{
    const struct buf *text = &ticket->said.text;
    if (ticket->call.on_text && text->size > ticket->shown) {
        ticket->call.on_text(ticket->call.context, text->data + ticket->shown,
                             text->size - ticket->shown);
        ticket->shown = text->size;
    }
}

static void count_tokens(struct llm_ticket *ticket, struct llm_reply *reply)
{
    const struct llm_said *said = &ticket->said;
    reply->tokens_estimated = said->tokens_in < 0 || said->tokens_out < 0;
    reply->tokens_in = said->tokens_in;
    if (said->tokens_in < 0) {
        reply->tokens_in = exchange_tokens(&ticket->body) + ticket->prompt_tokens;
    }
    reply->tokens_out =
        said->tokens_out >= 0 ? said->tokens_out : llm_tokens(reply->text, reply->size);
    reply->cost_known = cost_of(&ticket->llm->settings, reply->tokens_in,
                                reply->tokens_out, &reply->cost);
}

void ticket_deliver(struct llm_ticket *ticket, const struct err *error)
{
    struct llm_reply reply = {.ok = !error,
                              .text = buf_get(&ticket->said.text),
                              .size = ticket->said.text.size,
                              .attempts = ticket->attempts,
                              .cut = ticket->said.cut};
    if (error) {
        reply.error = *error;
    }
    if (reply.ok || reply.size > 0) {
        count_tokens(ticket, &reply);
    }
    reply.ms = (double)(clock_us() - ticket->started_us) / 1000.0;
    ticket->delivered = true;
    if (ticket->llm->recorder) {
        recorder_add(ticket->llm->recorder, ticket->call.stage, ticket->call.question,
                     &reply);
    }
    ticket->call.on_done(ticket->call.context, &reply);
}

void ticket_over(struct llm_ticket *ticket)
{
    struct llm *llm = ticket->llm;
    (void)pthread_mutex_lock(&ticket->lock);
    ticket->phase = PHASE_OVER;
    (void)pthread_mutex_unlock(&ticket->lock);
    memory_free((char *)(uintptr_t)ticket->call.stage);
    memory_free((char *)(uintptr_t)ticket->call.question);
    exchange_body_release(&ticket->body);
    buf_release(&ticket->said.text);
    memory_free(ticket->said.frame);
    if (ticket->stream_open) {
        stream_release(&ticket->stream);
    }
    memory_free(ticket->last);
    (void)pthread_mutex_lock(&llm->lock);
    *ticket->link = ticket->next;
    if (ticket->next) {
        ticket->next->link = ticket->link;
    }
    if (!llm->tickets) {
        (void)pthread_cond_broadcast(&llm->quiet);
    }
    (void)pthread_mutex_unlock(&llm->lock);
    ticket_unref(ticket);
}
