/* The datasources of this instance. */
#include "agent/sources/sources.h"

#include <pthread.h>

#include "agent/sources/identities.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/actor.h"

enum { VIEWS_MOST = 100000 }; /* accounts with a view of their own */

/* What an account sees of a source. */
struct view {
    const struct policy *policy;
    const char *account; /* where the policy asks for it; else NULL */
    const char *claims;  /* those that the policy asks for, as JSON; else NULL */
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
    struct views views; /* of accounts with a policy of their own */
    size_t held;        /* number of users; guarded by the lock of the lists, like … */
    bool gone;
    bool closed; /* set by the thread that saw that it has no users */
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
    struct identities *identities;
    pthread_mutex_t rows; /* files of datasets change places one at a time */
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
    (void)pthread_mutex_init(&sources->rows, NULL);
    sources->identities = identities_new();
    for (size_t i = 0; i < options->datasources.count; i++) {
        source_new(sources, &sources->items, &options->datasources.items[i]);
    }
    return sources;
}

/* No question uses it, and none can find it any more. */
static void source_close(struct source *source)
{
    for (size_t i = 0; i < source->views.count; i++) {
        datasource_close(source->views.items[i].seen);
    }
    source->views.count = 0;
    datasource_close(source->open);
    source->open = NULL;
}

static void list_close(struct source_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        source_close(list->items[i]);
        (void)pthread_mutex_destroy(&list->items[i]->lock);
    }
}

/* Who has borrowed a source, in the arena of the borrower. */
struct hold {
    struct sources *sources;
    struct source *source;
};

static void hold_release(void *object)
{
    const struct hold *hold = object;
    (void)pthread_mutex_lock(&hold->sources->lock);
    hold->source->held--;
    bool last = hold->source->gone && hold->source->held == 0 && !hold->source->closed;
    hold->source->closed = hold->source->closed || last;
    (void)pthread_mutex_unlock(&hold->sources->lock);
    if (last) {
        source_close(hold->source);
    }
}

