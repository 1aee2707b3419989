/* Whose request it is, in the form that the library's functions take. */
#include "server/exchange.h"
#include "server/routes/routes.h"

const struct dgm_access *routes_access(struct exchange *exchange)
{
    return &exchange->caller.access;
}
