/* A message and its answer in one call. */
#include "server/exchange.h"
#include "server/response.h"
#include "server/request.h"
#include "server/routes/routes.h"
#include "server/questions/sse.h"
#include "server/state.h"

static struct dgm_question *start_message(struct dgm *dgm,
                                          const struct dgm_request *request,
                                          const void *context, struct dgm_error *error)
{
    (void)context;
    return dgm_ask(dgm, request, error);
}

/* A client that waits for the answer gets no id before it, so nothing can be lost. */
static struct inquiry *say(struct exchange *exchange, bool durable)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return NULL;
    }
    struct dgm_request request = {.question = json_text_at(body, "message")};
    routes_fill(body, exchange, &request);
    request.durable = durable;
    return routes_ask(exchange, &request, start_message, NULL);
}

static void chat_now(struct exchange *exchange)
{
    struct inquiry *inquiry = say(exchange, false);
    if (inquiry) {
        exchange->answered = response_inquiry;
        inquiry_wait(inquiry, exchange);
        inquiry_unref(inquiry);
    }
}

void chat_post(struct exchange *exchange)
{
    routes_light(exchange, true, chat_now);
}

void chat_stream(struct exchange *exchange)
{
    struct inquiry *inquiry = say(exchange, true);
    if (inquiry) {
        sse_reply(exchange, inquiry, 0);
        inquiry_unref(inquiry);
    }
}
