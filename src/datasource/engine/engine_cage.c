/*
 * What a process that runs an engine may use, see and call. It binds itself before it
 * opens anything that others have made, and before it has a second thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/sandbox/sandbox.h"
#include "base/vec.h"
#include "datasource/engine/engine.h"
#include "datasource/engine/engine_helper.h"

enum {
    /* Beside the memory that the engine counts itself (sql.memory_mb): what it does not
     * count, and for each core the stacks and pools of its threads. */
    OVERHEAD_MB = 256,
    OVERHEAD_CORE_MB = 64,
    OPEN_FILES = 256,
};

struct paths {
    struct sandbox_path *items;
    size_t count, capacity;
};

/* Memory that is writable and its own, so far: bytes. */
static uint64_t data_used(void)
{
    enum { FIELD = 6 }; /* data and stack, in pages */
    unsigned long long pages = 0;
    char line[256] = "";
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        char *at = fgets(line, sizeof line, file);
        for (int i = 0; at && i < FIELD; i++) {
            pages = strtoull(at, &at, 10);
        }
        (void)fclose(file);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static struct sandbox_limits limits_of(const struct host_opening *opening, size_t files)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t memory_mb = (uint64_t)opening->options.sql_memory_mb + OVERHEAD_MB +
                         (uint64_t)(cores > 0 ? cores : 1) * OVERHEAD_CORE_MB;
    struct sandbox_limits limits = {.data_bytes = data_used() + (memory_mb << 20),
                                    .open_files = OPEN_FILES + files};
    if (opening->mode == ENGINE_READ || opening->mode == ENGINE_MAKE) {
        limits.file_bytes = 1; /* nothing is written; 0 would mean no limit */
    }
    return limits;
}

static void path_add(struct arena *arena, struct paths *paths, const char *path,
                     unsigned access)
{
    *VEC_ADD(arena, paths) = (struct sandbox_path){.path = path, .access = access};
}

static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_copy(arena, path, (size_t)(slash - path) + 1) : ".";
}

static void paths_of(struct arena *arena, const struct host_opening *opening,
                     const struct host_files *files, struct paths *out)
{
    const unsigned both = SANDBOX_READ | SANDBOX_WRITE;
    if (opening->mode == ENGINE_READ) {
        path_add(arena, out, opening->path, SANDBOX_READ);
        const char *journal = arena_format(arena, "%s.wal", opening->path);
        if (file_exists(journal)) {
            path_add(arena, out, journal, SANDBOX_READ);
        }
    } else if (opening->path) { /* a journal comes and goes beside it */
        path_add(arena, out, folder_of(arena, opening->path), both);
    }
    if (opening->spill) {
        path_add(arena, out, opening->spill, both);
    }
    for (size_t i = 0; i < files->count; i++) {
        path_add(arena, out, arena_format(arena, "/proc/self/fd/%d", files->items[i]),
                 SANDBOX_READ);
    }
}

bool host_cage(const struct host_opening *opening, const struct host_files *files,
               struct sandbox_report *report)
{
    struct arena *arena = arena_new();
    struct paths paths = {0};
    struct sandbox_limits limits = limits_of(opening, files->count);
    paths_of(arena, opening, files, &paths);
    (void)sandbox_privileges(report);
    (void)sandbox_limits(&limits, report);
    (void)sandbox_files(paths.items, paths.count,
                        SANDBOX_DENY_BIND | SANDBOX_DENY_CONNECT | SANDBOX_DENY_OTHERS,
                        report);
    (void)sandbox_calls(SANDBOX_ENGINE, report);
    bool held = true;
    for (size_t i = 0; i < SANDBOX_LAYERS; i++) { /* an old kernel may lack some */
        held = held && report->layers[i] != SANDBOX_FAILED;
    }
    arena_free(arena);
    return held;
}
