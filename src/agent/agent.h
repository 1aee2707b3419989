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

struct agent {
    /* The two that are atomic are replaced when the configuration is read again; the old
     * ones stay, as questions at work hold them. */
    const struct options *_Atomic options;
    struct workers *workers;
    struct sources *sources;
    struct schema_cache *schemas;
    struct answered *answered;
    struct store *store;
    struct prompts *prompts;
    struct brain *brain;     /* opens the built-in parser when it is first needed */
    struct llm *_Atomic llm; /* NULL when none is configured */
    const struct err *_Atomic llm_error; /* why not */
};

#endif
