/* Whose request it is, in the form that the library's functions take. */
#include <stdio.h>

#include "base/str.h"
#include "server/exchange.h"
#include "server/routes/routes.h"

const struct dgm_access *routes_access(struct exchange *exchange)
{
    if (str_empty(exchange->caller.account)) {
        return NULL;
    }
    struct dgm_access *access = ARENA_NEW(exchange->arena, struct dgm_access);
    (void)snprintf(access->account, sizeof access->account, "%s",
                   exchange->caller.account);
    return access;
}
