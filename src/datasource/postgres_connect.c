/* One connection to PostgreSQL: made without blocking, then set so that it only reads. */
#include "datasource/postgres_driver.h"

#include <poll.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"

enum { OLDEST_SERVER = 120000 };

/* How every session is set: it reads, gives up, and prints everything the same way. The
 * role's own default schema becomes the only one in which names are found, before
 * everybody's temporary objects: nobody can put a table or function in front of the one
 * that is meant. One query, so that it can go out with others when a session is reset. */
#define SETTINGS                                                                         \
    "SELECT s, "                                                                         \
    "pg_catalog.set_config('default_transaction_read_only', 'on', false), "              \
    "pg_catalog.set_config('standard_conforming_strings', 'on', false), "                \
    "pg_catalog.set_config('datestyle', 'ISO, YMD', false), "                            \
    "pg_catalog.set_config('intervalstyle', 'iso_8601', false), "                        \
    "pg_catalog.set_config('bytea_output', 'hex', false), "                              \
    "pg_catalog.set_config('extra_float_digits', '1', false), "                          \
    "pg_catalog.set_config('statement_timeout', '15min', false), "                       \
    "pg_catalog.set_config('lock_timeout', '10s', false), "                              \
    "pg_catalog.set_config('idle_in_transaction_session_timeout', '5min', false), "
#define SEARCH_PATH                                                                      \
    "pg_catalog.set_config('search_path', pg_catalog.format('pg_catalog, %I, pg_temp',"  \
    " s), false) FROM (SELECT coalesce(pg_catalog.current_schema(), 'public') AS s"      \
    " OFFSET 0) AS t"

const char *postgres_settings(const struct postgres_session *session)
{
    enum { KNOWS_DEAD_CLIENTS = 140000 };
    return PQserverVersion(session->connection) < KNOWS_DEAD_CLIENTS
               ? SETTINGS SEARCH_PATH
               : SETTINGS "pg_catalog.set_config('client_connection_check_interval', "
                          "'2s', false), " SEARCH_PATH;
}

void postgres_quote(struct buf *out, const char *name)
{
    (void)buf_char(out, '"');
    for (; *name; name++) {
        if (*name == '"') {
            (void)buf_char(out, '"');
        }
        (void)buf_char(out, *name);
    }
    (void)buf_char(out, '"');
}

static bool schema_row(void *context, const char *const *texts)
{
    struct postgres_state *state = context;
    (void)pthread_mutex_lock(&state->lock);
    if (!state->schema) {
        state->schema = memory_text(texts[0]);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return false;
}

static bool connect_poll(struct postgres_session *session, int64_t until_ms,
                         struct err *err)
{
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK) {
        if (next == PGRES_POLLING_FAILED) {
            return false;
        }
        int events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        if (!postgres_wait(session, events, until_ms, err)) {
            return false;
        }
        next = PQconnectPoll(session->connection);
    }
    return true;
}

/* Once: nobody should ask questions with a login that may do everything. */
static void rights_warn(PGconn *connection, struct postgres_state *state)
{
    const char *superuser = PQparameterStatus(connection, "is_superuser");
    if (superuser && str_equal(superuser, "on") &&
        !atomic_exchange(&state->superuser_told, true)) {
        LOG(LOG_DATASOURCE, LOG_WARN,
            "the login to the database '%s' is a superuser; give dragoman one that can "
            "only read",
            state->database);
    }
}

static bool connect_run(struct postgres_session *session, struct postgres_state *state,
                        struct err *err)
{
    PGconn *connection = session->connection;
    if (!connection || PQstatus(connection) == CONNECTION_BAD) {
        return postgres_connect_fail(state, connection ? PQerrorMessage(connection) : "",
                                     err);
    }
    /* Only the class of an error: the same in every language, and no names in it. */
    (void)PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE);
    err_clear(err);
    if (!connect_poll(session, clock_ms() + state->connect_timeout_ms, err)) {
        return err->code ? false
                         : postgres_connect_fail(state, PQerrorMessage(connection), err);
    }
    (void)PQsetErrorVerbosity(connection, PQERRORS_DEFAULT);
    if (PQserverVersion(connection) < OLDEST_SERVER) {
        (void)err_set(err, ERR_DATASOURCE_KIND,
                      "The database server is too old: dragoman reads PostgreSQL 12 and "
                      "newer.");
        return err_hint(err, "Update the server, or copy the data to a newer one.");
    }
    rights_warn(connection, state);
    return PQsetnonblocking(connection, 1) == 0 &&
           postgres_rows(session, postgres_settings(session), schema_row, state, err);
}

/* What the server says besides is for its own log. */
static void notice_drop(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

struct postgres_session *postgres_connect(struct postgres_state *state,
                                          const struct datasource_limits *limits,
                                          struct err *err)
{
    struct postgres_session *session = memory_alloc(sizeof *session);
    session->base.limits = limits;
    session->connection = PQconnectStartParams(state->keywords, state->values, 0);
    if (session->connection) {
        (void)PQsetNoticeReceiver(session->connection, notice_drop, NULL);
    }
    if (connect_run(session, state, err)) {
        session->base.answered = false;
        return session;
    }
    postgres_disconnect(session);
    return NULL;
}

void postgres_disconnect(struct postgres_session *session)
{
    PQfinish(session->connection);
    memory_free(session);
}
