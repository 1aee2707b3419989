/* Everything about a complete answer: further rows, files, charts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"
#include "server/upload.h"

enum { LIMIT_MOST = 10000, TEXT_MOST = 1 << 20 };

void routes_reply(struct exchange *exchange, unsigned status, char *json,
                  const struct dgm_error *error)
{
    if (json) {
        response_json(exchange, status, json);
    } else {
        response_error(exchange, error);
    }
}

void routes_done(struct exchange *exchange, bool ok, const char *word,
                 const struct dgm_error *error)
{
    struct buf buf;
    struct writer writer;
    if (!ok) {
        response_error(exchange, error);
        return;
    }
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "status", word);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

/* A query that runs again has its own id, by which it is stopped if its client
 * disconnects. */
static void again_observe(void *context, const struct dgm_event *event)
{
    struct inquiry *inquiry = context;
    struct dgm_error error;
    (void)pthread_mutex_lock(&inquiry->lock);
    (void)snprintf(inquiry->id, sizeof inquiry->id, "%s", event->query_id);
    (void)pthread_mutex_unlock(&inquiry->lock);
    if (atomic_load(&inquiry->left) && event->kind == DGM_STATUS) {
        (void)dgm_stop(inquiry->server->dgm, NULL, event->query_id, &error);
    }
}

static struct inquiry *again_guard(struct exchange *exchange)
{
    struct inquiry *inquiry = inquiry_new(exchange->server, NULL, "", NULL);
    exchange->inquiry = inquiry;
    watchdog_guard(exchange->server->watchdog, exchange);
    return inquiry;
}

static void again_unguard(struct exchange *exchange)
{
    watchdog_unguard(exchange);
    inquiry_unref(exchange->inquiry);
    exchange->inquiry = NULL;
}

void ask_rows(struct exchange *exchange)
{
    struct dgm_error error;
    int64_t offset = 0;
    int64_t limit = 1000;
    if (request_number(exchange, "offset", 0, INT32_MAX, &offset) &&
        request_number(exchange, "limit", 1, LIMIT_MOST, &limit)) {
        struct inquiry *inquiry = again_guard(exchange);
        char *page = dgm_rows_observed(exchange->server->dgm, routes_access(exchange),
                                       request_parameter(exchange, 0), offset, limit,
                                       again_observe, inquiry, &error);
        again_unguard(exchange);
        routes_reply(exchange, 200, page, &error);
    }
}

/* Drawn from the rows in the store: there is no query that could be stopped. */
void ask_chart(struct exchange *exchange)
{
    struct dgm_error error;
    char *chart = dgm_chart(exchange->server->dgm, routes_access(exchange),
                            request_parameter(exchange, 0),
                            request_argument(exchange, "kind"), &error);
    routes_reply(exchange, 200, chart, &error);
}

/* For pages and programs that cannot draw: an image, or lines for a terminal. */
static void chart_draw(struct exchange *exchange, const char *format, const char *type)
{
    struct dgm_error error;
    struct dgm_drawing drawing = {
        .format = format,
        .kind = request_argument(exchange, "kind"),
        .title = request_argument(exchange, "title"),
        .language = request_argument(exchange, "language"),
    };
    if (!drawing.language) {
        drawing.language = MHD_lookup_connection_value(
            exchange->connection, MHD_HEADER_KIND, "Accept-Language");
    }
    char *text = dgm_draw(exchange->server->dgm, routes_access(exchange),
                          request_parameter(exchange, 0), &drawing, &error);
    if (text) {
        response_text(exchange, 200, type, text, strlen(text));
    } else {
        response_error(exchange, &error);
    }
}

void ask_chart_svg(struct exchange *exchange)
{
    chart_draw(exchange, "svg", "image/svg+xml");
}

static bool export_write(struct exchange *exchange, const char *format, const char *path,
                         struct dgm_exported *out, struct dgm_error *error)
{
    struct server *server = exchange->server;
    struct inquiry *inquiry = again_guard(exchange);
    bool ok = dgm_export_observed(server->dgm, routes_access(exchange),
                                  request_parameter(exchange, 0), format, path,
                                  again_observe, inquiry, out, error);
    again_unguard(exchange);
    return ok;
}

/* The page with the chart that the caller sees. Its rows are stored: no query runs. */
static void page_run(struct exchange *exchange)
{
    struct dgm_error error;
    char *html = dgm_kept_html(exchange->server->dgm, routes_access(exchange),
                               request_parameter(exchange, 0),
                               request_argument(exchange, "chart"), &error);
    if (html) {
        response_page(exchange, 200, html, NULL, "answer.html");
    } else {
        response_error(exchange, &error);
    }
}

/* The file has no name any more when it is sent. An incomplete file says so in its name
 * and in a header, not by status 206: browsers refuse to save that. */
static void export_run(struct exchange *exchange)
{
    struct dgm_error error;
    struct dgm_exported exported = {0};
    struct err err;
    const char *format = request_choice(exchange, "format", "csv|json|xlsx|parquet|html");
    if (!format) {
        return;
    }
    if (str_equal(format, "html")) {
        page_run(exchange);
        return;
    }
    char *folder = upload_folder_new(exchange->arena, &err);
    if (!folder) {
        response_err(exchange, &err);
        return;
    }
    const char *path = arena_format(exchange->arena, "%s/answer.%s", folder, format);
    bool ok = export_write(exchange, format, path, &exported, &error);
    int fd = ok ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat status = {0};
    if (fd >= 0 && fstat(fd, &status) == 0) {
        response_file(exchange, dgm_export_type(format),
                      arena_format(exchange->arena, "answer%s.%s",
                                   exported.truncated ? "-incomplete" : "", format),
                      exported.truncated, fd, (uint64_t)status.st_size);
    } else if (ok) {
        response_fail(exchange, ERR_STORE, "The file could not be read.");
    } else {
        response_error(exchange, &error);
    }
    upload_folder_remove(folder);
}

void ask_export(struct exchange *exchange)
{
    exchange_work_on(exchange, exchange->server->exports, export_run);
}

void ask_kept(struct exchange *exchange)
{
    struct dgm_error error;
    char *kept = dgm_kept_answer(exchange->server->dgm, routes_access(exchange),
                                 request_parameter(exchange, 0),
                                 request_argument(exchange, "chart"), &error);
    routes_reply(exchange, 200, kept, &error);
}

void ask_explain(struct exchange *exchange)
{
    struct dgm_error error;
    struct err err;
    char *answer = dgm_answer_load_for(exchange->server->dgm, routes_access(exchange),
                                       request_parameter(exchange, 0), &error);
    if (!answer) {
        response_error(exchange, &error);
        return;
    }
    const json_t *json = json_parse(exchange->arena, answer, strlen(answer), &err);
    dgm_free(answer);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "explanation");
    writer_text(&writer, json_text_at(json, "explanation"));
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}
