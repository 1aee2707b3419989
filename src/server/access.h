/* Who may come in: the Host header, and the key a caller shows. */
#ifndef DGM_SERVER_ACCESS_H
#define DGM_SERVER_ACCESS_H

#include <stdbool.h>

#include "dragoman_server.h"
#include "server/router.h"

struct err;
struct exchange;
struct server;

/* Who asks. */
struct caller {
    const char *account; /* NULL: the local user, who may see everything */
    struct dgm_access access;
};

/* Is the server called by a name it has? Protects a person's browser: a foreign page
 * whose name was pointed at this machine does not get in, nor does one that asks from
 * another site. If the target of the request is a whole URL, it must name the same. */
bool access_host(struct exchange *exchange, const char *target, struct err *err);
/* The path of a target that is a path or a whole URL. */
const char *access_path(const char *target);

/* Finds out who the caller is (exchange->caller) and whether the scope is allowed. Called
 * once per request, on the connection's thread, before the body is read. True with
 * exchange->knocks: the store has to be asked, by server_check_key. */
bool server_authenticate(struct exchange *exchange, enum scope needed, struct err *err);
/* On a thread that may wait: asks the store, then replies or lets the exchange go on. */
void server_check_key(struct exchange *exchange);

/* bearer.c: may the server listen where it is told to? Beyond this machine only with
 * keys. */
bool access_may_listen(struct server *server, struct err *err);
/* Whether no key is required: only on loopback, and without keys. */
bool access_is_open(const struct server *server);
/* There is a key now: from here on, every request needs one. There is no way back
 * before the next start: revoking the last one must not open the server. */
void access_lock(struct server *server);
/* Has another process made a key? Found out on a thread that may wait. */
void access_look_for_keys(struct server *server);

#endif
