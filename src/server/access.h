/* Checks who may send requests: the Host header, and the access key of the caller. */
#ifndef DGM_SERVER_ACCESS_H
#define DGM_SERVER_ACCESS_H

#include <stdbool.h>

#include "dragoman_server.h"
#include "server/router.h"

struct err;
struct exchange;
struct server;

/* The authenticated caller of a request. */
struct caller {
    const char *account; /* NULL: the local user, who may use every account's data */
    struct dgm_access access;
};

/*
 * Is the Host header one of the server's names? This protects a user's browser: a foreign
 * page whose name resolves to this machine (DNS rebinding), or a request from another
 * site, is refused. If the request target is a whole URL, its host must be the same.
 */
bool access_host(struct exchange *exchange, const char *target, struct err *err);
/* The path of a request target, which is a path or a whole URL. */
const char *access_path(const char *target);

/*
 * Authenticates the caller (exchange->caller) and checks the scope. Called once per
 * request, on the connection's thread, before the body is read. If it returns true with
 * exchange->knocks set, the key is not cached: call server_check_key.
 */
bool server_authenticate(struct exchange *exchange, enum scope needed, struct err *err);
/* On a thread that may block: looks the key up in the store, then replies with an error
 * or resumes the exchange. */
void server_check_key(struct exchange *exchange);

/* bearer.c: may the server listen on its configured address? On other addresses than
 * loopback only with keys. */
bool access_may_listen(struct server *server, struct err *err);
/* Whether no key is required: only on loopback, and without keys. */
bool access_is_open(const struct server *server);
/* A key exists now: from here on every request needs one, until the next start. Revoking
 * the last key must not open the server. */
void access_lock(struct server *server);
/* Checks whether another process has created a key. On a thread that may block. */
void access_look_for_keys(struct server *server);

#endif
