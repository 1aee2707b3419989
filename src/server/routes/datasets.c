/* Uploaded files: imported, listed, removed. */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/questions/inquiry.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"
#include "server/upload.h"
#include "server/questions/watchdog.h"

enum { PREVIEW_MOST = 1000, LIST_MOST = 1 << 30 };

/* Is the key or the sign-in limited to certain datasources? */
static bool is_narrow(struct exchange *exchange)
{
    return !str_empty(routes_access(exchange)->datasources);
}

/* A dataset that such a key does not name is not there for it. False: that is answered. */
static bool is_seen(struct exchange *exchange)
{
    return !is_narrow(exchange) ||
           routes_source(exchange, request_parameter(exchange, 0));
}

/* Of the account's datasets those that the key names. */
static char *list_seen(struct exchange *exchange, char *list)
{
    struct err err;
    json_t *kept = json_keep(exchange->arena, json_array());
    const json_t *all = json_parse(exchange->arena, list, strlen(list), &err);
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *item = json_array_get(all, i);
        char *id = dgm_access_source(exchange->server->dgm, routes_access(exchange),
                                     json_text_at(item, "id"), NULL);
        if (id) {
            (void)json_array_append(kept, item);
        }
        dgm_free(id);
    }
    dgm_free(list);
    struct buf text;
    buf_init(&text, LIST_MOST);
    (void)json_write(kept, &text);
    return buf_take(&text);
}

void dataset_list(struct exchange *exchange)
{
    struct dgm_error error;
    char *list =
        dgm_dataset_list(exchange->server->dgm, exchange->caller.account, &error);
    if (list && is_narrow(exchange)) {
        list = list_seen(exchange, list);
    }
    if (list) {
        response_wrapped(exchange, 200, "datasets", list);
    } else {
        response_error(exchange, &error);
    }
}

/* The import is stopped when its client disconnects. */
static char *import(struct exchange *exchange, const char *dataset, const char *path,
                    bool replace, struct dgm_error *error)
{
    struct server *server = exchange->server;
    struct inquiry *inquiry = inquiry_new(server, exchange->caller.account, "", NULL);
    inquiry->import = memory_text(path);
    exchange->inquiry = inquiry;
    watchdog_guard(server->watchdog, exchange);
    char *made = dgm_dataset_add(server->dgm, exchange->caller.account, dataset, path,
                                 replace, error);
    watchdog_unguard(exchange);
    (void)pthread_mutex_lock(&inquiry->lock);
    inquiry->rested = true;
    (void)pthread_mutex_unlock(&inquiry->lock);
    exchange->inquiry = NULL;
    inquiry_unref(inquiry);
    return made;
}

/*
 * The name is ?dataset=, the form's part `name`, or that of the file; ?replace=true
 * replaces an existing dataset.
 */
void dataset_post(struct exchange *exchange)
{
    struct dgm_error error;
    const char *name = NULL;
    if (!routes_unlimited(exchange, "add datasets")) {
        return;
    }
    const char *replace = request_choice(exchange, "replace", "false|true");
    const char *path = replace ? upload_file(exchange, &name) : NULL;
    if (path) {
        const char *dataset = request_argument(exchange, "dataset");
        dataset = dataset ? dataset : exchange->upload.dataset;
        char *made = import(exchange, dataset, path, str_equal(replace, "true"), &error);
        routes_reply(exchange, 201, made, &error);
    }
}

/* Replaces the rows under the same id, so that conversations and links remain valid. */
void dataset_put(struct exchange *exchange)
{
    struct err err;
    struct dgm_error error;
    const char *name = NULL;
    if (!is_seen(exchange)) {
        return;
    }
    char *text = dgm_dataset_get(exchange->server->dgm, exchange->caller.account,
                                 request_parameter(exchange, 0), &error);
    if (!text) {
        response_error(exchange, &error);
        return;
    }
    const json_t *old = json_parse(exchange->arena, text, strlen(text), &err);
    dgm_free(text);
    const char *path = upload_file_as(exchange, json_text_at(old, "file"), &name);
    if (path) {
        routes_reply(exchange, 200,
                     import(exchange, json_text_at(old, "name"), path, true, &error),
                     &error);
    }
}

void dataset_get(struct exchange *exchange)
{
    struct dgm_error error;
    if (is_seen(exchange)) {
        routes_reply(exchange, 200,
                     dgm_dataset_get(exchange->server->dgm, exchange->caller.account,
                                     request_parameter(exchange, 0), &error),
                     &error);
    }
}

void dataset_preview(struct exchange *exchange)
{
    struct dgm_error error;
    int64_t rows = 10;
    if (is_seen(exchange) && request_number(exchange, "rows", 1, PREVIEW_MOST, &rows)) {
        routes_reply(exchange, 200,
                     dgm_dataset_preview(exchange->server->dgm, exchange->caller.account,
                                         request_parameter(exchange, 0),
                                         request_argument(exchange, "table"), rows,
                                         &error),
                     &error);
    }
}

void dataset_delete(struct exchange *exchange)
{
    struct dgm_error error;
    if (!is_seen(exchange)) {
        return;
    }
    bool ok = dgm_dataset_remove(exchange->server->dgm, exchange->caller.account,
                                 request_parameter(exchange, 0), &error);
    routes_done(exchange, ok, "deleted", &error);
}
