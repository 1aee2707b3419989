/* The callbacks of libmicrohttpd. */
#include "server/http.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "server/access.h"
#include "server/discreet.h"
#include "server/exchange.h"
#include "server/framing/framing.h"
#include "server/framing/intake.h"
#include "server/request.h"
#include "server/response.h"
#include "server/sign_in/sign_in.h"
#include "server/state.h"
#include "server/upload.h"

enum {
    CONNECTION_MEMORY = 8 * 1024, /* per connection; also the most that headers may be */
    DRAIN_TIMES =
        16, /* a too large body is read and dropped, up to this many times the limit */
    WRITE_MS = 60000, /* for the client to receive a reply, plus a second for … */
    WRITE_BYTES_PER_MS = 16,
    BACKLOG = 4096,
    PLAIN_SIZE = 7,
    TLS_FILE_MOST = 1 << 20,
};

/* Maximum size of the body of this request. */
static int64_t body_most(const struct exchange *exchange)
{
    const struct server_settings *settings = &exchange->server->settings;
    const struct route *route = exchange->match.route;
    return route && route->run == RUN_UPLOAD ? settings->max_upload : settings->max_body;
}

static bool has_body(const struct exchange *exchange, int64_t *size)
{
    const char *length = MHD_lookup_connection_value(exchange->connection,
                                                     MHD_HEADER_KIND, "Content-Length");
    *size = -1;
    return (length && str_to_int(length, size) && *size > 0) ||
           MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                       "Transfer-Encoding");
}

/* Is the request unambiguous? Otherwise the connection is closed after it, because it is
 * unknown where the next request begins. */
static bool is_clear(struct exchange *exchange, struct err *err)
{
    const struct connection *watched = exchange->watched;
    const char *fault = framing_fault(&watched->framing, watched->requests - 1);
    if (!fault) {
        return true;
    }
    exchange->closes = true;
    (void)err_set(err, ERR_INVALID_DATA, "This is not a proper HTTP request: %s.", fault);
    return err_hint(err, "The server reads requests strictly and has closed the "
                         "connection. Is there a proxy that changes them?");
}

static bool too_large(const struct exchange *exchange, struct err *err)
{
    (void)err_set(err, ERR_BODY_TOO_LARGE, "The body may be %lld bytes long.",
                  (long long)body_most(exchange));
    return err_hint(err, "The limit is %s.",
                    exchange->match.route->run == RUN_UPLOAD
                        ? exchange->server->settings.max_upload_name
                        : "server.max_body_kb");
}

/* All checks that are possible before the body arrives. */
static bool admit(struct exchange *exchange, const char *target, struct err *err)
{
    struct server *server = exchange->server;
    const char *path = exchange->path;
    int64_t size = 0;
    exchange->plain = strncmp(path, "/agents", PLAIN_SIZE) == 0;
    exchange->openai = str_starts(path, "/v1/");
    if (!is_clear(exchange, err)) {
        return false;
    }
    if (atomic_load(&server->closing)) {
        return err_set(err, ERR_BUSY, "dragoman is shutting down.");
    }
    if (!access_host(exchange, target, err)) {
        return false;
    }
    if (!router_find(exchange->arena, exchange->method, path, &exchange->match)) {
        return exchange->match.allowed
                   ? err_set(err, ERR_METHOD,
                             "This path does not support the method %.16s.",
                             exchange->method)
                   : err_set(err, ERR_NOT_FOUND, "This path does not exist.");
    }
    if (!server_authenticate(exchange, exchange->match.route->scope, err)) {
        return false;
    }
    if (!request_arguments_clear(exchange, err)) {
        return false;
    }
    if (has_body(exchange, &size) && size > body_most(exchange)) {
        return too_large(exchange, err);
    }
    return true;
}

/* Accepts the request, so that its body is received. */
static enum MHD_Result let_in(struct exchange *exchange)
{
    const struct server_settings *settings = &exchange->server->settings;
    bool upload = exchange->match.route->run == RUN_UPLOAD;
    struct err err;
    err_clear(&err);
    if (upload && !upload_begin(exchange, &err)) {
        response_err(exchange, &err);
        return exchange_settle(exchange);
    }
    watchdog_allow(exchange->watched,
                   upload ? settings->upload_timeout_ms : settings->body_timeout_ms);
    return MHD_YES;
}

/* Waits for the store to check the key; the library calls again when the exchange is
 * resumed. */
static enum MHD_Result knock(struct exchange *exchange)
{
    bool goes_on = false;
    if (exchange_waits(exchange, &goes_on)) {
        return MHD_YES;
    }
    exchange->knocks = false;
    return goes_on ? let_in(exchange) : exchange_settle(exchange);
}

