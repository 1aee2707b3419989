/*
 * The model of whoever asks: a program that starts dragoman, or talks to it over MCP, and has
 * a model of its own (sampling). The call is handed over and waits like one that pauses
 * between two attempts, until the model has said something or the time is over.
 */
#include <string.h>

#include "base/loop.h"
#include "base/memory.h"
#include "llm/call.h"

/* What a host said, on its way to the loop of the call. */
struct heard {
    struct llm_ticket *ticket; /* a reference */
    char *text;                /* NULL: nothing */
    char *problem;
};

static void end_with(struct llm_ticket *ticket, enum err_code code, const char *problem)
{
    struct err error;
    (void)err_set(&error, code, "%s", problem);
    ticket_deliver(ticket, &error);
    ticket_over(ticket);
}

static void time_over(struct llm_ticket *ticket)
{
    end_with(ticket, ERR_LLM_TIMEOUT, "The assistant's model did not reply in time.");
}

static void nobody(struct llm_ticket *ticket)
{
    end_with(ticket, ERR_LLM_NOT_CONFIGURED,
             "llm.provider is mcp, but no assistant offers its model for this question.");
}

static void unref(struct llm_ticket *ticket)
{
    llm_forget(ticket); /* a reference like the caller's */
}

/* On the loop, where the timer says whether the call still waits. */
static void hear(void *context)
{
    struct heard *heard = context;
    struct llm_ticket *ticket = heard->ticket;
    if (ticket->timer) {
        loop_timer_cancel(ticket->loop, ticket->timer);
        ticket->timer = NULL;
        if (!heard->text) {
            end_with(ticket, ERR_LLM_UNAVAILABLE, heard->problem);
        } else if (!buf_text(&ticket->said.text, heard->text)) {
            end_with(ticket, ERR_LLM_NONSENSE,
                     "The reply of the assistant's model is too long.");
        } else {
            ticket_show(ticket);
            ticket_deliver(ticket, NULL);
            ticket_over(ticket);
        }
    }
    unref(ticket);
    memory_free(heard->text);
    memory_free(heard->problem);
    memory_free(heard);
}

void llm_host_end(struct llm_ticket *ticket, const char *text, const char *problem)
{
    struct heard *heard = memory_alloc(sizeof *heard);
    heard->ticket = ticket;
    heard->text = text ? memory_text(text) : NULL;
    heard->problem = memory_text(problem ? problem : "The assistant's model failed.");
    (void)pthread_mutex_lock(&ticket->lock);
    bool over = ticket->phase == PHASE_OVER; /* then its loop may be gone */
    if (!over) {
        loop_post(ticket->loop, hear, heard);
    }
    (void)pthread_mutex_unlock(&ticket->lock);
    if (over) {
        memory_free(heard->text);
        memory_free(heard->problem);
        memory_free(heard);
        unref(ticket);
    }
}

void host_start(struct llm_ticket *ticket, const struct llm_call *call)
{
    const char *texts[] = {call->system, call->user};
    ticket->attempts = 1;
    for (size_t i = 0; i < 2; i++) {
        ticket->prompt_tokens += texts[i] ? llm_tokens(texts[i], strlen(texts[i])) : 0;
    }
    if (!call->host.ask) {
        ticket_wait(ticket, 0, nobody);
        return;
    }
    (void)atomic_fetch_add(&ticket->references, 1); /* given back after llm_host_end */
    (void)atomic_fetch_add(&ticket->references, 1); /* it may end before `ask` returns */
    int max_tokens = ticket->call.max_tokens;
    ticket_wait(ticket, ticket->llm->settings.total_timeout_ms, time_over);
    call->host.ask(call->host.context, ticket, call->system, call->user, max_tokens);
    unref(ticket);
}
