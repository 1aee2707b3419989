/* This process under a name that no other one has. */
#include "base/process.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { BOOT_SIZE = 37, START_FIELD = 22, STAT_SIZE = 1024 };

static char own_name[128];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_line(const char *path, char *out, size_t size)
{
    out[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file) {
        if (!fgets(out, (int)size, file)) {
            out[0] = '\0';
        }
        (void)fclose(file);
    }
    out[strcspn(out, "\n")] = '\0';
}

static void read_boot(char out[BOOT_SIZE])
{
    read_line("/proc/sys/kernel/random/boot_id", out, BOOT_SIZE);
}

/* When a process was started, in ticks since the machine was; 0 where nobody tells. The
 * name in the file may hold anything, so the fields are counted from its end. */
static unsigned long long start_of(long pid)
{
    char path[64];
    char line[STAT_SIZE];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    read_line(path, line, sizeof line);
    const char *at = strrchr(line, ')');
    for (int field = 2; at && field < START_FIELD; field++) {
        at = strchr(at + 1, ' ');
    }
    return at ? strtoull(at, NULL, 10) : 0;
}

static void make_name(void)
{
    char boot[BOOT_SIZE];
    read_boot(boot);
    (void)snprintf(own_name, sizeof own_name, "%s:%ld:%llu", boot, (long)getpid(),
                   start_of((long)getpid()));
}

const char *process_name(void)
{
    (void)pthread_once(&once, make_name);
    return own_name;
}

enum process_fate process_fate(const char *name)
{
    char boot[BOOT_SIZE];
    char *end = NULL;
    const char *pid_at = name ? strchr(name, ':') : NULL;
    read_boot(boot);
    if (!pid_at || (size_t)(pid_at - name) != strlen(boot) ||
        strncmp(name, boot, strlen(boot)) != 0) {
        return PROCESS_UNKNOWN;
    }
    long pid = strtol(pid_at + 1, &end, 10);
    if (pid <= 0 || *end != ':') {
        return PROCESS_UNKNOWN;
    }
    unsigned long long start = strtoull(end + 1, NULL, 10);
    bool there = kill((pid_t)pid, 0) == 0 || errno == EPERM;
    return there && start_of(pid) == start ? PROCESS_LIVES : PROCESS_GONE;
}