static enum MHD_Result http_begin(struct server *server,
                                  struct MHD_Connection *connection, const char *target,
                                  const char *method, void **slot)
{
    struct exchange *exchange = exchange_new(server, connection, method);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    exchange->watched = info->socket_context;
    exchange->watched->requests++;
    exchange->path = arena_text(exchange->arena, access_path(target));
    *slot = exchange;
    (void)atomic_fetch_add(&server->counts.requests, 1);
    struct err err;
    err_clear(&err);
    if (!admit(exchange, target, &err)) {
        response_err(exchange, &err);
        return exchange_settle(exchange);
    }
    if (exchange->knocks) {
        exchange_work_on(exchange, sign_in_workers(exchange), server_check_key);
        return knock(exchange);
    }
    return let_in(exchange);
}

/* Receives a piece of the body. A too large body without a declared length is read to its
 * end (up to a limit), so that the client gets the error. */
static enum MHD_Result take_body(struct exchange *exchange, const char *data,
                                 size_t *size)
{
    const struct route *route = exchange->match.route;
    if (route && route->run == RUN_UPLOAD && !exchange->replied &&
        upload_take(exchange, data, *size)) {
        *size = 0;
        return MHD_YES;
    }
    if (route && route->run == RUN_UPLOAD) {
        exchange->body.full = true; /* it is read to its end, but not stored */
    }
    if (!exchange->body.full) {
        (void)buf_add(&exchange->body, data, *size);
    } else {
        exchange->drained += *size;
    }
    *size = 0;
    size_t most = (size_t)exchange->server->settings.max_body * DRAIN_TIMES;
    return exchange->drained > most ? MHD_NO : MHD_YES;
}

static void dispatch(struct exchange *exchange)
{
    exchange->started = true;
    watchdog_allow(exchange->watched, 0);
    const struct route *route = exchange->match.route;
    struct err err;
    err_clear(&err);
    if (!is_clear(exchange, &err)) {
        response_err(exchange, &err);
    } else if (exchange->body.full) {
        (void)too_large(exchange, &err);
        response_err(exchange, &err);
    } else if (route->run != RUN_QUICK) {
        exchange_work(exchange, route->handler);
    } else {
        route->handler(exchange);
    }
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection,
                              const char *target, const char *method, const char *version,
                              const char *data, size_t *size, void **slot)
{
    (void)version;
    struct exchange *exchange = *slot;
    if (!exchange) {
        return http_begin(context, connection, target, method, slot);
    }
    if (exchange->knocks) {
        return knock(exchange);
    }
    if (*size) {
        return take_body(exchange, data, size);
    }
    if (!exchange->started) {
        dispatch(exchange);
    }
    return exchange_settle(exchange);
}

static void audit(void *context)
{
    struct exchange *exchange = context;
    const struct route *route = exchange->match.route;
    const struct dgm_access *access = &exchange->caller.access;
    struct dgm_error error;
    const char *done = arena_format(exchange->arena, "%s %s", route->method, route->path);
    const char *detail =
        arena_format(exchange->arena, "%s status=%u key=%s",
                     discreet_path(exchange->arena, exchange->path), exchange->status,
                     *access->key_id ? access->key_id : "-");
    if (!dgm_audit(exchange->server->dgm, access->account, done, detail, &error)) {
        LOG(LOG_SERVER, LOG_WARN, "not in the audit log (%s): %s %s", error.message, done,
            detail);
    }
    exchange_unref(exchange);
}

/* Logs the request without its query string, which may contain anything, and without the tokens of
 * links. */
static void log_exchange(struct exchange *exchange)
{
    const struct route *route = exchange->match.route;
    const struct dgm_access *access = &exchange->caller.access;
    const struct log_field fields[] = {
        {.name = "method", .text = discreet_path(exchange->arena, exchange->method)},
        {.name = "path", .text = discreet_path(exchange->arena, exchange->path)},
        {.name = "status", .number = exchange->status},
        {.name = "ms", .number = clock_ms() - exchange->born_ms},
        {.name = "account", .text = *access->account ? access->account : "-"},
        {.name = "key", .text = *access->key_id ? access->key_id : "-"},
    };
    log_request(exchange->id);
    if (log_enabled(LOG_SERVER, LOG_INFO)) {
        log_event(LOG_SERVER, LOG_INFO, "request", fields,
                  sizeof fields / sizeof *fields);
    }
    if (route && route->scope == SCOPE_ADMIN) {
        /* check the key on another thread, because the store may block */
        exchange_ref(exchange);
        workers_submit(exchange->server->store_workers, audit, exchange);
    }
    log_request(NULL);
}

