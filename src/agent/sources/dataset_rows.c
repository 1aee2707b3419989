/* The rows of datasets between the store and the files here. */
#include "agent/sources/dataset_rows.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/sources/sources.h"
#include "base/arena.h"
#include "base/cancel.h"
#include "base/err.h"
#include "base/file.h"
#include "base/id.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/files/dataset.h"
#include "store/store.h"

enum { NOTE_MOST = 256, TRIES = 3 };

static const char note_tail[] = ".duckdb.version";

/* ------------------------------------------------------------------ which rows are here
 */

/* What is noted beside a file: the version of its rows, and which file that was said of,
 * so that it does not hold for another one in its place. "": there is no file. */
static char *note_text(struct arena *arena, const char *target, const char *version)
{
    struct stat status;
    if (stat(target, &status) != 0) {
        return arena_text(arena, "");
    }
    return arena_format(arena, "%s %" PRId64 " %" PRId64 ".%09ld %" PRIu64 "\n", version,
                        (int64_t)status.st_size, (int64_t)status.st_mtim.tv_sec,
                        status.st_mtim.tv_nsec, (uint64_t)status.st_ino);
}

static bool is_noted(struct arena *arena, const char *target, const char *version)
{
    struct err ignored;
    size_t size = 0;
    err_clear(&ignored);
    const char *wanted = note_text(arena, target, version);
    const char *noted =
        file_read(arena, dataset_note_path(arena, target), NOTE_MOST, &size, &ignored);
    return *wanted && noted && str_equal(noted, wanted);
}

/* Without it the rows are only taken once more. */
static void note(struct arena *arena, const char *target, const char *version)
{
    struct err err;
    const char *text = note_text(arena, target, version);
    err_clear(&err);
    if (!file_write(dataset_note_path(arena, target), text, strlen(text), &err)) {
        LOG(LOG_AGENT, LOG_WARN, "the version of a dataset is not noted: %s",
            err.message);
    }
}

static bool put_in_place(struct arena *arena, const char *incoming, const char *target,
                         const char *version, struct err *err)
{
    if (rename(incoming, target) != 0) {
        return err_set(err, ERR_STORE, "The dataset could not be written: %s.",
                       strerror(errno));
    }
    note(arena, target, version);
    return true;
}

char *dataset_rows_incoming(struct arena *arena, const char *target)
{
    char unique[ID_SIZE];
    id_new("in", unique);
    /* named like what an import leaves behind, so that the next one clears it away */
    return arena_format(arena, "%s.%ld-%s.part", target, (long)getpid(), unique);
}

/* ------------------------------------------------------------------ to the store */

static bool send_parts(struct store *store, const char *id, const char *version, int fd,
                       struct cancel *cancel, int64_t *total, struct err *err)
{
    char *bytes = memory_alloc(STORE_DATASET_PART);
    bool ok = true;
    ssize_t got = 1;
    *total = 0;
    for (int64_t part = 0; ok && got > 0; part++) {
        got = file_read_full(fd, bytes, STORE_DATASET_PART);
        if (got < 0) {
            ok = err_set(err, ERR_STORE, "The dataset could not be read: %s.",
                         strerror(errno));
        } else if (cancel_fired(cancel)) {
            ok = err_set(err, ERR_STOPPED, "The import was stopped.");
        } else if (got > 0) {
            ok =
                store_dataset_part_put(store, id, version, part, bytes, (size_t)got, err);
            *total += got;
        }
    }
    memory_free(bytes);
    return ok;
}

/* Parts that nothing leads to. */
static void drop_others(struct store *store, struct arena *arena,
                        const struct store_dataset *dataset, const char *id)
{
    struct err err;
    struct store_dataset kept = {.version = ""};
    err_clear(&err);
    if ((store_dataset_get(store, arena, dataset->account, dataset->name, &kept, &err) ||
         err.code == ERR_DATASET_NOT_FOUND) &&
        !store_dataset_part_drop(store, id, kept.version, &err)) {
        LOG(LOG_AGENT, LOG_WARN, "old rows of a dataset stay in the store: %s",
            err.message);
    }
}

