/* What the pool of connections must know of MySQL. */
#include <poll.h>

#include "datasource/mysql/mysql_driver.h"

static struct server_session *
pool_connect(void *state, const struct datasource_limits *limits, struct err *err)
{
    struct mysql_session *session = mysql_connect(state, limits, err);
    return session ? &session->base : NULL;
}

static void pool_disconnect(struct server_session *session)
{
    mysql_disconnect((struct mysql_session *)session);
}

/* The server says nothing on its own: a socket that can be read was closed. */
static bool pool_alive(struct server_session *base, bool ask)
{
    struct mysql_session *session = (struct mysql_session *)base;
    struct pollfd socket = {.fd = maria.get_socket(session->handle), .events = POLLIN};
    if (poll(&socket, 1, 0) > 0) {
        base->broken = true;
        return false;
    }
    return !ask || mysql_still_there(session);
}

static bool pool_clean(const struct server_session *base)
{
    const struct mysql_session *session = (const struct mysql_session *)base;
    return !session->pending && !session->rows;
}

static bool pool_renew(struct server_session *session)
{
    return mysql_renew((struct mysql_session *)session);
}

static const struct server_kind mysql_server = {
    .connect = pool_connect,
    .disconnect = pool_disconnect,
    .alive = pool_alive,
    .clean = pool_clean,
    .renew = pool_renew,
};

void mysql_pool_init(struct mysql_state *state)
{
    server_pool_init(&state->pool, &mysql_server, state);
}

struct working {
    bool (*work)(struct mysql_session *session, void *context, struct err *err);
    void *context;
};

static bool work_run(struct server_session *session, void *context, struct err *err)
{
    const struct working *working = context;
    return working->work((struct mysql_session *)session, working->context, err);
}

bool mysql_with(struct datasource *source, const struct datasource_limits *limits,
                bool (*work)(struct mysql_session *session, void *context,
                             struct err *err),
                void *context, struct err *err)
{
    struct mysql_state *state = source->state;
    struct working working = {.work = work, .context = context};
    return server_pool_with(&state->pool, limits, work_run, &working, err);
}
