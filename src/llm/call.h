/* A model call in progress; shared by the files that process it. */
#ifndef DGM_LLM_CALL_H
#define DGM_LLM_CALL_H

#include <pthread.h>
#include <stdatomic.h>

#include "llm/prefix.h"
#include "llm/provider.h"
#include "llm/stream.h"

struct fetch_ticket;
struct loop;
struct loop_timer;
struct recorder;
struct script;

/*
 * A configured model service. The instance owns it; after a reload the old one stays,
 * because running questions use it.
 */
struct llm {
    struct arena *arena;
    const struct llm_provider *provider;
    struct llm_settings settings;
    struct fetch *fetch;        /* NULL: only the scripted provider */
    const char *const *headers; /* NULL-ended */
    struct script *script;      /* or NULL */
    struct recorder *recorder;  /* or NULL */
    atomic_uint quirks;         /* bits of enum llm_quirk, learned from refusals */
    struct prefix_shelf shelf;  /* common beginnings of request bodies */
    pthread_mutex_t lock;
    pthread_cond_t quiet;
    struct llm_ticket *tickets; /* guarded by lock: calls that have not ended */
    int fail_after;             /* guarded by lock; see llm_fail_at */
    enum err_code fail_code;
};

/* A stored request body: a prefix shared with other calls, and the rest. */
struct exchange_body {
    struct prefix *prefix; /* or NULL */
    size_t prefix_size;    /* how many of its bytes are used */
    char *rest;            /* or NULL */
    size_t rest_size;
    size_t schema_at; /* as in struct llm_body, counted over both parts */
    size_t schema_size;
    size_t texts_at;
};

enum llm_phase { PHASE_SENDING, PHASE_WAITING, PHASE_OVER };

/* A reply of a script. */
struct script_reply {
    const char *text; /* lives as long as the script */
    size_t size;
    int64_t delay_ms;
    int64_t piece_ms;    /* delay between pieces; 0: the reply comes at once */
    enum err_code error; /* ERR_OK: text is the reply */
};

/*
 * A model call in progress. Two references, of the caller and of the call itself; the
 * last one frees it. The fetch and the timer run on event loops, the caller may cancel
 * from any thread.
 */
struct llm_ticket {
    atomic_int references; /* of the caller and of the call itself */
    atomic_bool cancelled;
    struct llm *llm;
    struct llm_ticket *next; /* in llm->tickets */
    struct llm_ticket **link;

    pthread_mutex_t lock; /* guards phase and fetch */
    enum llm_phase phase;
    struct fetch_ticket *fetch; /* while sending */
    struct loop *loop;          /* the loop for timers */
    struct loop_timer *timer;   /* that loop's thread only */
    int64_t wait_ms;
    void (*after_wait)(struct llm_ticket *ticket);

    struct llm_call
        call; /* stage is copied; question only if recorded; other texts are gone */
    int64_t started_us;
    int attempts;
    int failures;    /* failed attempts; refused options do not count */
    unsigned quirks; /* of the request in progress */
    int adaptions;
    struct exchange_body body;
    int prompt_tokens; /* estimate, where there is no body to make it from */

    struct llm_said said;
    struct stream stream;
    bool stream_open;
    size_t shown;     /* bytes given to on_text */
    bool delivered;   /* on_done was called; the end of the stream is still to come */
    struct err *last; /* error of the last attempt; allocated when needed */

    enum err_code scripted_error; /* to fail with */
    struct script_reply scripted; /* what is still to be said, piece by piece */
};

/* llm.c: calls on_done, once. The call exists until ticket_over. */
void ticket_deliver(struct llm_ticket *ticket, const struct err *error);
/* Releases the call's own reference; it must not be used after this. */
void ticket_over(struct llm_ticket *ticket);
/* Waits without a thread, then calls `next` on a loop; a cancel ends the wait at once. */
void ticket_wait(struct llm_ticket *ticket, int64_t delay_ms,
                 void (*next)(struct llm_ticket *ticket));
/* Passes new text to on_text. */
void ticket_show(struct llm_ticket *ticket);

/* exchange.c */
void exchange_send(struct llm_ticket *ticket);

/* exchange_body.c */
void exchange_prepare(struct llm_ticket *ticket, const struct llm_call *call);
/* The same texts with options that the service accepts (ticket->quirks). */
void exchange_rebuild(struct llm_ticket *ticket);
/* What the texts will cost, estimated; 0 when there are none. */
int exchange_tokens(const struct exchange_body *body);
void exchange_body_release(struct exchange_body *body);

/* scripted.c */
struct script *script_load(const char *path, struct err *err);
void script_free(struct script *script);
void scripted_start(struct llm_ticket *ticket, const struct llm_call *call);

/* host.c */
void host_start(struct llm_ticket *ticket, const struct llm_call *call);

/* recorder.c */
struct recorder *recorder_open(const char *path, struct err *err);
void recorder_close(struct recorder *recorder);
/* Appends one block; thread-safe. */
void recorder_add(struct recorder *recorder, const char *stage, const char *question,
                  const struct llm_reply *reply);

#endif
