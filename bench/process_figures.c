/* What another process costs: its processor time and memory, from /proc. */
#include "process_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

double process_cpu_ms(long pid)
{
    enum { USER = 12, SYSTEM = 13 }; /* fields after the name, which may hold spaces */
    char path[64];
    char line[1024];
    unsigned long ticks = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    const char *at = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    for (int field = 1; at && field <= SYSTEM; field++) {
        at = strchr(at + 1, ' ');
        ticks += at && field >= USER ? strtoul(at, NULL, 10) : 0;
    }
    return (double)ticks * 1000.0 / (double)sysconf(_SC_CLK_TCK);
}

double process_memory_mb(long pid, const char *key)
{
    char path[64];
    char line[256];
    double value = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (str_starts(line, key)) {
            value = (double)strtol(line + strlen(key), NULL, 10) / 1024.0;
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return value;
}
