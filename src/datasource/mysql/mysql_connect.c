/* One connection to MySQL: made without blocking, then set so that it only reads. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"

enum {
    OLDEST_MYSQL = 80000,
    OLDEST_MARIADB = 100300,
    STATEMENT_MOST_MS = 900000,
    /* The library takes seconds here, but waits for as many milliseconds during the TLS
     * handshake. Its other waits are ended by us. */
    LIBRARY_TIMEOUT_MOST = 1000000,
};

/* Ways to show a password that do not give it away to a false server. */
#define AUTHENTICATION                                                                   \
    "mysql_native_password,caching_sha2_password,sha256_password,client_ed25519,"        \
    "parsec,auth_gssapi_client"

void mysql_quote(struct buf *out, const char *name)
{
    (void)buf_quote(out, name, '`');
}

/* The session's character set is UTF-8 and its strings know the backslash. */
void mysql_literal(struct buf *out, const char *text)
{
    (void)buf_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') {
            (void)buf_char(out, '\\');
        }
        (void)buf_char(out, *text);
    }
    (void)buf_char(out, '\'');
}

static void handle_set(struct mysql_session *session)
{
    const struct mysql_state *state = session->state;
    MYSQL *handle = session->handle;
    unsigned int no = 0;
    unsigned int protocol = state->socket ? MYSQL_PROTOCOL_SOCKET : MYSQL_PROTOCOL_TCP;
    my_bool yes = 1;
    my_bool verified = state->tls == MARIA_TLS_VERIFIED;
    unsigned int timeout = state->connect_timeout_ms < LIBRARY_TIMEOUT_MOST
                               ? (unsigned int)state->connect_timeout_ms
                               : LIBRARY_TIMEOUT_MOST;
    (void)maria.optionsv(handle, MYSQL_OPT_NONBLOCK, 0);
    (void)maria.optionsv(handle, MYSQL_OPT_MAX_ALLOWED_PACKET, &state->row_most);
    /* a server must not be able to ask for our files */
    (void)maria.optionsv(handle, MYSQL_OPT_LOCAL_INFILE, &no);
    (void)maria.optionsv(handle, MYSQL_OPT_PROTOCOL, &protocol);
    (void)maria.optionsv(handle, MYSQL_OPT_CONNECT_TIMEOUT, &timeout);
    (void)maria.optionsv(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    (void)maria.optionsv(handle, MARIADB_OPT_RESTRICTED_AUTH, AUTHENTICATION);
    (void)maria.optionsv(handle, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "dragoman");
    (void)maria.optionsv(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verified);
    if (!session->wants_tls) {
        return;
    }
    (void)maria.optionsv(handle, MYSQL_OPT_SSL_ENFORCE, &yes);
    (void)maria.optionsv(handle, MYSQL_OPT_TLS_VERSION, "TLSv1.2,TLSv1.3");
    if (state->tls_ca) {
        (void)maria.optionsv(handle, MYSQL_OPT_SSL_CA, state->tls_ca);
    }
    if (state->tls_certificate) {
        (void)maria.optionsv(handle, MYSQL_OPT_SSL_CERT, state->tls_certificate);
    }
    if (state->tls_key) {
        (void)maria.optionsv(handle, MYSQL_OPT_SSL_KEY, state->tls_key);
    }
}

/* One try. *absent: the server says that it has no encryption, and the library does not
 * go on without. */
static struct mysql_session *connect_try(struct mysql_state *state, const char *host,
                                         const char *database,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms, bool *absent, struct err *err)
{
    struct mysql_session *session = memory_alloc(sizeof *session);
    session->base.limits = limits;
    session->state = state;
    session->wants_tls = !*absent && state->tls != MARIA_TLS_OFF &&
                         (state->tls != MARIA_TLS_PREFERRED || !state->socket);
    session->handle = maria.init(NULL);
    if (!session->handle) {
        memory_free(session);
        (void)err_set(err, ERR_INTERNAL, "The MySQL library cannot be used.");
        return NULL;
    }
    handle_set(session);
    mysql_start_connect(session, host, database);
    *absent = false;
    if (!mysql_finish(session, until_ms, err)) {
        mysql_disconnect(session);
        return NULL;
    }
    if (session->connected && mysql_tls_holds(session, err)) {
        return session;
    }
    if (!session->connected) {
        *absent = session->wants_tls && session->offer == MARIA_OFFER_NONE &&
                  state->tls == MARIA_TLS_PREFERRED;
        (void)mysql_connect_fail(session, err);
    }
    mysql_disconnect(session);
    return NULL;
}

/* Uses plain text only if this server has just said that it does not support TLS. A
 * failed handshake does not count, nor does what was said on another connection. */
static struct mysql_session *connect_host(struct mysql_state *state, const char *host,
                                          const char *database,
                                          const struct datasource_limits *limits,
                                          int64_t until_ms, struct err *err)
{
    bool absent = false;
    struct mysql_session *session =
        connect_try(state, host, database, limits, until_ms, &absent, err);
    if (!session && absent) {
        err_clear(err);
        session = connect_try(state, host, database, limits, until_ms, &absent, err);
    }
    return session;
}

/* At the addresses that were allowed, so that another look-up cannot lead elsewhere. A
 * certificate is checked against the name we connect to, and nobody else has one. */
static struct mysql_session *connect_any(struct mysql_state *state, const char *database,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms, struct err *err)
{
    if (state->addresses.count == 0 || state->tls == MARIA_TLS_VERIFIED) {
        return connect_host(state, state->host, database, limits, until_ms, err);
    }
    struct mysql_session *session = NULL;
    for (size_t i = 0; i < state->addresses.count && !session; i++) {
        if (i > 0 && err->code != ERR_DATASOURCE_UNREACHABLE) {
            break;
        }
        err_clear(err);
        session = connect_host(state, state->addresses.items[i], database, limits,
                               until_ms, err);
    }
    return session;
}

/* How every session is set: it reads, gives up, and reads and prints SQL in one way
 * whatever the server's configuration is. */
static bool session_set(struct mysql_session *session, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 2048);
    (void)buf_text(&sql, "SET NAMES utf8mb4, SESSION time_zone = ");
    mysql_literal(&sql, session->state->time_zone);
    (void)buf_format(
        &sql,
        ", autocommit = 1, sql_mode = '%sSTRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,"
        "NO_ENGINE_SUBSTITUTION', div_precision_increment = 8, sql_select_limit = "
        "DEFAULT, lock_wait_timeout = 10,"
        " net_write_timeout = 600, wait_timeout = 900, group_concat_max_len = 1048576,"
        " %s = 1, %s = %d",
        session->mariadb ? "" : "ONLY_FULL_GROUP_BY,",
        /* Unlike START TRANSACTION READ ONLY, this refuses CREATE and DROP as well. */
        session->mariadb ? "tx_read_only" : "transaction_read_only",
        session->mariadb ? "max_statement_time" : "max_execution_time",
        session->mariadb ? STATEMENT_MOST_MS / 1000 : STATEMENT_MOST_MS);
    session->limit_ms = STATEMENT_MOST_MS;
    session->careful = false;
    bool ok = mysql_rows(session, buf_get(&sql), NULL, NULL, err);
    buf_release(&sql);
    return ok;
}