static void hold_keep(struct sources *sources, struct source *source,
                      struct arena *keeper)
{
    if (keeper) {
        struct hold *hold = ARENA_NEW(keeper, struct hold);
        *hold = (struct hold){sources, source};
        arena_defer(keeper, hold_release, hold);
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
    (void)pthread_mutex_destroy(&sources->rows);
    identities_free(sources->identities);
    arena_free(sources->arena);
    memory_free(sources);
}

void sources_introduce(struct sources *sources, const char *actor, const char *identity)
{
    identities_put(sources->identities, actor, identity);
}

const struct options *sources_options(struct sources *sources)
{
    return sources->options;
}

pthread_mutex_t *sources_rows_lock(struct sources *sources)
{
    return &sources->rows;
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

/* With the lock held. */
static struct source *find_in(const struct source_list *list, const char *id)
{
    struct source *found = NULL;
    for (size_t i = 0; i < list->count && !found; i++) {
        found = str_equal_nocase(list->items[i]->setting->id, id) ? list->items[i] : NULL;
    }
    return found;
}

static struct source *find(struct sources *sources, const struct source_list *list,
                           const char *id)
{
    (void)pthread_mutex_lock(&sources->lock);
    struct source *found = find_in(list, id);
    (void)pthread_mutex_unlock(&sources->lock);
    return found;
}

/* Configured, added, or the account's own; held. */
static struct source *hold_for(struct sources *sources, const char *id, const char *actor)
{
    (void)pthread_mutex_lock(&sources->lock);
    struct source *source = find_in(&sources->items, id);
    if (!source) {
        source = find_in(&sources->lent, id);
        source = source && actor_is_of(actor, source->setting->owner) ? source : NULL;
    }
    if (source) {
        source->held++;
    }
    (void)pthread_mutex_unlock(&sources->lock);
    return source;
}

const struct datasource_setting *sources_find(struct sources *sources, const char *id)
{
    const struct source *source = find(sources, &sources->items, id);
    return source ? source->setting : NULL;
}

/* What the actor may see of a source, and what that depends on. */
static struct view view_for(struct sources *sources, const struct source *source,
                            const char *actor, struct arena *scratch)
{
    const char *account = actor_account(scratch, actor);
    const struct policy *all = source->setting->policy;
    struct texts roles = {0};
    struct texts names = {0};
    if (!all) {
        return (struct view){0};
    }
    const json_t *identity = identities_get(sources->identities, actor, scratch);
    json_texts_at(scratch, identity, "roles", &roles);
    const struct policy *policy = policy_for(all, account, &roles);
    policy_claims_of(policy, scratch, &names);
    return (struct view){.policy = policy,
                         .account = policy_asks_account(policy) ? account : NULL,
                         .claims = identities_claims(identity, &names, scratch)};
}

static struct datasource *find_view(const struct source *source, const struct view *like)
{
    for (size_t i = 0; i < source->views.count; i++) {
        const struct view *view = &source->views.items[i];
        if (view->policy == like->policy && str_equal(view->account, like->account) &&
            str_equal(view->claims, like->claims)) {
            return view->seen;
        }
    }
    return NULL;
}

/* The source as the actor sees it. The source's lock is held. */
static struct datasource *seen_by(struct sources *sources, struct source *source,
                                  const char *actor, struct arena *scratch,
                                  struct err *err)
{
    struct view view = view_for(sources, source, actor, scratch);
    if (!source->open || (view.policy == datasource_policy(source->open) &&
                          !view.account && !view.claims)) {
        return source->open;
    }
    struct datasource *seen = find_view(source, &view);
    if (seen) {
        return seen;
    }
    if (source->views.count >= VIEWS_MOST) {
        (void)err_set(err, ERR_INTERNAL, "Too many accounts use '%s' at the same time.",
                      source->setting->id);
        return NULL;
    }
    seen = datasource_view(source->open, view.policy, view.account, view.claims, err);
    if (seen) {
        (void)pthread_mutex_lock(&sources->lock); /* it guards the arena too */
        VEC_PUSH(sources->arena, &source->views,
                 ((struct view){.policy = view.policy,
                                .account = arena_text(sources->arena, view.account),
                                .claims = arena_text(sources->arena, view.claims),
                                .seen = seen}));
        (void)pthread_mutex_unlock(&sources->lock);
    }
    return seen;
}

typedef struct datasource *attach_fn(const struct datasource_setting *,
                                     const struct options *, struct err *);

static struct datasource *open_by(struct sources *sources, struct arena *keeper,
                                  const char *id, const char *account, attach_fn *attach,
                                  struct err *err)
{
    struct source *source = hold_for(sources, id, account);
    if (!source) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%s'.", id);
        return NULL;
    }
    hold_keep(sources, source, keeper);
    (void)pthread_mutex_lock(&source->lock);
    if (!source->open) {
        source->open = attach(source->setting, sources->options, err);
    }
    struct arena *scratch = arena_new();
    struct datasource *seen = seen_by(sources, source, account, scratch, err);
    (void)pthread_mutex_unlock(&source->lock);
    arena_free(scratch);
    return seen;
}

struct datasource *sources_open(struct sources *sources, struct arena *keeper,
                                const char *id, const char *account, struct err *err)
{
    return open_by(sources, keeper, id, account, datasource_attach, err);
}

struct datasource *sources_open_later(struct sources *sources, struct arena *keeper,
                                      const char *id, const char *account,
                                      struct err *err)
{
    return open_by(sources, keeper, id, account, datasource_attach_later, err);
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

/* With the lock held. Who is at work on it closes it, else leave_end does. */
static void leave(struct sources *sources, struct source_list *items, size_t index)
{
    items->items[index]->gone = true;
    VEC_PUSH(sources->arena, &sources->gone, items->items[index]);
    for (size_t k = index; k + 1 < items->count; k++) {
        items->items[k] = items->items[k + 1];
    }
    items->count--;
}

/* Without the lock: closing may take a word with a server. */
static void leave_end(struct sources *sources)
{
    struct source *idle = NULL;
    do {
        idle = NULL;
        (void)pthread_mutex_lock(&sources->lock);
        for (size_t i = 0; i < sources->gone.count && !idle; i++) {
            struct source *source = sources->gone.items[i];
            idle = source->held == 0 && !source->closed ? source : NULL;
        }
        if (idle) {
            idle->closed = true;
        }
        (void)pthread_mutex_unlock(&sources->lock);
        if (idle) {
            source_close(idle);
        }
    } while (idle);
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
    leave_end(sources);
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
    leave_end(sources);
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
            .owner = arena_text(sources->arena, setting->owner),
            .name = arena_text(sources->arena, setting->name)};
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
    leave_end(sources);
}
