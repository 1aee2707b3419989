/* Finds libpq and its functions, once for the process, at first use. */
#include "store/libpq.h"

#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"

struct libpq libpq;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static bool library_fill(void *handle)
{
    bool whole = true;
#define F(name)                                                                          \
    if (!symbol_find(handle, #name, &libpq.name##_)) {                                   \
        whole = false;                                                                   \
    }
    LIBPQ_FUNCTIONS(F)
#undef F
    return whole;
}

static void library_open(void)
{
    static const char *const names[] = {"libpq.so.5", "libpq.so", "libpq.5.dylib"};
    library_loaded = symbol_load(names, sizeof names / sizeof *names, library_fill);
}

bool libpq_load(struct err *err)
{
    (void)pthread_once(&library_once, library_open);
    if (library_loaded) {
        return true;
    }
    (void)err_set(err, ERR_STORE,
                  "A store in PostgreSQL needs the library libpq, which was not found.");
    return err_hint(err, "Install libpq5 (on other systems: libpq or postgresql-libs).");
}
