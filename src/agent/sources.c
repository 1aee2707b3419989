/* The datasources of this house. */
#include "agent/sources.h"

#include <pthread.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"

enum { VIEWS_MOST = 100000 }; /* accounts with a view of their own */

/* What an account sees of a source. */
struct view {
    const struct policy *policy;
    const char *account; /* where the policy asks for it; else NULL */
    struct datasource *seen;
};

struct views {
    struct view *items;
    size_t count;
    size_t capacity;
};

struct source {
    const struct datasource_setting *setting;
    pthread_mutex_t lock; /* one opens, the others wait for it */
    struct datasource *open;
    struct views views; /* of accounts whose policy says something else */
};

struct source_list {
    struct source **items;
    size_t count;
    size_t capacity;
};

struct sources {
    const struct options *_Atomic options;
    struct arena *arena;      /* of the lists and of what was added */
    pthread_mutex_t lock;     /* guards the lists */
    struct source_list items; /* those that can be asked */
    struct source_list lent;  /* datasets: each found by its owner alone */
    struct source_list gone;  /* removed: a question may still be at work on one */
};

static void source_new(struct sources *sources, struct source_list *list,
                       const struct datasource_setting *setting)
{
    struct source *source = ARENA_NEW(sources->arena, struct source);
    source->setting = setting;
    (void)pthread_mutex_init(&source->lock, NULL);
    VEC_PUSH(sources->arena, list, source);
}

struct sources *sources_new(const struct options *options)
{
    struct sources *sources = memory_alloc(sizeof *sources);
    sources->options = options;
    sources->arena = arena_new();
    (void)pthread_mutex_init(&sources->lock, NULL);
    for (size_t i = 0; i < options->datasources.count; i++) {
        source_new(sources, &sources->items, &options->datasources.items[i]);
    }
    return sources;
}

static void list_close(struct source_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        for (size_t k = 0; k < list->items[i]->views.count; k++) {
            datasource_close(list->items[i]->views.items[k].seen);
        }
        datasource_close(list->items[i]->open);
        (void)pthread_mutex_destroy(&list->items[i]->lock);
    }
}

void sources_free(struct sources *sources)
{
    if (!sources) {
        return;
    }
    list_close(&sources->items);
    list_close(&sources->lent);
    list_close(&sources->gone);
    (void)pthread_mutex_destroy(&sources->lock);
    arena_free(sources->arena);
    memory_free(sources);
}

size_t sources_count(struct sources *sources)
{
    (void)pthread_mutex_lock(&sources->lock);
    size_t count = sources->items.count;
    (void)pthread_mutex_unlock(&sources->lock);
    return count;
}

static struct source *at(struct sources *sources, size_t index)
{
    (void)pthread_mutex_lock(&sources->lock);
    struct source *source =
        index < sources->items.count ? sources->items.items[index] : NULL;
    (void)pthread_mutex_unlock(&sources->lock);
    return source;
}

const struct datasource_setting *sources_at(struct sources *sources, size_t index)
{
    const struct source *source = at(sources, index);
    return source ? source->setting : NULL;
}

static struct source *find(struct sources *sources, const struct source_list *list,
                           const char *id)
{
    struct source *found = NULL;
    (void)pthread_mutex_lock(&sources->lock);
    for (size_t i = 0; i < list->count && !found; i++) {
        found = str_equal_nocase(list->items[i]->setting->id, id) ? list->items[i] : NULL;
    }
    (void)pthread_mutex_unlock(&sources->lock);
    return found;
}

/* Configured, added, or the account's own. */
static struct source *find_for(struct sources *sources, const char *id,
                               const char *account)
{
    struct source *source = find(sources, &sources->items, id);
    if (source) {
        return source;
    }
    source = find(sources, &sources->lent, id);
    return source && str_equal(source->setting->owner, str_or_empty(account)) ? source
                                                                              : NULL;
}

const struct datasource_setting *sources_find(struct sources *sources, const char *id)
{
    const struct source *source = find(sources, &sources->items, id);
    return source ? source->setting : NULL;
}

/* The source as the account sees it. The source's lock is held. */
static struct datasource *seen_by(struct sources *sources, struct source *source,
                                  const char *account, struct err *err)
{
    const struct policy *policy = policy_for(source->setting->policy, account);
    bool asks = policy_asks_account(policy);
    if (!source->open || (policy == datasource_policy(source->open) && !asks)) {
        return source->open;
    }
    for (size_t i = 0; i < source->views.count; i++) {
        const struct view *view = &source->views.items[i];
        if (view->policy == policy && (!asks || str_equal(view->account, account))) {
            return view->seen;
        }
    }
    struct datasource *seen = source->views.count < VIEWS_MOST
                                  ? datasource_view(source->open, policy, account, err)
                                  : NULL;
    if (source->views.count >= VIEWS_MOST) {
        (void)err_set(err, ERR_INTERNAL, "Too many accounts look at '%s'.",
                      source->setting->id);
    }
    if (seen) {
        (void)pthread_mutex_lock(&sources->lock); /* it guards the arena too */
        VEC_PUSH(
            sources->arena, &source->views,
            ((struct view){.policy = policy,
                           .account = asks ? arena_text(sources->arena, account) : NULL,
                           .seen = seen}));
        (void)pthread_mutex_unlock(&sources->lock);
    }
    return seen;
}

