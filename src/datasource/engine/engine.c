/* A process with one database: started, asked, and ended. */
#include "datasource/engine/engine.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
    LOOK_MS = 10,    /* how often limits are looked at */
    CLOSE_MS = 1000, /* that a database has to close; one that is written has longer */
    WRITTEN_MS = 60000,
    OPEN_MS = 60000,
    FRAME_MOST = 1 << 20,
};

/* ------------------------------------------------------------------ control */

static bool control_wait(void *context, int fd, short events)
{
    struct engine *engine = context;
    struct pollfd poller = {.fd = fd, .events = events};
    if (poll(&poller, 1, LOOK_MS) > 0) {
        return true;
    }
    return !limits_spent(engine->limits) && !clock_passed(engine->give_up_ms);
}

/* Sends a request and reads what is answered; with the lock held. */
static enum engine_message engine_ask(struct engine *engine, struct buf *out, int passed,
                                      struct frame_reader *in)
{
    return frame_end(out) && frame_send(&engine->control, out, passed)
               ? frame_receive(&engine->control, FRAME_MOST, in)
               : 0;
}

static void absolute(struct buf *out, const char *path)
{
    char folder[4096];
    if (path && path[0] != '/' && getcwd(folder, sizeof folder)) {
        struct buf whole;
        buf_init(&whole, sizeof folder * 2);
        (void)buf_format(&whole, "%s/%s", folder, path);
        frame_put_string(out, buf_get(&whole));
        buf_release(&whole);
    } else {
        frame_put_string(out, path);
    }
}

static bool files_pass(struct engine *engine, const struct engine_setting *setting,
                       struct buf *out)
{
    struct frame_reader in = {0};
    for (size_t i = 0; i < setting->file_count; i++) {
        int fd = setting->file_open(setting->context, i);
        setting->places[i] = -1;
        if (fd < 0) {
            continue;
        }
        frame_begin(out, ENGINE_FILE);
        bool taken = engine_ask(engine, out, fd, &in) == ENGINE_OK;
        (void)close(fd);
        uint64_t place = taken ? frame_get_number(&in) : UINT64_MAX;
        if (in.bad || place > INT32_MAX) {
            return false;
        }
        setting->places[i] = (int)place;
    }
    return true;
}

static const char *const open_failures[ENGINE_FAILURES] = {
    [ENGINE_NOT_CONFIGURED] = "DuckDB did not take its configuration.",
    [ENGINE_NOT_CAGED] = "The process that runs DuckDB could not be confined.",
};

/* Its answer to being opened. What the engine itself says goes to the detail. */
static bool open_answer(enum engine_message kind, struct frame_reader *in,
                        const struct datasource_limits *limits, struct err *err)
{
    if (kind == ENGINE_OK) {
        return true;
    }
    if (kind != ENGINE_FAIL) {
        return limits_hold(limits, err) &&
               err_set(
                   err, ERR_DATASOURCE_UNREACHABLE,
                   "The process that runs DuckDB ended before the database was open.");
    }
    uint8_t why = frame_get_byte(in);
    size_t size = 0;
    const char *text = frame_get_text(in, &size);
    const char *known = why < ENGINE_FAILURES ? open_failures[why] : NULL;
    (void)err_set(err, known ? ERR_INTERNAL : ERR_NOT_A_DATABASE, "%s",
                  known ? known : "The database could not be opened.");
    size = size < sizeof err->detail ? size : sizeof err->detail - 1;
    memcpy(err->detail, text, size);
    err->detail[size] = '\0';
    return false;
}

static bool open_ask(struct engine *engine, const struct engine_setting *setting,
                     struct err *err)
{
    struct buf out;
    struct frame_reader in = {.bad = true};
    buf_init(&out, FRAME_MOST);
    enum engine_message kind = 0;
    if (files_pass(engine, setting, &out)) {
        frame_begin(&out, ENGINE_OPEN);
        frame_put_byte(&out, (uint8_t)setting->mode);
        absolute(&out, setting->path);
        absolute(&out, setting->spill);
        frame_put_number(&out, (uint64_t)setting->memory_mb);
        frame_put_number(&out, (uint64_t)setting->disk_mb);
        kind = engine_ask(engine, &out, -1, &in);
    }
    bool ok = open_answer(kind, &in, engine->limits, err);
    buf_release(&out);
    return ok;
}

struct engine *engine_open(const struct options *options,
                           const struct engine_setting *setting,
                           const struct datasource_limits *limits, struct err *err)
{
    int pair[2];
    pid_t pid = 0;
    uint64_t spawner = 0;
    if (!frame_pair(SOCK_STREAM, pair)) {
        (void)err_set(err, ERR_INTERNAL, "No socket could be made: %s.", strerror(errno));
        return NULL;
    }
    bool started = engine_spawn(options, pair[1], &pid, &spawner, err);
    (void)close(pair[1]);
    if (!started) {
        (void)close(pair[0]);
        return NULL;
    }
    struct engine *engine = memory_alloc(sizeof *engine);
    atomic_init(&engine->uses, 1);
    (void)pthread_mutex_init(&engine->lock, NULL);
    frame_stream_init(&engine->control, pair[0], control_wait, engine);
    engine->pid = pid;
    engine->spawner = spawner;
    engine->writes = setting->mode == ENGINE_WRITE || setting->mode == ENGINE_IMPORT;
    engine->limits = limits;
    engine->give_up_ms = clock_ms() + OPEN_MS;
    bool opened = open_ask(engine, setting, err);
    engine->limits = NULL;
    if (!opened) {
        engine_kill(engine);
        engine_unref(engine);
        return NULL;
    }
    return engine;
}

/* ------------------------------------------------------------------ ending */

struct engine *engine_ref(struct engine *engine)
{
    (void)atomic_fetch_add(&engine->uses, 1);
    return engine;
}

void engine_kill(struct engine *engine)
{
    if (!atomic_exchange(&engine->killed, true)) {
        atomic_store(&engine->dead, true);
        engine_end(engine->pid, engine->spawner);
    }
}

bool engine_dead(struct engine *engine)
{
    char byte;
    if (!atomic_load(&engine->dead)) {
        ssize_t got =
            recv(engine->control.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT | MSG_NOSIGNAL);
        bool gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
        if (gone) {
            atomic_store(&engine->dead, true);
        }
    }
    return atomic_load(&engine->dead);
}

void engine_unref(struct engine *engine)
{
    if (!engine || atomic_fetch_sub(&engine->uses, 1) > 1) {
        return;
    }
    struct buf out;
    struct frame_reader in;
    if (!atomic_load(&engine->dead)) {
        buf_init(&out, FRAME_MOST);
        frame_begin(&out, ENGINE_CLOSE);
        engine->limits = NULL;
        engine->give_up_ms = clock_ms() + (engine->writes ? WRITTEN_MS : CLOSE_MS);
        if (engine_ask(engine, &out, -1, &in) != ENGINE_OK) {
            engine_kill(engine);
        }
        buf_release(&out);
    }
    frame_stream_release(&engine->control);
    (void)pthread_mutex_destroy(&engine->lock);
    memory_free(engine);
}
