/* Adds, tests and removes datasources at run time. */
#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/instance.h"
#include "store/secrets/seal.h"
#include "store/store.h"

enum { ID_MOST = 64, ADDED_MOST = 1000 };

static void bring(struct dgm *dgm, struct arena *arena, const struct store_source *source,
                  enum log_level level)
{
    struct err err;
    err_clear(&err);
    const char *url = seal_open(dgm->options, arena, source->id, source->sealed, &err);
    if (!url) {
        LOG(LOG_SERVICE, level, "the datasource %s is left out: %s", source->id,
            err.message);
        return;
    }
    const struct datasource_setting setting = {
        .id = source->id, .url = url, .description = source->description, .added = true};
    if (!sources_add(dgm->agent.sources, &setting)) {
        LOG(LOG_SERVICE, LOG_INFO, "the configuration has a datasource %s of its own",
            source->id);
    }
}

/* Without a key nothing can have been sealed: then the store need not be opened. */
void instance_added_sources(struct dgm *dgm)
{
    struct err err;
    err_clear(&err);
    if (!seal_has_key(dgm->options) || str_starts(dgm->options->store_url, "memory:")) {
        return;
    }
    struct arena *arena = arena_new();
    struct store_sources stored = {0};
    if (!instance_store(dgm, &err) ||
        !store_source_list(dgm->agent.store, arena, &stored, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "added datasources are not known: %s", err.message);
    }
    for (size_t i = 0; i < stored.count; i++) {
        bring(dgm, arena, &stored.items[i], LOG_WARN);
    }
    arena_free(arena);
}

static bool is_stored(const struct store_sources *stored, const char *id)
{
    for (size_t i = 0; i < stored->count; i++) {
        if (str_equal_nocase(stored->items[i].id, id)) {
            return true;
        }
    }
    return false;
}

/* One that was added here meanwhile is not in a list from before: it is read again. */
static void drop_removed(struct dgm *dgm, struct arena *arena,
                         struct store_sources *first)
{
    struct err err;
    struct store_sources stored = {0};
    struct texts gone = {0};
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; (setting = sources_at(dgm->agent.sources, i)); i++) {
        if (setting->added && !is_stored(first, setting->id)) {
            VEC_PUSH(arena, &gone, arena_text(arena, setting->id));
        }
    }
    err_clear(&err);
    if (!gone.count || !store_source_list(dgm->agent.store, arena, &stored, &err)) {
        return;
    }
    for (size_t i = 0; i < gone.count; i++) {
        if (!is_stored(&stored, gone.items[i])) {
            (void)sources_remove(dgm->agent.sources, gone.items[i]);
        }
    }
}

void instance_sync_sources(struct dgm *dgm)
{
    struct err err;
    struct store_sources stored = {0};
    err_clear(&err);
    if (dgm->alone || !seal_has_key(dgm->options)) {
        return;
    }
    struct arena *arena = arena_new();
    if (store_source_list(dgm->agent.store, arena, &stored, &err)) {
        for (size_t i = 0; i < stored.count; i++) {
            if (!sources_find(dgm->agent.sources, stored.items[i].id)) {
                bring(dgm, arena, &stored.items[i], LOG_DEBUG);
            }
        }
        drop_removed(dgm, arena, &stored);
    }
    arena_free(arena);
}

static bool id_good(const char *id, struct err *err)
{
    size_t size = strlen(id);
    bool ok = size > 0 && size <= ID_MOST;
    for (const char *c = id; ok && *c; c++) {
        ok = isalnum((unsigned char)*c) || strchr("_-", *c);
    }
    if (!ok) {
        (void)err_set(err, ERR_USAGE, "This is not a valid name for a datasource.");
        return err_hint(err, "Letters, digits, _ and -; 64 at most.");
    }
    return true;
}

/* The id that the configuration would make of the URL. */
static const char *id_of(struct arena *arena, const char *id, const char *url,
                         struct err *err)
{
    if (!str_empty(id)) {
        return id;
    }
    struct options *options = options_new();
    bool ok = options_add_datasource(options, NULL, url, err);
    const char *made = ok ? arena_text(arena, options->datasources.items[0].id) : NULL;
    options_free(options);
    err->code =
        err->code == ERR_CONFIG ? ERR_USAGE : err->code; /* it is the caller's URL */
    return made;
}

/* It must be allowed, and answer. */
static bool try_out(struct dgm *dgm, const struct datasource_setting *setting,
                    struct err *err)
{
    struct datasource *source = datasource_attach(setting, dgm->options, err);
    struct datasource_limits limits = {.deadline_ms = clock_ms() +
                                                      dgm->options->sql_timeout_s * 1000};
    char signature[33];
    bool ok = source && datasource_signature(source, &limits, signature, err);
    datasource_close(source);
    return ok;
}

static bool source_keep(struct dgm *dgm, struct arena *arena,
                        const struct datasource_setting *setting, struct err *err)
{
    struct store_sources stored = {0};
    if (!instance_store(dgm, err) ||
        !store_source_list(dgm->agent.store, arena, &stored, err)) {
        return false;
    }
    if (stored.count >= ADDED_MOST) {
        return err_set(err, ERR_INVALID_DATA, "There are too many datasources already.");
    }
    struct store_source source = {.id = setting->id, .description = setting->description};
    source.sealed = seal_close(dgm->options, arena, setting->id, setting->url, err);
    return source.sealed && store_source_put(dgm->agent.store, &source, err);
}

bool dgm_source_try(struct dgm *dgm, const char *url, struct dgm_error *error)
{
    struct err err;
    const struct datasource_setting setting = {
        .id = "tried", .url = str_or_empty(url), .added = true};
    err_clear(&err);
    instance_no_error(error);
    if (str_empty(url)) {
        (void)err_set(&err, ERR_USAGE, "No URL was given.");
        return instance_fail(error, &err);
    }
    return try_out(dgm, &setting, &err) || instance_fail(error, &err);
}

char *dgm_source_add(struct dgm *dgm, const char *id, const char *url,
                     const char *description, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct datasource_setting setting = {
        .url = str_or_empty(url), .description = description, .added = true};
    setting.id = id_of(arena, id, setting.url, &err);
    bool ok = setting.id && id_good(setting.id, &err);
    if (ok && sources_find(dgm->agent.sources, setting.id)) {
        ok = err_set(&err, ERR_USAGE, "There is a datasource '%s' already.", setting.id);
        (void)err_hint(&err, "Give it another name, or remove that one first.");
    }
    ok = ok && try_out(dgm, &setting, &err) && source_keep(dgm, arena, &setting, &err) &&
         (sources_add(dgm->agent.sources, &setting) ||
          sources_find(dgm->agent.sources, setting.id)); /* already known */
    char *made = ok ? memory_text(setting.id) : NULL;
    arena_free(arena);
    if (!ok) {
        (void)instance_fail(error, &err);
    }
    return made;
}

bool dgm_source_remove(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    const struct datasource_setting *setting =
        sources_find(dgm->agent.sources, str_or_empty(id));
    if (!setting || !setting->added) {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND,
                      "There is no added datasource '%.64s'.", str_or_empty(id));
        (void)err_hint(&err,
                       "To remove a configured datasource, edit the configuration.");
        return instance_fail(error, &err);
    }
    if (!instance_store(dgm, &err) ||
        !store_source_delete(dgm->agent.store, setting->id, &err)) {
        return instance_fail(error, &err);
    }
    (void)sources_remove(dgm->agent.sources, setting->id);
    return true;
}
