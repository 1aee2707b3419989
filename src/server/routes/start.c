/* Starts a question, for every route that does. */
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/library.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

void routes_fill(const json_t *body, struct exchange *exchange,
                 struct dgm_request *request)
{
    const char *datasource = json_text_at(body, "datasource");
    request->datasource = datasource ? datasource : json_text_at(body, "dataset_id");
    request->session_id = json_text_at(body, "session_id");
    request->brain = json_text_at(body, "brain");
    request->skip_plan = json_bool_at(body, "ignore_sql_reasoning", false);
    request->skip_diagnosis = !json_bool_at(body, "allow_sql_diagnosis", true);
    request->allow_write = json_bool_at(body, "allow_write", false);
    request->dry_run = json_bool_at(body, "dry_run", false);
    request->fresh = json_bool_at(body, "no_cache", false);
    request->skip_memory = !json_bool_at(body, "apply_memory", true);
    request->new_question = json_bool_at(body, "new_question", false);
    request->account = exchange->caller.account;
    request->language = json_text_at(body, "language");
    request->datasets =
        true; /* uploaded datasets can be asked about like other datasources */
    request->durable = true; /* the client gets the id, so the question must be stored */
}

struct inquiry *routes_ask(struct exchange *exchange, struct dgm_request *request,
                           routes_start *start, const void *context)
{
    struct server *server = exchange->server;
    struct dgm_error error = {.position = -1};
    struct inquiry *inquiry =
        inquiry_new(server, request->account, request->question, request->session_id);
    /* set here, so that no route can forget them */
    if (!request->language) {
        request->language = MHD_lookup_connection_value(
            exchange->connection, MHD_HEADER_KIND, "Accept-Language");
    }
    request->access = &exchange->caller.access;
    inquiry->reach = memory_text(exchange->caller.access.datasources);
    inquiry_ref(inquiry); /* the observer's, given back when the question rests */
    request->observer = inquiry_observe;
    request->context = inquiry;
    struct dgm_question *question = start(server->dgm, request, context, &error);
    if (!question) {
        inquiry_unref(inquiry);
        inquiry_unref(inquiry);
        if (str_equal(error.code, "BUSY")) {
            (void)atomic_fetch_add(&server->counts.refused, 1);
        }
        response_error(exchange, &error);
        return NULL;
    }
    atomic_store(&server->warm, true);
    inquiry_accept(inquiry, question);
    return inquiry;
}

/* Needs the store (a shared store always, any store for keys), or is the first question,
 * which starts all services. */
static bool is_heavy(const struct exchange *exchange)
{
    enum { LIGHT_MOST = 16 * 1024 };
    const struct server *server = exchange->server;
    return !atomic_load(&server->warm) || server->shared ||
           *exchange->caller.access.key_id || exchange->body.size > LIGHT_MOST;
}

void routes_light(struct exchange *exchange, bool waits_always, handler *work)
{
    const json_t *body = is_heavy(exchange) ? NULL : request_json(exchange);
    if (exchange->replied) {
        return; /* it is not valid */
    }
    /* Sessions are in the store, and a client that gets an id waits until it is
     * stored. */
    bool waits = body && (waits_always || json_bool_at(body, "wait", false));
    if (waits && str_empty(json_text_at(body, "session_id"))) {
        log_request(exchange->id);
        work(exchange);
        log_request(NULL);
    } else {
        exchange_work(exchange, work);
    }
}

void routes_accepted(struct exchange *exchange, unsigned status, struct inquiry *inquiry)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 4096);
    writer_init(&writer, &buf);
    writer_object(&writer);
    (void)pthread_mutex_lock(&inquiry->lock);
    writer_key_text(&writer, "query_id", inquiry->id);
    writer_key_text(&writer, "status", inquiry->status);
    (void)pthread_mutex_unlock(&inquiry->lock);
    writer_key_text(&writer, "session_id", inquiry->session_id);
    writer_object_end(&writer);
    response_buf(exchange, status, &buf);
}