bool dataset_rows_send(struct sources *sources, struct store *store,
                       const struct store_dataset *dataset, const char *incoming,
                       struct cancel *cancel, struct err *err)
{
    struct arena *arena = arena_new();
    struct store_dataset named = *dataset;
    char id[STORE_DATASET_ID];
    char version[ID_SIZE];
    store_dataset_id(dataset->account, dataset->name, id);
    id_new("v", version);
    named.version = version;
    const char *target =
        dataset_path(arena, sources_options(sources), dataset->account, dataset->name);
    int fd = open(incoming, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 || err_set(err, ERR_STORE, "The dataset could not be read: %s.",
                                 strerror(errno));
    ok = ok && send_parts(store, id, version, fd, cancel, &named.bytes, err);
    if (fd >= 0) {
        (void)close(fd);
    }
    /* nobody here takes the old ones between the row and the file */
    (void)pthread_mutex_lock(sources_rows_lock(sources));
    ok = ok && store_dataset_put(store, &named, err) &&
         put_in_place(arena, incoming, target, version, err);
    (void)pthread_mutex_unlock(sources_rows_lock(sources));
    drop_others(store, arena, dataset, id);
    (void)unlink(incoming);
    arena_free(arena);
    return ok;
}

/* ------------------------------------------------------------------ and back */

static bool write_fail(struct err *err)
{
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    return err_set(err, full ? ERR_DISK_FULL : ERR_STORE,
                   "The rows of a dataset could not be written: %s.", strerror(errno));
}

/* False without an error: there are fewer rows than there should be. *any: there are some
 * at all. */
static bool take_parts(struct store *store, const struct store_dataset *dataset,
                       const char *incoming, bool *any, struct err *err)
{
    int64_t total = 0;
    bool more = true;
    int fd = open(incoming, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 || write_fail(err);
    for (int64_t part = 0; ok && more; part++) {
        struct arena *arena = arena_new();
        const char *bytes = NULL;
        size_t size = 0;
        ok = store_dataset_part_get(store, arena, dataset->id, dataset->version, part,
                                    &bytes, &size, err) &&
             (!bytes || file_write_all(fd, bytes, size) || write_fail(err));
        more = bytes != NULL;
        *any = *any || bytes;
        total += (int64_t)size;
        arena_free(arena);
    }
    ok = ok && (fsync(fd) == 0 || write_fail(err));
    if (fd >= 0) {
        (void)close(fd);
    }
    return ok && total == dataset->bytes;
}

/* If the rows are replaced meanwhile, the parts being read disappear; then they are read
 * again. */
static bool dataset_rows_take(struct store *store, struct arena *arena,
                              const char *target, const struct store_dataset *wanted,
                              struct err *err)
{
    struct store_dataset dataset = *wanted;
    for (int try = 0; try < TRIES; try++) {
        bool any = false;
        const char *incoming = dataset_rows_incoming(arena, target);
        err_clear(err);
        if (take_parts(store, &dataset, incoming, &any, err)) {
            return put_in_place(arena, incoming, target, dataset.version, err);
        }
        (void)unlink(incoming);
        if (err->code != ERR_OK || !store_dataset_get(store, arena, wanted->account,
                                                      wanted->name, &dataset, err)) {
            return false;
        }
        if (!any && str_equal(dataset.version, wanted->version)) {
            return true; /* the file here is all there is */
        }
    }
    return err_set(err, ERR_STORE, "The rows of dataset '%s' are not whole in the store.",
                   wanted->name);
}

static bool fetch(struct store *store, const struct options *options,
                  const struct store_dataset *dataset, bool *taken, struct err *err)
{
    struct arena *arena = arena_new();
    const char *target = dataset_path(arena, options, dataset->account, dataset->name);
    const char *base = strrchr(target, '/');
    bool ok = true;
    if (!is_noted(arena, target, dataset->version)) {
        ok = folder_create(arena_copy(arena, target, (size_t)(base - target)), err) &&
             dataset_rows_take(store, arena, target, dataset, err);
        *taken = ok;
    }
    arena_free(arena);
    return ok;
}

bool dataset_rows_fetch(struct sources *sources, struct store *store,
                        const struct store_dataset *dataset, struct err *err)
{
    bool taken = false;
    if (str_empty(dataset->version)) {
        return true;
    }
    (void)pthread_mutex_lock(sources_rows_lock(sources));
    bool ok = fetch(store, sources_options(sources), dataset, &taken, err);
    (void)pthread_mutex_unlock(sources_rows_lock(sources));
    if (taken) {
        sources_return(sources, dataset->id); /* it may have been another until now */
    }
    return ok;
}

bool dataset_rows_restore(struct store *store, const struct options *options,
                          struct err *err)
{
    struct arena *arena = arena_new();
    struct store_datasets all = {0};
    bool ok = store_dataset_all(store, arena, &all, err);
    for (size_t i = 0; ok && i < all.count; i++) {
        const struct store_dataset *dataset = &all.items[i];
        bool taken = false;
        ok = str_empty(dataset->version) ||
             (fetch(store, options, dataset, &taken, err) &&
              store_dataset_part_drop(store, dataset->id, "", err));
    }
    arena_free(arena);
    return ok;
}

/* ------------------------------------------------------------------ gone elsewhere */

static void sweep_one(struct sources *sources, struct store *store, const char *folder,
                      const char *account, const char *name)
{
    struct err err;
    struct arena *arena = arena_new();
    struct store_dataset dataset;
    err_clear(&err);
    (void)pthread_mutex_lock(sources_rows_lock(sources));
    bool gone = !store_dataset_get(store, arena, account, name, &dataset, &err) &&
                err.code == ERR_DATASET_NOT_FOUND;
    if (gone) {
        const char *target = arena_format(arena, "%s/%s.duckdb", folder, name);
        (void)unlink(dataset_note_path(arena, target));
        (void)unlink(target);
    }
    (void)pthread_mutex_unlock(sources_rows_lock(sources));
    if (gone) {
        char id[STORE_DATASET_ID];
        store_dataset_id(account, name, id);
        sources_return(sources, id);
    }
    arena_free(arena);
}

static void sweep_folder(struct sources *sources, struct store *store, const char *folder,
                         const char *account)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct arena *arena = arena_new();
        size_t size = strlen(entry->d_name);
        size_t tail = sizeof note_tail - 1;
        if (size > tail && str_equal(entry->d_name + size - tail, note_tail)) {
            sweep_one(sources, store, folder, account,
                      arena_copy(arena, entry->d_name, size - tail));
        }
        arena_free(arena);
    }
    if (entries) {
        (void)closedir(entries);
    }
}

void dataset_rows_sweep(struct sources *sources, struct store *store)
{
    struct arena *arena = arena_new();
    const char *local = dataset_path(arena, sources_options(sources), NULL, "");
    const char *own = arena_copy(arena, local, (size_t)(strrchr(local, '/') - local));
    const char *folder = arena_copy(arena, own, (size_t)(strrchr(own, '/') - own));
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.') {
            bool is_local = str_equal(entry->d_name, strrchr(own, '/') + 1);
            sweep_folder(sources, store,
                         arena_format(arena, "%s/%s", folder, entry->d_name),
                         is_local ? NULL : entry->d_name);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    arena_free(arena);
}
