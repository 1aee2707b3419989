/* The server's life: settings, the socket it listens on, start and end. */
#include "server/server.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "server/access.h"
#include "server/http.h"
#include "server/library.h"
#include "server/mcp/assistants.h"
#include "server/recheck.h"
#include "server/state.h"

enum {
    BACKLOG = 4096,
    PORT_MOST = 65535,
    DRAIN_STEP_MS = 10,
    EXPORT_WORKERS = 2,
    REFRESH_EVERY_MS = 60000,
    SMALL_BURST = 20,
    SMALL_EVERY_MS = 200,
    SIGN_IN_WORKERS = 2,
    THREADS_LEAST = 4,
    STORE_WORKERS = 3,
    FORM_ROOM = 16 * 1024 /* what a form may add to the file in it */
};

bool server_fail(struct dgm_error *error, const struct err *err)
{
    *error = (struct dgm_error){.exit_status = err_exit_status(err->code),
                                .http_status = err_http_status(err->code),
                                .position = -1};
    (void)snprintf(error->code, sizeof error->code, "%s", err_name(err->code));
    (void)snprintf(error->message, sizeof error->message, "%s", err->message);
    (void)snprintf(error->detail, sizeof error->detail, "%s", err->detail);
    (void)snprintf(error->hint, sizeof error->hint, "%s", err->hint);
    return false;
}

static int64_t number(const struct dgm_config *config, const char *key)
{
    char *text = dgm_config_get(config, key);
    int64_t value = 0;
    (void)(text && str_to_int(text, &value));
    dgm_free(text);
    return value;
}

/* A body that an import would refuse for its size alone is not taken from its client in
 * the first place. */
static void read_upload_limit(struct server_settings *settings,
                              const struct dgm_config *config)
{
    int64_t import_most = (number(config, "dataset.max_mb") << 20) + FORM_ROOM;
    settings->max_upload = number(config, "server.max_upload_mb") << 20;
    settings->max_upload_name = "server.max_upload_mb";
    if (import_most < settings->max_upload) {
        settings->max_upload = import_most;
        settings->max_upload_name = "dataset.max_mb";
    }
}

static void read_sign_in(struct server_settings *settings,
                         const struct dgm_config *config)
{
    char *client = dgm_config_get(config, "oidc.client_id");
    settings->public_url = dgm_config_get(config, "server.public_url");
    settings->issuer = dgm_config_get(config, "oidc.issuer");
    settings->scope_prefix = dgm_config_get(config, "oidc.scope_prefix");
    settings->page_signs_in = !str_empty(settings->issuer) && !str_empty(client);
    for (size_t size = strlen(settings->public_url);
         size > 0 && settings->public_url[size - 1] == '/'; size--) {
        settings->public_url[size - 1] = '\0';
    }
    settings->page_session_s = number(config, "oidc.session_s");
    dgm_free(client);
}

static void read_settings(struct server_settings *settings,
                          const struct dgm_config *config)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    settings->listen = dgm_config_get(config, "server.listen");
    settings->hosts = dgm_config_get(config, "server.hosts");
    settings->tls_cert = dgm_config_get(config, "server.tls_cert");
    settings->tls_key = dgm_config_get(config, "server.tls_key");
    read_sign_in(settings, config);
    settings->threads = number(config, "server.threads");
    if (settings->threads == 0) {
        /* the library walks all waiting connections of a thread to find the one that goes
         * on: of thousands, a quarter is better than half */
        settings->threads = cores > THREADS_LEAST ? cores : THREADS_LEAST;
    }
    settings->workers = cores > 2 ? cores * 2 : 4;
    settings->connections = number(config, "server.connections");
    settings->max_body = number(config, "server.max_body_kb") * 1024;
    read_upload_limit(settings, config);
    settings->upload_timeout_ms = number(config, "server.upload_timeout_s") * 1000;
    settings->header_timeout_ms = number(config, "server.header_timeout_s") * 1000;
    settings->body_timeout_ms = number(config, "server.body_timeout_s") * 1000;
    settings->idle_timeout_ms = number(config, "server.idle_timeout_s") * 1000;
    settings->heartbeat_ms = number(config, "server.heartbeat_s") * 1000;
    settings->drain_ms = number(config, "server.drain_s") * 1000;
    settings->queue = number(config, "server.queue");
    settings->keep_ms = number(config, "server.keep_s") * 1000;
    settings->keep_bytes = number(config, "server.keep_mb") * 1024 * 1024;
    settings->share_opens = number(config, "share.opens_per_minute");
    settings->answer_ttl_ms = number(config, "ask.ttl_s") * 1000;
    settings->watch_ms = number(config, "schema.watch_s") * 1000;
    settings->session_ttl_s = number(config, "session.timeout_s");
    if (settings->keep_ms > settings->answer_ttl_ms) {
        settings->keep_ms = settings->answer_ttl_ms;
    }
}

