/* Wall time and peak memory of a whole program, started again and again. Prints one line.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"

extern char **environ;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs it once; ms, or -1 when it failed. */
static double run_once(char **argv, long *rss_kb)
{
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY,
                                           0);
    int64_t from = clock_us();
    pid_t child = 0;
    int status = posix_spawn(&child, argv[0], &actions, NULL, argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    struct rusage usage = {0};
    if (status != 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        return -1;
    }
    *rss_kb = usage.ru_maxrss > *rss_kb ? usage.ru_maxrss : *rss_kb;
    return (double)(clock_us() - from) / 1000.0;
}

int main(int argc, char **argv)
{
    int64_t times = 0;
    if (argc < 4 || !str_to_int(argv[1], &times) || times < 1 || times > 100000) {
        (void)fprintf(stderr, "usage: start_time TIMES NAME PROGRAM [ARGUMENT]...\n");
        return 2;
    }
    double *ms = memory_array((size_t)times, sizeof *ms);
    long rss_kb = 0;
    for (int64_t i = -3; i < times; i++) { /* the first three warm the page cache */
        double took = run_once(argv + 3, &rss_kb);
        if (took < 0) {
            (void)fprintf(stderr, "start_time: %s failed\n", argv[3]);
            memory_free(ms);
            return 1;
        }
        ms[i < 0 ? 0 : i] = took;
    }
    qsort(ms, (size_t)times, sizeof *ms, by_size);
    printf("%-34s %10.2f %10.2f %10.1f\n", argv[2], ms[times / 2], ms[times * 9 / 10],
           (double)rss_kb / 1024.0);
    memory_free(ms);
    return 0;
}
