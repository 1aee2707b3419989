/* The handle of a question, shared by the caller and the thread that works on it. */
#include "service/questions/question.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "agent/machine.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/accounts/accounts.h"
#include "service/operation/share.h"
#include "store/store.h"

/* More events than a question can have before another process or another answer continues
 * it. */
enum { LIFE_EVENTS = 1000000 };

static void live_add(struct dgm_question *question)
{
    struct dgm *dgm = question->dgm;
    (void)pthread_mutex_lock(&dgm->lock);
    question->next = dgm->live;
    question->link = &dgm->live;
    if (dgm->live) {
        dgm->live->link = &question->next;
    }
    dgm->live = question;
    dgm->live_count++;
    (void)pthread_mutex_unlock(&dgm->lock);
}

static void live_remove(struct dgm_question *question)
{
    struct dgm *dgm = question->dgm;
    (void)pthread_mutex_lock(&dgm->lock);
    *question->link = question->next;
    if (question->next) {
        question->next->link = question->link;
    }
    dgm->live_count--;
    if (!dgm->live) {
        (void)pthread_cond_broadcast(&dgm->empty);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
}

struct dgm_question *question_live(struct dgm *dgm, const char *id)
{
    struct dgm_question *at = dgm->live;
    while (at && !str_equal(at->run->answer.query_id, id)) {
        at = at->next;
    }
    return at;
}

bool question_is_live(struct dgm *dgm, const char *id)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool live = question_live(dgm, id) != NULL;
    (void)pthread_mutex_unlock(&dgm->lock);
    return live;
}

bool question_may_see(const char *owner, const char *account)
{
    return str_empty(account) || str_equal(owner ? owner : "", account);
}

void question_unref(struct dgm_question *question)
{
    if (atomic_fetch_sub(&question->references, 1) != 1) {
        return;
    }
    run_free(question->run);
    passing_free(question->passing);
    buf_release(&question->answer.json);
    buf_release(&question->answer.cell);
    (void)pthread_mutex_destroy(&question->answer.lock);
    (void)pthread_cond_destroy(&question->changed);
    (void)pthread_mutex_destroy(&question->lock);
    memory_free(question->said);
    memory_free(question);
}

static void question_tell(struct dgm_question *question, enum dgm_event_kind kind,
                          const char *text)
{
    struct run *run = question->run;
    if (!question->observer && !question->shared) {
        return;
    }
    /* A state is reported when it is entered, which is when the clock was last read. */
    bool entered = kind == DGM_STATUS && state_get(run->state)->rest == REST_NO;
    int64_t now = entered ? run->entered_us : clock_us();
    bool ends = kind == DGM_DONE || kind == DGM_FAILED || kind == DGM_CLARIFICATION;
    struct dgm_event event = {
        .kind = kind,
        .query_id = run->answer.query_id,
        .state = run->answer.state,
        .status = run->answer.status,
        .text = text,
        .ms = (double)(now - run->born_us) / 1000.0,
        .answer = ends || kind == DGM_ROWS ? &question->answer : NULL,
    };
    if (question->shared && !ends) { /* the receiver numbers the last event */
        event.number = ++question->number;
    }
    if (question->shared && !ends && !question->late) {
        follow_record(question, &event);
    }
    if (question->observer) {
        question->observer(question->context, &event);
    }
}

static int64_t tokens_of(const struct run *run)
{
    return (int64_t)run->answer.usage.tokens_in + run->answer.usage.tokens_out;
}

static void rest(struct dgm_question *question)
{
    struct run *run = question->run;
    if (question->answer.json.size == 0) {
        (void)run_take_answer(run, &question->answer.json);
    }
    int64_t fence = 0;
    /*
     * If another process has taken it over, this process stores and counts nothing.
     */
    bool own = !question->shared || store_question_settle(question->dgm->agent.store,
                                                          run->answer.query_id, &fence);
    if (own) {
        learn_rest(run);
    }
    if (*question
             /* before the event, because its receiver may ask the next question */
             ->key_id) {
        limits_leave(question->dgm, question->key_id, tokens_of(run) - question->tokens);
    }
    if (own && question->late) {
        question_tell(question, DGM_STATUS, NULL);
    }
    if (!own) {
        if (question->observer) { /* it gets the events of the other process */
            follow_start(question->dgm, run->answer.query_id, fence, question->observer,
                         question->context);
        }
    } else if (run->state == STATE_AWAIT_USER) {
        question_tell(question, DGM_CLARIFICATION, run->answer.clarification.message);
    } else {
        question_tell(question, run->state == STATE_FAILED ? DGM_FAILED : DGM_DONE, NULL);
    }
    (void)pthread_mutex_lock(&question->lock);
    question->rested = true;
    (void)pthread_cond_broadcast(&question->changed);
    (void)pthread_mutex_unlock(&question->lock);
    live_remove(question);
    question_unref(question);
}

