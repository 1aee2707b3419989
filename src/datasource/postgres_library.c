/* Finds libpq and its functions, once for the process, at first use. */
#include "datasource/postgres_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/err.h"

struct postgres_library postgres_library;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

/* POSIX says that a dlsym result may be called; C does not, so it goes through bytes. */
static bool library_symbol(void *handle, const char *name, void *slot)
{
    void *symbol = dlsym(handle, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool library_fill(void *handle)
{
    bool whole = true;
#define F(name)                                                                          \
    if (!library_symbol(handle, #name, &postgres_library.name##_)) {                     \
        whole = false;                                                                   \
    }
    POSTGRES_FUNCTIONS(F)
#undef F
    return whole;
}

static void library_open(void)
{
    static const char *const names[] = {"libpq.so.5", "libpq.so", "libpq.5.dylib"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !library_loaded; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        library_loaded = handle && library_fill(handle);
    }
}

bool postgres_library_load(struct err *err)
{
    (void)pthread_once(&library_once, library_open);
    if (library_loaded) {
        return true;
    }
    (void)err_set(
        err, ERR_DATASOURCE_KIND,
        "PostgreSQL needs the library libpq, version 14 or newer, which was not "
        "found.");
    return err_hint(err, "Install libpq5 (on other systems: libpq or postgresql-libs).");
}
