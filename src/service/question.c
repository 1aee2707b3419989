/* The handle of a question: birth, waiting, stopping, and the machine telling of it. */
#include "service/question.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/accounts.h"
#include "store/store.h"

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
    buf_release(&question->answer.json);
    buf_release(&question->answer.cell);
    (void)pthread_mutex_destroy(&question->answer.lock);
    (void)pthread_cond_destroy(&question->changed);
    (void)pthread_mutex_destroy(&question->lock);
    memory_free(question->said);
    memory_free(question);
}

static void tell(struct dgm_question *question, enum dgm_event_kind kind,
                 const char *text)
{
    struct run *run = question->run;
    if (question->observer) {
        struct dgm_event event = {
            .kind = kind,
            .query_id = run->answer.query_id,
            .state = run->answer.state,
            .status = run->answer.status,
            .text = text,
            .ms = (double)(clock_us() - run->born_us) / 1000.0,
            .answer = kind == DGM_DONE || kind == DGM_FAILED ||
                              kind == DGM_CLARIFICATION || kind == DGM_ROWS
                          ? &question->answer
                          : NULL,
        };
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
    learn_rest(question->dgm, run, question->said);
    if (*question->key_id) { /* first: who hears of it may ask the next one */
        limits_leave(question->dgm, question->key_id, tokens_of(run) - question->tokens);
    }
    if (run->state == STATE_AWAIT_USER) {
        tell(question, DGM_CLARIFICATION, run->answer.clarification.message);
    } else {
        tell(question, run->state == STATE_FAILED ? DGM_FAILED : DGM_DONE, NULL);
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
    (void)run;
    if (kind == OBSERVE_REST) {
        rest(question);
    } else {
        tell(question, kinds[kind], text);
    }
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
        if (request->access) {
            (void)snprintf(question->key_id, sizeof question->key_id, "%s",
                           request->access->key_id);
            question->tokens = tokens_of(run);
        }
    }
    run->observer = (struct observer){question->observer != NULL, observe, question};
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
