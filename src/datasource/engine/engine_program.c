/* Finds the program that runs engines, and is it. */
#include "datasource/engine/engine_program.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/program.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/options/options.h"
#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/engine/engine.h"
#include "datasource/engine/engine_helper.h"
#endif
#ifdef __linux__
#include <linux/close_range.h>
#include <sys/syscall.h>
#endif

static atomic_bool is_it; /* this program called engine_helper() */

#ifdef DRAGOMAN_HAS_DUCKDB
static int engine_program_run(void)
{
#ifdef SYS_close_range
    (void)syscall(SYS_close_range, SPAWNER_SOCKET + 1, ~0U, 0);
#endif
    return spawner_main(SPAWNER_SOCKET);
}
#endif

bool engine_helper(int argc, char *const *argv, int *status)
{
    if (argc < 2 || argc > 3 || !str_equal(argv[1], ENGINE_WORD)) {
        atomic_store(&is_it, true);
        return false;
    }
#ifdef DRAGOMAN_HAS_DUCKDB
    *status = argc == 3 ? engine_try_main(argv[2]) : engine_program_run();
#else
    *status = 1;
#endif
    return true;
}

/* The folder of a file, and what stands there. */
static void add_beside(struct arena *arena, struct texts *places, const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (slash) {
        int size = (int)(slash - file);
        VEC_PUSH(arena, places, arena_format(arena, "%.*s/dragoman", size, file));
        VEC_PUSH(arena, places, arena_format(arena, "%.*s/../bin/dragoman", size, file));
    }
}

const char *engine_program(struct arena *arena, const struct options *options,
                           struct err *err)
{
    struct texts places = {0};
    char self[4096];
    Dl_info library;
    if (!str_empty(options->sql_engine_program)) {
        return arena_text(arena, options->sql_engine_program);
    }
    if (atomic_load(&is_it) && !program_libraries(self, sizeof self)) {
        return "/proc/self/exe"; /* also when the file has been replaced since */
    }
    bool known = program_path(self, sizeof self);
    add_beside(arena, &places, known ? self : NULL);
    add_beside(arena, &places, dladdr(&is_it, &library) ? library.dli_fname : NULL);
    for (size_t i = 0; i < places.count; i++) {
        if (file_exists(places.items[i]) && access(places.items[i], X_OK) == 0) {
            return places.items[i];
        }
    }
    (void)err_set(
        err, ERR_DATASOURCE_KIND,
        "The program that runs DuckDB, dragoman, was not found beside this one.");
    (void)err_hint(err, "Name it in sql.engine_program.");
    return NULL;
}

#ifndef DRAGOMAN_HAS_DUCKDB
bool engine_try(const struct options *options, struct engine_trial *out, struct err *err)
{
    (void)options;
    (void)err;
    *out = (struct engine_trial){0};
    return true;
}
#endif

bool engine_start_early(const struct options *options, struct err *err)
{
#ifdef DRAGOMAN_HAS_DUCKDB
    return engine_start(options, err);
#else
    (void)options;
    (void)err;
    return true;
#endif
}

bool engine_still_there(const struct options *options, struct err *err)
{
#ifdef DRAGOMAN_HAS_DUCKDB
    return engine_alive(options, err);
#else
    (void)options;
    (void)err;
    return true;
#endif
}
