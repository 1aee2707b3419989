/* The handle of a question: shared by its asker and the machine that works on it. */
#ifndef DGM_SERVICE_QUESTION_H
#define DGM_SERVICE_QUESTION_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "dragoman.h"
#include "service/house.h"

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
    int64_t deadline_ms; /* clock_ms() after which the janitor stops it */
    char *said;          /* what the user said this time: the question or an answer */
    char key_id[24];     /* of the asker's key: it counts; "": nobody's */
    int64_t tokens;      /* that it had cost before */
    struct dgm_question *next; /* in dgm->live */
    struct dgm_question **link;
};

/* Takes the run over and puts it among the live ones; the machine has not started. */
struct dgm_question *question_new(struct dgm *dgm, struct run *run,
                                  const struct dgm_request *request, const char *said);
void question_unref(struct dgm_question *question);

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

/* What belongs to an account is for that account alone; the local person (none) may see
 * all. */
bool question_may_see(const char *owner, const char *account);

/* What was said, by its user and by us. */
void learn_conversation(struct dgm *dgm, struct run *run, const char *said);
/* Written down before it begins, if the request wants that: false when it cannot be. */
bool question_keep(struct dgm *dgm, struct run *run, const struct dgm_request *request,
                   struct err *err);
/* After a question has come to rest: the conversation, and what is learned from it. */
void learn_rest(struct dgm *dgm, struct run *run, const char *said);

#endif
