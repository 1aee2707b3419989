/* Finds libmicrohttpd and its functions, once for the process, at first use. */
#include "server/library.h"

#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"

struct server_library server_library;
static bool library_loaded;
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
    return whole;
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
    (void)err_set(err, ERR_CONFIG,
                  "The server needs the library libmicrohttpd, version 0.9.75 or newer, "
                  "which was not found.");
    return err_hint(err, "Install libmicrohttpd12 (elsewhere: libmicrohttpd).");
}
