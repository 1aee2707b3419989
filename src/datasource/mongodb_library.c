/* Finds libmongoc and its functions, once for the process, at first use. */
#include "datasource/mongodb_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/err.h"

struct mongodb_library mongo;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

/* POSIX says that a dlsym result may be called; C does not, so it goes through bytes. */
static bool library_symbol(void *handle, const char *name, void *slot)
{
    void *symbol = dlsym(handle, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* libbson comes with libmongoc: its functions are found through the same handle. */
static bool library_fill(void *handle)
{
    bool whole = true;
#define MONGOC(name)                                                                     \
    if (!library_symbol(handle, "mongoc_" #name, &mongo.name)) {                         \
        whole = false;                                                                   \
    }
#define BSON(name)                                                                       \
    if (!library_symbol(handle, "bson_" #name, &mongo.bson_##name)) {                    \
        whole = false;                                                                   \
    }
#include "datasource/mongodb_library.def"
#undef MONGOC
#undef BSON
    return whole;
}

static void library_open(void)
{
    static const char *const names[] = {"libmongoc-1.0.so.0", "libmongoc-1.0.so",
                                        "libmongoc-1.0.0.dylib"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !library_loaded; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        library_loaded = handle && library_fill(handle);
    }
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
