/*
 * How long PostgreSQL keeps a question waiting: postgres_time URL WHAT [PORT]
 *   schema   open, signature, describe, a small query
 *   cache    its schema found in memory, and in the store; how often, while it changes
 *   rows     a table of a million rows, read to its end
 *   enrich   samples of all tables over a line of 20 ms, by one connection and by eight;
 *            PORT is the server's, the URL names 127.0.0.1:PORT+1, where the line begins
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "datasource/datasource.h"
#include "knowledge/schema/schema_cache.h"
#include "store/store.h"

enum { RUNS = 7, WAY_US = 10000 };

static struct datasource *source;

static void die(const struct err *err)
{
    (void)fprintf(stderr, "%s %s\n", err->message, err->detail);
    exit(1);
}

static int order(const void *a, const void *b)
{
    const double *left = a;
    const double *right = b;
    return (*left > *right) - (*left < *right);
}

/* The median of some runs, in milliseconds. */
static double median(void (*work)(void))
{
    double times[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        int64_t begin = clock_us();
        work();
        times[i] = (double)(clock_us() - begin) / 1000;
    }
    qsort(times, RUNS, sizeof *times, order);
    return times[RUNS / 2];
}

static void signature(void)
{
    struct err err;
    char out[33];
    if (!datasource_signature(source, NULL, out, &err)) {
        die(&err);
    }
}

static struct schema *schema_get(void)
{
    struct err err;
    struct schema *schema = datasource_describe(source, NULL, &err);
    if (!schema) {
        die(&err);
    }
    return schema;
}

static void describe(void)
{
    schema_unref(schema_get());
}

static void query(void)
{
    struct err err;
    struct rows rows;
    struct arena *arena = arena_new();
    rows_init(&rows, arena);
    if (!datasource_execute(source, "SELECT 1 AS one", NULL, NULL, &rows, &err)) {
        die(&err);
    }
    arena_free(arena);
}

/* ------------------------------------------------------------------ the caches */

enum { LOOKS = 1000, QUESTIONS = 1000, CHANGE_EVERY = 50, RESTART_EVERY = 100 };

static struct schema_cache *cache;
static const char *version;

static void look(const char *signature)
{
    struct err err;
    enum schema_level level = SCHEMA_LEVEL_READ;
    schema_unref(schema_cache_look(cache, "bench", signature, &level, &err));
}

static void look_memory(void)
{
    for (int i = 0; i < LOOKS; i++) {
        look(version);
    }
}

static void look_store(void)
{
    schema_cache_drop(cache, "bench");
    look(version);
}

/* A day of questions: the schema changes now and then, and so does the process. */
static double hit_rate(struct store *store, const struct schema *schema)
{
    struct err err;
    int64_t counts[SCHEMA_LEVELS];
    schema_cache_free(cache);
    cache = schema_cache_new(store);
    for (int i = 0; i < QUESTIONS; i++) {
        char signature[33];
        (void)snprintf(signature, sizeof signature, "v%d", i / CHANGE_EVERY);
        if (i % RESTART_EVERY == 0) {
            schema_cache_drop(cache, "bench");
        }
        look(signature);
        if (i % CHANGE_EVERY == 0) { /* it was read, and is kept */
            struct schema *read = schema_new();
            read->datasource = schema->datasource;
            read->signature = arena_text(read->arena, signature);
            (void)schema_cache_put(cache, read, &err);
            schema_unref(read);
        }
    }
    schema_cache_counts(cache, counts);
    return 100.0 * (double)(QUESTIONS - counts[SCHEMA_LEVEL_READ]) / QUESTIONS;
}

static void time_caches(struct options *options)
{
    struct err err;
    char folder[] = "/tmp/dragoman-bench-XXXXXX";
    char command[64];
    options->store_folder = mkdtemp(folder);
    struct store *store = store_open(options, &err);
    if (!store) {
        die(&err);
    }
    struct schema *schema = schema_get();
    schema_normalize(schema);
    cache = schema_cache_new(store);
    if (!schema_cache_put(cache, schema, &err)) {
        die(&err);
    }
    version = schema->signature;
    double memory_us = median(look_memory) * 1000 / LOOKS;
    double store_ms = median(look_store);
    (void)printf(
        "schema of %zu tables: L1 hit, compare included %.2f us (aim 50), L2 hit "
        "%.1f ms (aim 20)\n",
        schema->tables.count, memory_us, store_ms);
    (void)printf("hit rate: %.1f %% of %d questions, the schema changing every %d (aim "
                 "95)\n",
                 hit_rate(store, schema), QUESTIONS, CHANGE_EVERY);
    schema_cache_free(cache);
    schema_unref(schema);
    store_close(store);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command); /* NOLINT(cert-env33-c) */
}

