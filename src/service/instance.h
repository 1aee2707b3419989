/* The struct behind the public `struct dgm`: the services, which are started when first
 * needed, and the running questions. */
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
struct sign_in;
struct workers;

/* A configuration that is being made. dgm_open() copies it; the caller frees it. */
struct dgm_config {
    struct options *options;
    char *path; /* path of the configuration file; or NULL */
    bool alone; /* without the datasources that were added at run time */
    /* index of the first datasource that the caller added, not the file */
    size_t own_from;
};

struct instance_past;

/*
 * An open instance. `dgm_open()` only copies the configuration; services start with the
 * first call that needs them. Every question holds a place in `live`, and dgm_close()
 * waits until the list is empty.
 */
struct dgm {
    struct options *_Atomic options;
    struct agent agent;
    struct fetch *fetch;
    struct accounts *accounts; /* access keys and their usage */
    struct sign_in *sign_in;   /* single sign-on */

    pthread_mutex_t lock; /* guards the start of services, `live` and `closing` */
    bool store_ready;
    bool ready; /* workers, prompts and model are started, too */
    bool closing;

    struct dgm_question *live; /* running questions, newest first */
    size_t live_count;
    pthread_cond_t empty; /* signalled when no question is running */

    /* thread for deadlines and clean-up; started with the first question */
    pthread_t janitor;
    bool janitor_runs;
    pthread_cond_t janitor_wake;

    /* the configuration before changes at run time; or NULL */
    struct options *configured;
    char *settings_seen; /* the changes at run time, as JSON; or NULL */
    /* the version of the descriptions that the local files have; or NULL */
    char *dictionary_seen;
    /* guards the three fields above; lock order: before `lock` */
    pthread_mutex_t settings_lock;
    /* A store that several processes share; see share.h. */
    bool alone; /* without the datasources that were added and are in the store */
    /* handles notifications of other processes; NULL: the store is not shared */
    struct workers *news;
    struct follower *followers; /* guarded by `lock` */

    struct instance_import *imports; /* running imports of datasets; guarded by `lock` */
    /* replaced by dgm_reload and still in use, newest first */
    struct instance_past *past;
    size_t past_count;
};

/* Starts what questions need; once. */
bool instance_ready(struct dgm *dgm, struct err *err);
/* Starts only the store and the services that need nothing else. */
bool instance_store(struct dgm *dgm, struct err *err);
/* The datasource meant: by id, or the only one. */
/* A datasource by its id, also a dataset of the account; NULL: there is none. */
const struct datasource_setting *instance_source(struct dgm *dgm, const char *id,
                                                 const char *account);
struct datasource *instance_datasource(struct dgm *dgm, const char *id, struct err *err);
/* The same, restricted by the account's policy. It is valid until the arena `keeper` is
 * freed (NULL: as long as the instance). */
struct datasource *instance_datasource_for(struct dgm *dgm, struct arena *keeper,
                                           const char *account, const char *id,
                                           struct err *err);
/* Its current schema, from the cache if the signature matches. The caller owns the
 * reference. */
struct schema *instance_schema(struct dgm *dgm, struct datasource *source,
                               struct err *err);
/* Reads it from the database, ignoring the caches. */
struct schema *instance_schema_anew(struct dgm *dgm, struct datasource *source,
                                    struct err *err);
/* Like instance_schema; if the database does not reply, the last known schema with *stale
 * set and the reason in err. */
struct schema *instance_schema_known(struct dgm *dgm, struct datasource *source,
                                     bool *stale, struct err *err);

/* Does the configured model need HTTP? */
bool instance_wants_fetch(const struct options *options);
struct fetch *instance_fetch_new(const struct options *options, struct err *err);
/* reload.c: applies other settings; the instance takes them over, and frees them on
 * failure. */
bool instance_take_over(struct dgm *dgm, struct options *next, struct err *err);
/* reload.c: frees what was replaced, at the end; models before the network. */
void instance_past_models(struct dgm *dgm);
void instance_past_free(struct dgm *dgm);

/* source.c: adds the datasources of earlier runs; failures are logged. */
void instance_added_sources(struct dgm *dgm);
/* For a shared store: applies what other processes have added or removed. */
void instance_sync_sources(struct dgm *dgm);

/* struct err -> struct dgm_error; error may be NULL. Returns false. */
bool instance_fail(struct dgm_error *error, const struct err *err);
void instance_no_error(struct dgm_error *error);

#endif
