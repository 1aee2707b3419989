/*
 * Language models. A call is sent, and its reply arrives on a loop thread; meanwhile no
 * thread waits. Retries, backoff, streaming, stopping, and counting of tokens and costs
 * are implemented here once for all services.
 */
#ifndef DGM_LLM_LLM_H
#define DGM_LLM_LLM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "model/options/options.h"

struct arena;
struct fetch;
struct llm;
struct llm_ticket;

struct llm_reply;

/* The model of whoever asks (provider `mcp`). `ask` must not block; the ticket is ended with
 * llm_host_end, once, from any thread and at any time. */
struct llm_host {
    void (*ask)(void *context, struct llm_ticket *ticket, const char *system,
                const char *user, int max_tokens);
    void *context;
};

struct llm_call {
    const char *stage; /* "generate_sql": for traces, costs and the scripted provider */
    const char *system;
    const char *user;
    const char *schema;   /* JSON schema of the reply, or NULL for free text */
    const char *question; /* the user's question: the scripted provider may match on it */
    int max_tokens;       /* 0: llm.reply_tokens */
    /* Streamed text, on a loop thread; may be NULL. Text NULL: the reply was interrupted
     * and starts again. */
    void (*on_text)(void *context, const char *text, size_t size);
    /* Called exactly once, on a loop thread; the scripted provider calls it on the
     * caller's thread before llm_start returns. The reply is borrowed during the call. */
    void (*on_done)(void *context, const struct llm_reply *reply);
    void *context;
    struct llm_host host; /* ask NULL: there is none */
};

struct llm_reply {
    bool ok;
    const char *text; /* what the model said */
    size_t size;
    int tokens_in; /* counted by the service, else estimated */
    int tokens_out;
    bool tokens_estimated;
    double cost; /* US dollars */
    bool cost_known;
    int attempts; /* number of HTTP requests */
    double ms;
    bool cut;         /* the reply ended at the token limit */
    struct err error; /* LLM_* or STOPPED */
};

/* NULL and LLM_NOT_CONFIGURED when no model is configured. fetch may be NULL for the
 * scripted provider. Everything needed is copied from the options. */
struct llm *llm_new(const struct options *options, struct fetch *fetch, struct err *err);
/* Cancels running calls and waits for their on_done, so do not call it in a callback. The
 * fetch must outlive the llm. */
void llm_free(struct llm *llm);

const char *llm_provider_name(const struct llm *llm);
const char *llm_model_name(const struct llm *llm);
const char *llm_safe_url(const struct llm *llm); /* host and path only */

/* The call's texts are copied. From any thread. */
struct llm_ticket *llm_start(struct llm *llm, const struct llm_call *call);
void llm_cancel(
    struct llm_ticket *ticket); /* closes the stream; on_done follows (STOPPED) */
void llm_forget(struct llm_ticket *ticket); /* once per llm_start */

/*
 * Extracts JSON from a model's reply: JSON, fenced JSON, JSON within prose, YAML, fenced
 * YAML; a fenced or bare SQL statement becomes {"sql": …}. NULL and LLM_NONSENSE if there
 * is none. `wanted` (NULL-ended): keys of which at least one must exist.
 */
json_t *reply_read(struct arena *arena, const char *text, size_t size,
                   const char *const *wanted, struct err *err);

/* Estimated tokens of a text, rather too many (never fewer than bytes/4). */
int llm_tokens(const char *text, size_t size);

/* What the host's model said; text NULL: it said nothing, for this reason. */
void llm_host_end(struct llm_ticket *ticket, const char *text, const char *problem);

/* For tests: the nth call from now fails with the code; 0 switches it off. */
void llm_fail_at(struct llm *llm, int nth, enum err_code code);

#endif
