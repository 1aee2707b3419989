/* Redirects calls that one loaded library makes to another library. */
#ifndef DGM_BASE_REDIRECT_H
#define DGM_BASE_REDIRECT_H

#include <stdbool.h>

/*
 * From now on the library calls `instead` (a function pointer, as bytes) wherever it
 * called the imported function `name`, whose address is stored in `was`. Other callers
 * are not affected. False: the library does not import it, or the platform is not
 * supported. Call it before the library starts a thread.
 */
bool redirect_import(void *library, const char *name, const void *instead, void *was);

#endif
