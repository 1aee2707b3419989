/* The functions by which the connection pool uses ODBC. */
#include "datasource/odbc/odbc_driver.h"

static struct server_session *
pool_connect(void *state, const struct datasource_limits *limits, struct err *err)
{
    struct odbc_session *session = odbc_connect(state, limits, err);
    return session ? &session->base : NULL;
}

static void pool_disconnect(struct server_session *session)
{
    odbc_disconnect((struct odbc_session *)session);
}

static bool pool_alive(struct server_session *base, bool ask)
{
    struct odbc_session *session = (struct odbc_session *)base;
    SQLUINTEGER dead = SQL_CD_FALSE;
    struct err ignored;
    if (SQL_SUCCEEDED(odbc.GetConnectAttr(session->connection, SQL_ATTR_CONNECTION_DEAD,
                                          &dead, SQL_IS_UINTEGER, NULL)) &&
        dead == SQL_CD_TRUE) {
        return false;
    }
    return !ask || odbc_ask(session, "SELECT 1", 1, NULL, NULL, &ignored);
}

static bool pool_clean(const struct server_session *base)
{
    return ((const struct odbc_session *)base)->connection != NULL;
}

static const struct server_kind odbc_server = {
    .connect = pool_connect,
    .disconnect = pool_disconnect,
    .alive = pool_alive,
    .clean = pool_clean,
};

void odbc_pool_init(struct odbc_state *state)
{
    server_pool_init(&state->pool, &odbc_server, state);
}

struct working {
    bool (*work)(struct odbc_session *session, void *context, struct err *err);
    void *context;
};

static bool work_run(struct server_session *session, void *context, struct err *err)
{
    const struct working *working = context;
    return working->work((struct odbc_session *)session, working->context, err);
}

bool odbc_with(struct datasource *source, const struct datasource_limits *limits,
               bool (*work)(struct odbc_session *session, void *context, struct err *err),
               void *context, struct err *err)
{
    struct odbc_state *state = source->state;
    struct working working = {.work = work, .context = context};
    return server_pool_with(&state->pool, limits, work_run, &working, err);
}
