/* Continues a question: answer, approval, retry, rating. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

/* A message to a question. */
struct word {
    const char *id;
    const char *text;
    bool yes;
    bool other;     /* a question of its own */
    int64_t number; /* of a reading */
};

static struct dgm_question *continue_say(struct dgm *dgm,
                                         const struct dgm_request *request,
                                         const void *context, struct dgm_error *error)
{
    const struct word *word = context;
    return dgm_resume(dgm, word->id, word->text, request, error);
}

static struct dgm_question *decide(struct dgm *dgm, const struct dgm_request *request,
                                   const void *context, struct dgm_error *error)
{
    const struct word *word = context;
    return dgm_approve(dgm, word->id, word->yes, request, error);
}

static struct dgm_question *again(struct dgm *dgm, const struct dgm_request *request,
                                  const void *context, struct dgm_error *error)
{
    const struct word *word = context;
    return dgm_retry(dgm, word->id, request, error);
}

static struct dgm_question *reread(struct dgm *dgm, const struct dgm_request *request,
                                   const void *context, struct dgm_error *error)
{
    const struct word *word = context;
    return dgm_reading(dgm, word->id, word->number, request, error);
}

static void go_on(struct exchange *exchange, routes_start *start, struct word *word)
{
    struct dgm_request request = {.account = exchange->caller.account,
                                  .new_question = word->other,
                                  .durable = true};
    word->id = request_parameter(exchange, 0);
    struct inquiry *inquiry = routes_ask(exchange, &request, start, word);
    if (inquiry) {
        routes_accepted(exchange, 202, inquiry);
        inquiry_unref(inquiry);
    }
}

/* text, or option, or correction: what was said, as the library takes it. */
static const char *said(struct exchange *exchange, const json_t *body)
{
    const char *text = json_text_at(body, "text");
    const json_t *option = json_object_get(body, "option");
    const json_t *correction = json_object_get(body, "correction");
    if (text) {
        return text;
    }
    if (json_is_string(option)) {
        return json_string_value(option);
    }
    if (json_is_integer(option)) {
        return arena_format(exchange->arena, "%lld",
                            (long long)json_integer_value(option));
    }
    if (json_is_string(correction)) {
        return json_string_value(correction);
    }
    char *dumped = correction ? json_dumps(correction, JSON_COMPACT) : NULL;
    const char *kept = arena_text(exchange->arena, dumped);
    free(dumped);
    return kept;
}

void ask_answer(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct word word = {.text = said(exchange, body),
                        .other = json_bool_at(body, "new_question", false)};
    if (!word.text) {
        response_fail(exchange, ERR_INVALID_DATA,
                      "Say 'text', 'option' or 'correction'.");
        return;
    }
    go_on(exchange, continue_say, &word);
}

void ask_approve(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (body) {
        struct word word = {.yes = json_bool_at(body, "approved", false)};
        go_on(exchange, decide, &word);
    }
}

void ask_retry(struct exchange *exchange)
{
    struct word word = {0};
    go_on(exchange, again, &word);
}

void ask_reading(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (body) {
        struct word word = {.number = json_int_at(body, "reading", 0)};
        go_on(exchange, reread, &word);
    }
}

void ask_feedback(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct dgm_error error;
    const char *id = request_parameter(exchange, 0);
    bool good = json_bool_at(body, "good", false);
    struct dgm *dgm = exchange->server->dgm;
    if (!dgm_access_question(dgm, &exchange->caller.access, id, &error) ||
        !dgm_feedback(dgm, exchange->caller.account, id, good, &error)) {
        response_error(exchange, &error);
        return;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "query_id", id);
    writer_key_text(&writer, "verdict", good ? "good" : "wrong");
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}
