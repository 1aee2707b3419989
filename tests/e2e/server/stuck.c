/*
 * Loaded before everything else (LD_PRELOAD): a step of a SQLite statement that holds the
 * word "unstoppable" never returns, whatever it is told. The file named by STUCK_FILE is
 * written when that has begun.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) int sqlite3_step(sqlite3_stmt *statement)
{
    int (*step)(sqlite3_stmt *) = NULL;
    void *found = dlsym(RTLD_NEXT, "sqlite3_step");
    memcpy(&step, &found, sizeof step);
    const char *sql = sqlite3_sql(statement);
    const char *path = getenv("STUCK_FILE");
    if (sql && path && strstr(sql, "unstoppable")) {
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        (void)!write(fd, "x", 1);
        for (;;) {
            (void)pause();
        }
    }
    return step(statement);
}
