/* What is behind struct dgm: the services, started when first needed, and who is
 * inside. */
#ifndef DGM_SERVICE_INSTANCE_H
#define DGM_SERVICE_INSTANCE_H

#include <pthread.h>

#include "agent/agent.h"
#include "agent/run.h"
#include "agent/sources/sources.h"
#include "dragoman_server.h"

struct accounts;
struct fetch;
struct follower;
struct workers;

struct dgm_config {
    struct options *options;
    char *path;      /* of the file that was read, or NULL */
    bool alone;      /* without the datasources that were added and are in the store */
    size_t own_from; /* datasources from here on were given by the caller, not a file */
};

struct instance_past;

struct dgm {
    struct options *_Atomic options;
    struct agent agent;
    struct fetch *fetch;
    struct accounts *accounts; /* keys, and what they have used up */

    pthread_mutex_t lock; /* guards starting, `live` and `closing` */
    bool store_ready;
    bool ready; /* workers, prompts and model too */
    bool closing;

    struct dgm_question *live; /* running questions, newest first */
    size_t live_count;
    pthread_cond_t empty; /* no question is running */

    pthread_t janitor; /* deadlines and clean-up; started with the first question */
    bool janitor_runs;
    pthread_cond_t janitor_wake;

    struct options *configured;    /* before what was changed at run time; or NULL */
    char *settings_seen;           /* what was changed, as JSON; or NULL */
    char *dictionary_seen;         /* the version that the files here are of; or NULL */
    pthread_mutex_t settings_lock; /* guards the three; taken before `lock` */
    /* A store that several processes share; see share.h. */
    bool alone; /* without the datasources that were added and are in the store */
    struct workers *news;       /* handle what the others say; NULL: it is not shared */
    struct follower *followers; /* guarded by the lock */

    struct instance_import *imports; /* datasets being imported; guarded by the lock */
    struct instance_past *past;      /* what was replaced by dgm_reload, newest first */
    size_t past_count;
};

/* Starts what asking needs; once. */
bool instance_ready(struct dgm *dgm, struct err *err);
/* Starts only the store and what stands on it. */
bool instance_store(struct dgm *dgm, struct err *err);
/* The datasource meant: by id, or the only one. */
/* A datasource by its id, also a dataset of the account; NULL: there is none. */
const struct datasource_setting *instance_source(struct dgm *dgm, const char *id,
                                                 const char *account);
struct datasource *instance_datasource(struct dgm *dgm, const char *id, struct err *err);
/* The same as its policy lets the account see it, for as long as `keeper` is there (NULL:
 * as the instance is). */
struct datasource *instance_datasource_for(struct dgm *dgm, struct arena *keeper,
                                           const char *account, const char *id,
                                           struct err *err);
/* Its schema, fresh: from the cache when the signature matches. A reference, yours. */
struct schema *instance_schema(struct dgm *dgm, struct datasource *source,
                               struct err *err);
/* Read from the database, whatever the caches hold. */
struct schema *instance_schema_anew(struct dgm *dgm, struct datasource *source,
                                    struct err *err);
/* The same as instance_schema, or what was known before when the database does not answer:
 * *stale then says so, and err why. */
struct schema *instance_schema_known(struct dgm *dgm, struct datasource *source,
                                     bool *stale, struct err *err);

/* For a model over the network. */
bool instance_wants_fetch(const struct options *options);
struct fetch *instance_fetch_new(const struct options *options, struct err *err);
/* reload.c: other settings, which the instance owns then; freed when it fails. */
bool instance_take_over(struct dgm *dgm, struct options *next, struct err *err);
/* reload.c: what was replaced goes at the end, the models before the network does. */
void instance_past_models(struct dgm *dgm);
void instance_past_free(struct dgm *dgm);

/* source.c: brings those that were added before; what cannot be opened is logged. */
void instance_added_sources(struct dgm *dgm);
/* Of a store that is shared: those that another process has added or removed since. */
void instance_sync_sources(struct dgm *dgm);

/* struct err -> struct dgm_error; error may be NULL. Returns false. */
bool instance_fail(struct dgm_error *error, const struct err *err);
void instance_no_error(struct dgm_error *error);

#endif
