/*
 * Loaded into a server (LD_PRELOAD): once it waits for its end, with all threads at work,
 * it tries what an intruder in this process would try, and writes what came of it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static FILE *report;

static void tell(const char *what, bool done)
{
    char reason[64];
    (void)fprintf(report, "%s: %s\n", what,
                  done ? "done" : strerror_r(errno, reason, sizeof reason));
}

static void try_open(const char *what, const char *variable, int flags)
{
    const char *path = getenv(variable);
    int fd = path ? open(path, flags | O_CLOEXEC, 0600) : -1;
    tell(what, fd >= 0);
    if (fd >= 0) {
        (void)close(fd);
    }
}

static void try_network(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    tell("listen", bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    (void)close(fd);
    tell("raw socket", socket(AF_PACKET, SOCK_RAW, 0) >= 0);
}

static void try_processes(void)
{
    char *arguments[] = {(char[]){"true"}, NULL};
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    tell("fork", child > 0);
    tell("signal", kill(getppid(), SIGWINCH) == 0);
    if (!getenv("INTRUDER_IN_PROCESS")) { /* it would replace the server where it works */
        (void)execv("/bin/true", arguments);
        tell("exec", false);
    }
    tell("code", mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                      0) != MAP_FAILED);
}

static void *intrude(void *unused)
{
    (void)unused;
    try_open("read outside", "INTRUDER_OUTSIDE", O_RDONLY);
    try_open("write outside", "INTRUDER_NEW", O_WRONLY | O_CREAT);
    try_open("read inside", "INTRUDER_INSIDE", O_RDONLY);
    try_open("write inside", "INTRUDER_INSIDE", O_RDWR);
    try_network();
    try_processes();
    tell("dumpable", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1);
    (void)fprintf(report, "end\n");
    (void)fflush(report);
    return NULL;
}

/* main waits here when everything has started; a new thread has the rights of the rest */
int sigwait(const sigset_t *set, int *number)
{
    static int begun;
    int (*real)(const sigset_t *, int *) = NULL;
    void *found = dlsym(RTLD_NEXT, "sigwait");
    memcpy(&real, &found, sizeof real);
    if (report && !begun++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, intrude, NULL) == 0) {
            (void)pthread_join(thread, NULL);
        }
    }
    return real(set, number);
}

/* The file is opened before rights are given up; programs of the test itself, which have
 * this library too, do nothing. */
__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("INTRUDER_REPORT");
    bool server = strcmp(program_invocation_short_name, "dragoman") == 0;
    report = path && server ? fopen(path, "we") : NULL;
}
