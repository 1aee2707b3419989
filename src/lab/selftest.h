/* The self-test: one scratch database under attack. */
#ifndef DGM_LAB_SELFTEST_H
#define DGM_LAB_SELFTEST_H

#include "base/arena.h"
#include "datasource/datasource.h"
#include "sql/attack.h"

enum { SELFTEST_TIME_MS = 700, SELFTEST_TIME_MOST_MS = 15000, SELFTEST_MEMORY_MB = 256 };

struct selftest_world {
    struct arena *arena;
    struct options *options;
    enum dialect dialect;
    char folder[64];            /* of a scratch file; "" for a server */
    const char *path;           /* the file, or NULL */
    struct datasource *source;  /* under a policy that holds the vault back */
    struct datasource *witness; /* the same database, and never attacked */
    struct schema *schema;      /* what may be known: without the vault */
    struct schema *whole;       /* with it: then the policy stands alone */
    char print[33];             /* what the witness saw before the first attack */
    size_t litter;              /* files that attacks would make */
    long memory_kb;             /* the most this process had used */
};

/* url NULL: a new file of this dialect. */
bool selftest_world_make(struct selftest_world *world, enum dialect dialect,
                         const char *url, struct err *err);
void selftest_world_end(struct selftest_world *world);
/* What an attack did to it, or NULL: "changed the database". */
const char *selftest_world_harm(struct selftest_world *world);

/* The corpus of a dialect, as it was built in. */
bool selftest_corpus(struct arena *arena, enum dialect dialect, struct attacks *out,
                     struct err *err);

#endif
