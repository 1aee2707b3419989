/*
 * The sample database: three years of a small shop. It is identical on every machine and
 * every day: no clock and no random numbers are used.
 */
#ifndef DGM_SERVICE_SAMPLE_H
#define DGM_SERVICE_SAMPLE_H

#include <stdbool.h>

#include "base/err.h"

/* Writes a SQLite file beside `path` and renames it. Errors: STORE, DISK_FULL. */
bool sample_create(const char *path, struct err *err);

#endif
