/* Stops questions, by id or all of them. */
#include <string.h>

#include "base/str.h"
#include "service/questions/question.h"
#include "service/questions/resume.h"
#include "service/operation/share.h"
#include "store/store.h"

/* A question that waits for its user is not running; it is ended in the store. */
static bool stop_waiting(struct dgm *dgm, const struct store_question *stored,
                         struct err *err)
{
    if (!store_question_claim(dgm->agent.store, stored->id, state_name(STATE_AWAIT_USER),
                              state_name(STATE_INITIALIZING), err)) {
        return false; /* another thread or process has just answered or ended it */
    }
    struct run *run =
        run_load(&dgm->agent, stored->checkpoint, strlen(stored->checkpoint), err);
    if (!run) {
        return false;
    }
    run_enter(run, EVENT_STOP);
    run_free(run);
    return true;
}

/* Call it with the lock held. Stopping can take long (a cancel request to a server), so
 * only a reference is taken here. */
static struct dgm_question *live_find(struct dgm *dgm, const char *account,
                                      const char *query_id)
{
    struct dgm_question *live = question_live(dgm, query_id);
    if (!live || !question_may_see(live->run->question.account, account)) {
        return NULL;
    }
    (void)atomic_fetch_add(&live->references, 1);
    return live;
}

bool dgm_stop(struct dgm *dgm, const char *account, const char *query_id,
              struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    (void)pthread_mutex_lock(&dgm->lock);
    struct dgm_question *live = live_find(dgm, account, query_id);
    (void)pthread_mutex_unlock(&dgm->lock);
    if (live) {
        run_stop(live->run, STOP_USER);
        question_unref(live);
        return true;
    }
    struct arena *arena = arena_new();
    struct store_question stored = {0};
    bool stopped = false;
    if (instance_store(dgm, &err) &&
        resume_find(dgm, arena, query_id ? query_id : "", &stored, &err)) {
        if (!question_may_see(stored.account, account)) {
            (void)err_set(&err, ERR_QUERY_NOT_FOUND,
                          "There is no question with this id.");
        } else if (str_equal(stored.state, state_name(STATE_AWAIT_USER))) {
            stopped = instance_ready(dgm, &err) && stop_waiting(dgm, &stored, &err);
        } else { /* another process may work on it */
            stopped = store_question_ask_stop(dgm->agent.store, stored.id, &err);
        }
    }
    arena_free(arena);
    return err.code == ERR_OK ? stopped : instance_fail(error, &err);
}

size_t dgm_session_stop(struct dgm *dgm, const char *session_id)
{
    enum { AT_ONCE = 64 };
    struct dgm_question *found[AT_ONCE];
    size_t count = 0;
    (void)pthread_mutex_lock(&dgm->lock);
    for (struct dgm_question *at = dgm->live; at && count < AT_ONCE; at = at->next) {
        if (!str_empty(session_id) &&
            str_equal(at->run->question.session_id, session_id)) {
            (void)atomic_fetch_add(&at->references, 1);
            found[count++] = at;
        }
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    for (size_t i = 0; i < count; i++) {
        run_stop(found[i]->run, STOP_USER);
        question_unref(found[i]);
    }
    struct err err;
    size_t elsewhere = 0;
    if (dgm->news && !str_empty(session_id) &&
        store_session_ask_stop(dgm->agent.store, session_id, &elsewhere, &err)) {
        count = elsewhere > count ? elsewhere : count; /* includes our own */
    }
    return count;
}

size_t dgm_at_work(struct dgm *dgm)
{
    (void)pthread_mutex_lock(&dgm->lock);
    size_t count = dgm->live_count;
    (void)pthread_mutex_unlock(&dgm->lock);
    return count;
}

void dgm_shutdown(struct dgm *dgm)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool first = !dgm->closing;
    dgm->closing = true;
    (void)pthread_mutex_unlock(&dgm->lock);
    if (dgm->news && first) { /* other processes continue them */
        store_question_release(dgm->agent.store);
    }
    (void)pthread_mutex_lock(&dgm->lock);
    for (struct dgm_question *at = dgm->live; at; at = at->next) {
        run_stop(at->run, STOP_SHUTDOWN);
    }
    while (dgm->live) {
        (void)pthread_cond_wait(&dgm->empty, &dgm->lock);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    if (dgm->news) {
        follow_end(dgm);
    }
}
