/* The handle of a question, shared by the caller and by the machine's thread that runs
 * it; reference counted. */
#ifndef DGM_SERVICE_QUESTION_H
#define DGM_SERVICE_QUESTION_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "dragoman_server.h"
#include "service/instance.h"

struct dgm_answer {
    const struct answer *answer; /* belongs to the run */
    struct buf json;             /* built when first requested */
    pthread_mutex_t lock;
    struct buf cell; /* the cell that was returned last */
};

/*
 * The handle of a question. Two references: the caller gives up one with
 * dgm_question_free(), the machine the other when the run has ended; the last one frees
 * the run and the answer. `lock` guards `rested` and everything that observers are told.
 */
struct dgm_question {
    struct dgm *dgm;
    struct run *run;
    atomic_int references; /* of the caller and of the machine */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool rested;
    struct dgm_answer answer;
    dgm_observer *observer;
    void *context;
    dgm_model *model;        /* with `context`; NULL: who asks has none */
    int64_t deadline_ms;     /* clock_ms() at which the janitor stops it */
    char *said;              /* the user's text of this call: the question or an answer */
    struct passing *passing; /* passes rows to the caller's sink; or NULL */
    char key_id[24];         /* the access key whose limits apply; "": none */
    int64_t tokens;          /* tokens used before this call */
    bool shared;             /* events are stored for other processes */
    size_t told;             /* bytes stored so far */
    int64_t number;          /* number of the last event; see struct dgm_event */
    bool taken;              /* taken over from a process that has ended */
    bool late;               /* the last state has not been reported yet */
    struct dgm_question *next; /* list dgm->live */
    struct dgm_question **link;
};

/* passing.c: rows in the public header's form. */
struct passing *passing_new(const struct dgm_rows_sink *sink);
void passing_free(struct passing *passing); /* NULL is fine */
const struct datasource_sink *passing_sink(const struct passing *passing);

/* Takes over the run and registers it as running; the machine is not started yet. */
struct dgm_question *question_new(struct dgm *dgm, struct run *run,
                                  const struct dgm_request *request, const char *said);
void question_unref(struct dgm_question *question);
/*
 * The question if it runs in this process, else NULL. The caller must hold dgm->lock
 * while using it.
 */
struct dgm_question *question_live(struct dgm *dgm, const char *id);
bool question_is_live(struct dgm *dgm, const char *id);

/* Is it valid text of acceptable length? */
bool ask_check_text(const struct options *options, const char *text, struct err *err);
/* May another question run? */
bool ask_has_room(struct dgm *dgm, struct err *err);
/* Starts a question; note (or NULL) is added to the answer. */
struct dgm_question *ask_start(struct dgm *dgm, const struct dgm_request *request,
                               const char *note, struct err *err);

/* Runs SQL like dgm_run_sql, with all checks, but the delivery gets its rows. Returns
 * when it has ended. */
struct run_delivery;
bool ask_deliver(struct dgm *dgm, const struct dgm_request *request, const char *sql,
                 const struct run_delivery *delivery, struct err *err);

/* Only the owner may see it; the local user (no account) may see everything. */
bool question_may_see(const char *owner, const char *account);

/* Writes "running": the session's questions that are still being answered, as asked. */
struct writer;
bool running_write(struct dgm *dgm, struct arena *arena, const char *session,
                   struct writer *writer, struct err *err);

/* Stores the user's messages and ours in the conversation. */
void learn_conversation(struct dgm *dgm, struct run *run, const char *said);
/* Stores the question before it starts, if the request requires that; false on
 * failure. */
bool question_keep(struct dgm *dgm, struct run *run, const struct dgm_request *request,
                   struct err *err);
/* Stores and starts a run that was made from an earlier question; its own text is what is asked.
 * Takes over the run. request may be NULL. */
struct dgm_question *question_begin(struct dgm *dgm, struct run *run,
                                    const struct dgm_request *request, struct err *err);
/* Waits until the question is in the store, if the request requires that. Otherwise a
 * failure is only logged, and the question continues. */
void question_kept(struct dgm *dgm, const struct dgm_request *request);
/* Stores the conversation of a question that is about to end, before its answer is
 * stored. */
void learn_said(struct dgm *dgm, struct run *run, const char *said);
/* Is the message in the conversation already? */
bool learn_was_said(struct dgm *dgm, const struct run *run, const char *said);
/* Learns from a question that has ended. */
void learn_rest(struct run *run);

#endif
