/* Running imports, how to stop them, and how much an account may store. */
#ifndef DGM_SERVICE_DATASET_IMPORT_H
#define DGM_SERVICE_DATASET_IMPORT_H

#include <stdint.h>

#include "base/cancel.h"

struct arena;
struct dgm;
struct err;

/* Any caller that knows its name can stop it. */
struct instance_import {
    const char *account;
    const char *name;
    const char *path; /* where it comes from */
    struct cancel cancel;
    int64_t bytes; /* once it is complete */
    struct instance_import *next;
};

void instance_import_begin(struct dgm *dgm, struct instance_import *import);
void instance_import_end(struct dgm *dgm, struct instance_import *import);
/* To its place, and into the store: with its rows where others share that. */
bool instance_import_run(struct dgm *dgm, struct arena *arena,
                         struct instance_import *import, struct err *err);
/* Stops imports of that name and waits for their end: what they have left is known then.
 * False: there were none. */
bool instance_import_stopped(struct dgm *dgm, const char *account, const char *name);

#endif
