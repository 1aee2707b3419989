/* Finds libpq and its functions, once for the process, at first use. */
#include "datasource/postgres/postgres_library.h"

#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"

struct postgres_library postgres_library;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static bool library_fill(void *handle)
{
    bool whole = true;
#define F(name)                                                                          \
    if (!symbol_find(handle, #name, &postgres_library.name##_)) {                        \
        whole = false;                                                                   \
    }
    POSTGRES_FUNCTIONS(F)
#undef F
    if (whole) {
        postgres_intake_prepare(handle);
    }
    return whole;
}

static void library_open(void)
{
    static const char *const names[] = {"libpq.so.5", "libpq.so", "libpq.5.dylib"};
    library_loaded = symbol_load(names, sizeof names / sizeof *names, library_fill);
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
