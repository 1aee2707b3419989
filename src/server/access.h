/* Who may come in: the Host header, and the key a caller shows. */
#ifndef DGM_SERVER_ACCESS_H
#define DGM_SERVER_ACCESS_H

#include <stdbool.h>

#include "dragoman.h"
#include "server/router.h"

struct err;
struct exchange;
struct server;

/* Who asks. */
struct caller {
    const char *account; /* NULL: the local person, who may see everything */
    struct dgm_access access;
};

/* Is the server called by a name it has? Protects a person's browser: a foreign page
 * whose name was pointed at this machine does not get in, nor does one that asks from
 * another site. */
bool access_host(struct exchange *exchange, struct err *err);

/* Finds out who the caller is (exchange->caller) and whether the scope is allowed. Called
 * once per request, on the connection's thread, before the body is read. */
bool server_authenticate(struct exchange *exchange, enum scope needed, struct err *err);

/* bearer.c: may the server listen where it is told to? Beyond this machine only with
 * keys. */
bool access_may_listen(struct server *server, struct err *err);
/* Is everybody let in who can reach it? Only on this machine, and without keys. */
bool access_is_open(const struct server *server);

#endif
