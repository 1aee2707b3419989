/* Finds libduckdb.so and its functions, once for the process, at first use. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/library.h"
#include "base/log.h"
#include "base/vec.h"
#include "datasource/duckdb/duckdb.h"

static struct duckdb_library library;
static bool library_loaded;
static char library_reason[400];
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

/* Beside libdragoman.so, when that is what we are part of: the program is a stranger's.
 */
static void add_place_of_library(struct arena *arena, struct texts *places)
{
    Dl_info info;
    if (!dladdr(&library_once, &info) || !info.dli_fname) {
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash) {
        VEC_PUSH(arena, places,
                 arena_format(arena, "%.*s/dragoman/libduckdb.so",
                              (int)(slash - info.dli_fname), info.dli_fname));
    }
}

/* Where it may be, best first. */
static void library_places(struct arena *arena, struct texts *places)
{
    const char *named = getenv("DRAGOMAN_DUCKDB_LIBRARY");
    if (named && named[0]) {
        VEC_PUSH(arena, places, named);
        return; /* who names one wants that one */
    }
    char program[4096];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size > 0) {
        program[size] = '\0';
        char *slash = strrchr(program, '/');
        if (slash) {
            *slash = '\0';
            VEC_PUSH(arena, places, arena_format(arena, "%s/libduckdb.so", program));
            VEC_PUSH(arena, places,
                     arena_format(arena, "%s/../lib/dragoman/libduckdb.so", program));
        }
    }
    add_place_of_library(arena, places);
    VEC_PUSH(arena, places, "libduckdb.so");
}

static bool library_fill(void *handle, struct arena *arena)
{
    const char *missing = NULL;
#define F(name)                                                                          \
    if (!library_find(handle, "duckdb_" #name, &library.name)) {                         \
        missing = #name;                                                                 \
    }
    DUCK_FUNCTIONS(F)
#undef F
    (void)library_find(handle, "duckdb_execute_prepared_streaming",
                       &library.execute_streaming);
    if (missing) {
        const char *reason =
            arena_format(arena, "it has no duckdb_%s: too old?", missing);
        memcpy(library_reason, reason, strlen(reason) + 1);
    }
    return !missing;
}

static void library_search(void)
{
    struct arena *arena = arena_new();
    struct texts places = {0};
    library_places(arena, &places);
    for (size_t i = 0; i < places.count && !library_loaded; i++) {
        void *handle = dlopen(places.items[i], RTLD_NOW | RTLD_LOCAL);
        if (handle) {
            library_loaded = library_fill(handle, arena);
            LOG(LOG_DATASOURCE, LOG_DEBUG, "DuckDB %s",
                library_loaded ? library.library_version() : "cannot be used");
        }
    }
    arena_free(arena);
}

const struct duckdb_library *duckdb_library(struct err *err)
{
    (void)pthread_once(&library_once, library_search);
    if (library_loaded) {
        return &library;
    }
    (void)err_set(err, ERR_DATASOURCE_KIND, "DuckDB files need libduckdb.so, which %s.",
                  library_reason[0] ? "cannot be used" : "was not found");
    (void)err_detail(err, "%s", library_reason);
    (void)err_hint(err,
                   "Install DuckDB's library, or name it in DRAGOMAN_DUCKDB_LIBRARY.");
    return NULL;
}
