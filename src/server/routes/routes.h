/* Every handler, and what handlers share. */
#ifndef DGM_SERVER_ROUTES_ROUTES_H
#define DGM_SERVER_ROUTES_ROUTES_H

#include "base/json.h"
#include "dragoman_server.h"
#include "server/router.h"

#define ROUTE(method, path, name, run, scope, summary, request, response) handler name;
#include "server/routes.def"
#undef ROUTE

/* The fields that AskRequest and ChatRequest have in common; the texts are the body's. */
void routes_fill(const json_t *body, struct exchange *exchange,
                 struct dgm_request *request);

/* Starts a question and gives it a inquiry: a reference, or NULL when the reply (why not)
 * was given. Calls start(dgm, request, context, error), which is dgm_ask or a sister. */
typedef struct dgm_question *routes_start(struct dgm *dgm,
                                          const struct dgm_request *request,
                                          const void *context, struct dgm_error *error);
struct inquiry *routes_ask(struct exchange *exchange, struct dgm_request *request,
                           routes_start *start, const void *context);

/* Who asks, for the functions that take an access; NULL: the local user. */
const struct dgm_access *routes_access(struct exchange *exchange);
/* The id of the datasource that is named, if this caller may see it; NULL: the reply was
 * given. */
const char *routes_source(struct exchange *exchange, const char *named);
/* The JSON, which is freed with the reply, or why there is none. */
void routes_reply(struct exchange *exchange, unsigned status, char *json,
                  const struct dgm_error *error);
/* 200 {status: word}, or the error. */
void routes_done(struct exchange *exchange, bool ok, const char *word,
                 const struct dgm_error *error);

/* Work that nothing has to be waited for is done at once, on the connection's thread;
 * other work, or the first, by a worker. waits_always: not only with "wait": true. */
void routes_light(struct exchange *exchange, bool waits_always, handler *work);

/* 202 {query_id, status, session_id}. */
void routes_accepted(struct exchange *exchange, unsigned status, struct inquiry *inquiry);

#endif
