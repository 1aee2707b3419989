/* Loads libraries and finds their functions, once per process. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

enum { LIBRARY_UNTRIED, LIBRARY_LOADED, LIBRARY_MISSING };

/* POSIX says that a dlsym result may be called; C does not, so it goes through bytes. */
bool library_find(void *handle, const char *name, void *slot)
{
    void *symbol = handle ? dlsym(handle, name) : NULL; /* NULL would mean all */
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool fill(struct library *library, void *handle)
{
    bool whole = true;
    for (size_t i = 0; i < library->count; i++) {
        const struct library_function *function = &library->list[i];
        char *slot = (char *)library->functions + function->offset;
        bool found = library_find(handle, function->name, slot);
        if (!found && !function->optional) {
            library->missing = function->name;
            whole = false;
        }
    }
    return whole && (!library->begin || library->begin(handle));
}

/* One that does not have all functions stays open: closing it may not undo what its start
 * has done. */
static bool open_first(struct library *library)
{
    int mode = RTLD_NOW | (library->global ? RTLD_GLOBAL : RTLD_LOCAL);
    struct arena *arena = arena_new();
    struct texts files = {0};
    if (!library->files) {
        library->places(arena, &files);
    }
    for (const char *const *file = library->files; file && *file; file++) {
        VEC_PUSH(arena, &files, *file);
    }
    bool loaded = false;
    for (size_t i = 0; i < files.count && !loaded; i++) {
        void *handle = dlopen(files.items[i], mode);
        loaded = handle && fill(library, handle);
    }
    arena_free(arena);
    return loaded;
}

bool library_load(struct library *library, struct err *err)
{
    int state = atomic_load_explicit(&library->state, memory_order_acquire);
    if (state == LIBRARY_UNTRIED) {
        (void)pthread_mutex_lock(&library->lock);
        state = atomic_load_explicit(&library->state, memory_order_relaxed);
        if (state == LIBRARY_UNTRIED) {
            state = open_first(library) ? LIBRARY_LOADED : LIBRARY_MISSING;
            atomic_store_explicit(&library->state, state, memory_order_release);
        }
        (void)pthread_mutex_unlock(&library->lock);
    }
    if (state == LIBRARY_LOADED) {
        return true;
    }
    (void)err_set(err, library->code, "%s", library->message);
    if (library->missing) {
        (void)err_detail(err, "A library was found, but it has no function %s.",
                         library->missing);
    }
    return library->hint ? err_hint(err, "%s", library->hint) : false;
}