/* "127.0.0.1:8080", "[::1]:8080", "localhost:0", ":8080" or a port alone. */
static bool split_address(struct server *server, char port[8], struct err *err)
{
    const char *text = server->settings.listen;
    const char *colon = strrchr(text, ':');
    const char *digits = colon ? colon + 1 : text;
    size_t size = colon ? (size_t)(colon - text) : 0;
    int64_t value = -1;
    if (!str_to_int(digits, &value) || value < 0 || value > PORT_MOST ||
        size >= sizeof server->host) {
        (void)err_set(err, ERR_USAGE, "'%.100s' is not a valid address to listen on.",
                      text);
        return err_hint(err, "For example: --listen 127.0.0.1:8080");
    }
    (void)snprintf(port, 8, "%d", (int)value);
    (void)snprintf(server->host, sizeof server->host, "%.*s", (int)size, text);
    if (!*server->host) {
        (void)snprintf(server->host, sizeof server->host, "127.0.0.1");
    }
    return true;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four =
            (const struct sockaddr_in *)(const void *)address;
        return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

static bool not_listening(const struct server *server, struct err *err)
{
    char reason[128];
    const char *why = strerror_r(errno, reason, sizeof reason);
    (void)err_set(err, ERR_NETWORK, "%s: %s.", server->settings.listen, why);
    return err_hint(err, "Another server may be running. Choose a port with --listen.");
}

static bool bind_to(struct server *server, const struct addrinfo *at, struct err *err)
{
    int yes = 1;
    server->loopback = is_loopback(at->ai_addr);
    server->socket = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (server->socket < 0 || bind(server->socket, at->ai_addr, at->ai_addrlen) != 0) {
        return not_listening(server, err);
    }
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    char port[16] = "";
    (void)getsockname(server->socket, (struct sockaddr *)&bound, &size);
    (void)getnameinfo((struct sockaddr *)&bound, size, NULL, 0, port, sizeof port,
                      NI_NUMERICSERV);
    (void)snprintf(server->address, sizeof server->address, "http%s://%s:%s",
                   *server->settings.tls_cert ? "s" : "", server->host, port);
    return true;
}

static bool open_socket(struct server *server, struct err *err)
{
    char port[8];
    char name[sizeof server->host];
    if (!split_address(server, port, err)) {
        return false;
    }
    size_t size = strlen(server->host);
    bool six = server->host[0] == '[' && size > 2 && server->host[size - 1] == ']';
    (void)snprintf(name, sizeof name, "%.*s", (int)(six ? size - 2 : size),
                   server->host + six);
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(name, port, &wanted, &found);
    if (code != 0) {
        return err_set(err, ERR_NETWORK, "The server cannot listen on '%s': %s.",
                       server->settings.listen, gai_strerror(code));
    }
    bool ok = bind_to(server, found, err);
    freeaddrinfo(found);
    return ok;
}

static void server_free(struct server *server)
{
    if (server->socket >= 0) {
        (void)close(server->socket);
    }
    watchdog_free(server->watchdog);
    assistants_free(server->assistants);
    recheck_free(server->recheck);
    workers_free(server->store_workers); /* after all that is left to be written down */
    registry_release(&server->registry);
    (void)pthread_mutex_destroy(&server->uploads_lock);
    pace_release(&server->refreshes);
    throttle_release(&server->link_opens);
    pace_release(&server->pace);
    dgm_free(server->settings.listen);
    dgm_free(server->settings.hosts);
    dgm_free(server->settings.tls_cert);
    dgm_free(server->settings.tls_key);
    dgm_free(server->settings.public_url);
    dgm_free(server->settings.issuer);
    dgm_free(server->settings.scope_prefix);
    http_forget_certificate(server);
    memory_free(server);
}

struct server *server_open(const struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    struct server *server = memory_alloc(sizeof *server);
    server->socket = -1;
    server->born_ms = clock_ms();
    read_settings(&server->settings, config);
    (void)pthread_mutex_init(&server->uploads_lock, NULL);
    pace_init(&server->refreshes, 1, REFRESH_EVERY_MS);
    throttle_init(&server->link_opens);
    pace_init(&server->pace, SMALL_BURST, SMALL_EVERY_MS);
    registry_init(&server->registry, server->settings.keep_ms,
                  (size_t)server->settings.keep_bytes);
    if (!server_library_load(&err) || !open_socket(server, &err) ||
        !http_read_certificate(server, &err)) {
        (void)server_fail(error, &err);
        server_free(server);
        return NULL;
    }
    return server;
}

bool server_start(struct server *server, struct dgm *dgm, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    server->dgm = dgm;
    bool ok = access_may_listen(server, &err) &&
              (listen(server->socket, BACKLOG) == 0 || not_listening(server, &err));
    if (ok) {
        server->shared = dgm_is_shared(dgm);
        server->store_workers = workers_new(server->shared ? STORE_WORKERS : 1);
        server->workers = workers_new_fair((size_t)server->settings.workers);
        server->assistants = assistants_new(server);
        server->recheck = recheck_new(server);
        server->watchdog = watchdog_new(server);
        server->exports = workers_new_fair(EXPORT_WORKERS);
        server->sign_ins = *server->settings.issuer ? workers_new(SIGN_IN_WORKERS) : NULL;
        ok = server->watchdog ||
             err_set(&err, ERR_INTERNAL, "The server's threads could not be started.");
        (void)dgm_settings_recall(dgm, error);
        (void)dgm_recover(dgm); /* those that an earlier process left */
        ok = ok && http_start(server, &err);
    }
    if (!ok) {
        (void)server_fail(error, &err);
        if (server->recheck) {
            recheck_end(server->recheck);
        }
        workers_free(server->workers);
        workers_free(server->exports);
        workers_free(server->sign_ins);
        server->sign_ins = NULL;
        server->workers = NULL;
        server->exports = NULL;
    }
    return ok;
}

const char *server_address(const struct server *server)
{
    return server->address;
}

bool server_is_open(const struct server *server)
{
    return access_is_open(server);
}

static void pause_ms(long ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    (void)nanosleep(&time, NULL);
}

void server_drain(struct server *server)
{
    if (atomic_exchange(&server->closing, true)) {
        return;
    }
    int socket = MHD_quiesce_daemon(server->daemon);
    (void)socket; /* ours, closed with the server */
    int64_t until = clock_ms() + server->settings.drain_ms;
    while (dgm_at_work(server->dgm) && clock_ms() < until) {
        pause_ms(DRAIN_STEP_MS);
    }
    dgm_shutdown(
        server->dgm); /* all questions have ended: waiting requests get their replies */
    assistants_close(server->assistants); /* those that wait for their users, too */
    /*
     * No connection may be suspended when the threads end, and workers may still be
     * running.
     */
    while (atomic_load(&server->counts.waiting)) {
        pause_ms(DRAIN_STEP_MS);
    }
}

void server_stop(struct server *server)
{
    if (!server) {
        return;
    }
    if (!server->daemon) { /* never started */
        server_free(server);
        return;
    }
    server_drain(server);
    pause_ms(DRAIN_STEP_MS); /* replies that are being written */
    http_stop(server);
    recheck_end(server->recheck);
    workers_free(server->workers); /* after those who hand work to them */
    workers_free(server->exports);
    workers_free(server->sign_ins);
    server_free(server);
}
