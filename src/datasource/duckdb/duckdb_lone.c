/*
 * Queries on a file share one process and its memory. When memory runs out, the engine
 * reports it to the next query that needs some, not to the one that used it. So a query
 * that failed for lack of memory next to others is repeated in a process of its own:
 * there it succeeds, or the error is its own.
 */
#include "base/clock.h"
#include "datasource/duckdb/duckdb.h"

enum {
    WATCH_MS = 10,
    LONE_MOST = 2, /* each may use as much as the file's own process */
};

bool duckdb_crowded(struct err *err)
{
    (void)err_set(err, ERR_BUSY,
                  "Queries on this database, this one among them, needed more memory "
                  "together than sql.memory_mb allows.");
    return err_hint(err, "Ask again in a moment, or raise sql.memory_mb.");
}

/* With the lock held. */
static bool turn_wait(struct duckdb_source_state *state,
                      const struct datasource_limits *limits, struct err *err)
{
    while (state->making || state->lone >= LONE_MOST) {
        duckdb_wait(state, WATCH_MS);
        if (!limits_hold(limits, err)) {
            return err->code == ERR_TIMEOUT ? duckdb_crowded(err) : false;
        }
    }
    return true;
}

static void turn_end(struct duckdb_source_state *state)
{
    (void)pthread_mutex_lock(&state->lock);
    state->lone--;
    state->idle_since_ms = clock_ms();
    (void)pthread_cond_broadcast(&state->changed);
    (void)pthread_mutex_unlock(&state->lock);
}

bool duckdb_lone_begin(struct duckdb_source_state *state, struct duckdb_session *session,
                       struct err *err)
{
    (void)pthread_mutex_lock(&state->lock);
    bool ours = turn_wait(state, session->limits, err);
    state->lone += ours;
    (void)pthread_mutex_unlock(&state->lock);
    if (!ours) {
        return false;
    }
    struct engine_setting setting = duckdb_setting(state, ENGINE_READ);
    struct engine *engine = engine_open(state->options, &setting, session->limits, err);
    bool ok = engine ? engine_session_open(&session->line, engine, session->limits, err)
                     : duckdb_open_failed(state, err);
    engine_unref(engine); /* the session has it */
    session->lone = ok;
    if (!ok) {
        turn_end(state);
    }
    return ok;
}

void duckdb_lone_end(struct duckdb_source_state *state, struct duckdb_session *session)
{
    engine_session_close(&session->line);
    session->lone = false;
    turn_end(state);
}
