/* What the pool of connections must know of PostgreSQL. */
#include "datasource/postgres/postgres_driver.h"

#include <poll.h>

#include "base/arena.h"
#include "base/memory.h"

static struct server_session *
pool_connect(void *state, const struct datasource_limits *limits, struct err *err)
{
    struct postgres_session *session = postgres_connect(state, limits, err);
    return session ? &session->base : NULL;
}

static void pool_disconnect(struct server_session *session)
{
    postgres_disconnect((struct postgres_session *)session);
}

/* Did the server leave while the connection lay? A closed socket is readable. */
static bool pool_alive(struct server_session *base, bool ask)
{
    struct postgres_session *session = (struct postgres_session *)base;
    struct pollfd socket = {.fd = PQsocket(session->connection), .events = POLLIN};
    if (poll(&socket, 1, 0) > 0 && !PQconsumeInput(session->connection)) {
        return false;
    }
    if (PQstatus(session->connection) != CONNECTION_OK) {
        return false;
    }
    struct err ignored;
    return !ask || postgres_script(session, "SELECT 1", NULL, NULL, &ignored);
}

static bool pool_clean(const struct server_session *base)
{
    const struct postgres_session *session = (const struct postgres_session *)base;
    return PQstatus(session->connection) == CONNECTION_OK &&
           PQtransactionStatus(session->connection) == PQTRANS_IDLE;
}

static bool pool_ready(void *context, struct server_session *session, struct err *err)
{
    struct postgres_state *state = context;
    return atomic_load(&state->types_known) ||
           postgres_types_load((struct postgres_session *)session, state, err);
}

static const struct server_kind postgres_server = {
    .connect = pool_connect,
    .disconnect = pool_disconnect,
    .alive = pool_alive,
    .clean = pool_clean,
    .ready = pool_ready,
};

void postgres_pool_init(struct postgres_state *state)
{
    (void)pthread_mutex_init(&state->lock, NULL);
    map_init(&state->types, false);
    state->memory = arena_new();
    server_pool_init(&state->pool, &postgres_server, state);
}

void postgres_pool_release(struct postgres_state *state)
{
    server_pool_release(&state->pool);
    memory_free(state->schema);
    map_release(&state->types);
    arena_free(state->memory);
    (void)pthread_mutex_destroy(&state->lock);
}

struct working {
    bool (*work)(struct postgres_session *session, void *context, struct err *err);
    void *context;
};

static bool work_run(struct server_session *session, void *context, struct err *err)
{
    const struct working *working = context;
    return working->work((struct postgres_session *)session, working->context, err);
}

bool postgres_with(struct datasource *source, const struct datasource_limits *limits,
                   bool (*work)(struct postgres_session *session, void *context,
                                struct err *err),
                   void *context, struct err *err)
{
    struct postgres_state *state = source->state;
    struct working working = {.work = work, .context = context};
    return server_pool_with(&state->pool, limits, work_run, &working, err);
}
