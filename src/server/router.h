/* Finds the handler for a method and a path: routes.def as a table. */
#ifndef DGM_SERVER_ROUTER_H
#define DGM_SERVER_ROUTER_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct exchange;

/* Must send exactly one reply (response.h), at once or later; see
 * docs/recipes/add-a-route.md. */
typedef void handler(struct exchange *exchange);

enum route_run {
    RUN_QUICK,  /* on the connection's thread: must not block, not even on the store */
    RUN_WORK,   /* on a worker thread */
    RUN_UPLOAD, /* the same, once its body is in a file (upload.h) */
};

/* The scope that a key needs; SCOPE_OPEN needs no key. */
enum scope { SCOPE_OPEN, SCOPE_READ, SCOPE_ASK, SCOPE_ADMIN };

enum { ROUTE_PARAMETERS = 3 };

struct route {
    const char *method;
    const char *path; /* "/api/v1/ask/{id}/stop" */
    handler *handler;
    enum route_run run;
    enum scope scope;
    const char *summary;
    const char *request;  /* schema of the body; "" when it has none */
    const char *response; /* schema of the reply with status `success` */
    const char *name;     /* of the handler: the operation's id */
};

struct route_match {
    const struct route *route;
    const char *parameters[ROUTE_PARAMETERS]; /* in the order of the path */
    const char *allowed; /* the allowed methods, if only the method is wrong */
};

/* False: no such route (`allowed` is set if the path exists). */
bool router_find(struct arena *arena, const char *method, const char *path,
                 struct route_match *match);
const struct route *router_at(size_t index); /* NULL after the last */

#endif
