/* Finds libduckdb.so and its functions, once for the process, at first use. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/library.h"
#include "base/log.h"
#include "base/program.h"
#include "base/vec.h"
#include "datasource/duckdb/duckdb.h"

static struct duckdb_library functions;

/* In the folder of libdragoman.so: another program may have loaded us. */
static void add_place_of_library(struct arena *arena, struct texts *places)
{
    Dl_info info;
    if (!dladdr(&functions, &info) || !info.dli_fname) {
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash) {
        VEC_PUSH(arena, places,
                 arena_format(arena, "%.*s/dragoman/libduckdb.so",
                              (int)(slash - info.dli_fname), info.dli_fname));
    }
}

/* Best first. A library that the user names is the only one that is tried. */
static void library_places(struct arena *arena, struct texts *places)
{
    const char *named = getenv("DRAGOMAN_DUCKDB_LIBRARY");
    if (named && named[0]) {
        VEC_PUSH(arena, places, named);
        return;
    }
    char program[4096];
    if (program_path(program, sizeof program)) {
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

static const struct library_function list[] = {
#define FUNCTION(name) LIBRARY_FUNCTION(struct duckdb_library, name, "duckdb_" #name),
#include "datasource/duckdb/duckdb_library.def"
#undef FUNCTION
    LIBRARY_OPTIONAL(struct duckdb_library, execute_streaming,
                     "duckdb_execute_prepared_streaming"),
};

static bool library_begin(void *handle)
{
    (void)handle;
    LOG(LOG_DATASOURCE, LOG_DEBUG, "DuckDB %s", functions.library_version());
    return true;
}

static struct library library = {
    LIBRARY(NULL, list, &functions),
    .places = library_places,
    .begin = library_begin,
    .code = ERR_DATASOURCE_KIND,
    .message =
        "DuckDB files need libduckdb.so, version 1.2 or newer, which was not found.",
    .hint = "Install DuckDB's library, or name it in DRAGOMAN_DUCKDB_LIBRARY.",
};

const struct duckdb_library *duckdb_library(struct err *err)
{
    return library_load(&library, err) ? &functions : NULL;
}
