/* Datasets: names, places, and the import that is there as a whole or not at all. */
#include "datasource/files/dataset.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "datasource/files/dataset_state.h"
#include "datasource/driver.h"

enum { NAME_MOST = 64 };

static bool name_good(const char *name)
{
    size_t size = strnlen(name, NAME_MOST + 1);
    for (size_t i = 0; i < size; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_' &&
            (name[i] != '-' || i == 0)) {
            return false;
        }
    }
    return size > 0 && size <= NAME_MOST;
}

bool dataset_name_check(const char *name, struct err *err)
{
    if (name && name_good(name)) {
        return true;
    }
    (void)err_set(err, ERR_USAGE, "'%.80s' cannot be the name of a dataset.",
                  name ? name : "");
    return err_hint(err, "Names have letters, digits, '_' and '-', at most %d of them.",
                    NAME_MOST);
}

char *dataset_name_of(struct arena *arena, const char *path)
{
    const char *base = file_base_name(path);
    size_t size = strcspn(base, ".");
    char *name = arena_copy(arena, base, size < NAME_MOST ? size : NAME_MOST);
    for (char *at = name; *at; at++) {
        *at = isalnum((unsigned char)*at) ? *at : '_';
    }
    return *name ? name : arena_text(arena, "data");
}

char *dataset_path(struct arena *arena, const struct options *options,
                   const char *account, const char *name)
{
    const char *folder =
        str_empty(options->store_folder) ? folder_data(arena) : options->store_folder;
    return arena_format(arena, "%s/datasets/%s/%s.duckdb", folder,
                        str_empty(account) ? "local" : account, name);
}

char *dataset_find(struct arena *arena, const struct options *options, const char *name,
                   struct err *err)
{
    const char *slash = strchr(name, '/');
    const char *account = slash ? arena_copy(arena, name, (size_t)(slash - name)) : NULL;
    const char *bare = slash ? slash + 1 : name;
    if (!name_good(bare) || (account && !name_good(account))) {
        (void)err_set(err, ERR_DATASET_NOT_FOUND, "Dataset not found");
        return NULL;
    }
    char *path = dataset_path(arena, options, account, bare);
    if (!file_exists(path)) {
        (void)err_set(err, ERR_DATASET_NOT_FOUND, "Dataset not found");
        (void)err_detail(err, "There is no dataset '%s'.", bare);
        if (str_starts(str_or_empty(options->store_url), "postgres")) {
            (void)err_hint(err, "Its rows are in the data folder of another process. "
                                "Import it again, so that all processes have them.");
        }
        return NULL;
    }
    return path;
}

/* ------------------------------------------------------------------ parts */

/* shop.duckdb.1234-1.part: a folder of its own, which is all that the import can write.
 */
static char *part_name(struct arena *arena, const char *target)
{
    static atomic_int serial;
    return arena_format(arena, "%s.%ld-%d.part", target, (long)getpid(),
                        atomic_fetch_add(&serial, 1));
}

char *dataset_part(struct arena *arena, const char *folder)
{
    return arena_format(arena, "%s/rows.duckdb", folder);
}

/* Deletes a file or folder that an import has left behind. */
static void dataset_part_remove(const char *path)
{
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        if (fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries) {
        (void)closedir(entries);
        (void)rmdir(path);
    } else {
        (void)unlink(path);
    }
}

/* What processes have left behind that are no more. */
static void parts_clean(struct arena *arena, const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const char *mark = strstr(entry->d_name, ".duckdb.");
        long pid = mark && strstr(mark, ".part")
                       ? strtol(mark + strlen(".duckdb."), NULL, 10)
                       : 0;
        if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
            dataset_part_remove(arena_format(arena, "%s/%s", folder, entry->d_name));
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
}

static bool sync_path(const char *path, int flags)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return ok;
}

/* Syncs the file before renaming it, so that readers see the old or the new one. */
static bool part_publish(const char *part, const char *folder,
                         const struct dataset_request *request,
                         struct dataset_report *out, struct err *err)
{
    struct stat status;
    bool made = sync_path(part, 0) && stat(part, &status) == 0;
    if (made && request->admit &&
        !request->admit(request->context, status.st_size, err)) {
        return false;
    }
    if (!made || rename(part, request->target) != 0) {
        bool full = errno == ENOSPC || errno == EDQUOT;
        return err_set(err, full ? ERR_DISK_FULL : ERR_STORE,
                       "The dataset could not be written.");
    }
    (void)sync_path(folder, O_DIRECTORY);
    out->bytes = status.st_size;
    return true;
}

/* The engine says so in words only. */
static void name_full_disk(struct err *err)
{
    static const char *const words[] = {"No space left", "File too large",
                                        "Disk quota exceeded", "max_temp_directory_size"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(err->detail, words[i])) {
            (void)err_set(err, ERR_DISK_FULL,
                          "There is no room left for the dataset; the old one, if there "
                          "was one, is still there.");
            return;
        }
    }
}

bool dataset_import(struct arena *arena, const struct options *options,
                    const struct dataset_request *request, struct dataset_report *out,
                    struct err *err)
{
    const char *base = file_base_name(request->target);
    const char *folder =
        arena_copy(arena, request->target, (size_t)(base - request->target));
    *out = (struct dataset_report){
        .file = arena_text(arena, file_base_name(request->source))};
    if (!folder_create(folder, err)) {
        return false;
    }
    parts_clean(arena, folder);
    const char *part = part_name(arena, request->target);
    bool ok =
        folder_create(part, err) && dataset_fill(arena, options, request, part, out, err);
    if (cancel_fired(request->cancel)) { /* asked in time, it is not there */
        ok = err_set(err, ERR_STOPPED, "The import was stopped.");
    } else if (!ok) {
        name_full_disk(err);
    }
    ok = ok && part_publish(dataset_part(arena, part), folder, request, out, err);
    dataset_part_remove(part);
    return ok;
}

bool dataset_remove(const char *target, struct err *err)
{
    if (unlink(target) != 0 && errno != ENOENT) {
        return err_set(err, ERR_STORE, "The dataset could not be removed: %s.",
                       strerror(errno));
    }
    struct arena *arena = arena_new();
    (void)unlink(dataset_note_path(arena, target));
    arena_free(arena);
    return true;
}

char *dataset_note_path(struct arena *arena, const char *target)
{
    return arena_format(arena, "%s.version", target);
}

#ifndef DRAGOMAN_HAS_DUCKDB

bool dataset_fill(struct arena *arena, const struct options *options,
                  const struct dataset_request *request, const char *folder,
                  struct dataset_report *out, struct err *err)
{
    (void)arena;
    (void)options;
    (void)request;
    (void)folder;
    (void)out;
    (void)err_set(err, ERR_DATASOURCE_KIND,
                  "This dragoman was built without DuckDB support.");
    return err_hint(err, "Install DuckDB (tools/duckdb/fetch) and rebuild.");
}

#endif
