/* Datasources and states, as the page shows them. */
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

void datasource_list(struct exchange *exchange)
{
    response_wrapped(
        exchange, 200, "datasources",
        dgm_datasources_for(exchange->server->dgm, &exchange->caller.access));
}

void states_get(struct exchange *exchange)
{
    response_json(exchange, 200, dgm_states("json"));
}
