/* What every question shares: the services of the instance, set up once by the service
 * layer. */
#ifndef DGM_AGENT_AGENT_H
#define DGM_AGENT_AGENT_H

#include "base/err.h"
#include "model/options/options.h"

struct answered;
struct brain;
struct llm;
struct prompts;
struct schema_cache;
struct sources;
struct store;
struct workers;

/* What all questions of an instance share. The instance owns it; runs borrow it. */
struct agent {
    /* Atomic pointers: a reload of the configuration replaces them. The old objects stay
     * alive, because running questions still use them. */
    const struct options *_Atomic options;
    struct workers *workers;
    struct sources *sources;
    struct schema_cache *schemas;
    struct answered *answered;
    struct store *store;
    struct prompts *prompts;
    /* the built-in parser, which the first question that needs it opens */
    struct brain *brain;
    struct llm *_Atomic llm;             /* NULL when none is configured */
    const struct err *_Atomic llm_error; /* why there is none */
};

#endif
