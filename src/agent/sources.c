/* The datasources of this house. */
#include "agent/sources.h"

#include <pthread.h>

#include "base/memory.h"
#include "base/str.h"

struct source {
    const struct datasource_setting *setting;
    pthread_mutex_t lock; /* one opens, the others wait for it */
    struct datasource *open;
};

struct sources {
    const struct options *options;
    struct source *items;
    size_t count;
};

struct sources *sources_new(const struct options *options)
{
    struct sources *sources = memory_alloc(sizeof *sources);
    sources->options = options;
    sources->count = options->datasources.count;
    sources->items = memory_array(sources->count, sizeof *sources->items);
    for (size_t i = 0; i < sources->count; i++) {
        sources->items[i].setting = &options->datasources.items[i];
        (void)pthread_mutex_init(&sources->items[i].lock, NULL);
    }
    return sources;
}

void sources_free(struct sources *sources)
{
    if (!sources) {
        return;
    }
    for (size_t i = 0; i < sources->count; i++) {
        if (sources->items[i].open) {
            datasource_close(sources->items[i].open);
        }
        (void)pthread_mutex_destroy(&sources->items[i].lock);
    }
    memory_free(sources->items);
    memory_free(sources);
}

size_t sources_count(const struct sources *sources)
{
    return sources->count;
}

const struct datasource_setting *sources_at(const struct sources *sources, size_t index)
{
    return index < sources->count ? sources->items[index].setting : NULL;
}

static struct source *find(const struct sources *sources, const char *id)
{
    for (size_t i = 0; i < sources->count; i++) {
        if (str_equal_nocase(sources->items[i].setting->id, id)) {
            return &sources->items[i];
        }
    }
    return NULL;
}

const struct datasource_setting *sources_find(const struct sources *sources,
                                              const char *id)
{
    const struct source *source = find(sources, id);
    return source ? source->setting : NULL;
}

struct datasource *sources_open(struct sources *sources, const char *id, struct err *err)
{
    struct source *source = find(sources, id);
    if (!source) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%s'.", id);
        return NULL;
    }
    (void)pthread_mutex_lock(&source->lock);
    if (!source->open) {
        source->open = datasource_attach(source->setting, sources->options, err);
    }
    struct datasource *open = source->open;
    (void)pthread_mutex_unlock(&source->lock);
    return open;
}

void sources_each_open(struct sources *sources, void (*fn)(struct datasource *, void *),
                       void *context)
{
    for (size_t i = 0; i < sources->count; i++) {
        (void)pthread_mutex_lock(&sources->items[i].lock);
        if (sources->items[i].open) {
            fn(sources->items[i].open, context);
        }
        (void)pthread_mutex_unlock(&sources->items[i].lock);
    }
}
