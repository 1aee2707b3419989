/* One connection to MySQL: made without blocking, then set so that it only reads. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/mysql_driver.h"

enum {
    OLDEST_MYSQL = 80000,
    OLDEST_MARIADB = 100300,
    STATEMENT_MOST_MS = 900000,
    NO_TLS = 2026, /* what the library says when the server has none, or it fails */
};

/* Ways to show a password that do not give it away to a false server. */
#define AUTHENTICATION                                                                   \
    "mysql_native_password,caching_sha2_password,sha256_password,client_ed25519,"        \
    "parsec,auth_gssapi_client"

void maria_quote(struct buf *out, const char *name)
{
    (void)buf_char(out, '`');
    for (; *name; name++) {
        if (*name == '`') {
            (void)buf_char(out, '`');
        }
        (void)buf_char(out, *name);
    }
    (void)buf_char(out, '`');
}

/* The session's character set is UTF-8 and its strings know the backslash. */
void maria_literal(struct buf *out, const char *text)
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

static void handle_set(struct maria_session *session, bool encrypted)
{
    const struct maria_state *state = session->state;
    MYSQL *handle = session->handle;
    unsigned int no = 0;
    unsigned int protocol = state->socket ? MYSQL_PROTOCOL_SOCKET : MYSQL_PROTOCOL_TCP;
    my_bool yes = 1;
    unsigned int seconds = (unsigned int)(state->connect_timeout_ms / 1000);
    (void)maria.optionsv(handle, MYSQL_OPT_NONBLOCK, 0);
    /* a server must not be able to ask for our files */
    (void)maria.optionsv(handle, MYSQL_OPT_LOCAL_INFILE, &no);
    (void)maria.optionsv(handle, MYSQL_OPT_PROTOCOL, &protocol);
    (void)maria.optionsv(handle, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
    (void)maria.optionsv(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    (void)maria.optionsv(handle, MARIADB_OPT_RESTRICTED_AUTH, AUTHENTICATION);
    (void)maria.optionsv(handle, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "dragoman");
    if (!encrypted) {
        return;
    }
    (void)maria.optionsv(handle, MYSQL_OPT_SSL_ENFORCE, &yes);
    (void)maria.optionsv(handle, MYSQL_OPT_TLS_VERSION, "TLSv1.2,TLSv1.3");
    if (state->tls == MARIA_TLS_VERIFIED) {
        (void)maria.optionsv(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
    }
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

/* One try. *absent: the server has no encryption and could be asked without. */
static struct maria_session *connect_try(struct maria_state *state, const char *host,
                                         const char *database,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms, bool encrypted, bool *absent,
                                         struct err *err)
{
    struct maria_session *session = memory_alloc(sizeof *session);
    session->base.limits = limits;
    session->state = state;
    session->handle = maria.init(NULL);
    if (!session->handle) {
        memory_free(session);
        (void)err_set(err, ERR_INTERNAL, "The MySQL library cannot be used.");
        return NULL;
    }
    handle_set(session, encrypted);
    maria_start_connect(session, host, database);
    *absent = false;
    if (!maria_finish(session, until_ms, err)) {
        maria_disconnect(session);
        return NULL;
    }
    if (!session->connected) {
        *absent = encrypted && state->tls == MARIA_TLS_PREFERRED &&
                  maria.error_number(session->handle) == NO_TLS;
        (void)maria_connect_fail(session, err);
        maria_disconnect(session);
        return NULL;
    }
    return session;
}

static struct maria_session *connect_host(struct maria_state *state, const char *host,
                                          const char *database,
                                          const struct datasource_limits *limits,
                                          int64_t until_ms, struct err *err)
{
    bool absent = false;
    bool encrypted = state->tls != MARIA_TLS_OFF && !atomic_load(&state->plain) &&
                     (state->tls != MARIA_TLS_PREFERRED || !state->socket);
    struct maria_session *session =
        connect_try(state, host, database, limits, until_ms, encrypted, &absent, err);
    if (!session && absent) {
        err_clear(err);
        session =
            connect_try(state, host, database, limits, until_ms, false, &absent, err);
        if (session) {
            atomic_store(&state->plain, true);
        }
    }
    return session;
}

/* At the addresses that were allowed, so that another look-up cannot lead elsewhere. A
 * certificate is checked against the name we connect to, and nobody else has one. */
static struct maria_session *connect_any(struct maria_state *state, const char *database,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms, struct err *err)
{
    if (state->addresses.count == 0 || state->tls == MARIA_TLS_VERIFIED) {
        return connect_host(state, state->host, database, limits, until_ms, err);
    }
    struct maria_session *session = NULL;
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
static bool session_set(struct maria_session *session, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 2048);
    (void)buf_text(&sql, "SET NAMES utf8mb4, SESSION time_zone = ");
    maria_literal(&sql, session->state->time_zone);
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
    bool ok = maria_rows(session, buf_get(&sql), NULL, NULL, err);
    buf_release(&sql);
    return ok;
}

bool maria_renew(struct maria_session *session)
{
    enum { PATIENCE_MS = 2000 };
    struct err ignored;
    int64_t until_ms = clock_ms() + PATIENCE_MS;
    const struct datasource_limits limits = {.deadline_ms = until_ms};
    session->base.limits = &limits; /* the caller's may be spent */
    bool ok = maria_reset(session, until_ms) && session_set(session, &ignored);
    session->base.limits = NULL;
    return ok;
}

/* Once: nobody should ask questions with a login that may do everything. */
static bool rights_warn(struct maria_session *session, struct err *err)
{
    struct maria_state *state = session->state;
    if (!log_enabled(LOG_DATASOURCE, LOG_WARN) || atomic_load(&state->rights_asked)) {
        return true;
    }
    struct arena *arena = arena_new();
    struct maria_rights rights = {.arena = arena};
    bool asked = maria_rights_ask(session, &rights, err);
    if (asked && !atomic_exchange(&state->rights_asked, true) &&
        (rights.superuser || rights.files)) {
        LOG(LOG_DATASOURCE, LOG_WARN,
            "the login to the database '%s' %s; give dragoman one that can only read",
            state->database,
            rights.superuser ? "is a superuser"
                             : "may read and write files of the server");
    }
    arena_free(arena);
    return asked;
}

struct maria_session *maria_connect(struct maria_state *state,
                                    const struct datasource_limits *limits,
                                    struct err *err)
{
    int64_t until_ms = clock_ms() + state->connect_timeout_ms;
    struct maria_session *session =
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
    } else if (session_set(session, err) && rights_warn(session, err)) {
        session->base.answered = false;
        return session;
    }
    maria_disconnect(session);
    return NULL;
}

struct maria_session *maria_connect_bare(struct maria_state *state,
                                         const struct datasource_limits *limits,
                                         int64_t until_ms)
{
    struct err ignored;
    struct maria_session *session = connect_any(state, "", limits, until_ms, &ignored);
    if (session) {
        session->bare = true;
    }
    return session;
}

void maria_disconnect(struct maria_session *session)
{
    if (session->pending || session->base.broken) {
        maria_abandon(session);
    }
    maria.close(session->handle);
    memory_free(session);
}
