/* Calls that one loaded library makes to another, led through a function of ours. */
#ifndef DGM_BASE_REDIRECT_H
#define DGM_BASE_REDIRECT_H

#include <stdbool.h>

/* From now on the library calls `instead` (a pointer to a function, as bytes) wherever it
 * called the imported function of this name, which is put into `was`. Nobody else's calls
 * change. False: the library does not import it, or this system has another kind of
 * library. Call it before the library's first thread is started. */
bool redirect_import(void *library, const char *name, const void *instead, void *was);

#endif