static bool no_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    (void)count;
    return true;
}

static bool count_row(void *context, const struct value *cells)
{
    (void)cells;
    (*(long *)context)++;
    return true;
}

static void read_rows(void)
{
    struct err err;
    long count = 0;
    const struct datasource_sink sink = {
        .columns = no_columns, .row = count_row, .context = &count};
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 600000};
    int64_t begin = clock_us();
    if (!source->driver->execute(source, "SELECT * FROM many", &limits, &sink, &err)) {
        die(&err);
    }
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    double seconds = (double)(clock_us() - begin) / 1e6;
    (void)printf("rows: %ld in %.2f s, %.0f a second, peak %ld MB\n", count, seconds,
                 (double)count / seconds, usage.ru_maxrss / 1024);
}

/* ------------------------------------------------------------------ a slow line */

struct line {
    int from;
    int to;
};

static void *line_run(void *context)
{
    struct line *line = context;
    char data[65536];
    for (ssize_t size; (size = read(line->from, data, sizeof data)) > 0;) {
        (void)usleep(WAY_US);
        if (write(line->to, data, (size_t)size) != size) {
            break;
        }
    }
    (void)shutdown(line->to, SHUT_WR);
    memory_free(line);
    return NULL;
}

static void line_start(int from, int to)
{
    struct line *line = memory_alloc(sizeof *line);
    pthread_t thread;
    *line = (struct line){.from = from, .to = to};
    if (pthread_create(&thread, NULL, line_run, line) == 0) {
        (void)pthread_detach(thread);
    }
}

static struct sockaddr_in local(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)port);
    return address;
}

static void *lines_run(void *context)
{
    int port = *(int *)context;
    struct sockaddr_in here = local(port + 1);
    struct sockaddr_in there = local(port);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&here, sizeof here) != 0 ||
        listen(listener, 64) != 0) {
        (void)fprintf(stderr, "port %d is taken\n", port + 1);
        exit(1);
    }
    for (int client; (client = accept(listener, NULL, NULL)) >= 0;) {
        int server = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(server, (struct sockaddr *)&there, sizeof there) == 0) {
            line_start(client, server);
            line_start(server, client);
        }
    }
    return NULL;
}

static void enrich(void)
{
    struct err err;
    struct schema *schema = schema_get();
    struct arena *arena = arena_new();
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 600000};
    int64_t begin = clock_us();
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (!source->driver->profile(source, schema, &schema->tables.items[i], arena, 3,
                                     &limits, &err)) {
            die(&err);
        }
    }
    double one = (double)(clock_us() - begin) / 1000;
    arena_free(arena);
    schema_unref(schema);
    schema = schema_get();
    begin = clock_us();
    if (!datasource_enrich(source, schema, NULL, &err)) {
        die(&err);
    }
    double many = (double)(clock_us() - begin) / 1000;
    (void)printf(
        "samples of %zu tables over 20 ms: %.0f ms by one connection, %.0f ms by "
        "eight: %.1f times as fast (aim 5)\n",
        schema->tables.count, one, many, one / many);
    schema_unref(schema);
}

int main(int count, char **arguments)
{
    if (count < 3) {
        return 2;
    }
    struct options *options = options_new();
    options->schema_max_tables = 5000;
    options->schema_enrich_tables = 5000;
    options->schema_enrich_timeout_s = 60;
    int port = count > 3 ? (int)strtol(arguments[3], NULL, 10) : 0;
    pthread_t thread;
    if (port > 0 && pthread_create(&thread, NULL, lines_run, &port) == 0) {
        (void)usleep(100000);
    }
    struct err err;
    err_clear(&err);
    const struct datasource_setting setting = {.id = "bench", .url = arguments[1]};
    int64_t begin = clock_us();
    source = datasource_open(&setting, options, &err);
    if (!source) {
        die(&err);
    }
    double open_ms = (double)(clock_us() - begin) / 1000;
    if (strcmp(arguments[2], "schema") == 0) {
        (void)printf(
            "open %.1f ms, signature %.1f ms (aim 20), signature and describe %.1f "
            "ms (aim 150), query %.3f ms\n",
            open_ms, median(signature), median(describe), median(query));
    } else if (strcmp(arguments[2], "cache") == 0) {
        time_caches(options);
    } else if (strcmp(arguments[2], "rows") == 0) {
        read_rows();
    } else {
        enrich();
    }
    datasource_close(source);
    options_free(options);
    return 0;
}
