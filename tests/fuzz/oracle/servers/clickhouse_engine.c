/*
 * The ClickHouse engine that tools/chdb/fetch brings, in a process of its own: it is a
 * library that may crash, hang or write on standard output, and a judge must outlive it.
 * The process gets statements through a socket and gives back rows or an error.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "clickhouse_judge.h"

enum { HANGS_MS = 20000, STARTS_MS = 60000, ANSWER_MOST = 64 << 20 };

struct message {
    uint32_t kind; /* the session that is asked; what kind of reply it is */
    uint32_t size;
};

struct library {
    void *(*connect)(int count, char **values);
    void *(*query)(void *connection, const char *sql, const char *format);
    char *(*buffer)(void *result);
    size_t (*length)(void *result);
    const char *(*error)(void *result);
    void (*destroy)(void *result);
};

static char engine_folder[64];
static pid_t engine_process;
static int engine_socket = -1;

static bool bytes_send(int to, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(to, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* deadline_ms 0: however long it takes. */
static enum clickhouse_reply bytes_take(int from, void *bytes, size_t size,
                                        int64_t deadline_ms)
{
    char *at = bytes;
    while (size > 0) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        int64_t left = deadline_ms ? deadline_ms - clock_ms() : -1;
        int ready = poll(&wait, 1, deadline_ms && left < 0 ? 0 : (int)left);
        if (ready == 0) {
            return REPLY_HANGS;
        }
        ssize_t came = ready > 0 ? recv(from, at, size, 0) : -1;
        if (came == 0 || (came < 0 && errno != EINTR)) {
            return REPLY_DEAD;
        }
        at += came > 0 ? came : 0;
        size -= came > 0 ? (size_t)came : 0;
    }
    return REPLY_ROWS;
}

/* ------------------------------------------------------------ in the other process */

static void symbol_take(void *handle, const char *name, void *out)
{
    void *symbol = dlsym(handle, name);
    if (!symbol) {
        _exit(1);
    }
    memcpy(out, &symbol, sizeof symbol); /* ISO C has no cast to a function */
}

static void library_open(struct library *library)
{
    void *handle = dlopen(DRAGOMAN_CHDB "/libchdb.so", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        (void)fprintf(stderr, "%s\n", dlerror());
        _exit(1);
    }
    symbol_take(handle, "chdb_connect", &library->connect);
    symbol_take(handle, "chdb_query", &library->query);
    symbol_take(handle, "chdb_result_buffer", &library->buffer);
    symbol_take(handle, "chdb_result_length", &library->length);
    symbol_take(handle, "chdb_result_error", &library->error);
    symbol_take(handle, "chdb_destroy_query_result", &library->destroy);
}

static bool answer(const struct library *library, void *connection, const char *sql,
                   int to)
{
    void *result = library->query(connection, sql, "TSVRaw");
    const char *error = library->error(result);
    const char *text = error ? error : library->buffer(result);
    size_t size = error ? strlen(error) : library->length(result);
    size = text && size < ANSWER_MOST ? size : 0;
    const struct message head = {error ? REPLY_ERROR : REPLY_ROWS, (uint32_t)size};
    bool ok = bytes_send(to, &head, sizeof head) && bytes_send(to, text, size);
    library->destroy(result);
    return ok;
}

/* Where it stands a file is in reach by its name alone, to be read or written. */
static void surroundings_set(const char *folder)
{
    const struct rlimit none = {0, 0};
    char path[100];
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)setsid(); /* SYSTEM SHUTDOWN ends the whole group */
    (void)snprintf(path, sizeof path, "%s/log", folder);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    (void)snprintf(path, sizeof path, "%s/data", folder);
    if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0 ||
        chdir(path) != 0) {
        _exit(1);
    }
}

