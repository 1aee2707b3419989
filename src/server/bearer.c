/* Reads the access key or token from the Authorization header, or the key of a person who
 * signed in from a cookie; they are accepted nowhere else. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/str.h"
#include "base/workers.h"
#include "server/access.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/sign_in/sign_in.h"
#include "server/state.h"

static const enum dgm_scope scopes[] = {
    [SCOPE_OPEN] = DGM_SCOPE_NONE,
    [SCOPE_READ] = DGM_SCOPE_READ,
    [SCOPE_ASK] = DGM_SCOPE_ASK,
    [SCOPE_ADMIN] = DGM_SCOPE_ADMIN,
};

static bool take_error(const struct dgm_error *error, struct err *err)
{
    enum err_code code = ERR_INTERNAL;
    (void)err_find(error->code, &code);
    (void)err_set(err, code, "%s", error->message);
    (void)err_detail(err, "%s", error->detail);
    (void)err_hint(err, "%s", error->hint);
    err->retry_after_s = error->retry_after_s;
    return false;
}

static void count_keys(void *context)
{
    struct server *server = context;
    struct dgm_error error;
    if (dgm_key_count(server->dgm, &error) > 0) {
        access_lock(server);
    }
    atomic_store(&server->looking, false);
}

void access_look_for_keys(struct server *server)
{
    if (!atomic_exchange(&server->looking, true)) {
        workers_submit(server->store_workers, count_keys, server);
    }
}

/* A key in the URL would end up in logs, browser histories and referrers. */
static enum MHD_Result find_key(void *context, enum MHD_ValueKind kind, const char *name,
                                const char *value)
{
    static const char *const names[] = {"key",   "api_key",      "apikey",
                                        "token", "access_token", "authorization"};
    bool *found = context;
    (void)kind;
    *found = *found || (value && str_starts(value, "dgm_"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *found = *found || str_equal_nocase(str_or_empty(name), names[i]);
    }
    return MHD_YES;
}

static bool check_address(struct exchange *exchange, struct err *err)
{
    bool found = false;
    (void)MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND, find_key,
                                    &found);
    if (found) {
        (void)err_set(err, ERR_USAGE, "A key must not be part of a URL.");
        return err_hint(err, "Send it as 'Authorization: Bearer dgm_…'. If this one was "
                             "real, revoke it: others may have seen it.");
    }
    return true;
}

static const char *key_of(const struct exchange *exchange)
{
    static const char scheme[] = "Bearer ";
    const char *header = MHD_lookup_connection_value(exchange->connection,
                                                     MHD_HEADER_KIND, "Authorization");
    if (!header) {
        return NULL;
    }
    return strncasecmp(header, scheme, sizeof scheme - 1) == 0
               ? header + sizeof scheme - 1
               : "";
}

static void find_credential(struct exchange *exchange)
{
    exchange->credential = key_of(exchange);
    if (!exchange->credential) {
        exchange->credential = sign_in_cookie(exchange);
        exchange->by_cookie = exchange->credential != NULL;
    }
}

static bool authenticate(struct exchange *exchange, enum scope needed, struct err *err)
{
    struct server *server = exchange->server;
    struct dgm_error error;
    exchange->caller = (struct caller){.account = NULL};
    if (!check_address(exchange, err)) {
        return false;
    }
    find_credential(exchange);
    const char *key = exchange->credential;
    if (needed == SCOPE_OPEN) {
        return true;
    }
    if (needed == SCOPE_ADMIN &&
        workers_waiting(server->store_workers) >= (size_t)server->settings.queue) {
        return err_set(err, ERR_BUSY, "The audit log could not be written.");
    }
    if (!key && server->loopback && !atomic_load(&server->locked)) {
        return true; /* the local user */
    }
    struct caller *caller = &exchange->caller;
    if (!key) {
        return err_set(err, ERR_UNAUTHORIZED, "A key is needed.");
    }
    bool ok = dgm_access_look(server->dgm, key, scopes[needed], &caller->access,
                              &exchange->knocks, &error);
    caller->account = *caller->access.actor ? caller->access.actor : NULL;
    return ok || exchange->knocks || take_error(&error, err);
}

bool server_authenticate(struct exchange *exchange, enum scope needed, struct err *err)
{
    bool ok = authenticate(exchange, needed, err);
    if (ok && exchange->knocks && sign_in_is_full(exchange)) {
        return err_set(err, ERR_BUSY, "Too many requests wait for the issuer of tokens.");
    }
    if (!ok) {
        sign_in_challenge(exchange, err, needed);
    }
    return ok;
}

void server_check_key(struct exchange *exchange)
{
    struct caller *caller = &exchange->caller;
    struct dgm_error error;
    struct err err;
    err_clear(&err);
    bool ok =
        dgm_access_open(exchange->server->dgm, exchange->credential,
                        scopes[exchange->match.route->scope], &caller->access, &error);
    caller->account = *caller->access.actor ? caller->access.actor : NULL;
    if (ok) {
        exchange_go_on(exchange);
    } else {
        (void)take_error(&error, &err);
        sign_in_challenge(exchange, &err, exchange->match.route->scope);
        response_err(exchange, &err);
    }
}

bool access_may_listen(struct server *server, struct err *err)
{
    struct dgm_error error;
    int64_t keys = dgm_key_count(server->dgm, &error);
    if (keys < 0) {
        return take_error(&error, err);
    }
    if (!sign_in_check(server, err)) {
        return false;
    }
    bool signs_in = !str_empty(server->settings.issuer);
    atomic_store(&server->locked, keys > 0 || signs_in);
    if (server->loopback || keys > 0 || signs_in) {
        return true;
    }
    (void)err_set(err, ERR_ACCESS,
                  "Without keys, the server may listen only on a loopback address.");
    return err_hint(
        err, "Create a key first ('dragoman keys add NAME'), or listen on 127.0.0.1.");
}

bool access_is_open(const struct server *server)
{
    return server->loopback && !atomic_load(&server->locked);
}

void access_lock(struct server *server)
{
    atomic_store(&server->locked, true);
}
