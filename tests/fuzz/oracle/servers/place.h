/* A private server of the conformance suite, in a folder of its own. */
#ifndef DGM_TESTS_ORACLE_PLACE_H
#define DGM_TESTS_ORACLE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/schema.h"

struct place {
    const char *script; /* of the conformance suite */
    char folder[64];
    int port;
};

/* 0: it runs; 77: this machine has no such server. */
int place_start(struct place *place, const char *name, const char *script);
void place_stop(struct place *place);
/* A file that a function of the server could read, and a folder it could write in. */
bool place_canaries(const struct place *place);
/* What the driver of dragoman tells of the database. NULL: it could not be read. */
struct schema *place_schema(const char *url);
/* A number for the names and, where wanted, the bytes of what is in a folder. */
uint64_t place_digest(const char *folder, bool bytes);

#endif
