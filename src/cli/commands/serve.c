/* dragoman serve: the same house, behind HTTP. */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/house.h"
#include "cli/report.h"
#include "server/server.h"

enum {
    HEAPS_LEAST = 16,
    HEAP_STEP = 256 * 1024,   /* a heap grows by so much at least */
    HEAP_SPARE = 1024 * 1024, /* and keeps so much at its end */
};

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_DATASET,
    FLAG_VALUE("listen", "ADDRESS:PORT",
               "Where to listen (the setting server.listen, 127.0.0.1:8080)"),
};

/* Taken by the thread that waits for them; those started later inherit the mask. */
static void hold_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, set, NULL);
}

/* Until it is told to stop. SIGHUP: the configuration is read again. */
static void wait_for_the_end(struct cli *cli, const sigset_t *set)
{
    for (;;) {
        int number = 0;
        struct dgm_error error = {.position = -1};
        if (sigwait(set, &number) != 0) {
            continue;
        }
        if (number != SIGHUP) {
            return;
        }
        if (house_reload(cli, &error)) {
            report_note(cli, "The configuration was read again.");
        } else {
            (void)report_error(cli, &error);
            report_note(cli, "The configuration stays as it was.");
        }
        out_flush(&cli->err);
    }
}

/* A heap for each thread keeps what that thread's busiest moment needed, and fewer of
 * them make threads wait for each other: with one for each core a question through a
 * model cost 0.27 ms instead of 0.23, most of the rest in the kernel. So as many as there
 * are threads that answer, if they do not shrink and grow with every question. */
static void keep_heaps_small(void)
{
#ifdef __GLIBC__
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    (void)mallopt(M_ARENA_MAX, cores > HEAPS_LEAST / 4 ? (int)cores * 4 : HEAPS_LEAST);
    (void)mallopt(M_TOP_PAD, HEAP_STEP);
    (void)mallopt(M_TRIM_THRESHOLD, HEAP_SPARE);
#endif
}

/* SQLite adds up its memory under a lock that all threads share, with every piece it
 * takes; nobody asks for the sum. Only before it is used for the first time. */
static void let_sqlite_not_count(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static int serve_run(struct cli *cli)
{
    struct dgm_error error = {.position = -1};
    const char *listen = arguments_value(&cli->arguments, "listen");
    if (listen && !dgm_config_set(cli->config, "server.listen", listen, &error)) {
        return report_error(cli, &error);
    }
    sigset_t set;
    hold_signals(&set);
    keep_heaps_small();
    let_sqlite_not_count();
    cli->dgm = dgm_open(cli->config, &error);
    struct server *server = cli->dgm ? server_start(cli->dgm, cli->config, &error) : NULL;
    if (!server) {
        return report_error(cli, &error);
    }
    out_format(&cli->out, "Listening on %s\n", server_address(server));
    out_flush(&cli->out);
    if (server_is_open(server)) {
        report_note(cli,
                    "No keys: whoever can reach this address may ask. 'dragoman keys "
                    "add NAME' makes one.");
        out_flush(&cli->err);
    }
    wait_for_the_end(cli, &set);
    report_note(cli, "Stopping; questions at work have a moment to end.");
    out_flush(&cli->err);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* a second one ends it at once */
    server_stop(server);
    return 0;
}

const struct command command_serve = {
    .name = "serve",
    .group = GROUP_ASK,
    .words = "",
    .summary = "Answer over HTTP",
    .about =
        "Serves the HTTP API (docs/http.md; /openapi.json describes it) until it is "
        "told\nto stop by SIGINT or SIGTERM: then questions at work have "
        "server.drain_s to end.\n"
        "\n"
        "On an address of this machine alone, and without keys, everybody who can\n"
        "reach it may ask; on any other it does not start without keys (dragoman keys).\n"
        "SIGHUP reads the configuration again; one that is not valid changes nothing.",
    .examples = "dragoman serve --db shop.db\n"
                "dragoman serve --db postgres://reader@db/shop --listen 127.0.0.1:9000\n"
                "# any free port; the address is the first line\n"
                "dragoman serve --db shop.db --listen 127.0.0.1:0",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 0,
    .needs = NEEDS_CONFIG,
    .run = serve_run,
};
