/* The sample shop database: deterministic, some 60,000 rows over three years. */
#ifndef DGM_SERVICE_SAMPLE_H
#define DGM_SERVICE_SAMPLE_H

#include <stdbool.h>

struct err;

/* Writes beside the path and renames over it. */
bool sample_create(const char *path, struct err *err);

#endif
