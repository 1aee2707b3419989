/* Lessons, and questions that were taught with their SQL. */
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

static const char pattern[] = "query_pattern";

enum { TEXT_MOST = 256 << 20 };

/* A key for certain datasources can access lessons of only one of them at a time. False:
 * the error was sent; else *source is the datasource, NULL: all. */
static bool source_of(struct exchange *exchange, const char *named, const char **source)
{
    bool narrow = !str_empty(routes_access(exchange)->datasources);
    *source = narrow ? routes_source(exchange, named) : named;
    return *source || !narrow;
}

/* May the caller access this lesson? False: the error was sent, the same as for an
 * unknown lesson. */
static bool own(struct exchange *exchange, const char *id)
{
    struct dgm_error error;
    struct err err;
    const struct dgm_access *access = routes_access(exchange);
    if (str_empty(access->datasources)) {
        return true;
    }
    char *text =
        dgm_lesson_get(exchange->server->dgm, exchange->caller.account, id, &error);
    if (!text) {
        response_error(exchange, &error);
        return false;
    }
    const json_t *lesson = json_parse(exchange->arena, text, strlen(text), &err);
    dgm_free(text);
    char *source = dgm_access_source(exchange->server->dgm, access,
                                     json_text_at(lesson, "datasource"), &error);
    bool there = source != NULL;
    dgm_free(source);
    if (!there) {
        response_fail(exchange, ERR_LESSON_NOT_FOUND, "There is no such lesson.");
    }
    return there;
}

static void reply_lesson(struct exchange *exchange, unsigned status, const char *id)
{
    struct dgm_error error;
    routes_reply(
        exchange, status,
        dgm_lesson_get(exchange->server->dgm, exchange->caller.account, id, &error),
        &error);
}

void lesson_list(struct exchange *exchange)
{
    struct dgm_error error;
    const char *source = NULL;
    if (!source_of(exchange, request_argument(exchange, "datasource"), &source)) {
        return;
    }
    char *list =
        dgm_lesson_list(exchange->server->dgm, exchange->caller.account, source, &error);
    if (list) {
        response_wrapped(exchange, 200, "lessons", list);
    } else {
        response_error(exchange, &error);
    }
}

static void add(struct exchange *exchange, const json_t *body,
                const struct dgm_lesson *lesson)
{
    struct dgm_error error;
    const char *source = NULL;
    if (lesson->confidence < 0 || lesson->confidence > 1) {
        response_fail(exchange, ERR_INVALID_DATA, "'confidence' is from 0 to 1.");
        return;
    }
    if (!source_of(exchange, json_text_at(body, "datasource"), &source)) {
        return;
    }
    char *id = dgm_lesson_add(exchange->server->dgm, exchange->caller.account, source,
                              lesson, &error);
    if (id) {
        reply_lesson(exchange, 201, id);
        dgm_free(id);
    } else {
        response_error(exchange, &error);
    }
}

void lesson_post(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (body) {
        const struct dgm_lesson lesson = {
            .kind = json_text_at(body, "kind"),
            .schema_name = json_text_at(body, "schema_name"),
            .actual_name = json_text_at(body, "actual_name"),
            .transformation_rule = json_text_at(body, "transformation_rule"),
            .confidence = json_real_at(body, "confidence", 0)};
        add(exchange, body, &lesson);
    }
}

void lesson_patch(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    const json_t *enabled = json_object_get(body, "enabled");
    const struct dgm_lesson_change change = {
        .actual_name = json_text_at(body, "actual_name"),
        .confidence = json_real_at(body, "confidence", -1),
        .enabled = json_is_boolean(enabled) ? json_is_true(enabled) : -1};
    const char *id = request_parameter(exchange, 0);
    if (!own(exchange, id)) {
        return;
    }
    if (dgm_lesson_change(exchange->server->dgm, exchange->caller.account, id, &change,
                          &error)) {
        reply_lesson(exchange, 200, id);
    } else {
        response_error(exchange, &error);
    }
}

void lesson_delete(struct exchange *exchange)
{
    struct dgm_error error;
    const char *id = request_parameter(exchange, 0);
    if (!own(exchange, id)) {
        return;
    }
    bool ok =
        dgm_lesson_remove(exchange->server->dgm, exchange->caller.account, id, &error);
    routes_done(exchange, ok, "deleted", &error);
}

void lesson_delete_taught(struct exchange *exchange)
{
    lesson_delete(exchange);
}

void lesson_export(struct exchange *exchange)
{
    struct dgm_error error;
    const char *format = request_choice(exchange, "format", "yaml|json");
    const char *source = NULL;
    if (!format ||
        !source_of(exchange, request_argument(exchange, "datasource"), &source)) {
        return;
    }
    char *text = dgm_lesson_export(exchange->server->dgm, exchange->caller.account,
                                   source, format, &error);
    if (text) {
        response_text(exchange, 200,
                      str_equal(format, "json") ? "application/json"
                                                : "text/plain; charset=utf-8",
                      text, strlen(text));
    } else {
        response_error(exchange, &error);
    }
}

/* The body is the file. */
void lesson_import(struct exchange *exchange)
{
    struct dgm_error error;
    struct buf buf;
    struct writer writer;
    const char *source = NULL;
    if (!source_of(exchange, request_argument(exchange, "datasource"), &source)) {
        return;
    }
    int64_t count =
        dgm_lesson_import(exchange->server->dgm, exchange->caller.account, source,
                          buf_get(&exchange->body), exchange->body.size, &error);
    if (count < 0) {
        response_error(exchange, &error);
        return;
    }
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_int(&writer, "imported", count);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

/* ------------------------------------------------------------------ taught pairs */

static void write_pair(struct writer *writer, const json_t *lesson)
{
    writer_object(writer);
    writer_key_text(writer, "id", json_text_at(lesson, "id"));
    writer_key_text(writer, "question", json_text_at(lesson, "schema_name"));
    writer_key_text(writer, "sql", json_text_at(lesson, "actual_name"));
    writer_key_text(writer, "datasource", json_text_at(lesson, "datasource"));
    writer_key_text(writer, "source", json_text_at(lesson, "source"));
    writer_key_real(writer, "confidence", json_real_at(lesson, "confidence", 0));
    writer_key_int(writer, "usage_count", json_int_at(lesson, "usage_count", 0));
    writer_key_bool(writer, "enabled", json_bool_at(lesson, "enabled", true));
    writer_object_end(writer);
}

void taught_list(struct exchange *exchange)
{
    struct dgm_error error;
    struct err err;
    const char *source = NULL;
    if (!source_of(exchange, request_argument(exchange, "datasource"), &source)) {
        return;
    }
    char *list =
        dgm_lesson_list(exchange->server->dgm, exchange->caller.account, source, &error);
    if (!list) {
        response_error(exchange, &error);
        return;
    }
    json_t *all = json_parse(exchange->arena, list, strlen(list), &err);
    dgm_free(list);
    struct buf buf;
    struct writer writer;
    size_t index = 0;
    const json_t *lesson = NULL;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "taught");
    writer_array(&writer);
    json_array_foreach(all, index, lesson)
    {
        if (str_equal(json_text_at(lesson, "kind"), pattern)) {
            write_pair(&writer, lesson);
        }
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

void taught_post(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (body) {
        const struct dgm_lesson lesson = {.kind = pattern,
                                          .schema_name = json_text_at(body, "question"),
                                          .actual_name = json_text_at(body, "sql")};
        add(exchange, body, &lesson);
    }
}
