/* dragoman mcp: an MCP server on standard input and output. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/workers.h"
#include "cli/cli.h"
#include "cli/install.h"
#include "cli/report.h"
#include "cli/stop.h"
#include "mcp/mcp.h"

enum {
    WORKERS = 4,
    READ_SIZE = 64 * 1024,
    QUEUE_MOST = 256 << 20, /* never reached: see QUEUE_FULL */
    QUEUE_FULL = 1 << 20,   /* bytes that wait: the client reads too slowly */
    PAUSE_MS = 20,
    TICK_MS = 1000,
};

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_DATASET,
    FLAG_CHOICE("install", "CLIENT", INSTALL_CLIENTS,
                "Show the entry for this client's configuration, and write it"),
    FLAG_SWITCH("yes", 'y', "With --install: write it without asking"),
};

/* What goes to the client, written by a thread of its own: a client that does not read
 * stops neither a question nor a cancel. While too much waits, nothing more is read and
 * notices are dropped. */
struct speaker {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct buf waiting;
    bool ends;   /* when all is written */
    bool broken; /* the client is gone */
    int wake;    /* an eventfd: readable when the client is gone */
    int stop;    /* the same: nothing more is written */
    pthread_t thread;
};

/* Piece by piece, as much as a pipe takes without blocking: so a client that does not read
 * cannot keep this program from ending. */
