/* Running imports, stopping them, and how much an account may store. */
#ifndef DGM_SERVICE_DATASET_IMPORT_H
#define DGM_SERVICE_DATASET_IMPORT_H

#include <stdint.h>

#include "base/cancel.h"

struct arena;
struct dgm;
struct err;

/* A running import; callers stop it by its name. */
struct instance_import {
    const char *account;
    const char *name;
    const char *path; /* the file that is imported */
    struct cancel cancel;
    int64_t bytes; /* of the import, when it is complete */
    struct instance_import *next;
};

void instance_import_begin(struct dgm *dgm, struct instance_import *import);
void instance_import_end(struct dgm *dgm, struct instance_import *import);
/* Moves the import to its place and registers it in the store; with its rows if the store
 * is shared. */
bool instance_import_run(struct dgm *dgm, struct arena *arena,
                         struct instance_import *import, struct err *err);
/* Stops imports of that name and waits until they have ended. False: there were none. */
bool instance_import_stopped(struct dgm *dgm, const char *account, const char *name);

#endif
