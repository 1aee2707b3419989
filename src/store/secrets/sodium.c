/* Loads libsodium when it is first needed. */
#include "store/secrets/sodium.h"

#include "base/library.h"

#ifdef DRAGOMAN_HAS_SODIUM
static struct sodium functions;

static const char *const files[] = {"libsodium.so.23", "libsodium.so.26", "libsodium.so",
                                    "libsodium.dylib", NULL};
static const struct library_function list[] = {
#define FUNCTION(name) LIBRARY_FUNCTION(struct sodium, name, #name),
#include "store/secrets/sodium.def"
#undef FUNCTION
};

static bool sodium_begin(void *handle)
{
    (void)handle;
    return functions.sodium_init() >= 0;
}

static struct library library = {
    LIBRARY(files, list, &functions),
    .begin = sodium_begin,
    .code = ERR_CONFIG,
    .message = "The library libsodium could not be loaded.",
    .hint = "Install it (on Debian: apt install libsodium23).",
};

const struct sodium *sodium_get(struct err *err)
{
    return library_load(&library, err) ? &functions : NULL;
}

#endif
