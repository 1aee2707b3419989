/*
 * Follows a question that another process works on: that process stores its events as
 * lines of JSON, which are read here and passed to observers.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "base/writer.h"
#include "service/accounts/access.h"
#include "service/questions/resume.h"
#include "service/operation/share.h"
#include "store/store.h"

enum { EVENT_MOST = 256 * 1024, TOLD_MOST = 1024 * 1024, ANSWER_MOST = 64 * 1024 };

struct follower {
    struct dgm *dgm;
    char id[ID_SIZE];
    dgm_observer *observer;
    void *context;
    int64_t after; /* number of the last event read */
    int64_t fence; /* fence of events that were already reported */
    bool busy;     /* a worker is reading; guarded by the instance's lock, like `again` */
    bool again;    /* new events arrived meanwhile */
    struct follower *next;
    struct follower **link;
};

/* ----------------------------------------------------------------- writing events */

static void write_rows(struct writer *writer, const struct dgm_answer *answer)
{
    writer_key(writer, "data");
    writer_object(writer);
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < dgm_answer_columns(answer); i++) {
        writer_text(writer, dgm_answer_column(answer, i));
    }
    writer_array_end(writer);
    writer_key_int(writer, "row_count", (int64_t)dgm_answer_rows(answer));
    writer_key_bool(writer, "truncated", dgm_answer_truncated(answer));
    if (dgm_answer_incomplete(answer)) {
        writer_key_bool(writer, "incomplete", true);
    }
    writer_object_end(writer);
}

void follow_record(struct dgm_question *question, const struct dgm_event *event)
{
    if (question->told > TOLD_MOST &&
        (event->kind == DGM_REASONING || event->kind == DGM_PROGRESS)) {
        return; /* streams can do without; the answer contains everything */
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, EVENT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_int(&writer, "kind", event->kind);
    writer_key_text(&writer, "state", event->state);
    writer_key_text(&writer, "status", event->status);
    writer_key_text(&writer, "text", event->text);
    writer_key_real(&writer, "ms", event->ms);
    writer_key_int(&writer, "number", event->number);
    if (event->kind == DGM_ROWS && event->answer) {
        write_rows(&writer, event->answer);
    }
    writer_object_end(&writer);
    if (!buf.full) {
        question->told += buf.size;
        store_event_add(question->dgm->agent.store, event->query_id, buf_get(&buf));
    }
    buf_release(&buf);
}

/* ----------------------------------------------------------------- reading events */

static void tell_line(struct follower *follower, const char *line, size_t size)
{
    struct err err;
    struct arena *arena = arena_new();
    const json_t *json = json_parse(arena, line, size, &err);
    int64_t kind = json_int_at(json, "kind", -1);
    if (json && kind >= 0 && kind < DGM_GONE) {
        json_t *data = json_object_get(json, "data");
        char *text = data ? json_dumps(data, JSON_COMPACT) : NULL;
        struct dgm_event event = {
            .kind = (enum dgm_event_kind)kind,
            .query_id = follower->id,
            .state = json_text_at(json, "state"),
            .status = json_text_at(json, "status"),
            .text = json_text_at(json, "text"),
            .ms = json_real_at(json, "ms", 0),
            .data = text,
            .number = json_int_at(json, "number", 0),
        };
        follower->observer(follower->context, &event);
        free(text); /* NOLINT: jansson's */
    }
    arena_free(arena);
}

static bool tell_events(struct follower *follower, struct arena *arena, struct err *err)
{
    struct store_events events;
    do {
        if (!store_event_list(follower->dgm->agent.store, arena, follower->id,
                              follower->after, follower->fence, &events, err)) {
            return false;
        }
        for (size_t i = 0; i < events.count; i++) {
            const char *line = events.items[i].json;
            for (size_t size = 0; *line; line += size + (line[size] == '\n')) {
                size = strcspn(line, "\n");
                tell_line(follower, line, size);
            }
            follower->after = events.items[i].number;
        }
    } while (events.count);
    return true;
}

static void tell_end(struct follower *follower, enum dgm_event_kind kind,
                     const char *state, const char *status, const char *data)
{
    struct dgm_event event = {.kind = kind,
                              .query_id = follower->id,
                              .state = state,
                              .status = status,
                              .data = data};
    follower->observer(follower->context, &event);
}

static void tell_gone(struct follower *follower, const char *message)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, ANSWER_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "query_id", follower->id);
    writer_key_text(&writer, "status", "failed");
    writer_key(&writer, "error");
    writer_object(&writer);
    writer_key_text(&writer, "code", err_name(ERR_INTERRUPTED));
    writer_key_text(&writer, "message", message);
    writer_object_end(&writer);
    writer_object_end(&writer);
    tell_end(follower, DGM_GONE, state_name(STATE_FAILED), "failed", buf_get(&buf));
    buf_release(&buf);
}

