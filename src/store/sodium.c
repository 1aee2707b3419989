/* libsodium, loaded at first use. */
#include "store/sodium.h"

#include "base/err.h"
#include "base/symbol.h"

#ifdef DRAGOMAN_HAS_SODIUM
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct sodium library;
static bool loaded;

static void load(void)
{
    static const char *const names[] = {"libsodium.so.23", "libsodium.so.26",
                                        "libsodium.so", "libsodium.dylib", NULL};
    void *opened = NULL;
    for (size_t i = 0; names[i] && !opened; i++) {
        opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    bool ok = opened != NULL;
#define F(name) ok = ok && symbol_find(opened, #name, &library.name);
    SODIUM_FUNCTIONS(F)
#undef F
    loaded = ok && library.sodium_init() >= 0;
}

const struct sodium *sodium_get(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    if (!loaded) {
        (void)err_set(err, ERR_CONFIG, "The library libsodium could not be loaded.");
        (void)err_hint(err, "Install it (on Debian: apt install libsodium23).");
        return NULL;
    }
    return &library;
}

#endif
