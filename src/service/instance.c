/* Opens and closes an instance; its services are started when first needed. */
#include "service/instance.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "agent/understand/brain.h"
#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "knowledge/answered.h"
#include "knowledge/keys/key_find.h"
#include "knowledge/schema/schema_cache.h"
#include "llm/llm.h"
#include "prompt/prompts.h"
#include "service/accounts/accounts.h"
#include "service/operation/janitor.h"
#include "service/questions/question.h"
#include "service/sign_in/sign_in.h"
#include "service/operation/share.h"
#include "store/store.h"

void instance_no_error(struct dgm_error *error)
{
    if (error) {
        *error = (struct dgm_error){.position = -1};
    }
}

bool instance_fail(struct dgm_error *error, const struct err *err)
{
    if (!error) {
        return false;
    }
    instance_no_error(error);
    (void)snprintf(error->code, sizeof error->code, "%s", err_name(err->code));
    (void)snprintf(error->message, sizeof error->message, "%s", err->message);
    (void)snprintf(error->detail, sizeof error->detail, "%s", err->detail);
    (void)snprintf(error->hint, sizeof error->hint, "%s", err->hint);
    error->exit_status = err_exit_status(err->code);
    error->http_status = err_http_status(err->code);
    error->retryable = err_retryable(err->code);
    error->position = err->position;
    error->retry_after_s = err->retry_after_s;
    return false;
}

struct dgm *dgm_open(const struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    instance_no_error(error);
    if (!log_configure(config->options->log_level)) {
        (void)err_set(&err, ERR_CONFIG, "log.level '%s' is not understood.",
                      config->options->log_level);
        (void)err_hint(&err,
                       "Use error, warn, info or debug, or topics: info,llm=debug.");
        (void)instance_fail(error, &err);
        return NULL;
    }
    (void)log_format(config->options->log_format);
    struct dgm *dgm = memory_alloc(sizeof *dgm);
    dgm->options = options_clone(config->options);
    (void)pthread_mutex_init(&dgm->lock, NULL);
    (void)pthread_mutex_init(&dgm->settings_lock, NULL);
    (void)pthread_cond_init(&dgm->empty, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&dgm->janitor_wake, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    dgm->accounts = accounts_new();
    dgm->sign_in = sign_in_new();
    dgm->agent.options = dgm->options;
    dgm->agent.sources = sources_new(dgm->options);
    for (size_t i = 0; i < dgm->options->notes.count; i++) {
        LOG(LOG_SERVICE, LOG_INFO, "%s", dgm->options->notes.items[i]);
    }
    dgm->alone = config->alone;
    if (!config->alone) {
        instance_added_sources(dgm);
    }
    return dgm;
}

/* With the lock held. */
static bool start_store(struct dgm *dgm, struct err *err)
{
    if (!dgm->store_ready) {
        dgm->agent.store = store_open(dgm->options, err);
        if (!dgm->agent.store) {
            return false;
        }
        dgm->agent.schemas = schema_cache_new(dgm->agent.store);
        dgm->agent.answered =
            answered_new(dgm->agent.store, 0, dgm->options->agent_recall_ttl_s);
        dgm->store_ready = true;
    }
    return true;
}

bool instance_store(struct dgm *dgm, struct err *err)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool ok = start_store(dgm, err);
    (void)pthread_mutex_unlock(&dgm->lock);
    return ok;
}

static size_t worker_count(const struct options *options)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores > 0 ? (size_t)cores * 2 : 4;
    return options->service_workers ? (size_t)options->service_workers
           : count < 4              ? 4
                                    : count;
}

bool instance_wants_fetch(const struct options *options)
{
    return !str_empty(options->llm_provider) || !str_empty(options->llm_key) ||
           !str_empty(options->llm_url);
}

struct fetch *instance_fetch_new(const struct options *options, struct err *err)
{
    struct fetch_settings settings = {.loops = (int)options->llm_loops,
                                      .connections = (int)options->llm_connections,
                                      .ca_file = options->llm_ca_file,
                                      .url = options->llm_url};
    return fetch_new(&settings, err);
}

static bool start_model(struct dgm *dgm, struct err *err)
{
    struct agent *agent = &dgm->agent;
    struct options *options = dgm->options;
    if (!dgm->fetch && instance_wants_fetch(options)) {
        dgm->fetch = instance_fetch_new(options, err);
        if (!dgm->fetch) {
            return false;
        }
    }
    struct err *why = ARENA_NEW(options->arena, struct err);
    err_clear(why);
    agent->llm = llm_new(options, dgm->fetch, why);
    agent->llm_error = why;
    if (!agent->llm && why->code != ERR_LLM_NOT_CONFIGURED) {
        *err = *why;
        return false;
    }
    return true;
}

static bool start_all(struct dgm *dgm, struct err *err)
{
    struct agent *agent = &dgm->agent;
    if (dgm->ready) {
        return true;
    }
    if (!start_store(dgm, err) || !share_start(dgm, err)) {
        return false;
    }
    if (!agent->prompts) {
        agent->prompts = prompts_open(dgm->options->prompt_folder, err);
    }
    if (!agent->prompts || !start_model(dgm, err)) {
        return false;
    }
    agent->brain = brain_new(dgm->options, agent->store);
    agent->workers = workers_new_fair(worker_count(dgm->options));
    janitor_start(dgm);
    dgm->ready = true;
    return true;
}

