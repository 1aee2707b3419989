/* Datasources: added, tested, listed, removed. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { TEXT_MOST = 1 << 20 };

/* The one that the path names. */
static const char *source_of(struct exchange *exchange)
{
    return routes_source(exchange, request_parameter(exchange, 0));
}

/* What is added or removed exists or is gone for everybody, and ids that are taken would tell
 * which other datasources there are. False: the error was sent. */
static bool may_manage(struct exchange *exchange)
{
    return routes_unlimited(exchange, "add, try or remove datasources");
}

void datasource_post(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    if (!body || !may_manage(exchange)) {
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
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "id", id);
    writer_key_text(&writer, "description", json_text_at(body, "description"));
    writer_key_bool(&writer, "added", true);
    writer_object_end(&writer);
    dgm_free(id);
    response_buf(exchange, 201, &buf);
}

void datasource_delete(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = may_manage(exchange) ? source_of(exchange) : NULL;
    if (id) {
        bool ok = dgm_source_remove(exchange->server->dgm, id, &error);
        routes_done(exchange, ok, "removed", &error);
    }
}

/* ------------------------------------------------------------------ trying */

struct checks {
    struct buf buf;
    struct writer writer;
    bool ok;
};

static void checks_begin(struct checks *checks)
{
    checks->ok = true;
    buf_init(&checks->buf, TEXT_MOST);
    writer_init(&checks->writer, &checks->buf);
    writer_object(&checks->writer);
    writer_key(&checks->writer, "checks");
    writer_array(&checks->writer);
}

static void checks_add(void *context, const struct dgm_check *check)
{
    struct checks *checks = context;
    struct writer *writer = &checks->writer;
    checks->ok = checks->ok && check->ok;
    writer_object(writer);
    writer_key_text(writer, "name", check->name);
    writer_key_bool(writer, "ok", check->ok);
    writer_key_text(writer, "text", check->text);
    writer_key_text(writer, "hint", check->hint);
    writer_key_real(writer, "ms", check->ms);
    if (check->warning) {
        writer_key_bool(writer, "warning", true);
    }
    if (check->line_count) {
        writer_key(writer, "lines");
        writer_array(writer);
        for (size_t i = 0; i < check->line_count; i++) {
            writer_text(writer, check->lines[i]);
        }
        writer_array_end(writer);
    }
    writer_object_end(writer);
}

static void checks_reply(struct exchange *exchange, struct checks *checks)
{
    writer_array_end(&checks->writer);
    writer_key_bool(&checks->writer, "ok", checks->ok);
    writer_object_end(&checks->writer);
    response_buf(exchange, 200, &checks->buf);
}

void datasource_test(struct exchange *exchange)
{
    struct checks checks;
    const char *id = source_of(exchange);
    if (id) {
        checks_begin(&checks);
        (void)dgm_source_test_for(exchange->server->dgm, exchange->caller.account, id,
                                  checks_add, &checks);
        checks_reply(exchange, &checks);
    }
}

/* Tests a URL before it is added; it is neither stored nor shown. */
void datasource_try(struct exchange *exchange)
{
    struct dgm_error error;
    struct checks checks;
    const json_t *body = request_json(exchange);
    if (!body || !may_manage(exchange)) {
        return;
    }
    bool ok = dgm_source_try(exchange->server->dgm, json_text_at(body, "url"), &error);
    const struct dgm_check check = {.name = "connection",
                                    .ok = ok,
                                    .text = ok ? "The database answers." : error.message,
                                    .hint = ok || !*error.hint ? NULL : error.hint};
    checks_begin(&checks);
    checks_add(&checks, &check);
    checks_reply(exchange, &checks);
}

/* ------------------------------------------------------------------ looking */

void datasource_schema(struct exchange *exchange)
{
    struct dgm_error error;
    const char *format = request_choice(exchange, "format", "json|text|mermaid");
    const char *id = format ? source_of(exchange) : NULL;
    if (!id) {
        return;
    }
    char *schema = dgm_schema_for(exchange->server->dgm, exchange->caller.account, id,
                                  format, &error);
    if (!schema) {
        response_error(exchange, &error);
    } else if (str_equal(format, "json")) {
        response_json(exchange, 200, schema);
    } else {
        response_text(exchange, 200, "text/plain; charset=utf-8", schema, strlen(schema));
    }
}

static bool is_admin(const struct exchange *exchange)
{
    const struct caller *caller = &exchange->caller;
    return !caller->account || (caller->access.scopes & DGM_SCOPE_ADMIN) != 0;
}

/* May this caller have the schema read again now? Sends the error if not. */
static bool refresh_allowed(struct exchange *exchange, const char *id)
{
    struct err err;
    int wait_s = is_admin(exchange)
                     ? 0
                     : pace_wait_s(&exchange->server->refreshes, id, clock_ms());
    if (wait_s == 0) {
        return true;
    }
    err_clear(&err);
    (void)err_set(&err, ERR_RATE_LIMITED,
                  "The schema of this datasource was read less than a minute ago.");
    (void)err_hint(&err,
                   "Wait %d seconds. A question finds changes of the schema by "
                   "itself.",
                   wait_s);
    exchange->retry_after_s = wait_s;
    response_err(exchange, &err);
    return false;
}

void datasource_refresh(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = source_of(exchange);
    if (id && refresh_allowed(exchange, id)) {
        routes_reply(exchange, 200,
                     dgm_source_refresh_for(exchange->server->dgm,
                                            exchange->caller.account, id, &error),
                     &error);
    }
}

void datasource_changes(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = source_of(exchange);
    if (id) {
        routes_reply(exchange, 200,
                     dgm_source_changes_for(exchange->server->dgm,
                                            exchange->caller.account, id, &error),
                     &error);
    }
}

void datasource_suggestions(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = source_of(exchange);
    char *list = id ? dgm_suggestions_for(exchange->server->dgm, exchange->caller.account,
                                          id, &error)
                    : NULL;
    if (list) {
        response_wrapped(exchange, 200, "questions", list);
    } else if (id) {
        response_error(exchange, &error);
    }
}

/* ------------------------------------------------------------------ describing */

void dictionary_get(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = source_of(exchange);
    if (id) {
        routes_reply(exchange, 200,
                     dgm_dictionary_for(exchange->server->dgm, exchange->caller.account,
                                        id, &error),
                     &error);
    }
}

void dictionary_put(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    const char *id = body ? source_of(exchange) : NULL;
    if (!id) {
        return;
    }
    struct dgm_description description = {.table = json_text_at(body, "table"),
                                          .column = json_text_at(body, "column"),
                                          .description =
                                              json_text_at(body, "description")};
    const json_t *synonyms = json_array_at(body, "synonyms");
    if (synonyms) {
        char *text = json_dumps(synonyms, JSON_COMPACT);
        description.synonyms = arena_text(exchange->arena, text);
        free(text);
    }
    bool ok = dgm_describe_for(exchange->server->dgm, exchange->caller.account, id,
                               &description, &error);
    routes_done(exchange, ok, "kept", &error);
}
