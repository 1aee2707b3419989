/* Figures for Prometheus. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/workers.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { METRICS_MOST = 1 << 20 };

static void figure(struct buf *buf, const char *name, const char *type, const char *help,
                   size_t value)
{
    (void)buf_format(buf,
                     "# HELP dragoman_%s %s\n# TYPE dragoman_%s %s\ndragoman_%s %zu\n",
                     name, help, name, type, name, value);
}

static void by_status(struct buf *buf, struct server_counts *counts)
{
    (void)buf_text(buf, "# HELP dragoman_responses_total Replies by HTTP status.\n"
                        "# TYPE dragoman_responses_total counter\n");
    for (size_t i = 0; i < SERVER_STATUSES; i++) {
        size_t count = atomic_load(&counts->by_status[i]);
        if (count) {
            (void)buf_format(buf, "dragoman_responses_total{status=\"%zu\"} %zu\n", i,
                             count);
        }
    }
}

void metrics_get(struct exchange *exchange)
{
    struct server *server = exchange->server;
    struct server_counts *counts = &server->counts;
    struct buf buf;
    buf_init(&buf, METRICS_MOST);
    figure(&buf, "up_seconds", "gauge", "Seconds since the server started.",
           (size_t)((clock_ms() - server->born_ms) / 1000));
    figure(&buf, "requests_total", "counter", "Requests received.",
           atomic_load(&counts->requests));
    by_status(&buf, counts);
    figure(&buf, "connections", "gauge", "Connections open.",
           atomic_load(&counts->connections));
    figure(&buf, "streams", "gauge", "Event streams open.",
           atomic_load(&counts->streams));
    figure(&buf, "requests_waiting", "gauge", "Requests and streams that wait.",
           atomic_load(&counts->waiting));
    figure(&buf, "requests_queued", "gauge", "Requests that wait for a thread.",
           workers_waiting(server->workers));
    figure(&buf, "refused_total", "counter", "Requests refused for want of room.",
           atomic_load(&counts->refused));
    figure(&buf, "slow_clients_total", "counter", "Connections cut for being slow.",
           atomic_load(&counts->cut));
    figure(&buf, "clients_gone_total", "counter",
           "Clients that left while a question was worked on for them.",
           atomic_load(&counts->gone));
    figure(&buf, "questions_at_work", "gauge", "Questions at work.",
           dgm_at_work(server->dgm));
    (void)pthread_mutex_lock(&server->registry.lock);
    size_t kept = server->registry.count;
    size_t bytes = server->registry.bytes;
    (void)pthread_mutex_unlock(&server->registry.lock);
    figure(&buf, "questions_kept", "gauge", "Questions at rest, kept in memory.", kept);
    figure(&buf, "questions_kept_bytes", "gauge", "Memory they take.", bytes);
    size_t size = buf.size;
    response_text(exchange, 200, "text/plain; version=0.0.4", buf_take(&buf), size);
}
