/* One connection to PostgreSQL: made without blocking, then set so that it only reads. */
#include "datasource/postgres/postgres_driver.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"

enum { OLDEST_SERVER = 120000 };

/* How every session is set: it reads, gives up, and prints everything the same way. The
 * role's own default schema becomes the only one in which names are found, before
 * everybody's temporary objects: nobody can put a table or function in front of the one
 * that is meant. One query, so that it can go out with others when a session is reset,
 * and without an operator: on the role's own search path others may have made some. */
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
    (void)buf_quote(out, name, '"');
}

/* The rights are asked as far as the server tells them: catalogs may be closed to a
 * login. */
static const char *const rights[] = {
    "SELECT session_user, " SERVER_RIGHTS_POSTGRES,
    "SELECT session_user, " SERVER_RIGHTS_POSTGRES_LEAST};

struct first {
    struct postgres_session *session;
    struct postgres_state *state;
    struct arena *arena;
    const char *user;
    struct texts ruling;
};

/* The default schema. */
static bool first_row(void *context, const char *const *texts)
{
    struct first *first = context;
    struct postgres_state *state = first->state;
    struct buf quoted;
    buf_init(&quoted, 1024);
    postgres_quote(&quoted, texts[0]);
    first->session->home = memory_text(buf_get(&quoted));
    buf_release(&quoted);
    (void)pthread_mutex_lock(&state->lock);
    if (!state->schema) {
        state->schema = memory_text(texts[0]);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return false;
}

/* The login, and what it may do that nobody should who only reads. */
static bool rights_row(void *context, const char *const *texts)
{
    struct first *first = context;
    size_t size = strlen(texts[0]);
    first->user = arena_text(first->arena, text_clean(first->arena, texts[0], &size));
    server_rights_words(first->arena, texts[1], &first->ruling);
    return false;
}

bool postgres_ended(const struct postgres_session *session, const struct err *err)
{
    return session->base.broken || err->code == ERR_STOPPED || err->code == ERR_TIMEOUT ||
           err->code == ERR_DATASOURCE_UNREACHABLE;
}

/* Sets the session and looks at its login: rights may have changed since the connection
 * before this one. */
static bool session_begin(struct postgres_session *session, struct postgres_state *state,
                          struct err *err)
{
    struct first first = {.session = session, .state = state, .arena = arena_new()};
    bool set = postgres_rows(session, postgres_settings(session), first_row, &first, err);
    bool ok = false;
    for (size_t i = 0; set && !ok && i < sizeof rights / sizeof *rights; i++) {
        err_clear(err);
        ok = postgres_rows(session, rights[i], rights_row, &first, err);
        if (!ok && postgres_ended(session, err)) {
            break;
        }
    }
    ok = ok && server_rights_judge(&state->rights, first.user, &first.ruling, err);
    arena_free(first.arena);
    return ok;
}

/* The server's answer to the request for TLS, looked at before libpq takes it: one
 * letter, S or N. Whatever else comes, or nothing, is no permission to go without. */
static void answer_note(struct postgres_session *session)
{
    char answer = '\0';
    if (PQstatus(session->connection) != CONNECTION_SSL_STARTUP ||
        PQsslInUse(session->connection) || session->tls_begun) {
        return;
    }
    if (recv(PQsocket(session->connection), &answer, 1, MSG_PEEK | MSG_DONTWAIT) == 1) {
        session->tls_begun = answer != 'N';
        session->tls_refused = session->tls_refused || answer == 'N';
    }
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
        answer_note(session);
        next = PQconnectPoll(session->connection);
    }
    return true;
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
    return PQsetnonblocking(connection, 1) == 0 && session_begin(session, state, err);
}

/* What the server says besides is for its own log. */
static void notice_drop(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

/* One try; *refused: no server has begun a handshake, and one says that it has no TLS. */
static struct postgres_session *connect_try(struct postgres_state *state,
                                            const char *const *values,
                                            const struct datasource_limits *limits,
                                            bool *refused, struct err *err)
{
    struct postgres_session *session = memory_alloc(sizeof *session);
    session->base.limits = limits;
    session->connection =
        PQconnectStartParams((const char *const *)state->keywords, values, 0);
    if (session->connection) {
        (void)PQsetNoticeReceiver(session->connection, notice_drop, NULL);
    }
    if (connect_run(session, state, err)) {
        session->base.answered = false;
        return session;
    }
    *refused = session->tls_refused && !session->tls_begun;
    if (*refused && err->code == ERR_DATASOURCE_UNREACHABLE) {
        (void)server_line_refuse("sslmode=prefer", err);
    }
    postgres_disconnect(session);
    return NULL;
}

struct postgres_session *postgres_connect(struct postgres_state *state,
                                          const struct datasource_limits *limits,
                                          struct err *err)
{
    bool refused = false;
    struct postgres_session *session =
        connect_try(state, state->values, limits, &refused, err);
    bool plain = !session && refused && state->plain_values;
    if (plain) {
        err_clear(err);
        session = connect_try(state, state->plain_values, limits, &refused, err);
    }
    if (session) {
        server_line_note(&state->line, plain);
    }
    return session;
}

void postgres_disconnect(struct postgres_session *session)
{
    PQfinish(session->connection);
    memory_free(session->home);
    memory_free(session);
}
