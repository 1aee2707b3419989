/* libmicrohttpd, loaded when a server starts. */
#include "server/library.h"

#include "base/library.h"
#include "server/framing/intake.h"

struct server_library server_library;

static bool cannot_check; /* it is there, but what it receives cannot be checked */

static const char *const files[] = {"libmicrohttpd.so.12", "libmicrohttpd.so",
                                    "libmicrohttpd.12.dylib", NULL};
/* MHD_… are macros here, but an operand of # or ## is not expanded. */
static const struct library_function list[] = {
#define FUNCTION(name) LIBRARY_FUNCTION(struct server_library, name##_, #name),
#include "server/library.def"
#undef FUNCTION
};

static bool library_begin(void *handle)
{
    cannot_check = !intake_install(handle);
    return !cannot_check;
}

static struct library library = {
    LIBRARY(files, list, &server_library),
    .begin = library_begin,
    .code = ERR_CONFIG,
    .message = "The server needs the library libmicrohttpd, version 0.9.75 or newer, "
               "which was not found.",
    .hint = "Install libmicrohttpd12 (elsewhere: libmicrohttpd).",
};

bool server_library_load(struct err *err)
{
    if (library_load(&library, err)) {
        return true;
    }
    if (cannot_check) {
        (void)err_set(
            err, ERR_CONFIG,
            "The library libmicrohttpd is built in a way in which requests could "
            "not be checked.");
        (void)err_hint(err, "Install the one of your system's packages, on a system of "
                            "64 bits.");
    }
    return false;
}
