/* All of an answer: further rows, files, charts, words. */
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

void ask_rows(struct exchange *exchange)
{
    struct dgm_error error;
    int64_t offset = 0;
    int64_t limit = 1000;
    if (request_number(exchange, "offset", 0, INT32_MAX, &offset) &&
        request_number(exchange, "limit", 1, LIMIT_MOST, &limit)) {
        char *page = dgm_rows(exchange->server->dgm, routes_access(exchange),
                              request_parameter(exchange, 0), offset, limit, &error);
        routes_reply(exchange, 200, page, &error);
    }
}

void ask_chart(struct exchange *exchange)
{
    struct dgm_error error;
    char *chart = dgm_chart(exchange->server->dgm, routes_access(exchange),
                            request_parameter(exchange, 0),
                            request_argument(exchange, "kind"), &error);
    routes_reply(exchange, 200, chart, &error);
}

/* A file of our own that has no name any more when it is sent. */
void ask_export(struct exchange *exchange)
{
    struct dgm_error error;
    struct err err;
    const char *format = request_choice(exchange, "format", "csv|json|xlsx|parquet");
    if (!format) {
        return;
    }
    char *folder = upload_folder_new(exchange->arena, &err);
    if (!folder) {
        response_err(exchange, &err);
        return;
    }
    const char *path = arena_format(exchange->arena, "%s/answer.%s", folder, format);
    bool ok = dgm_export(exchange->server->dgm, routes_access(exchange),
                         request_parameter(exchange, 0), format, path, NULL, &error);
    int fd = ok ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat status = {0};
    if (fd >= 0 && fstat(fd, &status) == 0) {
        response_file(exchange, dgm_export_type(format),
                      arena_format(exchange->arena, "answer.%s", format), fd,
                      (uint64_t)status.st_size);
    } else if (ok) {
        response_fail(exchange, ERR_STORE, "The file could not be read.");
    } else {
        response_error(exchange, &error);
    }
    upload_folder_remove(folder);
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
