/* Metrics in Prometheus' format. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
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

/* Where the schemas of questions were found; the share of hits follows from it. */
static void schema_cache(struct buf *buf, struct dgm *dgm)
{
    static const struct {
        const char *key;
        const char *found;
    } places[] = {
        {"l1_hits", "l1"}, {"l2_hits", "l2"}, {"misses", "database"}, {"stale", "stale"}};
    struct arena *arena = arena_new();
    struct err ignored;
    err_clear(&ignored);
    char *text = dgm_metrics(dgm);
    const json_t *all = json_parse(arena, text, strlen(text), &ignored);
    const json_t *cache = json_object_at(all, "schema_cache");
    (void)buf_text(buf,
                   "# HELP dragoman_schema_looks_total Schema lookups, by where the "
                   "schema was found.\n# TYPE dragoman_schema_looks_total counter\n");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        (void)buf_format(buf, "dragoman_schema_looks_total{found=\"%s\"} %lld\n",
                         places[i].found,
                         (long long)json_int_at(cache, places[i].key, 0));
    }
    dgm_free(text);
    arena_free(arena);
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
    figure(&buf, "refused_total", "counter",
           "Requests refused because the queue was full.", atomic_load(&counts->refused));
    figure(&buf, "slow_clients_total", "counter",
           "Connections closed because they were too slow.", atomic_load(&counts->cut));
    figure(&buf, "clients_gone_total", "counter",
           "Clients that disconnected while their question was running.",
           atomic_load(&counts->gone));
    figure(&buf, "questions_at_work", "gauge", "Questions at work.",
           dgm_at_work(server->dgm));
    (void)pthread_mutex_lock(&server->registry.lock);
    size_t kept = server->registry.count;
    size_t bytes = server->registry.bytes;
    (void)pthread_mutex_unlock(&server->registry.lock);
    figure(&buf, "questions_kept", "gauge", "Finished questions in memory.", kept);
    figure(&buf, "questions_kept_bytes", "gauge", "Memory they take.", bytes);
    schema_cache(&buf, server->dgm);
    size_t size = buf.size;
    response_text(exchange, 200, "text/plain; version=0.0.4", buf_take(&buf), size);
}
