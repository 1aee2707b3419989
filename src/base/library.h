/*
 * Libraries that are loaded when it is first needed, so that no other command pays for
 * them and a machine without them can do everything else. A library is described by a
 * table of its functions; loading it fills a struct of function pointers.
 */
#ifndef DGM_BASE_LIBRARY_H
#define DGM_BASE_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

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

/* Fields below `state` belong to library.c; the others never change. */
struct library {
    const char *const *files; /* tried in this order; NULL after the last */
    const struct library_function *list;
    size_t count;
    void *functions;             /* a struct of pointers; filled by library_load */
    bool (*begin)(void *handle); /* once, when all functions are found; or NULL */
    bool global;                 /* others that it loads look into it */
    enum err_code code;          /* the error of a machine without it */
    const char *message;
    const char *hint;
    atomic_int state;
    pthread_mutex_t lock;
};

/*
 * What every description begins with: its files, its list and the struct that is filled.
 */
#define LIBRARY(names, rows, table)                                                      \
    .files = (names), .list = (rows), .count = sizeof(rows) / sizeof *(rows),            \
    .functions = (table), .lock = PTHREAD_MUTEX_INITIALIZER

/* Once per process; quick after that. False: it is not there, now or later. */
bool library_load(struct library *library, struct err *err);

/* Puts the function of this name into a pointer to a function; false: there is none, or
 * no library, and the pointer is NULL. */
bool library_find(void *handle, const char *name, void *slot);

#endif
