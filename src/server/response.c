/* Replies, handed to the connection without a further copy. */
#include "server/response.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/openai/reply.h"
#include "server/state.h"

enum { REPLY_MOST = 1 << 30, ERROR_MOST = 16384 };

static void reply_with(struct exchange *exchange, unsigned status, const char *type,
                       struct MHD_Response *response)
{
    (void)MHD_add_response_header(response, "Content-Type", type);
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    (void)MHD_add_response_header(response, "X-Request-Id", exchange->id);
    if (str_equal(type, "image/svg+xml")) { /* opened on its own, it is a document */
        (void)MHD_add_response_header(response, "Content-Security-Policy",
                                      "default-src 'none'; style-src 'unsafe-inline'; "
                                      "sandbox");
    }
    if (exchange->closes) {
        (void)MHD_add_response_header(response, "Connection", "close");
    }
    if (status == 405 && exchange->match.allowed) {
        (void)MHD_add_response_header(response, "Allow", exchange->match.allowed);
    }
    if (status == 503 || status == 429) {
        char seconds[16];
        (void)snprintf(seconds, sizeof seconds, "%d",
                       exchange->retry_after_s > 0 ? exchange->retry_after_s : 1);
        (void)MHD_add_response_header(response, "Retry-After", seconds);
    }
    if (exchange->once) {
        (void)MHD_add_response_header(response, "x-should-retry", "false");
    }
    if (status == 401 || (status == 403 && exchange->challenge)) {
        (void)MHD_add_response_header(response, "WWW-Authenticate",
                                      exchange->challenge ? exchange->challenge
                                                          : "Bearer");
    }
    exchange_reply(exchange, status, response);
}

void response_text(struct exchange *exchange, unsigned status, const char *type,
                   char *text, size_t size)
{
    reply_with(exchange, status, type,
               MHD_create_response_from_buffer_with_free_callback_cls(size, text,
                                                                      memory_free, text));
}

void response_page(struct exchange *exchange, unsigned status, char *html,
                   const char *policy, const char *name)
{
    static const char *const headers[][2] = {
        {"Referrer-Policy", "no-referrer"},
        {"X-Robots-Tag", "noindex, nofollow, noarchive"},
        {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
    };
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(strlen(html), html,
                                                               memory_free, html);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        (void)MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
    if (policy) {
        (void)MHD_add_response_header(response, "Content-Security-Policy", policy);
    } else {
        char how[160];
        (void)snprintf(how, sizeof how, "attachment; filename=\"%.100s\"", name);
        (void)MHD_add_response_header(response, "Content-Disposition", how);
    }
    reply_with(exchange, status, "text/html; charset=utf-8", response);
}

void response_nothing(struct exchange *exchange)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "X-Request-Id", exchange->id);
    exchange_reply(exchange, 204, response);
}

void response_file(struct exchange *exchange, const char *type, const char *name,
                   bool incomplete, int fd, uint64_t size)
{
    char how[160];
    struct MHD_Response *response = MHD_create_response_from_fd((size_t)size, fd);
    (void)snprintf(how, sizeof how, "attachment; filename=\"%.100s\"", name);
    (void)MHD_add_response_header(response, "Content-Disposition", how);
    if (incomplete) {
        (void)MHD_add_response_header(response, "Dragoman-Incomplete", "true");
    }
    reply_with(exchange, 200, type, response);
}

void response_json(struct exchange *exchange, unsigned status, char *json)
{
    response_text(exchange, status, "application/json", json, strlen(json));
}

void response_buf(struct exchange *exchange, unsigned status, struct buf *buf)
{
    size_t size = buf->size;
    response_text(exchange, status, "application/json", buf_take(buf), size);
}

void response_wrapped(struct exchange *exchange, unsigned status, const char *key,
                      char *json)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, REPLY_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, key);
    writer_raw(&writer, json);
    writer_object_end(&writer);
    memory_free(json);
    response_buf(exchange, status, &buf);
}

static void write_problem(struct writer *writer, const struct dgm_error *error)
{
    writer_object(writer);
    writer_key_text(writer, "code", *error->code ? error->code : "INTERNAL");
    writer_key_text(writer, "message", error->message);
    writer_key_text(writer, "detail", *error->detail ? error->detail : NULL);
    writer_key_text(writer, "hint", *error->hint ? error->hint : NULL);
    if (error->position >= 0) {
        writer_key_int(writer, "position", error->position);
    }
    writer_object_end(writer);
}

void response_error(struct exchange *exchange, const struct dgm_error *error)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, ERROR_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    if (exchange->plain) {
        writer_key_text(&writer, "detail", error->message);
    }
    writer_key(&writer, "error");
    if (exchange->openai) {
        openai_error_write(&writer, error, exchange->param);
    } else {
        write_problem(&writer, error);
    }
    writer_object_end(&writer);
    exchange->retry_after_s = error->retry_after_s;
    unsigned status = error->http_status >= 400 ? (unsigned)error->http_status : 500;
    response_buf(exchange, status, &buf);
}

void response_err(struct exchange *exchange, const struct err *err)
{
    struct dgm_error error = {
        .http_status = err_http_status(err->code),
        .position = -1,
        .retry_after_s = err->retry_after_s,
    };
    (void)snprintf(error.code, sizeof error.code, "%s", err_name(err->code));
    (void)snprintf(error.message, sizeof error.message, "%s", err->message);
    (void)snprintf(error.detail, sizeof error.detail, "%s", err->detail);
    (void)snprintf(error.hint, sizeof error.hint, "%s", err->hint);
    response_error(exchange, &error);
}

void response_fail(struct exchange *exchange, enum err_code code, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct err err;
    (void)err_set(&err, code, "%s", message);
    response_err(exchange, &err);
}

void response_busy(struct exchange *exchange)
{
    response_fail(exchange, ERR_BUSY, "Too many requests are waiting.");
}

unsigned response_answer_status(const char *answer_json)
{
    struct err ignored;
    if (!strstr(answer_json, "\"incomplete\":true")) {
        return 200;
    }
    /* in a cell that is JSON the same may stand */
    struct arena *arena = arena_new();
    const json_t *answer = json_parse(arena, answer_json, strlen(answer_json), &ignored);
    bool incomplete = json_bool_at(answer, "incomplete", false);
    arena_free(arena);
    return (unsigned)err_http_status(incomplete ? ERR_INCOMPLETE : ERR_OK);
}

static void release_inquiry(void *context)
{
    inquiry_unref(context);
}

void response_inquiry(struct exchange *exchange, struct inquiry *inquiry)
{
    (void)pthread_mutex_lock(&inquiry->lock);
    bool rested = inquiry->rested; /* then nothing of it changes any more */
    (void)pthread_mutex_unlock(&inquiry->lock);
    if (rested) {
        inquiry_ref(inquiry);
        reply_with(exchange, inquiry->http_status, "application/json",
                   MHD_create_response_from_buffer_with_free_callback_cls(
                       inquiry->answer_size, inquiry->last.data + inquiry->answer_at,
                       release_inquiry, inquiry));
        return;
    }
    struct buf buf;
    buf_init(&buf, REPLY_MOST);
    inquiry_write(inquiry, &buf);
    response_buf(exchange, 200, &buf);
}
