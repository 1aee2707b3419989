/* Finds libmongoc and its functions, once for the process, at first use. */
#include "datasource/mongodb/mongodb_library.h"

#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"

struct mongodb_library mongo;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

/* libbson comes with libmongoc: its functions are found through the same handle. */
static bool library_fill(void *handle)
{
    bool whole = true;
#define MONGOC(name)                                                                     \
    if (!symbol_find(handle, "mongoc_" #name, &mongo.name)) {                            \
        whole = false;                                                                   \
    }
#define BSON(name)                                                                       \
    if (!symbol_find(handle, "bson_" #name, &mongo.bson_##name)) {                       \
        whole = false;                                                                   \
    }
#include "datasource/mongodb/mongodb_library.def"
#undef MONGOC
#undef BSON
    return whole;
}

static void library_open(void)
{
    static const char *const names[] = {"libmongoc-1.0.so.0", "libmongoc-1.0.so",
                                        "libmongoc-1.0.0.dylib"};
    library_loaded = symbol_load(names, sizeof names / sizeof *names, library_fill);
    if (library_loaded) {
        mongo.log_set_handler(NULL, NULL); /* what it says may name hosts and users */
        mongo.init();
    }
}

bool mongodb_library_load(struct err *err)
{
    (void)pthread_once(&library_once, library_open);
    if (library_loaded) {
        return true;
    }
    (void)err_set(
        err, ERR_DATASOURCE_KIND,
        "MongoDB needs the library libmongoc, version 1.x, which was not found.");
    return err_hint(err, "Install libmongoc-1.0-0 (on other systems: mongo-c-driver).");
}
