/* The client side of the spawner: finds the program, starts it when first needed, and
 * again after it has ended. There is one per process. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/engine/engine.h"
#include "datasource/engine/engine_helper.h"
#include "datasource/engine/engine_program.h"

enum { REPLY_MS = 30000 };

/* Environment that the library may need, or that a test build is told by. */
static const char *const kept[] = {"DRAGOMAN_DUCKDB_LIBRARY",
                                   "LD_DEBUG",
                                   "LD_LIBRARY_PATH",
                                   "TZ",
                                   "TZDIR",
                                   "ASAN_OPTIONS",
                                   "LSAN_OPTIONS",
                                   "TSAN_OPTIONS",
                                   "UBSAN_OPTIONS"};
enum { KEPT = sizeof kept / sizeof *kept };

static struct {
    pthread_mutex_t lock;
    int socket;
    pid_t pid;
    pid_t owner; /* after a fork of ours the child needs one of its own */
    uint64_t serial;
} spawner = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

/* ------------------------------------------------------------------ starting */

static void environment_make(struct arena *arena, char **out)
{
    size_t count = 0;
    for (size_t i = 0; i < KEPT; i++) {
        const char *value = getenv(kept[i]);
        if (value) {
            out[count++] = arena_format(arena, "%s=%s", kept[i], value);
        }
    }
    out[count] = NULL;
}

static int start_program(const char *program, int socket, pid_t *pid)
{
    struct arena *arena = arena_new();
    char *environment[KEPT + 1];
    char *arguments[] = {arena_text(arena, "dragoman"), arena_text(arena, ENGINE_WORD),
                         NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    environment_make(arena, environment);
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    /* a group of its own: what a terminal ends is ended by us */
    (void)posix_spawnattr_setflags(&attributes,
                                   POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, socket, SPAWNER_SOCKET);
    int failed = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    arena_free(arena);
    return failed;
}

static void spawner_forget(void)
{
    if (spawner.socket >= 0) {
        (void)close(spawner.socket);
        spawner.socket = -1;
        if (spawner.owner == getpid()) {
            (void)kill(spawner.pid,
                       SIGKILL); /* not reaped yet, so it is still its number */
            while (waitpid(spawner.pid, NULL, 0) < 0 && errno == EINTR) {}
        }
    }
}

/* With the lock held. */
static bool spawner_start(const struct options *options, struct err *err)
{
    int pair[2];
    if (spawner.socket >= 0 && spawner.owner == getpid()) {
        return true;
    }
    spawner_forget();
    struct arena *arena = arena_new();
    const char *program = engine_program(arena, options, err);
    bool ok = program != NULL;
    if (ok && !frame_pair(SOCK_SEQPACKET, pair)) {
        ok = err_set(err, ERR_INTERNAL, "No socket could be made: %s.", strerror(errno));
    } else if (ok) {
        int failed = start_program(program, pair[1], &spawner.pid);
        (void)close(pair[1]);
        spawner.socket = pair[0];
        spawner.owner = getpid();
        spawner.serial++;
        if (failed) {
            (void)close(pair[0]);
            spawner.socket = -1;
            (void)err_set(err, ERR_DATASOURCE_KIND,
                          "The program that runs DuckDB could not be started.");
            (void)err_detail(err, "%s: %s", file_base_name(program), strerror(failed));
            ok = err_hint(
                err, "%s",
                failed == EPERM /* it was there, and is gone */
                    ? "A server in its sandbox cannot start programs: restart the server."
                    : "Name it in sql.engine_program.");
        }
    }
    arena_free(arena);
    return ok;
}

/* ------------------------------------------------------------------ asking */

static bool message_send(const struct spawner_message *asked, int passed)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {.iov_base = (void *)(uintptr_t)asked, .iov_len = sizeof *asked};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *at = CMSG_FIRSTHDR(&message);
        at->cmsg_level = SOL_SOCKET;
        at->cmsg_type = SCM_RIGHTS;
        at->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(at), &passed, sizeof passed);
    }
    return sendmsg(spawner.socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *asked;
}

static bool reply_receive(struct spawner_reply *reply)
{
    struct pollfd poller = {.fd = spawner.socket, .events = POLLIN};
    int ready = 0;
    while ((ready = poll(&poller, 1, REPLY_MS)) < 0 && errno == EINTR) {}
    if (ready <= 0 ||
        recv(spawner.socket, reply, sizeof *reply, 0) != (ssize_t)sizeof *reply) {
        return false;
    }
    reply->message[sizeof reply->message - 1] = '\0';
    reply->detail[sizeof reply->detail - 1] = '\0';
    return true;
}

