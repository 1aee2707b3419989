/* The OpenAI-compatible interface: questions within a conversation. */
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/openai/answering.h"
#include "server/openai/background.h"
#include "server/openai/demands.h"
#include "server/openai/messages.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/openai.h"
#include "server/routes/routes.h"
#include "server/state.h"

/* Without a session, a question that asked back is continued by its id. */
static struct dgm_question *start(struct dgm *dgm, const struct dgm_request *request,
                                  const void *context, struct dgm_error *error)
{
    const struct openai_messages *messages = context;
    struct dgm_question *question =
        request->session_id || !messages->query_id
            ? NULL
            : dgm_resume(dgm, messages->query_id, request->question, request, error);
    return question ? question : dgm_ask(dgm, request, error);
}

/* The session of the conversation; NULL if there can be none. False: the error was
 * sent. */
static bool find_session(struct exchange *exchange,
                         const struct openai_messages *messages, const char *datasource,
                         const char **session)
{
    struct dgm_error error;
    struct dgm_talk talk = {.datasource = datasource,
                            .said = messages->said.items,
                            .count = messages->said.count,
                            .query_id = messages->query_id};
    char *id =
        dgm_session_for(exchange->server->dgm, routes_access(exchange), &talk, &error);
    *session = arena_text(exchange->arena, id);
    dgm_free(id);
    /* The session of a key for several datasources would have to be about one of them. */
    if (!*session && (datasource || error.http_status != 404)) {
        response_error(exchange, &error);
        return false;
    }
    return true;
}

static void ask(struct exchange *exchange, struct openai_call *call,
                const struct openai_messages *messages, const char *datasource)
{
    struct dgm_request request = {.question = messages->question,
                                  .datasource = datasource,
                                  .account = exchange->caller.account,
                                  .datasets = true};
    if (!find_session(exchange, messages, datasource, &request.session_id)) {
        return;
    }
    struct inquiry *inquiry = routes_ask(exchange, &request, start, messages);
    if (inquiry) {
        openai_answer_later(exchange, call, inquiry);
        inquiry_unref(inquiry);
    } else if (request.session_id && !messages->said.count && !messages->query_id) {
        struct dgm_error ignored; /* it is new, and nothing was said in it */
        (void)dgm_session_delete_for(exchange->server->dgm, routes_access(exchange),
                                     request.session_id, &ignored);
    }
}

/* A request of the chat page itself: nothing is asked. */
static void reply(struct exchange *exchange, struct openai_call *call,
                  const struct openai_messages *messages, const struct openai_task *task)
{
    struct buf text;
    struct dgm_error ignored;
    const char *id = task->kind == OPENAI_FOLLOW_UPS
                         ? openai_messages_link(exchange->arena, messages->question)
                         : NULL;
    char *answer = id ? dgm_answer_load_for(exchange->server->dgm,
                                            routes_access(exchange), id, &ignored)
                      : NULL;
    buf_init(&text, OPENAI_REPLY_MOST);
    openai_background_write(
        exchange->arena, messages, task,
        answer ? json_quick(exchange->arena, answer, strlen(answer)) : NULL, &text);
    dgm_free(answer);
    openai_answer_now(exchange, call, buf_get(&text));
    buf_release(&text);
}

/* The response that the client names instead of repeating the conversation. False: the
 * error was sent. */
static bool find_previous(struct exchange *exchange, const struct openai_format *format,
                          const json_t *body, struct openai_messages *messages)
{
    static const char prefix[] = "resp_";
    struct dgm_error error;
    const char *id = format->previous ? json_text_at(body, format->previous) : NULL;
    if (!id) {
        return true;
    }
    messages->query_id = str_starts(id, prefix) ? id + sizeof prefix - 1 : "";
    messages->replied = true;
    if (dgm_access_question(exchange->server->dgm, routes_access(exchange),
                            messages->query_id, &error)) {
        return true;
    }
    exchange->param = format->previous;
    response_error(exchange, &error);
    return false;
}

/* The address under which the client has reached this server. */
static const char *place_of(struct exchange *exchange)
{
    const char *host =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Host");
    return arena_format(exchange->arena, "http%s://%s",
                        *exchange->server->settings.tls_cert ? "s" : "",
                        str_trim(exchange->arena, str_or_empty(host)));
}

static void talk(struct exchange *exchange, const struct openai_format *format)
{
    struct err err;
    struct openai_messages messages;
    const char *datasource = NULL;
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    err_clear(&err);
    struct openai_call *call = ARENA_NEW(exchange->arena, struct openai_call);
    *call = (struct openai_call){
        .format = format,
        .model = json_text_at(body, "model"),
        .place = place_of(exchange),
        .created = clock_wall_s(),
        .stream = json_bool_at(body, "stream", false),
        .with_usage =
            json_bool_at(json_object_at(body, "stream_options"), "include_usage", false),
    };
    if (!openai_find_model(exchange, call->model, &datasource)) {
        return;
    }
    if (!openai_messages_read(exchange->arena, json_object_get(body, format->messages),
                              &messages, &err)) {
        exchange->param = format->messages;
        response_err(exchange, &err);
        return;
    }
    if (!find_previous(exchange, format, body, &messages)) {
        return;
    }
    struct openai_task task = openai_background_find(&messages);
    if (task.kind != OPENAI_NO_BACKGROUND) {
        reply(exchange, call, &messages, &task);
    } else if (!openai_demands_check(body, &exchange->param, &err)) {
        response_err(exchange, &err);
    } else {
        ask(exchange, call, &messages, datasource);
    }
}

void openai_complete(struct exchange *exchange)
{
    talk(exchange, &openai_completion);
}

void openai_respond(struct exchange *exchange)
{
    talk(exchange, &openai_response);
}
