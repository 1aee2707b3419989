/* Declares every handler, and the helpers that handlers share. */
#ifndef DGM_SERVER_ROUTES_ROUTES_H
#define DGM_SERVER_ROUTES_ROUTES_H

#include "base/json.h"
#include "dragoman_server.h"
#include "server/router.h"

#define ROUTE(method, path, name, run, scope, summary, request, response) handler name;
#include "server/routes.def"
#undef ROUTE

/* Copies the fields that AskRequest and ChatRequest share; texts are borrowed from the
 * body. */
void routes_fill(const json_t *body, struct exchange *exchange,
                 struct dgm_request *request);

/*
 * Starts a question and creates its inquiry. Returns a reference, or NULL after the error
 * was sent. Calls start(dgm, request, context, error), which is dgm_ask or a similar
 * function.
 */
typedef struct dgm_question *routes_start(struct dgm *dgm,
                                          const struct dgm_request *request,
                                          const void *context, struct dgm_error *error);
struct inquiry *routes_ask(struct exchange *exchange, struct dgm_request *request,
                           routes_start *start, const void *context);

/* The caller, for functions that take an access; NULL: the local user. */
const struct dgm_access *routes_access(struct exchange *exchange);
/* Is the caller's key for all datasources? False: 403 was sent, saying what such a key cannot
 * do. */
bool routes_unlimited(struct exchange *exchange, const char *action);
/* The id of the named datasource if the caller may see it; NULL: the error was sent. */
const char *routes_source(struct exchange *exchange, const char *named);
/* Sends the JSON, which is freed with the reply; or the error. */
void routes_reply(struct exchange *exchange, unsigned status, char *json,
                  const struct dgm_error *error);
/* Sends 200 {status: word}, or the error. */
void routes_done(struct exchange *exchange, bool ok, const char *word,
                 const struct dgm_error *error);

/* Runs the handler on the connection's thread if nothing can block, else on a worker.
 * waits_always: the request blocks even without "wait": true. */
void routes_light(struct exchange *exchange, bool waits_always, handler *work);

/* 202 {query_id, status, session_id}. */
void routes_accepted(struct exchange *exchange, unsigned status, struct inquiry *inquiry);

#endif
