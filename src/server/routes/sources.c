/* Datasources: their schemas, what could be asked of them, testing, adding, forgetting.
 */
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { CHECKS_MOST = 256 * 1024 };

/* The datasource of the path, if the caller may see it. NULL: the reply was given. */
static char *named(struct exchange *exchange)
{
    struct dgm_error error;
    char *id = dgm_access_source(exchange->server->dgm, NULL,
                                 request_parameter(exchange, 0), &error);
    if (!id) {
        response_error(exchange, &error);
    }
    return id;
}

void source_schema(struct exchange *exchange)
{
    struct dgm_error error;
    const char *format = request_choice(exchange, "format", "json|text|mermaid");
    char *id = format ? named(exchange) : NULL;
    if (!id) {
        return;
    }
    char *schema = dgm_schema(exchange->server->dgm, id, format, &error);
    memory_free(id);
    if (!schema) {
        response_error(exchange, &error);
    } else if (str_equal(format, "json")) {
        response_json(exchange, 200, schema);
    } else {
        response_text(exchange, 200, "text/plain; charset=utf-8", schema, strlen(schema));
    }
}

void source_suggestions(struct exchange *exchange)
{
    struct dgm_error error;
    char *id = named(exchange);
    if (!id) {
        return;
    }
    char *questions = dgm_suggestions(exchange->server->dgm, id, &error);
    memory_free(id);
    if (questions) {
        response_wrapped(exchange, 200, "questions", questions);
    } else {
        response_error(exchange, &error);
    }
}

static void write_check(void *context, const struct dgm_check *check)
{
    struct writer *writer = context;
    writer_object(writer);
    writer_key_text(writer, "name", check->name);
    writer_key_bool(writer, "ok", check->ok);
    writer_key_text(writer, "text", check->text);
    writer_key_text(writer, "hint", check->hint);
    writer_key_bool(writer, "warning", check->warning);
    writer_key_real(writer, "ms", check->ms);
    writer_object_end(writer);
}

void source_test(struct exchange *exchange)
{
    char *id = named(exchange);
    if (!id) {
        return;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, CHECKS_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "checks");
    writer_array(&writer);
    int failed = dgm_source_test(exchange->server->dgm, id, write_check, &writer);
    writer_array_end(&writer);
    writer_key_bool(&writer, "ok", failed == 0);
    writer_object_end(&writer);
    memory_free(id);
    response_buf(exchange, 200, &buf);
}

void source_add(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    char *id = dgm_source_add(exchange->server->dgm, json_text_at(body, "id"),
                              json_text_at(body, "url"),
                              json_text_at(body, "description"), &error);
    if (!id) {
        response_error(exchange, &error);
        return;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, CHECKS_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "id", id);
    writer_object_end(&writer);
    dgm_free(id);
    response_buf(exchange, 201, &buf);
}

void source_remove(struct exchange *exchange)
{
    struct dgm_error error;
    char *id = named(exchange);
    if (!id) {
        return;
    }
    bool ok = dgm_source_remove(exchange->server->dgm, id, &error);
    memory_free(id);
    if (ok) {
        response_json(exchange, 200, memory_text("{\"status\":\"removed\"}"));
    } else {
        response_error(exchange, &error);
    }
}
