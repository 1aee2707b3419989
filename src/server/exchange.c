/* One request and its reply; suspends and resumes its connection. */
#include "server/exchange.h"

#include "base/err.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/workers.h"
#include "server/response.h"
#include "server/state.h"

/* Room for method, path and a small body, because thousands of exchanges may wait. */
enum { ARENA_ROOM = 448 };

struct exchange *exchange_new(struct server *server, struct MHD_Connection *connection,
                              const char *method)
{
    struct exchange *exchange = memory_alloc(sizeof *exchange);
    exchange->server = server;
    exchange->connection = connection;
    exchange->arena = arena_new_for(ARENA_ROOM);
    exchange->method = arena_text(exchange->arena, method);
    exchange->born_ms = clock_ms();
    id_new("r", exchange->id);
    buf_init(&exchange->body, (size_t)server->settings.max_body);
    atomic_init(&exchange->references, 1);
    (void)pthread_mutex_init(&exchange->lock, NULL);
    return exchange;
}

void exchange_ref(struct exchange *exchange)
{
    (void)atomic_fetch_add(&exchange->references, 1);
}

void exchange_unref(struct exchange *exchange)
{
    if (atomic_fetch_sub(&exchange->references, 1) != 1) {
        return;
    }
    if (exchange->response) {
        MHD_destroy_response(exchange->response);
    }
    upload_release(exchange);
    buf_release(&exchange->body);
    arena_free(exchange->arena);
    (void)pthread_mutex_destroy(&exchange->lock);
    memory_free(exchange);
}

static void run_later(void *context)
{
    struct exchange *exchange = context;
    log_request(exchange->id);
    exchange->later(exchange);
    log_request(NULL);
    exchange_unref(exchange);
}

void exchange_work(struct exchange *exchange, handler *work)
{
    exchange_work_on(exchange, exchange->server->workers, work);
}

void exchange_work_on(struct exchange *exchange, struct workers *workers, handler *work)
{
    struct server *server = exchange->server;
    const char *account = exchange->caller.account;
    if (workers_full(workers, account, (size_t)server->settings.queue)) {
        (void)atomic_fetch_add(&server->counts.refused, 1);
        response_busy(exchange);
        return;
    }
    exchange->later = work;
    exchange_ref(exchange);
    workers_submit_for(workers, account, run_later, exchange);
}

/* With the lock held. */
static void wake(struct exchange *exchange)
{
    if (exchange->suspended) {
        exchange->suspended = false;
        (void)atomic_fetch_sub(&exchange->server->counts.waiting, 1);
        MHD_resume_connection(exchange->connection);
    }
}

/* With the lock held. */
static void sleep_on(struct exchange *exchange)
{
    if (!exchange->suspended) {
        exchange->suspended = true;
        (void)atomic_fetch_add(&exchange->server->counts.waiting, 1);
        MHD_suspend_connection(exchange->connection);
    }
}

void exchange_go_on(struct exchange *exchange)
{
    (void)pthread_mutex_lock(&exchange->lock);
    exchange->goes_on = true;
    wake(exchange);
    (void)pthread_mutex_unlock(&exchange->lock);
}

bool exchange_waits(struct exchange *exchange, bool *goes_on)
{
    (void)pthread_mutex_lock(&exchange->lock);
    *goes_on = exchange->goes_on;
    bool waits = !exchange->goes_on && !exchange->replied;
    if (waits) {
        sleep_on(exchange);
    }
    (void)pthread_mutex_unlock(&exchange->lock);
    return waits;
}

void exchange_reply(struct exchange *exchange, unsigned status,
                    struct MHD_Response *response)
{
    (void)pthread_mutex_lock(&exchange->lock);
    bool first = !exchange->replied;
    if (first) {
        exchange->replied = true;
        exchange->status = status;
        exchange->response = response;
        wake(exchange);
    }
    (void)pthread_mutex_unlock(&exchange->lock);
    if (!first) {
        MHD_destroy_response(response);
    }
}

enum MHD_Result exchange_settle(struct exchange *exchange)
{
    (void)pthread_mutex_lock(&exchange->lock);
    bool replied = exchange->replied;
    if (!replied) {
        sleep_on(exchange);
    }
    (void)pthread_mutex_unlock(&exchange->lock);
    if (!replied) {
        return MHD_YES;
    }
    struct server_counts *counts = &exchange->server->counts;
    (void)atomic_fetch_add(&counts->by_status[exchange->status % SERVER_STATUSES], 1);
    enum MHD_Result queued =
        MHD_queue_response(exchange->connection, exchange->status, exchange->response);
    MHD_destroy_response(exchange->response);
    exchange->response = NULL;
    return queued;
}