static bool write_all(const struct speaker *speaker, const char *data, size_t size)
{
    while (size) {
        struct pollfd look[] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
                                {.fd = speaker->stop, .events = POLLIN}};
        (void)poll(look, sizeof look / sizeof *look, -1);
        ssize_t done = 0;
        if (look[1].revents) {
            return false;
        }
        if (look[0].revents) {
            done = write(STDOUT_FILENO, data, size < PIPE_BUF ? size : PIPE_BUF);
        }
        if (done < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        data += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static void *speak(void *context)
{
    struct speaker *speaker = context;
    struct buf out;
    buf_init(&out, QUEUE_MOST);
    (void)pthread_mutex_lock(&speaker->lock);
    while (!speaker->broken && (speaker->waiting.size || !speaker->ends)) {
        if (!speaker->waiting.size) {
            (void)pthread_cond_wait(&speaker->changed, &speaker->lock);
            continue;
        }
        struct buf full = speaker->waiting;
        speaker->waiting = out;
        (void)pthread_mutex_unlock(&speaker->lock);
        bool ok = write_all(speaker, full.data, full.size);
        buf_clear(&full);
        out = full;
        (void)pthread_mutex_lock(&speaker->lock);
        speaker->broken = speaker->broken || !ok;
        (void)pthread_cond_broadcast(&speaker->changed);
    }
    (void)pthread_mutex_unlock(&speaker->lock);
    buf_release(&out);
    const uint64_t one = 1;
    (void)!write(speaker->wake, &one, sizeof one);
    return NULL;
}

/* The outlet of every message. */
static void say(void *context, const struct mcp_frame *frame)
{
    struct speaker *speaker = context;
    (void)pthread_mutex_lock(&speaker->lock);
    bool full = speaker->waiting.size > QUEUE_FULL;
    if (frame->kind != MCP_NOTHING && !(full && frame->kind == MCP_NOTICE) &&
        !speaker->broken) {
        (void)buf_add(&speaker->waiting, frame->text, frame->size);
        (void)buf_char(&speaker->waiting, '\n');
        (void)pthread_cond_broadcast(&speaker->changed);
    }
    (void)pthread_mutex_unlock(&speaker->lock);
}

static bool is_slow(struct speaker *speaker)
{
    (void)pthread_mutex_lock(&speaker->lock);
    bool slow = speaker->waiting.size > QUEUE_FULL && !speaker->broken;
    (void)pthread_mutex_unlock(&speaker->lock);
    return slow;
}

/* The conversation with the client that started this program. */
struct talk {
    struct speaker speaker;
    struct mcp *mcp;
    struct mcp_client *client;
    struct buf line;
    bool skips; /* the rest of a line that is too long */
    int signals;
    bool over;  /* stopped by a signal, or the client is gone */
    bool ended; /* end of input */
};

static void hear_line(struct talk *talk)
{
    const struct mcp_outlet outlet = {.send = say, .context = &talk->speaker};
    const char *text = buf_get(&talk->line);
    size_t size = talk->line.size;
    size -= size && text[size - 1] == '\r';
    if (size || talk->skips) {
        mcp_handle(talk->client, NULL, mcp_read(talk->skips ? NULL : text, size),
                   &outlet);
    }
    buf_clear(&talk->line);
    talk->skips = false;
}

static void hear(struct talk *talk, const char *data, size_t size)
{
    while (size) {
        const char *end = memchr(data, '\n', size);
        size_t part = end ? (size_t)(end - data) : size;
        talk->skips = talk->skips || talk->line.size + part > MCP_MESSAGE_MOST;
        if (!talk->skips) {
            (void)buf_add(&talk->line, data, part);
        }
        if (end) {
            hear_line(talk);
        }
        data += part + (end != NULL);
        size -= part + (end != NULL);
    }
}

static void read_some(struct talk *talk, char *room)
{
    ssize_t size = read(STDIN_FILENO, room, READ_SIZE);
    if (size > 0) {
        hear(talk, room, (size_t)size);
    } else if (size == 0 || errno != EINTR) {
        hear_line(talk); /* the last one may lack its end */
        talk->ended = true;
        mcp_client_no_more(talk->client);
    }
}

/* Reads until the end of input; then until the calls have ended, which may be later. A
 * client that is gone, or a signal, ends it at once. */
static void converse(struct talk *talk)
{
    static char room[READ_SIZE];
    while (!talk->over && !(talk->ended && mcp_client_calls(talk->client) == 0)) {
        bool reads = !talk->ended && !is_slow(&talk->speaker);
        struct pollfd look[] = {
            {.fd = talk->signals, .events = POLLIN},
            {.fd = talk->speaker.wake, .events = POLLIN},
            {.fd = STDOUT_FILENO}, /* an error: nobody reads any more */
            {.fd = reads ? STDIN_FILENO : -1, .events = POLLIN},
        };
        int count = poll(look, sizeof look / sizeof *look, reads ? TICK_MS : PAUSE_MS);
        mcp_tick(talk->mcp, clock_ms());
        if (count < 0 && errno != EINTR) {
            talk->over = true;
        }
        talk->over = talk->over || (count > 0 && (look[0].revents || look[1].revents ||
                                                  (look[2].revents & POLLERR)));
        if (!talk->over && count > 0 && look[3].revents) {
            read_some(talk, room);
        }
    }
}

static bool start_speaker(struct speaker *speaker)
{
    (void)pthread_mutex_init(&speaker->lock, NULL);
    (void)pthread_cond_init(&speaker->changed, NULL);
    buf_init(&speaker->waiting, QUEUE_MOST);
    speaker->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    speaker->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return speaker->wake >= 0 && speaker->stop >= 0 &&
           pthread_create(&speaker->thread, NULL, speak, speaker) == 0;
}

/* What was said is written, unless the client is gone or does not read. */
static void end_speaker(struct speaker *speaker, bool at_once)
{
    (void)pthread_mutex_lock(&speaker->lock);
    speaker->ends = true;
    speaker->broken = speaker->broken || at_once;
    (void)pthread_cond_broadcast(&speaker->changed);
    (void)pthread_mutex_unlock(&speaker->lock);
    if (at_once) {
        const uint64_t one = 1;
        (void)!write(speaker->stop, &one, sizeof one);
    }
    (void)pthread_join(speaker->thread, NULL);
    buf_release(&speaker->waiting);
    (void)close(speaker->wake);
    (void)close(speaker->stop);
}

static void interrupted(void *context)
{
    const uint64_t one = 1;
    const struct talk *talk = context;
    (void)!write(talk->speaker.wake, &one, sizeof one);
}

static int open_signals(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL); /* for the threads to come, too */
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static int64_t watch_ms(const struct dgm_config *config)
{
    char *text = dgm_config_get(config, "schema.watch_s");
    int64_t seconds = 0;
    (void)(text && str_to_int(text, &seconds));
    dgm_free(text);
    return seconds * 1000;
}

static int mcp_run(struct cli *cli)
{
    static struct talk talk; /* threads of the library may still look at it */
    struct dgm_error error = {.position = -1};
    const char *client = arguments_value(&cli->arguments, "install");
    if (client) {
        return install_run(cli, client);
    }
    talk.signals = open_signals();
    if (!cli_open(cli, NEEDS_DATASOURCE, &error)) {
        return report_error(cli, &error);
    }
    struct workers *workers = workers_new(WORKERS);
    const struct mcp_settings settings = {.dgm = cli->dgm,
                                          .datasource = cli->datasource,
                                          .workers = workers,
                                          .later = workers,
                                          .watch_ms = watch_ms(cli->config)};
    talk.mcp = mcp_new(&settings);
    talk.client = mcp_client_new(talk.mcp, NULL);
    buf_init(&talk.line, MCP_MESSAGE_MOST);
    if (!start_speaker(&talk.speaker)) {
        return STOP_STATUS;
    }
    const struct mcp_outlet outlet = {.send = say, .context = &talk.speaker};
    mcp_client_listen(talk.client, NULL, &outlet);
    stop_watch_call(interrupted, &talk);
    converse(&talk);
    mcp_client_close(talk.client);
    bool stopped = stop_unwatch();
    dgm_shutdown(cli->dgm); /* its threads give work to the workers until here */
    workers_free(workers);
    end_speaker(&talk.speaker, talk.over);
    mcp_free(talk.mcp);
    buf_release(&talk.line);
    (void)close(talk.signals);
    return stopped ? STOP_STATUS : 0;
}

const struct command command_mcp = {
    .name = "mcp",
    .group = GROUP_ASK,
    .words = "",
    .summary = "Let an assistant ask: MCP on standard input and output",
    .about =
        "Serves the Model Context Protocol to the program that starts it: an assistant,\n"
        "an editor, an agent (docs/mcp.md shows how to configure it). It\n"
        "offers tools to ask questions, to run SQL that only reads, to find tables and\n"
        "to explain answers. Nothing is ever written to a database.\n"
        "\n"
        "It ends when its input has ended and all requests are answered.\n"
        "\n"
        "--install shows what it would write to the configuration of the assistant,\n"
        "and writes it if you agree; other entries stay as they are.",
    .examples = "dragoman mcp --db shop.db\n"
                "dragoman mcp --db shop.db --install claude\n"
                "dragoman mcp --db postgres://reader@db/shop",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 0,
    .needs = NEEDS_NOTHING,
    .run = mcp_run,
};
