/* Sessions. */
#include "base/buf.h"
#include "base/memory.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/request.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { LIMIT_DEFAULT = 1000, LIMIT_MOST = 10000 };

void session_post(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    const char *datasource = json_text_at(body, "datasource");
    datasource = datasource ? datasource : json_text_at(body, "dataset_id");
    char *id = dgm_session_new_for(dgm, &exchange->caller.access, datasource, &error);
    const char *title = json_text_at(body, "title");
    if (id && title &&
        !dgm_session_rename(dgm, &exchange->caller.access, id, title, &error)) {
        struct dgm_error ignored; /* no half of the request stays */
        (void)dgm_session_delete_for(dgm, &exchange->caller.access, id, &ignored);
        dgm_free(id);
        id = NULL;
    }
    char *session =
        id ? dgm_session_get_for(dgm, &exchange->caller.access, id, &error) : NULL;
    dgm_free(id);
    if (session) {
        response_json(exchange, 201, session);
    } else {
        response_error(exchange, &error);
    }
}

void session_list(struct exchange *exchange)
{
    struct dgm_error error;
    int64_t offset = 0;
    int64_t limit = LIMIT_DEFAULT;
    if (request_number(exchange, "offset", 0, INT32_MAX, &offset) &&
        request_number(exchange, "limit", 1, LIMIT_MOST, &limit)) {
        char *list = dgm_session_page(exchange->server->dgm, &exchange->caller.access,
                                      (size_t)offset, (size_t)limit, &error);
        routes_reply(exchange, 200, list, &error);
    }
}

void session_patch(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    const struct dgm_access *access = &exchange->caller.access;
    const char *id = request_parameter(exchange, 0);
    char *session =
        dgm_session_rename(dgm, access, id, json_text_at(body, "title"), &error)
            ? dgm_session_get_for(dgm, access, id, &error)
            : NULL;
    routes_reply(exchange, 200, session, &error);
}

void session_get(struct exchange *exchange)
{
    struct dgm_error error;
    char *session = dgm_session_get_for(exchange->server->dgm, &exchange->caller.access,
                                        request_parameter(exchange, 0), &error);
    if (session) {
        response_json(exchange, 200, session);
    } else {
        response_error(exchange, &error);
    }
}

void session_delete(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    const char *id = request_parameter(exchange, 0);
    char *session = dgm_session_get_for(dgm, &exchange->caller.access, id, &error);
    if (session) {
        dgm_free(session);
        (void)dgm_session_stop(dgm, id);
        if (dgm_session_delete_for(dgm, &exchange->caller.access, id, &error)) {
            response_json(exchange, 200, memory_text("{\"status\":\"deleted\"}"));
            return;
        }
    }
    response_error(exchange, &error);
}

void session_stop(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    const char *id = request_parameter(exchange, 0);
    char *session = dgm_session_get_for(dgm, &exchange->caller.access, id, &error);
    if (!session) {
        response_error(exchange, &error);
        return;
    }
    dgm_free(session);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "session_id", id);
    writer_key_int(&writer, "stopped", (int64_t)dgm_session_stop(dgm, id));
    writer_key_text(&writer, "status", "stopped");
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}
