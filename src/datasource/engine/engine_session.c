/* One connection to an engine: requests and answers, ended by interrupt, then by force.
 */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "datasource/engine/engine.h"
#include "datasource/engine/engine_helper.h"

enum {
    LOOK_MS = 10,       /* how often limits are looked at */
    GRACE_MS = 300,     /* from the first interrupt to the kill */
    UNWANTED_MS = 2000, /* the same, when only the rest of the rows is not wanted */
    PATIENCE_MS = 200,  /* for such a query to end by itself */
    CONTROL_MS = 2000,  /* for the control socket to take a few bytes */
    REQUEST_MOST = 64 << 20,
    CONTROL_MOST = 64,
};

/* ------------------------------------------------------------------ faults, for tests */

static atomic_int fault_left;

void engine_fault_at(int nth)
{
    atomic_store(&fault_left, nth);
}

static void fault_look(const struct engine_session *session)
{
    if (atomic_load(&fault_left) > 0 && atomic_fetch_sub(&fault_left, 1) == 1) {
        (void)kill(session->engine->pid, SIGKILL);
    }
}

/* ------------------------------------------------------------------ control */

static bool control_send(struct engine *engine, enum engine_message kind, uint64_t first,
                         uint64_t second, int passed)
{
    struct buf out;
    buf_init(&out, CONTROL_MOST);
    frame_begin(&out, kind);
    frame_put_number(&out, first);
    frame_put_number(&out, second);
    (void)pthread_mutex_lock(&engine->lock);
    engine->give_up_ms = clock_ms() + CONTROL_MS;
    bool sent = frame_end(&out) && frame_send(&engine->control, &out, passed);
    (void)pthread_mutex_unlock(&engine->lock);
    buf_release(&out);
    return sent;
}

/* Looked at whenever the engine has nothing to say. */
static bool session_wait(void *context, int fd, short events)
{
    struct engine_session *session = context;
    struct pollfd poller = {.fd = fd, .events = events};
    if (poll(&poller, 1, LOOK_MS) > 0 ||
        (!session->unwanted && !limits_spent(session->limits))) {
        return true;
    }
    int64_t now_ms = clock_ms();
    session->interrupted_ms = session->interrupted_ms ? session->interrupted_ms : now_ms;
    if (now_ms - session->interrupted_ms > (session->unwanted ? UNWANTED_MS : GRACE_MS)) {
        session->guilty = true;
        atomic_store(&session->engine->blamed, true);
        engine_kill(session->engine);
        return false;
    }
    if (session->unwanted && now_ms - session->interrupted_ms < PATIENCE_MS) {
        return true;
    }
    atomic_store(&session->engine->stopped, true);
    /* again at every look: the first may come before the query has begun */
    (void)control_send(session->engine, ENGINE_INTERRUPT, session->id, session->serial,
                       -1);
    return true;
}

/* ------------------------------------------------------------------ sessions */

bool engine_session_open(struct engine_session *session, struct engine *engine,
                         const struct datasource_limits *limits, struct err *err)
{
    int pair[2];
    *session = (struct engine_session){.limits = limits};
    if (!frame_pair(SOCK_STREAM, pair)) {
        return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                       "No connection could be made: too many files are open.");
    }
    (void)pthread_mutex_lock(&engine->lock);
    session->id = ++engine->sessions;
    (void)pthread_mutex_unlock(&engine->lock);
    bool sent = control_send(engine, ENGINE_SESSION, session->id, 0, pair[1]);
    (void)close(pair[1]);
    if (!sent) {
        (void)close(pair[0]);
        atomic_store(&engine->dead, true);
        return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                       "The process that runs DuckDB ended.");
    }
    session->engine = engine_ref(engine);
    session->beside = atomic_fetch_add(&engine->open, 1) > 0;
    frame_stream_init(&session->stream, pair[0], session_wait, session);
    buf_init(&session->out, REQUEST_MOST);
    return true;
}

void engine_session_close(struct engine_session *session)
{
    if (session->engine) {
        frame_stream_release(&session->stream);
        buf_release(&session->out);
        (void)atomic_fetch_sub(&session->engine->open, 1);
        engine_unref(session->engine);
        session->engine = NULL;
    }
}

/* ------------------------------------------------------------------ requests */

struct buf *engine_request(struct engine_session *session, enum engine_message kind)
{
    session->serial++;
    session->interrupted_ms = 0;
    session->unwanted = false;
    frame_begin(&session->out, kind);
    frame_put_number(&session->out, session->serial);
    return &session->out;
}

bool engine_send(struct engine_session *session)
{
    fault_look(session);
    return frame_end(&session->out) && frame_send(&session->stream, &session->out, -1);
}

enum engine_message engine_answer(struct engine_session *session, size_t most,
                                  struct frame_reader *out)
{
    fault_look(session);
    enum engine_message kind = 0;
    uint64_t serial = 0;
    do { /* a table that was given up may have had something to say */
        kind = frame_receive(&session->stream, most, out);
        serial = frame_get_number(out);
    } while (kind != 0 && !out->bad && serial < session->serial);
    if (out->bad || serial != session->serial) {
        kind = 0;
    }
    if (kind == 0) { /* gone, or it says what nobody would: not to be used again */
        engine_kill(session->engine);
    }
    return kind;
}

void engine_drain(struct engine_session *session, size_t most)
{
    struct frame_reader in;
    enum engine_message kind = ENGINE_ROWS;
    session->unwanted = true;
    for (bool told = false; kind == ENGINE_ROWS || kind == ENGINE_COLUMNS;) {
        if (!told && !engine_answered(session)) {
            (void)control_send(session->engine, ENGINE_ENOUGH, session->id,
                               session->serial, -1);
            told = true;
        }
        kind = engine_answer(session, most, &in);
    }
}

bool engine_answered(struct engine_session *session)
{
    struct pollfd poller = {.fd = session->stream.fd, .events = POLLIN};
    return session->stream.end > session->stream.start || poll(&poller, 1, 0) > 0;
}

bool engine_starved_alone(struct engine_session *session, bool renewable)
{
    struct engine *engine = session->engine;
    (void)pthread_mutex_lock(&engine->lock);
    bool last = engine->sessions == session->id;
    (void)pthread_mutex_unlock(&engine->lock);
    bool before = atomic_exchange(&engine->strained, true);
    bool leftovers = renewable && atomic_load(&engine->stopped);
    return last && !before && !session->beside && !leftovers;
}

bool engine_lost(struct engine_session *session, struct err *err)
{
    struct engine *engine = session->engine;
    if (!limits_hold(session->limits, err)) {
        return false;
    }
    int status = engine_status(engine->pid, engine->spawner);
    if (status == HOST_OUT_OF_MEMORY || status == 128 + SIGABRT) {
        (void)err_set(err, ERR_RESULT_TOO_LARGE,
                      "The query needs more memory than sql.memory_mb allows.");
        return err_hint(err, "Ask for less at once, or raise sql.memory_mb.");
    }
    (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                  "The process that runs DuckDB ended while it worked on this.");
    (void)err_detail(err,
                     status > 128 ? "It was ended by signal %d." : "Its status was %d.",
                     status > 128 ? status - 128 : status);
    return err_hint(err, "Ask again: the process is restarted.");
}
