/* The account of a request, as the library's functions expect it. */
#include "base/err.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

const struct dgm_access *routes_access(struct exchange *exchange)
{
    return &exchange->caller.access;
}

bool routes_unlimited(struct exchange *exchange, const char *action)
{
    if (str_empty(routes_access(exchange)->datasources)) {
        return true;
    }
    response_fail(exchange, ERR_FORBIDDEN, "A key for certain datasources cannot %s.",
                  action);
    return false;
}

const char *routes_source(struct exchange *exchange, const char *named)
{
    struct dgm_error error;
    char *id =
        dgm_access_source(exchange->server->dgm, routes_access(exchange), named, &error);
    const char *kept = arena_text(exchange->arena, id);
    dgm_free(id);
    if (!kept) {
        response_error(exchange, &error);
    }
    return kept;
}
