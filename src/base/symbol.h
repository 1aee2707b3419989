/* Libraries that are loaded at first use, so that no other command pays for them. */
#ifndef DGM_BASE_SYMBOL_H
#define DGM_BASE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

/* Puts the function of this name into a pointer to a function; false: there is none, or
 * no library, and the pointer is NULL. */
bool symbol_find(void *handle, const char *name, void *slot);
/* Opens the first library of these names whose functions `fill` finds, and keeps it. */
bool symbol_load(const char *const *names, size_t count, bool (*fill)(void *handle));

#endif
