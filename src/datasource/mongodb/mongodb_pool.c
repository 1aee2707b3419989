/* What the pool of connections must know of MongoDB. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "datasource/mongodb/mongodb_driver.h"

enum { ERROR_API = 2 /* errors of the server keep its own codes */ };

void mongodb_disconnect(struct mongodb_session *session)
{
    if (session->client) {
        mongo.client_destroy(session->client);
    }
    memory_free(session);
}

static bool session_ping(struct mongodb_session *session, struct err *err)
{
    bson_t command;
    bson_t reply;
    mongo.bson_init(&command);
    (void)mongo.bson_append_int32(&command, "ping", -1, 1);
    bool ok = mongodb_command(session, session->state->database, &command, &reply, err);
    if (ok) {
        mongo.bson_destroy(&reply);
    }
    mongo.bson_destroy(&command);
    return ok;
}

/* The first question of a connection: who are we there? */
static bool session_judge(struct mongodb_session *session, struct err *err)
{
    struct mongodb_login login = {.arena = arena_new()};
    bool ok =
        mongodb_login_ask(session, &login, err) &&
        server_rights_judge(&session->state->rights, login.user, &login.ruling, err);
    arena_free(login.arena);
    return ok;
}

struct mongodb_session *mongodb_connect(struct mongodb_state *state,
                                        const struct datasource_limits *limits,
                                        struct err *err)
{
    struct mongodb_session *session = memory_alloc(sizeof *session);
    bson_error_t error = {0};
    session->state = state;
    session->base.limits = limits;
    session->connect_until_ms = clock_ms() + state->connect_timeout_ms;
    session->client = mongo.client_new_from_uri_with_error(state->uri, &error);
    bool ok = session->client != NULL;
    if (ok) {
        (void)mongo.client_set_error_api(session->client, ERROR_API);
        mongo.client_set_stream_initiator(session->client, mongodb_line_open, session);
        ok = session_judge(session, err);
    } else {
        (void)mongodb_fail(session, &error, err);
    }
    if (!ok) {
        mongodb_disconnect(session);
        return NULL;
    }
    session->connect_until_ms = 0;
    session->base.answered = false;
    return session;
}

static struct server_session *
pool_connect(void *state, const struct datasource_limits *limits, struct err *err)
{
    struct mongodb_session *session = mongodb_connect(state, limits, err);
    return session ? &session->base : NULL;
}

static void pool_disconnect(struct server_session *session)
{
    mongodb_disconnect((struct mongodb_session *)session);
}

static bool pool_alive(struct server_session *session, bool ask)
{
    struct err ignored;
    return !ask || session_ping((struct mongodb_session *)session, &ignored);
}

static bool pool_clean(const struct server_session *session)
{
    return !session->broken;
}

static const struct server_kind mongodb_server = {
    .connect = pool_connect,
    .disconnect = pool_disconnect,
    .alive = pool_alive,
    .clean = pool_clean,
};

void mongodb_pool_init(struct mongodb_state *state)
{
    (void)pthread_mutex_init(&state->lock, NULL);
    map_init(&state->shapes, false);
    map_init(&state->noticed, false);
    server_pool_init(&state->pool, &mongodb_server, state);
}

void mongodb_pool_release(struct mongodb_state *state)
{
    struct map_entry *entry;
    server_pool_release(&state->pool);
    for (size_t at = 0; (entry = map_next(&state->shapes, &at));) {
        mongodb_shape_free(entry->value);
    }
    map_release(&state->shapes);
    map_release(&state->noticed);
    (void)pthread_mutex_destroy(&state->lock);
}

struct working {
    bool (*work)(struct mongodb_session *session, void *context, struct err *err);
    void *context;
};

static bool work_run(struct server_session *session, void *context, struct err *err)
{
    const struct working *working = context;
    return working->work((struct mongodb_session *)session, working->context, err);
}

bool mongodb_with(struct datasource *source, const struct datasource_limits *limits,
                  bool (*work)(struct mongodb_session *session, void *context,
                               struct err *err),
                  void *context, struct err *err)
{
    struct mongodb_state *state = source->state;
    struct working working = {.work = work, .context = context};
    return server_pool_with(&state->pool, limits, work_run, &working, err);
}
