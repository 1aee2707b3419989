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

enum { ARGUMENTS_MOST = 32 };

struct naming {
    struct arena *arena;
    struct texts names;
    const char *again; /* given twice */
    bool many;
};

static enum MHD_Result name_argument(void *context, enum MHD_ValueKind kind,
                                     const char *name, const char *value)
{
    struct naming *naming = context;
    (void)kind;
    (void)value;
    for (size_t i = 0; i < naming->names.count; i++) {
        if (str_equal_nocase(naming->names.items[i], name)) {
            naming->again = name;
            return MHD_NO;
        }
    }
    naming->many = naming->names.count == ARGUMENTS_MOST;
    if (!naming->many) {
        VEC_PUSH(naming->arena, &naming->names, name);
    }
    return naming->many ? MHD_NO : MHD_YES;
}

bool request_arguments_clear(const struct exchange *exchange, struct err *err)
{
    struct naming naming = {.arena = exchange->arena};
    (void)MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND,
                                    name_argument, &naming);
    if (naming.many) {
        return err_set(err, ERR_INVALID_DATA, "The query has more than %d parameters.",
                       ARGUMENTS_MOST);
    }
    return !naming.again ||
           err_set(err, ERR_INVALID_DATA, "The query parameter '%.60s' is given twice.",
                   naming.again);
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
