/* An answer as parts that can be changed, and SQL that is checked while it is typed. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "dragoman_store.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

void parts_get(struct exchange *exchange)
{
    struct dgm_error error;
    routes_reply(exchange, 200,
                 dgm_parts(exchange->server->dgm, routes_access(exchange),
                           request_parameter(exchange, 0), &error),
                 &error);
}

struct changed {
    const char *id;
    const char *parts;
};

static struct dgm_question *start_change(struct dgm *dgm,
                                         const struct dgm_request *request,
                                         const void *context, struct dgm_error *error)
{
    const struct changed *changed = context;
    return dgm_change(dgm, changed->id, changed->parts, request, error);
}

void parts_change_post(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    char *text = json_dumps(json_object_get(body, "parts"), JSON_COMPACT);
    const struct changed changed = {.id = request_parameter(exchange, 0),
                                    .parts = arena_text(exchange->arena, text)};
    free(text);
    struct dgm_request request = {.account = exchange->caller.account,
                                  .language = json_text_at(body, "language"),
                                  .durable = true};
    struct inquiry *inquiry = routes_ask(exchange, &request, start_change, &changed);
    if (inquiry) {
        routes_accepted(exchange, 202, inquiry);
        inquiry_unref(inquiry);
    }
}

/* False: 429 was sent. */
static bool in_pace(struct exchange *exchange)
{
    int wait_s =
        pace_wait_s(&exchange->server->pace, exchange->caller.account, clock_ms());
    if (wait_s > 0) {
        exchange->retry_after_s = wait_s;
        response_fail(exchange, ERR_RATE_LIMITED,
                      "Too many of these requests; try again in a second.");
    }
    return wait_s == 0;
}

void parts_values(struct exchange *exchange)
{
    struct dgm_error error;
    if (in_pace(exchange)) {
        routes_reply(exchange, 200,
                     dgm_part_values(exchange->server->dgm, routes_access(exchange),
                                     request_parameter(exchange, 0),
                                     request_argument(exchange, "column"),
                                     request_argument(exchange, "search"), &error),
                     &error);
    }
}

void sql_check(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    if (!body || !in_pace(exchange)) {
        return;
    }
    const char *sql = str_or_empty(json_text_at(body, "sql"));
    const char *id = routes_source(exchange, json_text_at(body, "datasource"));
    if (id) {
        routes_reply(exchange, 200,
                     dgm_guard_json(exchange->server->dgm, exchange->caller.account, id,
                                    NULL, sql, strlen(sql), &error),
                     &error);
    }
}