/* With the lock held. */
static bool engine_spawn_ask(enum spawner_request request, pid_t pid, int passed,
                             struct spawner_reply *reply)
{
    const struct spawner_message asked = {.request = (int32_t)request, .pid = pid};
    bool answered =
        spawner.socket >= 0 && message_send(&asked, passed) && reply_receive(reply);
    if (!answered) {
        spawner_forget(); /* with it all that it had started: the next use begins anew */
    }
    return answered;
}

/* Once more with another one when it was gone. With the lock held. */
static bool ask_started(const struct options *options, enum spawner_request request,
                        int passed, struct spawner_reply *reply, struct err *err)
{
    enum { TRIES = 2 };
    for (int i = 0; i < TRIES; i++) {
        if (!spawner_start(options, err)) {
            return false;
        }
        if (engine_spawn_ask(request, 0, passed, reply)) {
            break;
        }
        if (i + 1 == TRIES) {
            return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                           "The program that runs DuckDB ended at once.");
        }
    }
    if (!reply->good) {
        (void)err_set(err, ERR_DATASOURCE_KIND, "%s",
                      reply->message[0] ? reply->message
                                        : "DuckDB's process could not be started.");
        (void)err_detail(err, "%s", reply->detail);
        (void)err_hint(
            err, "Install DuckDB's library, or name it in DRAGOMAN_DUCKDB_LIBRARY.");
    }
    return reply->good;
}

bool engine_start(const struct options *options, struct err *err)
{
    (void)pthread_mutex_lock(&spawner.lock);
    bool ok = spawner_start(options, err);
    (void)pthread_mutex_unlock(&spawner.lock);
    return ok;
}

bool engine_alive(const struct options *options, struct err *err)
{
    if (pthread_mutex_trylock(&spawner.lock) != 0) {
        return true; /* another thread is using it and will notice */
    }
    bool ok = true;
    if (spawner.serial > 0 && spawner.owner == getpid()) {
        struct pollfd line = {.fd = spawner.socket, .events = POLLIN};
        if (spawner.socket >= 0 && poll(&line, 1, 0) > 0) { /* it says nothing unasked */
            spawner_forget();
        }
        ok = spawner_start(options, err);
    }
    (void)pthread_mutex_unlock(&spawner.lock);
    return ok;
}

bool engine_ready(const struct options *options, struct err *err)
{
    struct spawner_reply reply = {0};
    (void)pthread_mutex_lock(&spawner.lock);
    bool ok = ask_started(options, SPAWNER_LOAD, -1, &reply, err);
    (void)pthread_mutex_unlock(&spawner.lock);
    return ok;
}

bool engine_spawn(const struct options *options, int socket, pid_t *pid, uint64_t *serial,
                  struct err *err)
{
    struct spawner_reply reply = {0};
    (void)pthread_mutex_lock(&spawner.lock);
    bool ok = ask_started(options, SPAWNER_START, socket, &reply, err);
    *pid = reply.number;
    *serial = spawner.serial;
    (void)pthread_mutex_unlock(&spawner.lock);
    return ok;
}

void engine_end(pid_t pid, uint64_t serial)
{
    struct spawner_reply reply = {0};
    (void)pthread_mutex_lock(&spawner.lock);
    if (serial == spawner.serial) { /* else it has gone with its spawner */
        (void)engine_spawn_ask(SPAWNER_KILL, pid, -1, &reply);
    }
    (void)pthread_mutex_unlock(&spawner.lock);
}

int engine_status(pid_t pid, uint64_t serial)
{
    struct spawner_reply reply = {.number = -1};
    (void)pthread_mutex_lock(&spawner.lock);
    bool known =
        serial == spawner.serial && engine_spawn_ask(SPAWNER_STATUS, pid, -1, &reply);
    (void)pthread_mutex_unlock(&spawner.lock);
    return known ? reply.number : -1;
}

/* Nothing stays behind this process, not even until somebody else cleans up. */
__attribute__((destructor)) static void spawner_leave(void)
{
    enum { TRIES = 500 };
    if (spawner.socket < 0 || spawner.owner != getpid()) {
        return;
    }
    (void)close(spawner.socket);
    spawner.socket = -1;
    for (int i = 0; i < TRIES && waitpid(spawner.pid, NULL, WNOHANG) == 0; i++) {
        (void)poll(NULL, 0, i < 10 ? 1 : 10);
    }
}
