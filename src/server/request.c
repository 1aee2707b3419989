/* What a client sent, read strictly. */
#include "server/request.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "server/response.h"
#include "server/schema.h"

const char *request_parameter(const struct exchange *exchange, size_t index)
{
    return index < ROUTE_PARAMETERS ? exchange->match.parameters[index] : NULL;
}

const char *request_argument(const struct exchange *exchange, const char *name)
{
    const char *text =
        MHD_lookup_connection_value(exchange->connection, MHD_GET_ARGUMENT_KIND, name);
    return text && utf8_valid(text, strlen(text), NULL) ? text : NULL;
}

bool request_number(struct exchange *exchange, const char *name, int64_t least,
                    int64_t most, int64_t *value)
{
    const char *text = request_argument(exchange, name);
    if (!text) {
        return true;
    }
    if (str_to_int(text, value) && *value >= least && *value <= most) {
        return true;
    }
    response_fail(exchange, ERR_USAGE, "'%s' must be a whole number from %lld to %lld.",
                  name, (long long)least, (long long)most);
    return false;
}

const char *request_choice(struct exchange *exchange, const char *name,
                           const char *choices)
{
    const char *text = request_argument(exchange, name);
    struct texts list = {0};
    str_split(exchange->arena, choices, '|', &list);
    if (!text) {
        return list.items[0];
    }
    for (size_t i = 0; i < list.count; i++) {
        if (str_equal(text, list.items[i])) {
            return list.items[i];
        }
    }
    response_fail(exchange, ERR_USAGE, "'%s' must be one of %s.", name,
                  str_join(exchange->arena, &list, ", "));
    return NULL;
}

const json_t *request_json(struct exchange *exchange)
{
    if (exchange->json) {
        return exchange->json;
    }
    struct err err;
    err_clear(&err);
    const struct buf *body = &exchange->body;
    json_t *object = NULL;
    if (body->size == 0) {
        object = json_keep(exchange->arena, json_object());
    } else {
        object = json_parse(exchange->arena, buf_get(body), body->size, &err);
    }
    if (!object) {
        err.code = ERR_INVALID_DATA;
        (void)err_hint(&err, "The body must be one JSON object.");
        response_err(exchange, &err);
        return NULL;
    }
    if (!schema_check(exchange->match.route->request, object, &err)) {
        response_err(exchange, &err);
        return NULL;
    }
    exchange->json = object;
    return object;
}
