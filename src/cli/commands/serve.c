/* dragoman serve: starts the HTTP server. */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/sandbox/sandbox.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/instance.h"
#include "cli/report.h"
#include "server/cage.h"
#include "server/server.h"

enum {
    HEAPS_LEAST = 16,
    HEAP_STEP = 256 * 1024,   /* a heap grows by so much at least */
    HEAP_SPARE = 1024 * 1024, /* and keeps so much at its end */
    TIDY_S = 5,
};

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_DATASET,
    FLAG_VALUE("listen", "ADDRESS:PORT",
               "Where to listen (sets server.listen; default 127.0.0.1:8080)"),
    FLAG_SWITCH("openapi", 0, "Print what /openapi.json says, and exit"),
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
        if (instance_reload(cli, &error)) {
            report_note(cli, "Configuration reloaded.");
        } else {
            (void)report_error(cli, &error);
            report_note(cli, "The configuration is unchanged.");
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

/* The order is that of server/cage.h: rights are given up as soon as they are not needed
 * any more, and before there are threads. */
static struct server *open_all(struct cli *cli, struct dgm_error *error)
{
    struct sandbox_report report;
    struct server *server = server_open(cli->config, error);
    bool ok = server && cage_become(cli->config, error);
    struct dgm_error missing; /* told when a question needs DuckDB */
    (void)(ok && dgm_start_engines(cli->config, &missing));
    ok = ok && cage_close(cli->config, &report, error);
    cli->dgm = ok ? dgm_open(cli->config, error) : NULL;
    if (cli->dgm) {
        char text[256];
        sandbox_describe(&report, text, sizeof text);
        LOG(LOG_SERVER, LOG_INFO, "sandbox: %s", text);
    }
    if (!cli->dgm || !instance_knows_named(cli, error) ||
        !server_start(server, cli->dgm, error)) {
        server_stop(server);
        return NULL;
    }
    return server;
}

static void tell_dangers(struct cli *cli, const struct server *server)
{
    if (server_is_open(server)) {
        report_note(cli, "There are no keys: everyone who can reach this address may "
                         "ask. 'dragoman keys add NAME' creates one.");
    }
    if (geteuid() == 0) {
        report_note(cli, "This server runs as root. Use --set server.user=NAME to switch "
                         "to another user once the port is open.");
    }
    out_flush(&cli->err);
}

static volatile sig_atomic_t at_rest; /* no question is running */

/* Nothing here may wait for anything. What is lost is in the store, as interrupted. */
static void end_hard(int number)
{
    static const char words[] =
        "Some work could not be stopped within server.drain_s; exiting anyway.\n";
    (void)number;
    if (at_rest) { /* a slow clean-up on a slow disk is not an error */
        at_rest = 0;
        (void)alarm(TIDY_S);
        return;
    }
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(err_exit_status(ERR_INTERRUPTED));
}

/* From now on the process exits at most a second after server.drain_s, even if a library
 * does not react to a stop. */
static void bound_the_end(struct cli *cli)
{
    int64_t seconds = 0;
    char *text = dgm_config_get(cli->config, "server.drain_s");
    struct sigaction action = {.sa_handler = end_hard};
    sigset_t set;
    (void)(text && str_to_int(text, &seconds));
    dgm_free(text);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGALRM);
    (void)sigaction(SIGALRM, &action, NULL);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    (void)alarm((unsigned)seconds + 1);
}

static int print_openapi(struct cli *cli)
{
    struct buf buf;
    server_describe(&buf);
    json_print(&cli->out, buf_get(&buf));
    buf_release(&buf);
    return 0;
}

static int serve_run(struct cli *cli)
{
    if (arguments_has(&cli->arguments, "openapi")) {
        return print_openapi(cli);
    }
    struct dgm_error error = {.position = -1};
    const char *listen = arguments_value(&cli->arguments, "listen");
    if (listen && !dgm_config_set(cli->config, "server.listen", listen, &error)) {
        return report_error(cli, &error);
    }
    sigset_t set;
    hold_signals(&set);
    keep_heaps_small();
    let_sqlite_not_count();
    struct server *server = open_all(cli, &error);
    if (!server) {
        return report_error(cli, &error);
    }
    out_format(&cli->out, "Listening on %s\n", server_address(server));
    out_flush(&cli->out);
    tell_dangers(cli, server);
    wait_for_the_end(cli, &set);
    bound_the_end(cli);
    report_note(cli, "Stopping. Running questions have some time to end.");
    out_flush(&cli->err);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* a second one ends it at once */
    server_drain(server);
    at_rest = 1;
    server_stop(server);
    return 0;
}

const struct command command_serve = {
    .name = "serve",
    .group = GROUP_ASK,
    .words = "",
    .summary = "Run the HTTP server with the web page",
    .about =
        "Serves the HTTP API (docs/http.md; /openapi.json describes it) until it\n"
        "receives SIGINT or SIGTERM. Running questions then have server.drain_s seconds "
        "to\n"
        "end. If some work cannot be stopped by then, the exit status is 44.\n"
        "\n"
        "On a loopback address without keys, every local client may ask. On any other\n"
        "address the server does not start without keys (see 'dragoman keys').\n"
        "SIGHUP reloads the configuration; an invalid one changes nothing.\n"
        "\n"
        "The server gives up rights that it does not need: starting programs, files "
        "that\n"
        "are not configured, root (server.user, server.sandbox; docs/security.md).",
    .examples = "dragoman serve --db shop.db\n"
                "dragoman serve --db postgres://reader@db/shop --listen 127.0.0.1:9000\n"
                "# use any free port; the first line of output is the address\n"
                "dragoman serve --db shop.db --listen 127.0.0.1:0",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 0,
    .needs = NEEDS_CONFIG,
    .run = serve_run,
};
