/* Functions of libraries that are loaded at first use. */
#include "base/symbol.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX says that a dlsym result may be called; C does not, so it goes through bytes. */
bool symbol_find(void *handle, const char *name, void *slot)
{
    void *symbol = handle ? dlsym(handle, name) : NULL; /* NULL would mean all */
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool symbol_load(const char *const *names, size_t count, bool (*fill)(void *handle))
{
    bool loaded = false;
    for (size_t i = 0; i < count && !loaded; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        loaded = handle && fill(handle);
    }
    return loaded;
}
