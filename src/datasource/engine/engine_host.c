/*
 * A process that runs an engine: one database, a thread for each connection. This file is
 * its first thread, which opens the database and then does nothing that can take long:
 * it takes new connections and passes interrupts on.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sandbox/sandbox.h"
#include "base/vec.h"
#include "datasource/engine/engine.h"
#include "datasource/engine/engine_helper.h"

enum { FRAME_MOST = 1 << 20, OUT_MOST = 512 << 20 };

static void answer(struct host *host, enum engine_message kind, uint64_t number,
                   const char *text)
{
    frame_begin(&host->out, kind);
    if (kind == ENGINE_OK) {
        frame_put_number(&host->out, number);
    } else {
        frame_put_byte(&host->out, (uint8_t)number);
        frame_put_string(&host->out, text);
    }
    if (!frame_end(&host->out) || !frame_send(&host->control, &host->out, -1)) {
        _exit(0);
    }
}

/* ------------------------------------------------------------------ opening */

static bool configure(struct host *host, const struct host_opening *opening,
                      duckdb_config config)
{
    const struct duckdb_library *library = host->library;
    const struct options *options = &opening->options;
    switch (opening->mode) {
    case ENGINE_READ:
    case ENGINE_STAGE:
        return duckdb_lock_configure(library, config, options, opening->spill);
    case ENGINE_WRITE:
        return duckdb_lock_writable(library, config, options);
    default:
        return duckdb_lock_prepare(library, config, options, opening->spill);
    }
}

static void database_open(struct host *host, const struct host_opening *opening)
{
    const struct duckdb_library *library = host->library;
    duckdb_config config = NULL;
    char *message = NULL;
    if (library->create_config(&config) != DuckDBSuccess ||
        !configure(host, opening, config)) {
        answer(host, ENGINE_FAIL, ENGINE_NOT_CONFIGURED, "");
        return;
    }
    bool opened = library->open_ext(opening->path, &host->database, config, &message) ==
                  DuckDBSuccess;
    library->destroy_config(&config);
    if (!opened) {
        host->database = NULL;
        answer(host, ENGINE_FAIL, ENGINE_NOT_OPENED, message ? message : "");
    } else if (opening->mode == ENGINE_STAGE &&
               !duckdb_lock_finish(library, host->database, opening->spill)) {
        answer(host, ENGINE_FAIL, ENGINE_NOT_CONFIGURED, "");
    } else {
        answer(host, ENGINE_OK, 0, NULL);
    }
    library->free(message);
}

static void open_asked(struct host *host, struct frame_reader *in,
                       struct host_files *files)
{
    struct arena *arena = arena_new();
    struct host_opening opening = {.mode = frame_get_byte(in)};
    char why[200] = "";
    struct sandbox_report report = {0};
    opening.path = frame_get_string(in, arena);
    opening.spill = frame_get_string(in, arena);
    opening.path = *opening.path ? opening.path : NULL;
    opening.spill = *opening.spill ? opening.spill : NULL;
    opening.options.sql_memory_mb = (int64_t)frame_get_number(in);
    opening.options.staging_disk_mb = (int64_t)frame_get_number(in);
    host->is_file = opening.path != NULL;
    if (in->bad || host->database) {
        _exit(1);
    }
    if (!host_cage(&opening, files, &report)) {
        sandbox_describe(&report, why, sizeof why);
        answer(host, ENGINE_FAIL, ENGINE_NOT_CAGED, why);
    } else {
        database_open(host, &opening);
    }
    arena_free(arena);
}

/* ------------------------------------------------------------------ sessions */

static void session_start(struct host *host, uint64_t id, int socket)
{
    struct host_session *session = memory_alloc(sizeof *session);
    pthread_t thread;
    pthread_attr_t detached;
    session->host = host;
    session->id = id;
    frame_stream_init(&session->stream, socket, NULL, NULL);
    buf_init(&session->out, OUT_MOST);
    (void)pthread_mutex_lock(&host->lock);
    session->next = host->sessions;
    host->sessions = session;
    (void)pthread_mutex_unlock(&host->lock);
    (void)pthread_attr_init(&detached);
    (void)pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, host_session_main, session) != 0) {
        _exit(HOST_OUT_OF_MEMORY); /* nothing is lost: it is started anew */
    }
    (void)pthread_attr_destroy(&detached);
}

/* With the lock held, what a session does cannot end meanwhile. */
static void stop(struct host *host, uint64_t id, uint64_t serial, bool interrupt)
{
    (void)pthread_mutex_lock(&host->lock);
    for (struct host_session *one = host->sessions; one; one = one->next) {
        if (one->id != id || one->serial != serial) {
            continue;
        }
        one->enough = serial;
        if (interrupt && one->connection) {
            host->library->interrupt(one->connection);
        }
    }
    (void)pthread_mutex_unlock(&host->lock);
}

/* Memory goes with the process. A file is closed properly, once nobody has a connection:
 * what was written is complete, and others can have it as soon as that is answered. */
static _Noreturn void engine_host_finish(struct host *host, bool asked)
{
    if (host->is_file && asked) {
        for (bool busy = true; busy;) {
            (void)pthread_mutex_lock(&host->lock);
            busy = host->sessions != NULL;
            (void)pthread_mutex_unlock(&host->lock);
            if (busy) {
                (void)usleep(1000);
            }
        }
        host->library->close(&host->database);
    }
    if (asked) {
        answer(host, ENGINE_OK, 0, NULL);
    }
    _exit(0);
}

static void out_of_memory(size_t size)
{
    (void)size;
    _exit(HOST_OUT_OF_MEMORY);
}

_Noreturn void host_main(const struct duckdb_library *library, int socket)
{
    struct host host = {.library = library};
    struct host_files files = {0};
    struct arena *arena = arena_new();
    struct frame_reader in;
    memory_on_exhausted(out_of_memory);
    (void)pthread_mutex_init(&host.lock, NULL);
    frame_stream_init(&host.control, socket, NULL, NULL);
    buf_init(&host.out, FRAME_MOST);
    for (enum engine_message kind;
         (kind = frame_receive(&host.control, FRAME_MOST, &in)) != 0;) {
        int passed = host.control.passed;
        if (kind == ENGINE_FILE && passed >= 0) {
            host.control.passed = -1;
            VEC_PUSH(arena, &files, passed);
            answer(&host, ENGINE_OK, (uint64_t)passed, NULL);
        } else if (kind == ENGINE_OPEN) {
            open_asked(&host, &in, &files);
        } else if (kind == ENGINE_SESSION && passed >= 0 && host.database) {
            host.control.passed = -1;
            session_start(&host, frame_get_number(&in), passed);
        } else if (kind == ENGINE_INTERRUPT || kind == ENGINE_ENOUGH) {
            uint64_t id = frame_get_number(&in);
            stop(&host, id, frame_get_number(&in), kind == ENGINE_INTERRUPT);
        } else {
            engine_host_finish(&host, kind == ENGINE_CLOSE);
        }
    }
    engine_host_finish(&host, false);
}
