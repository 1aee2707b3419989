/* The OpenAI-compatible interface: models, and conversations. */
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/openai/answering.h"
#include "server/openai/background.h"
#include "server/openai/messages.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { MODELS_MOST = 4 << 20 };

/* The model that finds the right datasource for each question. */
static const char any_model[] = "dragoman";

/* ---------------------------------------------------------------- models */

static void write_model(struct writer *writer, const struct exchange *exchange,
                        const char *id)
{
    int64_t age_ms = clock_ms() - exchange->server->born_ms;
    writer_object(writer);
    writer_key_text(writer, "id", id);
    writer_key_text(writer, "object", "model");
    writer_key_int(writer, "created", clock_wall_s() - age_ms / 1000);
    writer_key_text(writer, "owned_by", any_model);
    writer_object_end(writer);
}

void openai_models(struct exchange *exchange)
{
    struct buf buf;
    struct writer writer;
    char *list = dgm_datasources_for(exchange->server->dgm, routes_access(exchange));
    const json_t *sources = json_quick(exchange->arena, list, strlen(list));
    size_t index = 0;
    const json_t *source = NULL;
    dgm_free(list);
    buf_init(&buf, MODELS_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "object", "list");
    writer_key(&writer, "data");
    writer_array(&writer);
    write_model(&writer, exchange, any_model);
    json_array_foreach(sources, index, source)
    {
        write_model(&writer, exchange, json_text_at(source, "id"));
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

/* The datasource of a model; NULL for the one that finds it. False: the error was sent. */
static bool find_model(struct exchange *exchange, const char *model,
                       const char **datasource)
{
    struct dgm_error error;
    *datasource = NULL;
    if (str_equal(model, any_model)) {
        return true;
    }
    char *id = str_empty(model)
                   ? NULL
                   : dgm_access_source(exchange->server->dgm, routes_access(exchange),
                                       model, &error);
    *datasource = arena_text(exchange->arena, id);
    dgm_free(id);
    exchange->param = *datasource ? NULL : "model";
    if (!*datasource && (str_empty(model) || error.http_status == 404)) {
        struct err err;
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND,
                      "The model '%.60s' does not exist, or the key may not use it.",
                      model);
        (void)err_hint(&err, "GET /v1/models lists the models.");
        response_err(exchange, &err);
    } else if (!*datasource) {
        response_error(exchange, &error);
    }
    return *datasource != NULL;
}

void openai_model(struct exchange *exchange)
{
    struct buf buf;
    struct writer writer;
    const char *datasource = NULL;
    const char *model = request_parameter(exchange, 0);
    if (find_model(exchange, model, &datasource)) {
        buf_init(&buf, MODELS_MOST);
        writer_init(&writer, &buf);
        write_model(&writer, exchange, model);
        response_buf(exchange, 200, &buf);
    }
}

/* ---------------------------------------------------------------- conversations */

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
    if (!find_model(exchange, call->model, &datasource)) {
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
    if (task.kind == OPENAI_NO_BACKGROUND) {
        ask(exchange, call, &messages, datasource);
    } else {
        reply(exchange, call, &messages, &task);
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
