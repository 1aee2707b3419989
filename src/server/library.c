/* Finds libmicrohttpd and its functions, once for the process, at first use. */
#include "server/library.h"

#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"
#include "server/intake.h"

struct server_library server_library;
static bool library_loaded;
static bool library_closed; /* it is there, but what it receives cannot be checked */
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

/* The names above are macros by now; # in the argument of a macro is not expanded. */
static bool library_fill(void *handle)
{
    bool whole = true;
#define F(name)                                                                          \
    if (!symbol_find(handle, #name, &server_library.name##_)) {                          \
        whole = false;                                                                   \
    }
    MICROHTTPD_FUNCTIONS(F)
#undef F
    library_closed = whole && !intake_install(handle);
    return whole && !library_closed;
}

static void library_open(void)
{
    static const char *const names[] = {"libmicrohttpd.so.12", "libmicrohttpd.so",
                                        "libmicrohttpd.12.dylib"};
    library_loaded = symbol_load(names, sizeof names / sizeof *names, library_fill);
}

bool library_load(struct err *err)
{
    (void)pthread_once(&library_once, library_open);
    if (library_loaded) {
        return true;
    }
    if (library_closed) {
        (void)err_set(
            err, ERR_CONFIG,
            "The library libmicrohttpd is built in a way in which requests could "
            "not be checked.");
        return err_hint(err, "Install the one of your system's packages, on a system of "
                             "64 bits.");
    }
    (void)err_set(err, ERR_CONFIG,
                  "The server needs the library libmicrohttpd, version 0.9.75 or newer, "
                  "which was not found.");
    return err_hint(err, "Install libmicrohttpd12 (elsewhere: libmicrohttpd).");
}
