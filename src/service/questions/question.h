/* The handle of a question, shared by the caller and the thread that works on it. */
#ifndef DGM_SERVICE_QUESTION_H
#define DGM_SERVICE_QUESTION_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "dragoman_server.h"
#include "service/instance.h"

struct dgm_answer {
    const struct answer *answer; /* the run's */
    struct buf json;             /* made when first asked for */
    pthread_mutex_t lock;
    struct buf cell; /* the last cell handed out */
};

struct dgm_question {
    struct dgm *dgm;
    struct run *run;
    atomic_int references; /* the asker's and the machine's */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool rested;
    struct dgm_answer answer;
    dgm_observer *observer;
    void *context;
    int64_t deadline_ms;     /* clock_ms() after which the janitor stops it */
    char *said;              /* what the user said this time: the question or an answer */
    struct passing *passing; /* rows on their way to the asker's sink; or NULL */
    char key_id[24];         /* of the key whose limits apply; "": none */
    int64_t tokens;          /* that it had cost before */
    bool shared;             /* what happens is written down for other processes */
    size_t told;             /* bytes of that */
    int64_t number;          /* of the last event; see struct dgm_event */
    bool taken;              /* from a process that is gone */
    bool late;               /* its last state has not been reported yet */
    struct dgm_question *next; /* in dgm->live */
    struct dgm_question **link;
};

/* passing.c: rows in the public header's form. */
struct passing *passing_new(const struct dgm_rows_sink *sink);
void passing_free(struct passing *passing); /* NULL is fine */
const struct datasource_sink *passing_sink(const struct passing *passing);

/* Takes the run over and puts it among the live ones; the machine has not started. */
struct dgm_question *question_new(struct dgm *dgm, struct run *run,
                                  const struct dgm_request *request, const char *said);
void question_unref(struct dgm_question *question);
/*
 * The question running in this process, or NULL. The caller holds dgm->lock, and it is
 * borrowed as long.
 */
struct dgm_question *question_live(struct dgm *dgm, const char *id);
bool question_is_live(struct dgm *dgm, const char *id);

/* Is it text, and not too long? */
bool ask_check_text(const struct options *options, const char *text, struct err *err);
/* May one more be worked on? */
bool ask_has_room(struct dgm *dgm, struct err *err);
/* Asks; note (or NULL) is told with the answer. */
struct dgm_question *ask_start(struct dgm *dgm, const struct dgm_request *request,
                               const char *note, struct err *err);

/* Runs SQL as dgm_run_sql does, through every check, but its rows go to the delivery;
 * waits for the end. */
struct run_delivery;
bool ask_deliver(struct dgm *dgm, const struct dgm_request *request, const char *sql,
                 const struct run_delivery *delivery, struct err *err);

/* What belongs to an account is for that account alone; the local user (none) may see
 * all. */
bool question_may_see(const char *owner, const char *account);

/* What was said, by its user and by us. */
void learn_conversation(struct dgm *dgm, struct run *run, const char *said);
/* Written down before it begins, if the request wants that: false when it cannot be. */
bool question_keep(struct dgm *dgm, struct run *run, const struct dgm_request *request,
                   struct err *err);
/* What was just queued for the store is in it, if the request wants that; else it is
 * logged: the question goes on all the same. */
void question_kept(struct dgm *dgm, const struct dgm_request *request);
/* The conversation of one that is about to rest, before its answer is kept. */
void learn_said(struct dgm *dgm, struct run *run, const char *said);
/* Is that in its conversation already? */
bool learn_was_said(struct dgm *dgm, const struct run *run, const char *said);
/* Learns from a question that has ended. */
void learn_rest(struct run *run);

#endif
