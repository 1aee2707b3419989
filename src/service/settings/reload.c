/*
 * Reloads the configuration. Running questions keep their settings, so replaced objects
 * are freed only when the instance is closed.
 */
#include <string.h>

#include "base/fetch/fetch.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/llm.h"
#include "service/settings/settings.h"

enum { RELOADS_MOST = 1000 };

struct instance_past {
    struct options *options;
    struct llm *llm;
    struct instance_past *next;
};

/*
 * Settings that are used only once, when the instance is opened. A name ending in "." is
 * a section.
 */
static const char *const fixed[] = {
    "store.",          "server.",         "parser.",
    "service.workers", "prompt.folder",   "knowledge.values",
    "llm.loops",       "llm.connections", "knowledge.values_ttl_s",
    "llm.ca_file",     "llm.record",      "agent.recall_ttl_s",
};

/* Settings that were used to open datasources. */
static const char *const of_sources[] = {"sql.", "sources.", "schema.", "policy."};

static bool is_one_of(const char *key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(names[i]);
        if (names[i][size - 1] == '.' ? str_starts(key, names[i])
                                      : str_equal(key, names[i])) {
            return true;
        }
    }
    return false;
}

struct changes {
    size_t count;
    bool model;
    bool sources; /* all datasources must be reopened */
};

/* Compares the settings; changes that need a restart are ignored and logged. */
static struct changes compare(const struct options *now, struct options *next)
{
    struct changes changes = {0};
    const char *key = NULL;
    for (size_t i = 0; (key = options_key(i)); i++) {
        if (!options_differ(now, next, i)) {
            continue;
        }
        if (is_one_of(key, fixed, sizeof fixed / sizeof *fixed)) {
            LOG(LOG_SERVICE, LOG_WARN, "%s takes effect after a restart", key);
            options_take(next, now, i);
            continue;
        }
        changes.count++;
        changes.model = changes.model || str_starts(key, "llm.");
        changes.sources =
            changes.sources ||
            is_one_of(key, of_sources, sizeof of_sources / sizeof *of_sources);
    }
    return changes;
}

/* Adds the new model next to the old one; call it with the lock held. */
static bool model_new(struct dgm *dgm, const struct options *next, struct llm **out,
                      struct err *why)
{
    if (!dgm->fetch && instance_wants_fetch(next)) {
        dgm->fetch = instance_fetch_new(next, why);
        if (!dgm->fetch) {
            return false;
        }
    }
    *out = llm_new(next, dgm->fetch, why);
    return *out || why->code == ERR_LLM_NOT_CONFIGURED;
}

static void remember(struct dgm *dgm, struct options *options, struct llm *llm)
{
    struct instance_past *past = memory_alloc(sizeof *past);
    *past = (struct instance_past){options, llm, dgm->past};
    dgm->past = past;
    dgm->past_count++;
}

void instance_past_models(struct dgm *dgm)
{
    for (struct instance_past *past = dgm->past; past; past = past->next) {
        llm_free(past->llm);
    }
}

void instance_past_free(struct dgm *dgm)
{
    while (dgm->past) {
        struct instance_past *past = dgm->past;
        dgm->past = past->next;
        options_free(past->options);
        memory_free(past);
    }
}

/* With the lock held; `next` belongs to the instance when it succeeds. */
static bool take_over(struct dgm *dgm, struct options *next, struct err *err)
{
    struct options *now = dgm->options;
    struct changes changes = compare(now, next);
    struct llm *llm = NULL;
    struct err why;
    err_clear(&why);
    bool model = changes.model && dgm->ready;
    if (dgm->past_count >= RELOADS_MOST) {
        return err_set(err, ERR_CONFIG,
                       "The configuration was reloaded too often; restart dragoman.");
    }
    if (model && !model_new(dgm, next, &llm, &why)) {
        *err = why;
        return false;
    }
    size_t sources = sources_reload(dgm->agent.sources, next, changes.sources);
    dgm->options = next;
    dgm->agent.options = next;
    struct llm *before = NULL;
    if (model) {
        before = dgm->agent.llm;
        struct err *reason = ARENA_NEW(next->arena, struct err);
        *reason = why;
        dgm->agent.llm_error = reason;
        dgm->agent.llm = llm;
    }
    remember(dgm, now, before);
    LOG(LOG_SERVICE, LOG_INFO,
        "the configuration was read again: %zu settings and %zu datasources changed",
        changes.count, sources);
    return true;
}

bool instance_take_over(struct dgm *dgm, struct options *next, struct err *err)
{
    (void)pthread_mutex_lock(&dgm->lock);
    bool ok = take_over(dgm, next, err);
    if (!ok) {
        options_free(next);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    return ok;
}

bool dgm_reload(struct dgm *dgm, const struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (!log_configure(config->options->log_level)) {
        (void)err_set(&err, ERR_CONFIG, "log.level '%s' is not understood.",
                      config->options->log_level);
        return instance_fail(error, &err);
    }
    (void)log_format(config->options->log_format);
    struct options *next = settings_reloaded(dgm, config->options, &err);
    bool ok = next && instance_take_over(dgm, next, &err);
    return ok || instance_fail(error, &err);
}
