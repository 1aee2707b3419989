/* The store in PostgreSQL: opening, closing, and the table of its functions. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/host.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "store/migrate.h"
#include "store/postgres/postgres_backend.h"

enum { CONNECTIONS = 4 };

static bool opens(const char *url)
{
    return str_starts(url, "postgres://") || str_starts(url, "postgresql://");
}

/* What a server says that nobody asked. Its last words come a moment before the end. */
static void hear_notice(void *context, const PGresult *result)
{
    struct postgres_connection *own = context;
    if (own &&
        str_equal(PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED), "FATAL")) {
        own->farewell = true;
    }
}

/* A process that is stopped in the middle of a transaction must not hold its rows from
 * those that take its questions over: the server ends such a transaction. */
static const char session_settings[] = "SET search_path = dragoman;"
                                       "SET statement_timeout = '30s';"
                                       "SET lock_timeout = '10s';"
                                       "SET idle_in_transaction_session_timeout = '3s';"
                                       "SET default_transaction_isolation ="
                                       " 'read committed';"
                                       "SET timezone = 'UTC'";

/* What the URL says about encryption: "prefer" may stand for nothing at all. What goes to
 * another machine is encrypted unless it says otherwise. */
static void tls_read(const char *url, char mode[16])
{
    char *ignored = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &ignored);
    const char *hosts = NULL;
    const char *said = NULL;
    const char *service = getenv("PGSERVICE");
    for (const PQconninfoOption *at = options; at && at->keyword; at++) {
        hosts = str_equal(at->keyword, "host") && !hosts ? at->val : hosts;
        hosts = str_equal(at->keyword, "hostaddr") && at->val ? at->val : hosts;
        said = str_equal(at->keyword, "sslmode") ? at->val : said;
        service = str_equal(at->keyword, "service") && at->val ? at->val : service;
    }
    hosts = hosts ? hosts : getenv("PGHOST");
    hosts = hosts || !service ? hosts : "service"; /* its file is not read here */
    said = said ? said : getenv("PGSSLMODE");
    (void)snprintf(mode, 16, "%s",
                   !str_empty(said)        ? said
                   : hosts_are_here(hosts) ? "prefer"
                                           : "require");
    PQconninfoFree(options);
    PQfreemem(ignored);
}

static PGconn *link_try(const char *url, const char *sslmode)
{
    static const char *const keywords[] = {
        "connect_timeout",     "application_name", "keepalives_idle",
        "keepalives_interval", "tcp_user_timeout", "dbname",
        "client_encoding",     "sslmode",          NULL};
    /* what the URL says counts more than what stands before it */
    const char *const values[] = {"5", "dragoman", "10",    "5", "15000",
                                  url, "UTF8",     sslmode, NULL};
    return PQconnectdbParams(keywords, values, 1);
}

/* libpq's own "prefer" goes on in plain text after a handshake that failed: only the
 * server's word that it has no TLS may do that. */
static PGconn *link_make(const char *url)
{
    char mode[16];
    tls_read(url, mode);
    if (!str_equal(mode, "prefer") && !str_equal(mode, "allow")) {
        return link_try(url, mode);
    }
    PGconn *link = link_try(url, "require");
    if (link && PQstatus(link) != CONNECTION_OK &&
        strstr(PQerrorMessage(link), STORE_POSTGRES_NO_TLS)) {
        PQfinish(link);
        link = link_try(url, "disable");
        if (link && PQstatus(link) == CONNECTION_OK) {
            LOG(LOG_STORE, LOG_WARN,
                "the connection to the store's database is not encrypted: it offers no "
                "TLS");
        }
    }
    return link;
}

PGconn *store_postgres_link(const char *url, struct err *err)
{
    if (!libpq_load(ERR_STORE, err)) {
        return NULL;
    }
    PGconn *link = link_make(url);
    if (link) {
        (void)PQsetNoticeReceiver(link, hear_notice, NULL);
    }
    bool ok = link && PQstatus(link) == CONNECTION_OK
                  ? store_postgres_run(link, session_settings, err)
                  : store_postgres_unreachable(link, err);
    if (!ok) {
        PQfinish(link);
        link = NULL;
    }
    return link;
}

static void forget_link(struct postgres_connection *own)
{
    for (size_t i = 0; i < STORE_QUERIES; i++) {
        own->cursors[i].prepared = false;
    }
    PQfinish(own->link);
    own->link = NULL;
}

/* Opens it; prepared statements and notifications belong to the connection. */
static bool make_link(struct postgres_connection *own, struct err *err)
{
    own->listens = false;
    own->farewell = false;
    own->link = store_postgres_link(own->url, err);
    if (own->link) {
        (void)PQsetNoticeReceiver(own->link, hear_notice, own);
    }
    return own->link != NULL;
}

/* An idle link says little: notifications, or the server's farewell and then the end. */
static bool is_alive(struct postgres_connection *own)
{
    PGconn *link = own->link;
    struct pollfd look = {.fd = PQsocket(link), .events = POLLIN};
    bool alive = PQstatus(link) == CONNECTION_OK;
    bool idle = alive && PQtransactionStatus(link) == PQTRANS_IDLE;
    for (int i = 0; i < 3 && idle && alive && poll(&look, 1, 0) > 0; i++) {
        alive = PQconsumeInput(link) == 1 && PQstatus(link) == CONNECTION_OK;
        (void)PQisBusy(link); /* reads what has come */
    }
    return alive && !own->farewell;
}

bool store_postgres_ready(struct postgres_connection *own, struct err *err)
{
    if (own->link && is_alive(own)) {
        return true;
    }
    if (own->link) {
        LOG(LOG_STORE, LOG_WARN, "the store's database was lost and is looked for again");
        forget_link(own);
    }
    return make_link(own, err);
}

static struct store_connection *postgres_connect(const struct options *options,
                                                 struct err *err)
{
    struct postgres_connection *own = memory_alloc(sizeof *own);
    own->head.backend = &postgres_store_backend;
    (void)pthread_mutex_init(&own->head.lock, NULL);
    own->url = memory_text(options->store_url);
    int version = 0;
    bool ok = make_link(own, err) && store_postgres_version(own->link, &version, err) &&
              (version == store_migrate_latest() ||
               store_postgres_migrate(own->link, store_migrate_latest(), err));
    if (!ok) {
        own->head.backend->close(&own->head);
        return NULL;
    }
    return &own->head;
}

static struct store_connection *postgres_again(const struct store_connection *like,
                                               struct err *err)
{
    struct options options = {.store_url =
                                  ((const struct postgres_connection *)like)->url};
    return postgres_connect(&options, err);
}

static void postgres_close(struct store_connection *connection)
{
    struct postgres_connection *own = (struct postgres_connection *)connection;
    if (own->link) {
        forget_link(own);
    }
    (void)pthread_mutex_destroy(&own->head.lock);
    memory_free(own->url);
    memory_free(own);
}

const struct store_backend postgres_store_backend = {
    .name = "postgres",
    .shared = true,
    .connections = CONNECTIONS,
    .opens = opens,
    .connect = postgres_connect,
    .connect_again = postgres_again,
    .close = postgres_close,
    .start = store_postgres_start,
    .next = store_postgres_next,
    .end = store_postgres_end,
    .text = store_postgres_text,
    .integer = store_postgres_integer,
    .real = store_postgres_real,
    .changes = store_postgres_changes,
    .listen = store_postgres_listen,
    .backup = store_postgres_backup,
    .restore = store_postgres_restore,
};