static void completed(void *context, struct MHD_Connection *connection, void **slot,
                      enum MHD_RequestTerminationCode how)
{
    struct server *server = context;
    struct exchange *exchange = *slot;
    (void)connection;
    (void)how;
    *slot = NULL;
    if (exchange) {
        if (exchange->watched) { /* deadline for the complete next request */
            watchdog_allow(exchange->watched, server->settings.idle_timeout_ms +
                                                  server->settings.header_timeout_ms);
            watchdog_leave(server->watchdog, exchange);
        }
        log_exchange(exchange);
        exchange_unref(exchange);
    }
}

static void connected(void *context, struct MHD_Connection *connection, void **slot,
                      enum MHD_ConnectionNotificationCode what)
{
    struct server *server = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct connection *watched =
            watchdog_open(server->watchdog, info ? info->connect_fd : -1);
        watchdog_allow(watched, server->settings.header_timeout_ms);
        intake_open(watched->fd, &watched->framing);
        *slot = watched;
        (void)atomic_fetch_add(&server->counts.connections, 1);
    } else if (*slot) { /* before the descriptor is closed and may mean another */
        intake_close(((struct connection *)*slot)->fd);
        watchdog_close(server->watchdog, *slot);
        *slot = NULL;
        (void)atomic_fetch_sub(&server->counts.connections, 1);
    }
}

/* The library's messages are about clients that disconnect; logged at debug level. */
__attribute__((format(printf, 2, 0))) static void log_it(void *context,
                                                         const char *format, va_list args)
{
    (void)context;
    if (log_enabled(LOG_SERVER, LOG_DEBUG)) {
        char line[256];
        (void)vsnprintf(line, sizeof line, format, args);
        line[strcspn(line, "\n")] = '\0';
        log_line(LOG_SERVER, LOG_DEBUG, "%s", line);
    }
}

/* Reads the two files; neither content nor path appears in errors. */
bool http_read_certificate(struct server *server, struct err *err)
{
    const struct server_settings *settings = &server->settings;
    size_t size = 0;
    if (!*settings->tls_cert && !*settings->tls_key) {
        return true;
    }
    struct arena *arena = arena_new();
    char *certificate = file_read(arena, settings->tls_cert, TLS_FILE_MOST, &size, err);
    char *key = certificate
                    ? file_read(arena, settings->tls_key, TLS_FILE_MOST, &size, err)
                    : NULL;
    if (key) {
        server->certificate = memory_text(certificate);
        server->key = memory_text(key);
        memset(key, 0, strlen(key));
    } else {
        (void)err_set(err, ERR_CONFIG, "The file of server.%s cannot be read.",
                      certificate ? "tls_key" : "tls_cert");
        (void)err_hint(err, "HTTPS needs both: server.tls_cert and server.tls_key.");
    }
    arena_free(arena);
    return key != NULL;
}

void http_forget_certificate(struct server *server)
{
    if (server->key) {
        explicit_bzero(server->key, strlen(server->key));
    }
    memory_free(server->certificate);
    memory_free(server->key);
    server->certificate = NULL;
    server->key = NULL;
}

static void start_daemon(struct server *server, struct MHD_OptionItem *tls)
{
    const struct server_settings *settings = &server->settings;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                     MHD_USE_ITC | MHD_USE_ERROR_LOG | MHD_USE_TURBO;
    flags |= tls[0].option == MHD_OPTION_END ? 0 : (unsigned)MHD_USE_TLS;
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, handle, server, MHD_OPTION_EXTERNAL_LOGGER, log_it, NULL,
        MHD_OPTION_LISTEN_SOCKET, server->socket, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)settings->threads, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)settings->connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)(settings->idle_timeout_ms / 1000), MHD_OPTION_NOTIFY_COMPLETED,
        completed, server, MHD_OPTION_NOTIFY_CONNECTION, connected, server,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

bool http_start(struct server *server, struct err *err)
{
    bool secure = server->key != NULL;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, server->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, server->key},
        {MHD_OPTION_END, 0, NULL},
    };
    start_daemon(server, secure ? tls : &tls[2]);
    http_forget_certificate(server); /* the library has a copy by now */
    if (!server->daemon && secure) {
        (void)err_set(err, ERR_CONFIG, "HTTPS could not be started.");
        (void)err_hint(err, "Do server.tls_cert and server.tls_key belong together, "
                            "both as PEM?");
    } else if (!server->daemon) {
        (void)err_set(err, ERR_INTERNAL, "The server's threads could not be started.");
    }
    return server->daemon != NULL;
}

void http_stop(struct server *server)
{
    if (server->daemon) {
        MHD_stop_daemon(server->daemon);
        server->daemon = NULL;
    }
}
