/*
 * The spawner: the program started once more, with one thread and nothing open but its
 * socket. It loads the engine's library once and forks itself for each database, so that
 * no process that runs an engine has to be started, and none inherits anything.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "datasource/engine/engine_helper.h"
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { ENDED_MOST = 256 }; /* of processes that have ended: how they did */

struct process {
    pid_t pid;
    int status; /* once it has ended */
    bool ended;
};

struct processes {
    struct process *items;
    size_t count, capacity;
};

struct spawner {
    int socket;
    const struct duckdb_library *library;
    struct arena *arena;
    struct processes processes;
};

static struct process *process_find(struct spawner *spawner, pid_t pid)
{
    for (size_t i = 0; i < spawner->processes.count; i++) {
        if (spawner->processes.items[i].pid == pid) {
            return &spawner->processes.items[i];
        }
    }
    return NULL;
}

static void process_ended(struct spawner *spawner, pid_t pid, int status)
{
    struct process *process = process_find(spawner, pid);
    if (process) {
        process->ended = true;
        process->status =
            WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

/* Processes that have ended; the oldest ones are not asked about any more. */
static void reap(struct spawner *spawner)
{
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        process_ended(spawner, pid, status);
    }
    struct processes *all = &spawner->processes;
    for (size_t i = 0; i < all->count && all->count > ENDED_MOST;) {
        if (all->items[i].ended) {
            memmove(&all->items[i], &all->items[i + 1],
                    (all->count - i - 1) * sizeof *all->items);
            all->count--;
        } else {
            i++;
        }
    }
}

static void library_load(struct spawner *spawner, struct spawner_reply *reply)
{
    struct err err;
    err_clear(&err);
    spawner->library = spawner->library ? spawner->library : duckdb_library(&err);
    reply->good = spawner->library != NULL;
    memcpy(reply->message, err.message, sizeof reply->message);
    memcpy(reply->detail, err.detail, sizeof reply->detail);
}

/* In the new process; its parent may have gone already. */
static void host_begin(struct spawner *spawner, pid_t parent, int control)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)prctl(PR_SET_NAME, "dragoman-engine");
#endif
    if (getppid() != parent) {
        _exit(1);
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)close(spawner->socket);
    host_main(spawner->library, control);
}

static void start(struct spawner *spawner, int control, struct spawner_reply *reply)
{
    library_load(spawner, reply);
    if (!reply->good) {
        return;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        host_begin(spawner, parent, control);
    }
    reply->good = pid > 0;
    reply->number = pid;
    if (pid > 0) {
        *VEC_ADD(spawner->arena, &spawner->processes) = (struct process){.pid = pid};
    } else {
        (void)snprintf(reply->detail, sizeof reply->detail, "%s", strerror(errno));
    }
}

static void end(struct spawner *spawner, pid_t pid)
{
    struct process *process = process_find(spawner, pid);
    int status = 0;
    if (process && !process->ended && kill(pid, SIGKILL) == 0) {
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        process_ended(spawner, pid, status);
    }
}

/* The process may just be ending: the client has seen its socket close. */
static int status_of(struct spawner *spawner, pid_t pid)
{
    enum { TRIES = 200, PAUSE_MS = 5 };
    struct process *process = process_find(spawner, pid);
    for (int i = 0; process && !process->ended && i < TRIES; i++) {
        (void)poll(NULL, 0, i ? PAUSE_MS : 0);
        reap(spawner);
        process = process_find(spawner, pid);
    }
    return process && process->ended ? process->status : -1;
}

/* False when the other end is closed. */
static bool serve_one(struct spawner *spawner)
{
    struct spawner_message asked = {0};
    struct spawner_reply reply = {0};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = &asked, .iov_len = sizeof asked};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got = recvmsg(spawner->socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) {
        return true;
    }
    if (got != (ssize_t)sizeof asked) {
        return false;
    }
    int passed = -1;
    struct cmsghdr *at = CMSG_FIRSTHDR(&message);
    if (at && at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_RIGHTS) {
        memcpy(&passed, CMSG_DATA(at), sizeof passed);
    }
    reap(spawner);
    reply.good = true;
    if (asked.request == SPAWNER_LOAD) {
        library_load(spawner, &reply);
    } else if (asked.request == SPAWNER_START) {
        start(spawner, passed, &reply);
    } else if (asked.request == SPAWNER_KILL) {
        end(spawner, asked.pid);
    } else {
        reply.number = status_of(spawner, asked.pid);
    }
    if (passed >= 0) {
        (void)close(passed);
    }
    return send(spawner->socket, &reply, sizeof reply, MSG_NOSIGNAL) ==
           (ssize_t)sizeof reply;
}

static void nothing(int signal)
{
    (void)signal; /* only wakes the wait */
}

int spawner_main(int socket)
{
    struct spawner spawner = {.socket = socket, .arena = arena_new()};
    struct sigaction wake = {.sa_handler = nothing};
    (void)sigaction(SIGCHLD, &wake, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGINT, SIG_IGN); /* of a terminal: who started us decides */
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
#ifdef __linux__
    (void)prctl(PR_SET_NAME, "dragoman-spawn");
#endif
    sigset_t children;
    sigset_t before;
    (void)sigemptyset(&children);
    (void)sigaddset(&children, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &children, &before); /* delivered while it waits */
    for (bool open = true; open;) {
        fd_set asked;
        FD_ZERO(&asked);
        FD_SET(socket, &asked);
        if (pselect(socket + 1, &asked, NULL, NULL, NULL, &before) > 0) {
            open = serve_one(&spawner);
        }
        reap(&spawner);
    }
    for (size_t i = 0; i < spawner.processes.count; i++) {
        end(&spawner, spawner.processes.items[i].pid);
    }
    arena_free(spawner.arena);
    return 0;
}
