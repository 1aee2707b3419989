/* Datasets among the datasources: an account asks its own by their ids or names. */
#include "agent/sources/dataset_rows.h"
#include "agent/sources/sources.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/str.h"
#include "model/actor.h"
#include "store/store.h"

const struct datasource_setting *sources_seek(struct sources *sources,
                                              struct store *store, const char *id,
                                              const char *actor)
{
    const struct datasource_setting *found = sources_find(sources, id);
    if (found || !store || str_empty(id)) {
        return found;
    }
    struct err err;
    struct store_dataset dataset;
    struct arena *arena = arena_new();
    const char *account = actor_account(arena, actor);
    err_clear(&err);
    if (store_dataset_get(store, arena, account, id, &dataset, &err)) {
        if (!dataset_rows_fetch(sources, store, &dataset, &err)) {
            LOG(LOG_AGENT, LOG_WARN, "%s: %s", dataset.id, err.message);
        }
        const struct datasource_setting setting = {
            .id = dataset.id,
            .url = str_empty(account)
                       ? arena_format(arena, "dataset:%s", dataset.name)
                       : arena_format(arena, "dataset:%s/%s", account, dataset.name),
            .owner = str_or_empty(account),
            .name = dataset.name};
        found = sources_lend(sources, &setting);
    }
    arena_free(arena);
    return found;
}
