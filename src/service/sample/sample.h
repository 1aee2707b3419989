/*
 * The sample database: a small shop to ask questions of, three years of its life. It is
 * the same on every machine and every day: no clock, no randomness from outside.
 */
#ifndef DGM_SERVICE_SAMPLE_H
#define DGM_SERVICE_SAMPLE_H

#include <stdbool.h>

#include "base/err.h"

/* Writes a SQLite file beside `path` and renames it over it. Errors: STORE, DISK_FULL. */
bool sample_create(const char *path, struct err *err);

#endif
