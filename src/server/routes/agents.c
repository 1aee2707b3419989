/*
 * The API below /agents/text-to-sql: sessions on one dataset, with its own names.
 */
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/agents.h"
#include "server/routes/routes.h"
#include "server/state.h"

/* "2026-11-15T17:52:05Z" as seconds; 0 when it is none. */
static int64_t seconds_of(const char *iso)
{
    struct tm time = {0};
    const char *end = iso ? strptime(iso, "%Y-%m-%dT%H:%M:%S", &time) : NULL;
    return end ? (int64_t)timegm(&time) : 0;
}

static bool is_alive(const struct server *server, const json_t *session)
{
    int64_t last = seconds_of(json_text_at(session, "last_activity"));
    return clock_wall_s() - last < server->settings.session_ttl_s;
}

/* The session, if this API still has it; else the error was sent. The history stays in
 * the store and is available in /api/v1. */
static const json_t *find_session(struct exchange *exchange, const char *id)
{
    struct dgm_error error;
    struct err err;
    err_clear(&err);
    char *text =
        dgm_session_get_for(exchange->server->dgm, &exchange->caller.access, id, &error);
    const json_t *session =
        text ? json_parse(exchange->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    if (session && is_alive(exchange->server, session)) {
        return session;
    }
    if (!text && !str_equal(error.code, "SESSION_NOT_FOUND")) {
        response_error(exchange, &error);
    } else {
        response_fail(exchange, ERR_SESSION_NOT_FOUND, "Session not found or expired");
    }
    return NULL;
}

/* The schema of a session's dataset; NULL when it cannot be read now. */
static const json_t *find_schema(struct exchange *exchange, const char *dataset,
                                 struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    char *source = dgm_access_source(exchange->server->dgm, &exchange->caller.access,
                                     dataset, error);
    char *text = source ? dgm_schema_for(exchange->server->dgm, exchange->caller.account,
                                         source, "json", error)
                        : NULL;
    dgm_free(source);
    const json_t *schema =
        text ? json_parse(exchange->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    return schema;
}

void agents_start(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    const char *dataset = json_text_at(body, "dataset_id");
    const json_t *schema = find_schema(exchange, dataset, &error);
    if (!schema && str_equal(error.code, "DATASOURCE_NOT_FOUND")) {
        response_fail(exchange, ERR_DATASET_NOT_FOUND, "Dataset not found");
        return;
    }
    char *id = schema
                   ? dgm_session_new_for(dgm, &exchange->caller.access, dataset, &error)
                   : NULL;
    char *questions =
        id ? dgm_suggestions_for(dgm, exchange->caller.account, dataset, &error) : NULL;
    if (!questions) {
        response_error(exchange, &error);
        dgm_free(id);
        return;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, AGENTS_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "session_id", id);
    writer_key(&writer, "schema");
    agents_write_schema(&writer, schema);
    writer_key(&writer, "sample_questions");
    writer_raw(&writer, questions);
    writer_object_end(&writer);
    dgm_free(id);
    dgm_free(questions);
    response_buf(exchange, 200, &buf);
}

static struct dgm_question *start_message(struct dgm *dgm,
                                          const struct dgm_request *request,
                                          const void *context, struct dgm_error *error)
{
    (void)context;
    return dgm_ask(dgm, request, error);
}

void agents_chat(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    const json_t *session =
        body ? find_session(exchange, json_text_at(body, "session_id")) : NULL;
    if (!session) {
        return;
    }
    struct dgm_request request = {
        .question = json_text_at(body, "message"),
        .session_id = json_text_at(body, "session_id"),
        .datasource = json_text_at(session, "datasource"),
        .account = exchange->caller.account,
    };
    struct inquiry *inquiry = routes_ask(exchange, &request, start_message, NULL);
    if (inquiry) {
        exchange->answered = agents_answered;
        inquiry_wait(inquiry, exchange);
        inquiry_unref(inquiry);
    }
}

void agents_session(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *session = find_session(exchange, request_parameter(exchange, 0));
    if (!session) {
        return;
    }
    const char *dataset = json_text_at(session, "datasource");
    struct buf buf;
    struct writer writer;
    buf_init(&buf, AGENTS_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "session_id", json_text_at(session, "session_id"));
    writer_key(&writer, "dataset_id");
    writer_text(&writer, dataset);
    writer_key(&writer, "schema");
    agents_write_schema(&writer, find_schema(exchange, dataset, &error));
    writer_key(&writer, "messages");
    agents_write_messages(&writer, json_array_at(session, "messages"));
    writer_key_text(&writer, "created_at", json_text_at(session, "created_at"));
    writer_key_text(&writer, "last_activity", json_text_at(session, "last_activity"));
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

void agents_end(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    const char *id = request_parameter(exchange, 0);
    if (!find_session(exchange, id)) {
        return;
    }
    (void)dgm_session_stop(dgm, id);
    if (!dgm_session_delete_for(dgm, &exchange->caller.access, id, &error)) {
        response_error(exchange, &error);
        return;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "status", "success");
    writer_key_text(&writer, "message",
                    arena_format(exchange->arena, "Session %s ended successfully", id));
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

void agents_health(struct exchange *exchange)
{
    struct dgm_error error;
    struct err err;
    char *text =
        dgm_session_list_for(exchange->server->dgm, &exchange->caller.access, &error);
    const json_t *sessions =
        text ? json_parse(exchange->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    size_t alive = 0;
    for (size_t i = 0; i < json_array_size(sessions); i++) {
        alive += is_alive(exchange->server, json_array_get(sessions, i));
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "status", text ? "healthy" : "unhealthy");
    writer_key_text(&writer, "service", "text_to_sql_agent");
    writer_key_text(&writer, "version", dgm_version());
    writer_key_int(&writer, "active_sessions", (int64_t)alive);
    writer_object_end(&writer);
    response_buf(exchange, text ? 200 : 503, &buf);
}
