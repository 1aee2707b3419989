/* Liveness and readiness. */
#include "base/memory.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

void health_live(struct exchange *exchange)
{
    response_json(exchange, 200, memory_text("{\"status\":\"ok\"}"));
}

void health_ready(struct exchange *exchange)
{
    struct dgm_error error;
    char *sessions = dgm_session_list(exchange->server->dgm, "-", &error);
    if (!sessions) { /* the store does not answer */
        response_error(exchange, &error);
        return;
    }
    dgm_free(sessions);
    if (!dgm_engines_alive(exchange->server->dgm, &error)) {
        response_error(exchange, &error);
        return;
    }
    response_json(exchange, 200, memory_text("{\"status\":\"ready\"}"));
}
