/*
 * Loads optional libraries when they are first needed, so that other commands start
 * faster and work without them. A table lists the functions of a library (usually a .def
 * file); loading it fills a struct of function pointers.
 */
#ifndef DGM_BASE_LIBRARY_H
#define DGM_BASE_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;
struct texts;

/* Where the pointer to the function of this name goes. */
struct library_function {
    const char *name;
    size_t offset; /* in library.functions */
    bool optional; /* the pointer is NULL where the library does not have it */
};

#define LIBRARY_FUNCTION(type, member, name)                                             \
    {                                                                                    \
        name, offsetof(type, member), false                                              \
    }
#define LIBRARY_OPTIONAL(type, member, name)                                             \
    {                                                                                    \
        name, offsetof(type, member), true                                               \
    }

/*
 * A static object. The fields from `missing` on belong to library.c; the others are
 * constant. `functions` may be read without a lock after library_load() has returned
 * true.
 */
struct library {
    const char *const *files; /* tried in this order; NULL after the last; or NULL */
    /* adds the files to try when `files` is NULL; called once, under the lock */
    void (*places)(struct arena *arena, struct texts *files);
    const struct library_function *list;
    size_t count;
    void *functions;             /* a struct of function pointers, which loading fills */
    bool (*begin)(void *handle); /* called once, when all functions were found; or NULL */
    bool global;        /* RTLD_GLOBAL: libraries that it loads need its functions */
    enum err_code code; /* the error if the library is missing */
    const char *message;
    const char *hint;
    const char *missing; /* the function without which the last file found was refused */
    atomic_int state;
    pthread_mutex_t lock;
};

/* The fields that every library has: its files, its functions and the struct to fill. */
#define LIBRARY(names, rows, table)                                                      \
    .files = (names), .list = (rows), .count = sizeof(rows) / sizeof *(rows),            \
    .functions = (table), .lock = PTHREAD_MUTEX_INITIALIZER

/* Loads it once per process; later calls are quick and return the same result. */
bool library_load(struct library *library, struct err *err);

/* Stores the function of this name in a function pointer; false: not found, and the
 * pointer is NULL. */
bool library_find(void *handle, const char *name, void *slot);

#endif