bool instance_ready(struct dgm *dgm, struct err *err)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool ok = !dgm->closing && start_all(dgm, err);
    if (dgm->closing) {
        (void)err_set(err, ERR_INTERRUPTED, "dragoman is shutting down.");
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    return ok;
}

void dgm_close(struct dgm *dgm)
{
    if (!dgm) {
        return;
    }
    dgm_shutdown(dgm);
    share_stop(dgm);
    janitor_stop(dgm);
    workers_free(dgm->agent.workers);
    brain_free(dgm->agent.brain);
    llm_free(dgm->agent.llm);
    instance_past_models(dgm);
    fetch_free(dgm->fetch);
    prompts_close(dgm->agent.prompts);
    if (dgm->store_ready) {
        answered_free(dgm->agent.answered);
        schema_cache_free(dgm->agent.schemas);
        store_close(dgm->agent.store);
    }
    accounts_free(dgm->accounts);
    sign_in_free(dgm->sign_in);
    sources_free(dgm->agent.sources);
    (void)pthread_cond_destroy(&dgm->janitor_wake);
    (void)pthread_cond_destroy(&dgm->empty);
    (void)pthread_mutex_destroy(&dgm->lock);
    (void)pthread_mutex_destroy(&dgm->settings_lock);
    instance_past_free(dgm);
    if (dgm->configured) {
        options_free(dgm->configured);
    }
    memory_free(dgm->settings_seen);
    memory_free(dgm->dictionary_seen);
    options_free(dgm->options);
    memory_free(dgm);
}

const struct datasource_setting *instance_source(struct dgm *dgm, const char *id,
                                                 const char *account)
{
    struct err err;
    err_clear(&err);
    const struct datasource_setting *setting = sources_find(dgm->agent.sources, id);
    return setting || !instance_store(dgm, &err)
               ? setting
               : sources_seek(dgm->agent.sources, dgm->agent.store, id, account);
}

struct datasource *instance_datasource(struct dgm *dgm, const char *id, struct err *err)
{
    return instance_datasource_for(dgm, NULL, NULL, id, err);
}

struct datasource *instance_datasource_for(struct dgm *dgm, struct arena *keeper,
                                           const char *account, const char *id,
                                           struct err *err)
{
    struct sources *sources = dgm->agent.sources;
    if (str_empty(id)) {
        if (sources_count(sources) == 0) {
            (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "No database was given.");
            (void)err_hint(err, "Name one with --db, or list it under 'datasources' in "
                                "dragoman.yaml. 'dragoman sample' creates one to try.");
            return NULL;
        }
        if (sources_count(sources) > 1) {
            (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                          "There are several datasources; specify one.");
            return NULL;
        }
        id = sources_at(sources, 0)->id;
    }
    const struct datasource_setting *setting = instance_source(dgm, id, account);
    return sources_open(sources, keeper, setting ? setting->id : id, account, err);
}

static struct schema *read_schema(struct dgm *dgm, struct datasource *source,
                                  const char *signature, struct err *err)
{
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + dgm->options->agent_timeout_s * 1000};
    struct schema *schema = datasource_describe(source, &limits, err);
    if (!schema) {
        return NULL;
    }
    schema->signature = arena_text(schema->arena, signature);
    schema_normalize(schema);
    char hash[33];
    schema_hash(schema, hash);
    schema->hash = arena_text(schema->arena, hash);
    struct err trouble;
    err_clear(&trouble);
    if (dgm->options->schema_enrich && schema->tables.count) {
        (void)datasource_enrich(source, schema, &limits, &trouble);
        if (!dgm->options->agent_approval) {
            key_find(source, schema, &limits);
        }
    }
    if (schema->tables.count) {
        (void)schema_cache_put(dgm->agent.schemas, schema, &trouble);
    }
    return schema;
}

struct schema *instance_schema(struct dgm *dgm, struct datasource *source,
                               struct err *err)
{
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + dgm->options->agent_timeout_s * 1000};
    char signature[33];
    if (!instance_store(dgm, err) ||
        !datasource_signature(source, &limits, signature, err)) {
        return NULL;
    }
    struct err trouble;
    enum schema_level level = SCHEMA_LEVEL_READ;
    struct schema *schema =
        schema_cache_look(dgm->agent.schemas, source->id, signature, &level, &trouble);
    return schema ? schema : read_schema(dgm, source, signature, err);
}

struct schema *instance_schema_anew(struct dgm *dgm, struct datasource *source,
                                    struct err *err)
{
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + dgm->options->agent_timeout_s * 1000};
    char signature[33];
    return instance_store(dgm, err) &&
                   datasource_signature(source, &limits, signature, err)
               ? read_schema(dgm, source, signature, err)
               : NULL;
}

struct schema *instance_schema_known(struct dgm *dgm, struct datasource *source,
                                     bool *stale, struct err *err)
{
    *stale = false;
    struct schema *schema = instance_schema(dgm, source, err);
    if (schema || !dgm->store_ready || err->code == ERR_ACCESS ||
        err->code == ERR_EMPTY_SCHEMA) {
        return schema;
    }
    struct err trouble;
    char origin[DATASOURCE_ORIGIN_SIZE];
    datasource_origin(source, origin);
    schema = schema_cache_stale(dgm->agent.schemas, source->id, origin, &trouble);
    *stale = schema != NULL;
    return schema;
}