bool mysql_renew(struct mysql_session *session)
{
    enum { PATIENCE_MS = 2000 };
    struct err ignored;
    int64_t until_ms = clock_ms() + PATIENCE_MS;
    const struct datasource_limits limits = {.deadline_ms = until_ms};
    session->base.limits = &limits; /* the caller's may be spent */
    bool ok = mysql_reset(session, until_ms) && session_set(session, &ignored);
    session->base.limits = NULL;
    return ok;
}

/* Nobody asks questions with a login that may do everything, unless that is allowed.
 * Rights may have changed since the connection before this one. */
static bool rights_judge(struct mysql_session *session, struct err *err)
{
    struct mysql_state *state = session->state;
    struct arena *arena = arena_new();
    struct server_grants grants = {.arena = arena};
    struct texts ruling = {0};
    bool ok = mysql_grants_ask(session, &grants, err);
    if (ok) {
        server_grants_ruling(&grants, &ruling);
        ok = server_rights_judge(&state->rights, state->user, &ruling, err);
    }
    arena_free(arena);
    return ok;
}

struct mysql_session *mysql_connect(struct mysql_state *state,
                                    const struct datasource_limits *limits,
                                    struct err *err)
{
    int64_t until_ms = clock_ms() + state->connect_timeout_ms;
    struct mysql_session *session =
        connect_any(state, state->database, limits, until_ms, err);
    if (!session) {
        return NULL;
    }
    const char *version = maria.get_server_info(session->handle);
    session->mariadb = version && str_contains_nocase(version, "mariadb");
    if (maria.get_server_version(session->handle) <
        (unsigned long)(session->mariadb ? OLDEST_MARIADB : OLDEST_MYSQL)) {
        (void)err_set(err, ERR_DATASOURCE_KIND,
                      "The database server is too old: dragoman reads MySQL 8, MariaDB "
                      "10.3 and newer.");
        (void)err_hint(err, "Update the server, or copy the data to a newer one.");
    } else if (session_set(session, err) && rights_judge(session, err)) {
        session->base.answered = false;
        return session;
    }
    mysql_disconnect(session);
    return NULL;
}

struct mysql_session *mysql_connect_bare(struct mysql_state *state,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms)
{
    struct err ignored;
    struct mysql_session *session = connect_any(state, "", limits, until_ms, &ignored);
    if (session) {
        session->bare = true;
    }
    return session;
}

void mysql_disconnect(struct mysql_session *session)
{
    if (session->pending || session->base.broken) {
        mysql_abandon(session);
    }
    maria.close(session->handle);
    memory_free(session);
}
