/* The history and saved queries. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { HISTORY_MOST = 1000 };

void history_list(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm_history_query query = {.search = request_argument(exchange, "search"),
                                      .datasource =
                                          request_argument(exchange, "datasource"),
                                      .limit = 100};
    if (request_number(exchange, "limit", 1, HISTORY_MOST, &query.limit) &&
        request_number(exchange, "offset", 0, INT32_MAX, &query.offset)) {
        routes_reply(
            exchange, 200,
            dgm_history(exchange->server->dgm, routes_access(exchange), &query, &error),
            &error);
    }
}

void history_delete(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = request_parameter(exchange, 0);
    int64_t count = dgm_history_remove(exchange->server->dgm, routes_access(exchange),
                                       str_equal(id, "all") ? NULL : id, &error);
    routes_done(exchange, count >= 0, "forgotten", &error);
}

/* ------------------------------------------------------------------ saved queries */

/* The texts are the body's, the parameters the exchange's. */
static bool saved_fill(struct exchange *exchange, struct dgm_saved *saved)
{
    const json_t *body = request_json(exchange);
    const json_t *parameters = body ? json_object_get(body, "parameters") : NULL;
    *saved = (struct dgm_saved){.name = json_text_at(body, "name"),
                                .question = json_text_at(body, "question"),
                                .sql = json_text_at(body, "sql"),
                                .datasource = json_text_at(body, "datasource")};
    if (parameters && !json_is_null(parameters)) {
        char *text = json_dumps(parameters, JSON_COMPACT | JSON_ENCODE_ANY);
        saved->parameters = arena_text(exchange->arena, text);
        free(text);
    }
    return body != NULL;
}

void saved_post(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm_saved saved;
    if (saved_fill(exchange, &saved)) {
        routes_reply(
            exchange, 201,
            dgm_saved_add(exchange->server->dgm, routes_access(exchange), &saved, &error),
            &error);
    }
}

void saved_list(struct exchange *exchange)
{
    struct dgm_error error;
    char *list = dgm_saved_list(exchange->server->dgm, routes_access(exchange), &error);
    if (list) {
        response_wrapped(exchange, 200, "saved", list);
    } else {
        response_error(exchange, &error);
    }
}

void saved_get(struct exchange *exchange)
{
    struct dgm_error error;
    routes_reply(exchange, 200,
                 dgm_saved_get(exchange->server->dgm, routes_access(exchange),
                               request_parameter(exchange, 0), &error),
                 &error);
}

void saved_patch(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm_saved saved;
    if (saved_fill(exchange, &saved)) {
        routes_reply(exchange, 200,
                     dgm_saved_change(exchange->server->dgm, routes_access(exchange),
                                      request_parameter(exchange, 0), &saved, &error),
                     &error);
    }
}

void saved_delete(struct exchange *exchange)
{
    struct dgm_error error;
    bool ok = dgm_saved_remove(exchange->server->dgm, routes_access(exchange),
                               request_parameter(exchange, 0), &error);
    routes_done(exchange, ok, "deleted", &error);
}

struct saved_call {
    const char *id;
    const char *parameters;
};

static struct dgm_question *start_saved(struct dgm *dgm,
                                        const struct dgm_request *request,
                                        const void *context, struct dgm_error *error)
{
    const struct saved_call *call = context;
    return dgm_saved_run(dgm, call->id, call->parameters, request, error);
}

void saved_run(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct saved_call call = {.id = request_parameter(exchange, 0)};
    const json_t *values = json_object_at(body, "parameters");
    if (values) {
        char *text = json_dumps(values, JSON_COMPACT);
        call.parameters = arena_text(exchange->arena, text);
        free(text);
    }
    struct dgm_request request = {.question = call.id};
    routes_fill(body, exchange, &request);
    struct inquiry *inquiry = routes_ask(exchange, &request, start_saved, &call);
    if (inquiry) {
        routes_accepted(exchange, 202, inquiry);
        inquiry_unref(inquiry);
    }
}