/* Reports new events; true if the question has ended. Its state is read first: when it
 * has ended, all its events are stored. */
static bool pump(struct follower *follower)
{
    struct dgm *dgm = follower->dgm;
    struct err err;
    struct store_question stored = {0};
    enum state state = STATE_INITIALIZING;
    struct arena *arena = arena_new();
    err_clear(&err);
    bool ended = false;
    if (store_question_get(dgm->agent.store, arena, follower->id, &stored, &err)) {
        bool rests = state_find(stored.state, &state) &&
                     state_get(state)->rest != REST_NO && stored.answer;
        ended = tell_events(follower, arena, &err) && rests;
        if (ended) { /* the last state is only in the question's own row */
            tell_end(follower, DGM_STATUS, stored.state, state_get(state)->status, NULL);
            tell_end(follower,
                     state == STATE_AWAIT_USER ? DGM_CLARIFICATION
                     : state == STATE_FAILED   ? DGM_FAILED
                                               : DGM_DONE,
                     stored.state, state_get(state)->status, stored.answer);
        }
    } else if (err.code == ERR_QUERY_NOT_FOUND) {
        tell_gone(follower, "The question no longer exists.");
        ended = true;
    }
    arena_free(arena);
    return ended;
}

static void follower_free(struct follower *follower)
{
    struct dgm *dgm = follower->dgm;
    (void)pthread_mutex_lock(&dgm->lock);
    *follower->link = follower->next;
    if (follower->next) {
        follower->next->link = follower->link;
    }
    if (!dgm->followers) {
        (void)pthread_cond_broadcast(&dgm->empty);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    memory_free(follower);
}

/* On a worker, one at a time for each follower. */
static void look(void *context)
{
    struct follower *follower = context;
    struct dgm *dgm = follower->dgm;
    for (;;) {
        bool ended = pump(follower);
        (void)pthread_mutex_lock(&dgm->lock);
        bool closing = dgm->closing;
        bool more = follower->again;
        follower->again = false;
        follower->busy = more || ended || closing;
        (void)pthread_mutex_unlock(&dgm->lock);
        if (!ended && closing) {
            tell_gone(follower, "dragoman is shutting down; the question goes on in "
                                "another process.");
        }
        if (ended || closing) {
            follower_free(follower);
            return;
        }
        if (!more) {
            return; /* another process may work on it by now */
        }
    }
}

void follow_look(struct dgm *dgm, const char *id)
{
    (void)pthread_mutex_lock(&dgm->lock);
    for (struct follower *at = dgm->followers; at; at = at->next) {
        if (id && !str_equal(at->id, id)) {
            continue;
        }
        if (at->busy) {
            at->again = true;
        } else {
            at->busy = true;
            workers_submit(dgm->news, look, at);
        }
    }
    (void)pthread_mutex_unlock(&dgm->lock);
}

/* It is created busy, so that only the caller reads events. */
static struct follower *follower_new(struct dgm *dgm, const char *id, int64_t fence,
                                     dgm_observer *observer, void *context)
{
    struct follower *follower = memory_alloc(sizeof *follower);
    follower->dgm = dgm;
    (void)snprintf(follower->id, sizeof follower->id, "%s", id);
    follower->observer = observer;
    follower->context = context;
    follower->fence = fence;
    follower->busy = true;
    (void)pthread_mutex_lock(&dgm->lock);
    follower->next = dgm->followers;
    follower->link = &dgm->followers;
    if (follower->next) {
        follower->next->link = &follower->next;
    }
    dgm->followers = follower;
    (void)pthread_mutex_unlock(&dgm->lock);
    return follower;
}

void follow_start(struct dgm *dgm, const char *id, int64_t fence, dgm_observer *observer,
                  void *context)
{
    workers_submit(dgm->news, look, follower_new(dgm, id, fence, observer, context));
}

void follow_end(struct dgm *dgm)
{
    follow_look(dgm, NULL);
    (void)pthread_mutex_lock(&dgm->lock);
    while (dgm->followers) {
        (void)pthread_cond_wait(&dgm->empty, &dgm->lock);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
}

/* ------------------------------------------------------------------- public */

bool dgm_is_shared(struct dgm *dgm)
{
    struct err err;
    return instance_store(dgm, &err) && store_shared(dgm->agent.store);
}

/* A question that the caller may see, and whether it is running. */
static bool find_elsewhere(struct dgm *dgm, struct arena *arena,
                           const struct dgm_access *access, const char *query_id,
                           struct store_question *stored, bool *at_work, struct err *err)
{
    struct dgm_request request = {.access = access};
    enum state state = STATE_INITIALIZING;
    if (!instance_ready(dgm, err) || !dgm->news ||
        !resume_find(dgm, arena, str_or_empty(query_id), stored, err)) {
        return false;
    }
    if (!request_sees_question(&request, stored)) {
        return err_set(err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
    }
    bool known = state_find(stored->state, &state);
    *at_work = known && state_get(state)->rest == REST_NO;
    return known;
}

/* The events of a finished question are kept for a while and are reported with their
 * original numbers. */
static bool has_events(struct dgm *dgm, struct arena *arena,
                       const struct store_question *stored, struct err *err)
{
    struct store_events events;
    return stored->answer &&
           store_event_list(dgm->agent.store, arena, stored->id, 0, 0, &events, err) &&
           events.count > 0;
}

bool dgm_follow(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
                dgm_observer *observer, void *context, struct dgm_error *error)
{
    struct err err;
    struct store_question stored = {0};
    struct arena *arena = arena_new();
    err_clear(&err);
    instance_no_error(error);
    bool at_work = false;
    bool found = find_elsewhere(dgm, arena, access, query_id, &stored, &at_work, &err) &&
                 (at_work || has_events(dgm, arena, &stored, &err));
    if (found) { /* events so far are delivered before it returns */
        look(follower_new(dgm, stored.id, 0, observer, context));
    }
    arena_free(arena);
    return found || (err.code == ERR_OK ? false : instance_fail(error, &err));
}

char *dgm_progress(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
                   struct dgm_error *error)
{
    struct err err;
    struct store_question stored = {0};
    struct arena *arena = arena_new();
    char *json = NULL;
    err_clear(&err);
    instance_no_error(error);
    bool at_work = false;
    bool found = find_elsewhere(dgm, arena, access, query_id, &stored, &at_work, &err);
    if (found && !at_work && stored.answer) { /* it ended a moment ago */
        json = memory_text(stored.answer);
    } else if (found && at_work) {
        enum state state = STATE_INITIALIZING;
        struct buf buf;
        struct writer writer;
        (void)state_find(stored.state, &state);
        buf_init(&buf, ANSWER_MOST + strlen(str_or_empty(stored.text)) * 6);
        writer_init(&writer, &buf);
        writer_object(&writer);
        writer_key_text(&writer, "query_id", stored.id);
        writer_key_text(&writer, "session_id", stored.session_id);
        writer_key_text(&writer, "status", state_get(state)->status);
        writer_key_text(&writer, "state", stored.state);
        writer_key_text(&writer, "question", stored.text);
        writer_object_end(&writer);
        json = buf_take(&buf);
    } else if (err.code != ERR_OK) {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return json;
}