static void observe(void *context, struct run *run, enum observer_kind kind,
                    const char *text)
{
    struct dgm_question *question = context;
    static const enum dgm_event_kind kinds[] = {
        [OBSERVE_STATE] = DGM_STATUS, [OBSERVE_REASONING] = DGM_REASONING,
        [OBSERVE_SQL] = DGM_SQL,      [OBSERVE_PROGRESS] = DGM_PROGRESS,
        [OBSERVE_ROWS] = DGM_ROWS,
    };
    if (kind == OBSERVE_REST) {
        rest(question);
    } else if (kind == OBSERVE_RESTING) {
        /* the conversation is stored before the answer, so that it survives a crash */
        if (!question->taken || !learn_was_said(question->dgm, run, question->said)) {
            learn_said(question->dgm, run, question->said);
        }
    } else if (kind == OBSERVE_STATE && question->shared &&
               state_get(run->state)->rest != REST_NO) {
        question->late = true; /* only the store tells whether this is its end */
    } else {
        question_tell(question, kinds[kind], text);
    }
}

/* For llm.provider mcp. */
static void ask_model(void *context, struct llm_ticket *ticket, const char *system,
                      const char *user, int max_tokens)
{
    const struct dgm_question *question = context;
    question->model(question->context, (struct dgm_completion *)ticket, system, user,
                    max_tokens);
}

void dgm_completion_end(struct dgm_completion *completion, const char *text,
                        const char *problem)
{
    llm_host_end((struct llm_ticket *)completion, text, problem);
}

struct dgm_question *question_new(struct dgm *dgm, struct run *run,
                                  const struct dgm_request *request, const char *said)
{
    struct dgm_question *question = memory_alloc(sizeof *question);
    question->dgm = dgm;
    question->run = run;
    question->said = memory_text(said);
    question->deadline_ms = clock_ms() + dgm->options->agent_timeout_s * 1000;
    atomic_init(&question->references, 2);
    (void)pthread_mutex_init(&question->lock, NULL);
    (void)pthread_mutex_init(&question->answer.lock, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&question->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    question->answer.answer = &run->answer;
    buf_init(&question->answer.json, (size_t)1 << 31);
    buf_init(&question->answer.cell, (size_t)1 << 31);
    if (request) {
        question->observer = request->observer;
        question->context = request->context;
        question->model = request->model;
        if (request->rows) {
            question->passing = passing_new(request->rows);
            run_pass_rows(run, passing_sink(question->passing));
        }
        if (request->access) {
            (void)snprintf(question->key_id, sizeof question->key_id, "%s",
                           request->access->key_id);
            question->tokens = tokens_of(run);
        }
    }
    question->shared = dgm->news && !run->request.delivery;
    if (question->shared) {
        int64_t fence = store_question_fence(dgm->agent.store, run->answer.query_id);
        question->number = fence > 1 ? (fence - 1) * LIFE_EVENTS : 0;
    }
    run->host = (struct llm_host){question->model ? ask_model : NULL, question};
    run_observe(run, &(struct observer){question->observer || question->shared, observe,
                                        question});
    live_add(question);
    return question;
}

bool question_keep(struct dgm *dgm, struct run *run, const struct dgm_request *request,
                   struct err *err)
{
    if (!request || !request->durable) {
        return true;
    }
    run_checkpoint(run);
    return store_flush(dgm->agent.store, err);
}

struct dgm_question *question_begin(struct dgm *dgm, struct run *run,
                                    const struct dgm_request *request, struct err *err)
{
    struct dgm_request own = request ? *request : (struct dgm_request){0};
    own.question = run->question.text;
    if (!question_keep(dgm, run, &own, err)) {
        run_free(run);
        return NULL;
    }
    struct dgm_question *question = question_new(dgm, run, &own, own.question);
    machine_start(run);
    return question;
}

void question_kept(struct dgm *dgm, const struct dgm_request *request)
{
    struct err err;
    err_clear(&err);
    if (request && request->durable && !store_flush(dgm->agent.store, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "a message could not be stored yet: %s", err.message);
    }
}

const char *dgm_question_id(const struct dgm_question *question)
{
    return question->run->answer.query_id;
}

void dgm_question_stop(struct dgm_question *question)
{
    run_stop(question->run, STOP_USER);
}

const struct dgm_answer *dgm_question_wait(struct dgm_question *question,
                                           int64_t timeout_ms)
{
    struct timespec until = {0};
    if (timeout_ms >= 0) {
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += timeout_ms / 1000;
        until.tv_nsec += (timeout_ms % 1000) * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
    }
    (void)pthread_mutex_lock(&question->lock);
    int waited = 0;
    while (!question->rested && waited != ETIMEDOUT) {
        waited = timeout_ms < 0 ? pthread_cond_wait(&question->changed, &question->lock)
                                : pthread_cond_timedwait(&question->changed,
                                                         &question->lock, &until);
    }
    bool rested = question->rested;
    (void)pthread_mutex_unlock(&question->lock);
    return rested ? &question->answer : NULL;
}

void dgm_question_free(struct dgm_question *question)
{
    if (question) {
        question_unref(question);
    }
}
