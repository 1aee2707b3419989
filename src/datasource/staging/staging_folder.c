/* The folder that staged rows spill into: made, held, and taken away, also after a kill.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/str.h"
#include "datasource/staging/staging_state.h"

enum { OLD_S = 60 }; /* a younger one may not be locked yet */

static const char prefix[] = "dragoman-staging-";

/* DuckDB takes its own files away; after a crash of it some may be left. */
static bool empty_and_remove(const char *path)
{
    DIR *folder = opendir(path);
    struct arena *arena = arena_new();
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)unlink(arena_format(arena, "%s/%s", path, entry->d_name));
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
    arena_free(arena);
    return rmdir(path) == 0;
}

/* Ours, old, and nobody holds it: its process was killed. */
static void sweep_one(const char *path)
{
    struct stat status;
    int held = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (held < 0) {
        return;
    }
    if (fstat(held, &status) == 0 && status.st_uid == geteuid() &&
        status.st_mtime + OLD_S < time(NULL) && flock(held, LOCK_EX | LOCK_NB) == 0) {
        (void)empty_and_remove(path);
    }
    (void)close(held);
}

static void sweep(const char *where)
{
    DIR *folder = opendir(where);
    struct arena *arena = arena_new();
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (str_starts(entry->d_name, prefix)) {
            sweep_one(arena_format(arena, "%s/%s", where, entry->d_name));
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
    arena_free(arena);
}

char *staging_folder_make(struct arena *arena, const char *where, int *lock,
                          struct err *err)
{
    where = str_empty(where) ? getenv("TMPDIR") : where;
    where = where && *where ? where : "/tmp";
    sweep(where);
    char *folder = arena_format(arena, "%s/%sXXXXXX", where, prefix);
    if (!mkdtemp(folder)) {
        (void)err_set(err, ERR_ACCESS, "No folder for staged rows could be made.");
        (void)err_hint(err, "Name one that can be written in staging.folder.");
        return NULL;
    }
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock >= 0) {
        (void)flock(*lock, LOCK_EX | LOCK_NB);
    }
    return folder;
}

void staging_folder_remove(const char *path, int lock)
{
    if (!empty_and_remove(path)) {
        LOG(LOG_DATASOURCE, LOG_WARN, "A folder of staged rows could not be removed.");
    }
    if (lock >= 0) {
        (void)close(lock);
    }
}
