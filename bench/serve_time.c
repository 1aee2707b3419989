/*
 * How soon a server answers after its start, and what it holds then: starts it again and
 * again, and asks a question every two milliseconds until the right answer comes. Prints
 * one line of the table of http_load.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "http_client.h"
#include "process_figures.h"

extern char **environ;

enum { GIVE_UP_US = 30000000, PAUSE_NS = 2000000, TIMES_MOST = 1000 };

struct wish {
    struct buf request;
    const char *expect;
};

/* A port that is free now. */
static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)bind(fd, (struct sockaddr *)&address, size);
    (void)getsockname(fd, (struct sockaddr *)&address, &size);
    (void)close(fd);
    return ntohs(address.sin_port);
}

static bool answers(const struct wish *wish, int port)
{
    struct http_client client = {0};
    bool right =
        http_client_call(&client, port, wish->request.data, wish->request.size) &&
        http_client_status(&client) == 200 && http_client_has(&client, wish->expect);
    http_client_close(&client);
    return right;
}

/* {} in an argument becomes this run's number, {port} its port. */
static char *fill(const char *text, const char *mark, int value)
{
    const char *at = strstr(text, mark);
    struct buf out;
    buf_init(&out, 1 << 16);
    if (!at) {
        (void)buf_text(&out, text);
    } else {
        (void)buf_format(&out, "%.*s%d%s", (int)(at - text), text, value,
                         at + strlen(mark));
    }
    return buf_take(&out);
}

static pid_t start(char **argv, int count, int number, int port)
{
    char **filled = memory_array((size_t)count + 1, sizeof *filled);
    for (int i = 0; i < count; i++) {
        char *once = fill(argv[i], "{port}", port);
        filled[i] = fill(once, "{}", number);
        memory_free(once);
    }
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    if (posix_spawn(&child, filled[0], &actions, NULL, filled, environ) != 0) {
        child = 0;
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i < count; i++) {
        memory_free(filled[i]);
    }
    memory_free(filled);
    return child;
}

/* Milliseconds from start to the first right answer; -1: none. */
static double run_once(const struct wish *wish, char **argv, int count, int number,
                       double *rss_mb)
{
    int port = free_port();
    int64_t from = clock_us();
    pid_t child = start(argv, count, number, port);
    bool right = false;
    while (child && !right && clock_us() - from < GIVE_UP_US) {
        right = answers(wish, port);
        struct timespec pause = {.tv_nsec = PAUSE_NS};
        if (!right) {
            (void)nanosleep(&pause, NULL);
        }
    }
    double ms = (double)(clock_us() - from) / 1000.0;
    if (child) {
        *rss_mb = process_memory_mb(child, "VmRSS:");
        (void)kill(child, SIGTERM);
        (void)waitpid(child, NULL, 0);
    }
    return right ? ms : -1;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int64_t times = 0;
    if (argc < 9 || !str_to_int(argv[1], &times) || times < 1 || times > TIMES_MOST) {
        (void)fputs("usage: serve_time TIMES NAME AIM PEERS PATH BODY EXPECT SERVER...\n"
                    "BODY may be empty: GET. In SERVER {port} is the port to listen on, "
                    "{} the number of the run.\n",
                    stderr);
        return 2;
    }
    struct wish wish = {.expect = argv[7]};
    buf_init(&wish.request, 1 << 16);
    http_client_write(&wish.request, *argv[6] ? "POST" : "GET", argv[5],
                      *argv[6] ? argv[6] : NULL);
    double ms[TIMES_MOST];
    double rss_mb = 0;
    for (int64_t i = 0; i < times; i++) {
        ms[i] = run_once(&wish, argv + 8, argc - 8, (int)i, &rss_mb);
        if (ms[i] < 0) {
            (void)fprintf(stderr, "serve_time: %s gave no right answer\n", argv[8]);
            return 1;
        }
    }
    qsort(ms, (size_t)times, sizeof *ms, by_size);
    printf("%-34s %6s %8s %8.2f %8.2f %8s %6s %7.1f %7s %5d  %-30s %s\n", argv[2], "-",
           "-", ms[times / 2], ms[times - 1], "-", "-", rss_mb, "-", 0, argv[3], argv[4]);
    buf_release(&wish.request);
    return 0;
}