static _Noreturn void serve(const char *folder, int socket)
{
    struct library library;
    void *sessions[SESSION_COUNT];
    char path[100];
    char name[] = "clickhouse";
    char *arguments[] = {name, path};
    surroundings_set(folder);
    library_open(&library);
    (void)snprintf(path, sizeof path, "--path=%s/engine", folder);
    for (size_t i = 0; i < SESSION_COUNT; i++) {
        void **made = library.connect(2, arguments);
        if (!made) {
            _exit(1);
        }
        sessions[i] = *made;
    }
    const struct message ready = {REPLY_ROWS, 0};
    bool ok = bytes_send(socket, &ready, sizeof ready);
    for (struct message head; ok;) {
        ok = bytes_take(socket, &head, sizeof head, 0) == REPLY_ROWS;
        char *sql = ok ? malloc(head.size + 1) : NULL;
        ok = sql && bytes_take(socket, sql, head.size, 0) == REPLY_ROWS;
        if (ok) {
            sql[head.size] = '\0';
            ok = answer(&library, sessions[head.kind], sql, socket);
        }
        free(sql);
    }
    _exit(0); /* without what the library would do at its end, which takes long */
}

/* ------------------------------------------------------------- in the judge's process */

void clickhouse_stop(void)
{
    if (engine_process > 0) {
        (void)close(engine_socket);
        (void)kill(engine_process, SIGKILL);
        (void)waitpid(engine_process, NULL, 0);
    }
    engine_process = 0;
    engine_socket = -1;
}

static enum clickhouse_reply reply_take(int64_t deadline_ms, struct buf *text)
{
    struct message head;
    enum clickhouse_reply reply =
        bytes_take(engine_socket, &head, sizeof head, deadline_ms);
    buf_clear(text);
    if (reply != REPLY_ROWS) {
        return reply;
    }
    char *bytes = memory_alloc(head.size + 1);
    reply = bytes_take(engine_socket, bytes, head.size, deadline_ms);
    (void)buf_add(text, bytes, head.size);
    memory_free(bytes);
    return reply == REPLY_ROWS ? (enum clickhouse_reply)head.kind : reply;
}

static bool engine_begin(void)
{
    int pair[2];
    struct buf text;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return false;
    }
    (void)fflush(NULL); /* what waits to be written must not be written twice */
    engine_process = fork();
    if (engine_process == 0) {
        (void)close(pair[0]);
        serve(engine_folder, pair[1]);
    }
    (void)close(pair[1]);
    engine_socket = pair[0];
    buf_init(&text, ANSWER_MOST);
    bool ok = engine_process > 0 && reply_take(clock_ms() + STARTS_MS, &text) == 0;
    buf_release(&text);
    return ok;
}

/* Limits as small as statements allow; the locked session last forbids to change them. */
static bool sessions_set(void)
{
    static const char limits[] =
        "SET max_execution_time = 0.5, max_threads = 1, max_memory_usage = 400000000,"
        " max_result_rows = 100000, max_result_bytes = 30000000,"
        " http_max_tries = 1, http_connection_timeout = 1,"
        " compile_expressions = 0, compile_aggregate_expressions = 0";
    static const struct {
        enum clickhouse_session session;
        const char *sql;
    } steps[] = {{SESSION_OPEN, "CREATE DATABASE IF NOT EXISTS shop"},
                 {SESSION_OPEN, "USE shop"},
                 {SESSION_LOCKED, "USE shop"},
                 {SESSION_OPEN, limits},
                 {SESSION_LOCKED, limits},
                 {SESSION_LOCKED, "SET enable_analyzer = 0"},
                 {SESSION_LOCKED, "SET readonly = 1"}};
    struct buf text;
    bool ok = true;
    buf_init(&text, ANSWER_MOST);
    for (size_t i = 0; ok && i < sizeof steps / sizeof *steps; i++) {
        ok = clickhouse_ask(steps[i].session, steps[i].sql, &text) == REPLY_ROWS;
        if (!ok) {
            (void)fprintf(stderr, "oracle: %s: %s\n", steps[i].sql, buf_get(&text));
        }
    }
    buf_release(&text);
    return ok;
}

bool clickhouse_start(const char *folder)
{
    (void)snprintf(engine_folder, sizeof engine_folder, "%s", folder);
    if (engine_begin() && sessions_set()) {
        return true;
    }
    clickhouse_stop();
    return false;
}

enum clickhouse_reply clickhouse_ask(enum clickhouse_session session, const char *sql,
                                     struct buf *text)
{
    const struct message head = {session, (uint32_t)strlen(sql)};
    if (engine_socket < 0 || !bytes_send(engine_socket, &head, sizeof head) ||
        !bytes_send(engine_socket, sql, head.size)) {
        buf_clear(text);
        return REPLY_DEAD;
    }
    return reply_take(clock_ms() + HANGS_MS, text);
}
