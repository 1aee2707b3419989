/* Creates, lists and revokes access keys, for administrators. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { SOURCES_MOST = 64 };

/* A key for certain datasources must not create one for all of them, nor list other keys.
 * False: the error was sent. */
static bool may_manage(struct exchange *exchange)
{
    return routes_unlimited(exchange, "manage keys");
}

/* A list of texts as the library takes it, with commas; NULL: nothing was said. False:
 * something in it is no text, or is a list itself; the reply was given. */
static bool keys_listed(struct exchange *exchange, const json_t *body, const char *name,
                        const char **out)
{
    const json_t *list = json_object_get(body, name);
    size_t count = json_array_size(list);
    struct texts texts = {0};
    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (str_empty(text) || strchr(text, ',') || count > SOURCES_MOST) {
            response_fail(exchange, ERR_INVALID_DATA,
                          "'scopes' and 'datasources' are short lists of names.");
            return false;
        }
        VEC_PUSH(exchange->arena, &texts, text);
    }
    *out = count ? str_join(exchange->arena, &texts, ",") : NULL;
    return true;
}

void key_list(struct exchange *exchange)
{
    struct dgm_error error;
    if (!may_manage(exchange)) {
        return;
    }
    char *list = dgm_key_list(exchange->server->dgm, &error);
    if (list) {
        response_wrapped(exchange, 200, "keys", list);
    } else {
        response_error(exchange, &error);
    }
}

void key_post(struct exchange *exchange)
{
    struct dgm_error error;
    const json_t *body = request_json(exchange);
    struct dgm_key key = {0};
    if (!body || !may_manage(exchange) ||
        !keys_listed(exchange, body, "scopes", &key.scopes) ||
        !keys_listed(exchange, body, "datasources", &key.datasources)) {
        return;
    }
    key.account = json_text_at(body, "account");
    key.label = json_text_at(body, "label");
    key.rate_per_minute = json_int_at(body, "rate_per_minute", 0);
    key.concurrent = json_int_at(body, "concurrent", 0);
    key.daily_tokens = json_int_at(body, "daily_tokens", 0);
    key.expires_in_s = json_int_at(body, "expires_in_s", 0);
    char *made = dgm_key_add(exchange->server->dgm, &key, &error);
    if (made) {
        access_lock(exchange->server);
    }
    routes_reply(exchange, 201, made, &error);
}

void key_delete(struct exchange *exchange)
{
    struct dgm_error error;
    if (may_manage(exchange)) {
        bool ok =
            dgm_key_revoke(exchange->server->dgm, request_parameter(exchange, 0), &error);
        routes_done(exchange, ok, "revoked", &error);
    }
}
