/* Backup and restore. */
#include <fcntl.h>
#include <unistd.h>

#include "agent/sources/dataset_rows.h"
#include "base/arena.h"
#include "base/err.h"
#include "datasource/files/dataset.h"
#include "service/instance.h"
#include "store/store.h"

static int open_rows(void *context, const char *account, const char *name)
{
    const struct dgm *dgm = context;
    struct arena *arena = arena_new();
    int fd = open(dataset_path(arena, dgm->options, account, name), O_RDONLY | O_CLOEXEC);
    arena_free(arena);
    return fd;
}

bool dgm_backup(struct dgm *dgm, const char *path, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (!instance_store(dgm, &err) || !store_backup(dgm->agent.store, path, &err)) {
        return instance_fail(error, &err);
    }
    if (!store_backup_fill(path, open_rows, dgm, &err)) {
        (void)unlink(path);
        return instance_fail(error, &err);
    }
    return true;
}

bool dgm_restore(const struct dgm_config *config, const char *path,
                 struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (!store_restore(path, config->options, &err)) {
        return instance_fail(error, &err);
    }
    /* from a shared store the rows of datasets are taken where they are needed */
    struct store *store = store_open(config->options, &err);
    bool ok = store &&
              (store_shared(store) || dataset_rows_restore(store, config->options, &err));
    store_close(store);
    return ok || instance_fail(error, &err);
}
