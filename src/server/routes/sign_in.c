/* People sign in and out on the page. */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/sign_in/sign_in.h"
#include "server/state.h"

enum {
    BEGUN_S = 600, /* so long a person may take at the issuer */
    REPLY_MOST = 16384,
};

void sign_in_get(struct exchange *exchange)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 256);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_bool(&writer, "sign_in", exchange->server->settings.page_signs_in);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

static struct MHD_Response *sends_to(const char *url)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    (void)MHD_add_response_header(response, "Location", url);
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    return response;
}

static const char *callback_of(struct exchange *exchange)
{
    return arena_format(exchange->arena, "%s/auth/callback", sign_in_base(exchange));
}

/* On a thread that may wait for the issuer. */
static void begin(struct exchange *exchange)
{
    struct dgm_error error;
    char secret[DGM_SIGN_IN_SECRET];
    char *url =
        dgm_sign_in_begin(exchange->server->dgm, callback_of(exchange), secret, &error);
    if (!url) {
        response_error(exchange, &error);
        return;
    }
    struct MHD_Response *response = sends_to(url);
    sign_in_cookie_set(exchange, response, SIGN_IN_SECRET, secret, BEGUN_S);
    dgm_free(url);
    exchange_reply(exchange, 303, response);
}

static void end(struct exchange *exchange)
{
    struct server *server = exchange->server;
    struct dgm_error error;
    const struct dgm_sign_in back = {.state = request_argument(exchange, "state"),
                                     .code = request_argument(exchange, "code"),
                                     .issuer = request_argument(exchange, "iss")};
    const char *secret = sign_in_cookie_get(exchange, SIGN_IN_SECRET);
    char *key =
        dgm_sign_in_end(server->dgm, callback_of(exchange), secret, &back, &error);
    struct MHD_Response *response =
        sends_to(key                                  ? "/"
                 : str_equal(error.code, "FORBIDDEN") ? "/?sign-in=forbidden"
                                                      : "/?sign-in=failed");
    sign_in_cookie_set(exchange, response, SIGN_IN_SECRET, "", 0);
    if (key) {
        sign_in_cookie_set(exchange, response, SIGN_IN_SESSION, key,
                           server->settings.page_session_s);
        explicit_bzero(key, strlen(key));
        dgm_free(key);
    }
    exchange_reply(exchange, 303, response);
}

static void work_on(struct exchange *exchange, handler *work)
{
    if (!exchange->server->settings.page_signs_in) {
        response_fail(exchange, ERR_NOT_FOUND, "This server has no single sign-on.");
    } else if (sign_in_is_full(exchange)) {
        response_busy(exchange);
    } else {
        exchange_work_on(exchange, exchange->server->sign_ins, work);
    }
}

void sign_in_begin(struct exchange *exchange)
{
    work_on(exchange, begin);
}

void sign_in_end(struct exchange *exchange)
{
    work_on(exchange, end);
}

void sign_in_leave(struct exchange *exchange)
{
    struct dgm_error error;
    if (!exchange->by_cookie) {
        response_fail(exchange, ERR_USAGE, "Only people who signed in can sign out.");
        return;
    }
    if (!dgm_sign_out(exchange->server->dgm, exchange->caller.access.key_id, &error)) {
        response_error(exchange, &error);
        return;
    }
    struct buf buf;
    struct writer writer;
    char *url =
        dgm_sign_out_url(exchange->server->dgm,
                         arena_format(exchange->arena, "%s/", sign_in_base(exchange)));
    buf_init(&buf, REPLY_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "status", "signed out");
    if (url) {
        writer_key_text(&writer, "issuer_url", url);
    }
    writer_object_end(&writer);
    dgm_free(url);
    size_t size = buf.size;
    char *text = buf_take(&buf);
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(size, text, memory_free,
                                                               text);
    (void)MHD_add_response_header(response, "Content-Type", "application/json");
    (void)MHD_add_response_header(response, "Cache-Control", "no-store");
    (void)MHD_add_response_header(response, "Clear-Site-Data", "\"cache\"");
    sign_in_cookie_set(exchange, response, SIGN_IN_SESSION, "", 0);
    exchange_reply(exchange, 200, response);
}

/* The only field of the form that counts. A token has no letter that a form would write in
 * another way. */
static void notice(struct exchange *exchange)
{
    static const char field[] = "logout_token=";
    struct dgm_error error;
    struct texts fields = {0};
    const char *token = NULL;
    size_t count = 0;
    str_split(exchange->arena, buf_get(&exchange->body), '&', &fields);
    for (size_t i = 0; i < fields.count; i++) {
        if (str_starts(fields.items[i], field)) {
            token = fields.items[i] + sizeof field - 1;
            count++;
        }
    }
    if (count != 1) {
        response_fail(exchange, ERR_INVALID_DATA, "The form has no logout_token.");
    } else if (!dgm_sign_out_notice(exchange->server->dgm, token, &error)) {
        response_error(exchange, &error);
    } else {
        struct MHD_Response *response =
            MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
        (void)MHD_add_response_header(response, "Cache-Control", "no-store");
        exchange_reply(exchange, 200, response);
    }
}

void sign_in_notice(struct exchange *exchange)
{
    work_on(exchange, notice);
}
