/* Links that show answers: made, listed and revoked by those who may ask, opened by anybody who has
 * one. */
#include <netinet/in.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

/* Puts the address in the place of the token. Takes the JSON over. */
static void reply_made(struct exchange *exchange, char *json)
{
    const char *public_url = str_or_empty(exchange->server->settings.public_url);
    json_t *share = json_quick(exchange->arena, json, strlen(json));
    dgm_free(json);
    const char *path = arena_format(exchange->arena, "/share/%s",
                                    str_or_empty(json_text_at(share, "token")));
    (void)json_object_set_new(share, "path", json_string(path));
    if (*public_url) {
        size_t size = strlen(public_url);
        size -= size && public_url[size - 1] == '/';
        const char *url =
            arena_format(exchange->arena, "%.*s%s", (int)size, public_url, path);
        (void)json_object_set_new(share, "url", json_string(url));
    }
    (void)json_object_del(share, "token");
    struct buf buf;
    buf_init(&buf, 1 << 20);
    (void)json_write(share, &buf);
    response_buf(exchange, 201, &buf);
}

void share_post(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    const struct dgm_share share = {.query_id = json_text_at(body, "query_id"),
                                    .session_id = json_text_at(body, "session_id"),
                                    .chart = json_text_at(body, "chart"),
                                    .expires_in_s = json_int_at(body, "expires_in_s", 0)};
    char *made =
        dgm_share_new(exchange->server->dgm, routes_access(exchange), &share, &error);
    if (made) {
        reply_made(exchange, made);
    } else {
        response_error(exchange, &error);
    }
}

void share_list(struct exchange *exchange)
{
    struct dgm_error error;
    const char *wanted = request_choice(exchange, "all", "false|true");
    if (!wanted) {
        return;
    }
    char *list = dgm_share_list(exchange->server->dgm, routes_access(exchange),
                                str_equal(wanted, "true"), &error);
    if (list) {
        response_wrapped(exchange, 200, "shares", list);
    } else {
        response_error(exchange, &error);
    }
}

void share_delete(struct exchange *exchange)
{
    struct dgm_error error;
    bool ok = dgm_share_revoke(exchange->server->dgm, routes_access(exchange),
                               request_parameter(exchange, 0), &error);
    routes_done(exchange, ok, "revoked", &error);
}

/* ------------------------------------------------------------------ for anybody */

/* The network of an IPv6 address, because one client has many addresses of it. Counts the request
 * and returns the seconds until the next one, 0: now. */
static int wait_s(struct exchange *exchange)
{
    struct server *server = exchange->server;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *from = info ? info->client_addr : NULL;
    struct in_addr four = {0};
    struct in6_addr six = {0};
    const void *address = &four;
    size_t size = sizeof four;
    if (from && from->sa_family == AF_INET) {
        four = ((const struct sockaddr_in *)(const void *)from)->sin_addr;
    } else if (from && from->sa_family == AF_INET6) {
        six = ((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
        address = &six;
        size = sizeof six / 2;
    }
    return throttle_wait_s(&server->link_opens, address, size,
                           server->settings.share_opens, clock_ms());
}

/* Every reason why a link does not work looks the same. Only such links are counted: many people
 * may open links from one address, for example behind a proxy. */
static void share_gone(struct exchange *exchange, const char *policy)
{
    struct err err;
    err_clear(&err);
    int wait = wait_s(exchange);
    if (!wait) {
        response_page(exchange, 404, dgm_share_gone(), policy, NULL);
        return;
    }
    (void)err_set(&err, ERR_RATE_LIMITED,
                  "Too many links were opened; try again in a minute.");
    err.retry_after_s = wait;
    response_err(exchange, &err);
}

static void share_show(struct exchange *exchange)
{
    struct dgm_error error;
    char *policy = dgm_share_policy();
    char *page =
        dgm_share_open(exchange->server->dgm, request_parameter(exchange, 0), &error);
    if (page) {
        response_page(exchange, 200, page, policy, NULL);
    } else if (error.http_status == 404) {
        share_gone(exchange, policy);
    } else {
        response_error(exchange, &error);
    }
    dgm_free(policy);
}

void share_page(struct exchange *exchange)
{
    exchange_work(exchange, share_show);
}
