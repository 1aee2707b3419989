/* A question by its id: ask, poll, stream, stop; and SQL that a user wrote. */
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/request.h"
#include "server/routes/routes.h"
#include "server/questions/sse.h"
#include "server/state.h"

static struct dgm_question *start_question(struct dgm *dgm,
                                           const struct dgm_request *request,
                                           const void *context, struct dgm_error *error)
{
    (void)context;
    return dgm_ask(dgm, request, error);
}

void ask_post(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct dgm_request request = {.question = json_text_at(body, "query")};
    routes_fill(body, exchange, &request);
    struct inquiry *inquiry = routes_ask(exchange, &request, start_question, NULL);
    if (inquiry) {
        routes_accepted(exchange, 202, inquiry);
        inquiry_unref(inquiry);
    }
}

static struct dgm_question *start_sql(struct dgm *dgm, const struct dgm_request *request,
                                      const void *context, struct dgm_error *error)
{
    return dgm_run_sql(dgm, context, request, error);
}

static void sql_now(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    const char *sql = json_text_at(body, "sql");
    bool wait = json_bool_at(body, "wait", false);
    struct dgm_request request = {.question = sql};
    routes_fill(body, exchange, &request);
    request.durable = !wait; /* a client that waits for the answer cannot lose an id */
    struct inquiry *inquiry = routes_ask(exchange, &request, start_sql, sql);
    if (inquiry && wait) {
        exchange->answered = response_inquiry;
        inquiry_wait(inquiry, exchange);
    } else if (inquiry) {
        routes_accepted(exchange, 202, inquiry);
    }
    inquiry_unref(inquiry);
}

void sql_post(struct exchange *exchange)
{
    routes_light(exchange, false, sql_now);
}

/* It is not in memory, so it is in the store or does not exist. */
static void get_stored(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm_error quiet;
    const char *id = request_parameter(exchange, 0);
    const struct dgm_access *access = &exchange->caller.access;
    char *answer = dgm_answer_load_for(exchange->server->dgm, access, id, &error);
    if (!answer && exchange->server->shared) {
        answer = dgm_progress(exchange->server->dgm, access, id, &quiet);
    }
    if (answer) {
        response_json(exchange, response_answer_status(answer), answer);
    } else {
        response_error(exchange, &error);
    }
}

void ask_get(struct exchange *exchange)
{
    struct inquiry *inquiry = registry_find(exchange, request_parameter(exchange, 0));
    /* A waiting question may have been answered, abandoned or ended by another
     * process. */
    if (!inquiry || inquiry_is_old(inquiry)) {
        inquiry_unref(inquiry);
        exchange_work(exchange, get_stored);
        return;
    }
    response_inquiry(exchange, inquiry);
    inquiry_unref(inquiry);
}

static void stream_stored(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm_error quiet;
    const char *id = request_parameter(exchange, 0);
    struct inquiry *inquiry =
        exchange->server->shared ? inquiry_follow(exchange, id, &quiet) : NULL;
    char *answer = inquiry ? NULL
                           : dgm_answer_load_for(exchange->server->dgm,
                                                 &exchange->caller.access, id, &error);
    if (!inquiry && !answer) {
        response_error(exchange, &error);
        return;
    }
    inquiry = inquiry ? inquiry : inquiry_replay(exchange->server, answer);
    dgm_free(answer);
    sse_reply(exchange, inquiry, sse_last_id(exchange));
    inquiry_unref(inquiry);
}

void ask_stream(struct exchange *exchange)
{
    struct inquiry *inquiry = registry_find(exchange, request_parameter(exchange, 0));
    if (!inquiry || (exchange->server->shared && inquiry_is_old(inquiry))) {
        inquiry_unref(inquiry);
        exchange_work(exchange, stream_stored);
        return;
    }
    sse_reply(exchange, inquiry, sse_last_id(exchange));
    inquiry_unref(inquiry);
}

/* Stopping a question that has ended changes nothing and is no error. */
void ask_stop(struct exchange *exchange)
{
    struct server *server = exchange->server;
    const char *id = request_parameter(exchange, 0);
    struct dgm_error error = {.position = -1};
    bool own = dgm_access_question(server->dgm, &exchange->caller.access, id, &error);
    bool stopped = own && dgm_stop(server->dgm, exchange->caller.account, id, &error);
    if (!stopped && *error.code) {
        response_error(exchange, &error);
        return;
    }
    struct inquiry *inquiry = registry_find(exchange, id);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "query_id", id);
    if (stopped || !inquiry) {
        writer_key_text(&writer, "status", stopped ? "stopped" : "finished");
    } else {
        (void)pthread_mutex_lock(&inquiry->lock);
        writer_key_text(&writer, "status", inquiry->status);
        (void)pthread_mutex_unlock(&inquiry->lock);
    }
    writer_object_end(&writer);
    inquiry_unref(inquiry);
    response_buf(exchange, 200, &buf);
}