struct datasource *sources_open(struct sources *sources, const char *id,
                                const char *account, struct err *err)
{
    struct source *source = find_for(sources, id, account);
    if (!source) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%s'.", id);
        return NULL;
    }
    (void)pthread_mutex_lock(&source->lock);
    if (!source->open) {
        source->open = datasource_attach(source->setting, sources->options, err);
    }
    struct datasource *seen = seen_by(sources, source, account, err);
    (void)pthread_mutex_unlock(&source->lock);
    return seen;
}

void sources_each_open(struct sources *sources, void (*fn)(struct datasource *, void *),
                       void *context)
{
    struct source *source = NULL;
    for (size_t i = 0; (source = at(sources, i)); i++) {
        (void)pthread_mutex_lock(&source->lock);
        if (source->open) {
            fn(source->open, context);
        }
        (void)pthread_mutex_unlock(&source->lock);
    }
}

bool sources_add(struct sources *sources, const struct datasource_setting *setting)
{
    if (find(sources, &sources->items, setting->id)) {
        return false;
    }
    (void)pthread_mutex_lock(&sources->lock);
    struct datasource_setting *own = ARENA_NEW(sources->arena, struct datasource_setting);
    *own = (struct datasource_setting){
        .id = arena_text(sources->arena, setting->id),
        .url = arena_text(sources->arena, setting->url),
        .description = arena_text(sources->arena, setting->description),
        .added = true};
    source_new(sources, &sources->items, own);
    (void)pthread_mutex_unlock(&sources->lock);
    return true;
}

/* With the lock held. */
static void leave(struct sources *sources, struct source_list *items, size_t index)
{
    VEC_PUSH(sources->arena, &sources->gone, items->items[index]);
    for (size_t k = index; k + 1 < items->count; k++) {
        items->items[k] = items->items[k + 1];
    }
    items->count--;
}

static bool stays(const struct datasource_setting *setting, const struct options *options,
                  bool *known, bool all)
{
    for (size_t i = 0; i < options->datasources.count; i++) {
        if (str_equal_nocase(setting->id, options->datasources.items[i].id)) {
            known[i] =
                setting->added || (!all && datasource_settings_equal(
                                               setting, &options->datasources.items[i]));
            return known[i];
        }
    }
    return setting->added;
}

size_t sources_reload(struct sources *sources, const struct options *options, bool all)
{
    size_t changed = 0;
    size_t count = options->datasources.count;
    bool *known = memory_alloc((count + 1) * sizeof *known);
    (void)pthread_mutex_lock(&sources->lock);
    for (size_t i = sources->items.count; i-- > 0;) {
        if (!stays(sources->items.items[i]->setting, options, known, all)) {
            leave(sources, &sources->items, i);
            changed++;
        }
    }
    sources->options = options;
    for (size_t i = 0; i < count; i++) {
        if (!known[i]) {
            source_new(sources, &sources->items, &options->datasources.items[i]);
            changed++;
        }
    }
    (void)pthread_mutex_unlock(&sources->lock);
    memory_free(known);
    return changed;
}

bool sources_remove(struct sources *sources, const char *id)
{
    bool found = false;
    (void)pthread_mutex_lock(&sources->lock);
    struct source_list *items = &sources->items;
    for (size_t i = 0; i < items->count && !found; i++) {
        struct source *source = items->items[i];
        if (source->setting->added && str_equal_nocase(source->setting->id, id)) {
            leave(sources, &sources->items, i);
            found = true;
        }
    }
    (void)pthread_mutex_unlock(&sources->lock);
    return found;
}

const struct datasource_setting *sources_lend(struct sources *sources,
                                              const struct datasource_setting *setting)
{
    const struct datasource_setting *there = NULL;
    (void)pthread_mutex_lock(&sources->lock);
    for (size_t i = 0; i < sources->lent.count && !there; i++) {
        const struct datasource_setting *lent = sources->lent.items[i]->setting;
        there = str_equal_nocase(lent->id, setting->id) ? lent : NULL;
    }
    if (!there) {
        struct datasource_setting *own =
            ARENA_NEW(sources->arena, struct datasource_setting);
        *own = (struct datasource_setting){
            .id = arena_text(sources->arena, setting->id),
            .url = arena_text(sources->arena, setting->url),
            .owner = arena_text(sources->arena, setting->owner)};
        source_new(sources, &sources->lent, own);
        there = own;
    }
    (void)pthread_mutex_unlock(&sources->lock);
    return there;
}

void sources_return(struct sources *sources, const char *id)
{
    (void)pthread_mutex_lock(&sources->lock);
    for (size_t i = sources->lent.count; i-- > 0;) {
        if (str_equal_nocase(sources->lent.items[i]->setting->id, id)) {
            leave(sources, &sources->lent, i);
        }
    }
    (void)pthread_mutex_unlock(&sources->lock);
}
