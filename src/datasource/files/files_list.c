/* Which files a path names, what they are, and how to see that one has changed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"

enum { WHOLE_MOST = 4 << 20, END_BYTES = 64 << 10 };

static const struct {
    const char *extension;
    enum files_format format;
    bool tabs;
    bool lines;
} extensions[] = {
    {".csv", FILES_CSV, false, false},   {".tsv", FILES_CSV, true, false},
    {".tab", FILES_CSV, true, false},    {".txt", FILES_CSV, false, false},
    {".json", FILES_JSON, false, false}, {".ndjson", FILES_JSON, false, true},
    {".jsonl", FILES_JSON, false, true}, {".parquet", FILES_PARQUET, false, false},
    {".xlsx", FILES_XLSX, false, false}, {".xlsm", FILES_XLSX, false, false},
};

/* By the name alone; .gz may follow. */
static void format_by_name(struct arena *arena, struct files_file *file)
{
    const char *name = file->name;
    if (str_ends_nocase(name, ".gz")) {
        file->packed = true;
        name = arena_copy(arena, name, strlen(name) - 3);
    }
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        if (str_ends_nocase(name, extensions[i].extension)) {
            file->format = extensions[i].format;
            file->tabs = extensions[i].tabs;
            file->lines = extensions[i].lines;
            return;
        }
    }
}

static void mark_of(const struct stat *status, struct stat_mark *mark)
{
    memset(mark, 0, sizeof *mark);
    mark->device = status->st_dev;
    mark->inode = status->st_ino;
    mark->size = status->st_size;
    mark->changed = status->st_mtim;
}

static bool files_mark_read(const char *path, struct stat_mark *mark)
{
    struct stat status;
    memset(mark, 0, sizeof *mark);
    if (stat(path, &status) != 0) {
        return false;
    }
    mark_of(&status, mark);
    return true;
}

bool files_mark_equal(const struct stat_mark *a, const struct stat_mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

/* ------------------------------------------------------------------ finding */

static bool add_file(struct arena *arena, const char *path, struct files_list *out,
                     struct err *err)
{
    if (!file_source_check(path, err)) {
        return false;
    }
    char *real = realpath(path, NULL);
    struct files_file *file = VEC_ADD(arena, out);
    file->path = arena_text(arena, real ? real : path);
    file->name = arena_text(arena, file_base_name(path));
    free(real);
    format_by_name(arena, file);
    (void)files_mark_read(file->path, &file->mark);
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A link in a folder may lead anywhere: it is followed only within the folder. */
static bool stays_within(const char *folder, const char *path)
{
    char *home = realpath(folder, NULL);
    char *real = realpath(path, NULL);
    size_t size = home ? strlen(home) : 0;
    bool within = home && real && strncmp(real, home, size) == 0 && real[size] == '/';
    free(home);
    free(real);
    return within;
}

struct folder_reading {
    struct arena *arena;
    const struct options *options;
    struct files_list *out;
    struct texts *warnings;
};

static void add_entry(struct folder_reading *reading, const char *folder,
                      const char *entry)
{
    struct arena *arena = reading->arena;
    const char *path = arena_format(arena, "%s/%s", folder, entry);
    struct files_file probe = {.name = entry};
    struct err ignored;
    format_by_name(arena, &probe);
    err_clear(&ignored);
    if (probe.format == FILES_UNKNOWN || str_ends_nocase(entry, ".txt") ||
        folder_exists(path)) {
        return;
    }
    if (!stays_within(folder, path)) {
        VEC_PUSH(
            arena, reading->warnings,
            arena_format(arena, "'%s' leads out of the folder and was left out", entry));
    } else if (!add_file(arena, path, reading->out, &ignored)) {
        VEC_PUSH(arena, reading->warnings, arena_text(arena, ignored.message));
    }
}

/* Every file of a folder that looks like a table, or whose name fits the pattern. */
static bool add_folder(struct folder_reading *reading, const char *folder,
                       const char *pattern, struct err *err)
{
    struct arena *arena = reading->arena;
    DIR *entries = opendir(folder);
    if (!entries) {
        return file_source_check(folder, err) &&
               err_set(err, ERR_ACCESS, "The folder '%s' may not be read.",
                       file_base_name(folder));
    }
    struct texts names = {0};
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] != '.' &&
            (!pattern || fnmatch(pattern, entry->d_name, 0) == 0)) {
            VEC_PUSH(arena, &names, arena_text(arena, entry->d_name));
        }
        if ((int64_t)names.count > 100 * reading->options->files_max_files) {
            break; /* a folder of another kind altogether */
        }
    }
    (void)closedir(entries);
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof *names.items, by_text);
    }
    for (size_t i = 0; i < names.count; i++) {
        if ((int64_t)reading->out->count >= reading->options->files_max_files) {
            VEC_PUSH(arena, reading->warnings,
                     "files.max_files: the folder has more files; they were left out");
            break;
        }
        add_entry(reading, folder, names.items[i]);
    }
    return true;
}

static bool nothing_found(const char *path, struct err *err)
{
    (void)err_set(err, ERR_NOT_A_DATABASE,
                  "'%s' is a folder without a file that is a table.",
                  file_base_name(path));
    return err_hint(err,
                    "Tables are .csv, .tsv, .json, .ndjson, .parquet and .xlsx "
                    "files; or name a database file, for example %s/shop.db.",
                    file_base_name(path));
}

static bool add_any(struct folder_reading *reading, const char *path, struct err *err)
{
    size_t before = reading->out->count;
    if (folder_exists(path)) {
        return add_folder(reading, path, NULL, err) &&
               (reading->out->count > before || nothing_found(path, err));
    }
    const char *base = file_base_name(path);
    if (strpbrk(base, "*?") && !file_exists(path)) {
        const char *folder =
            base == path ? "." : arena_copy(reading->arena, path, (size_t)(base - path));
        return add_folder(reading, folder, base, err) &&
               (reading->out->count > before ||
                err_set(err, ERR_DATASOURCE_NOT_FOUND, "No file fits '%s'.", base));
    }
    return add_file(reading->arena, path, reading->out, err);
}

bool files_list_read(struct arena *arena, const char *path, const struct options *options,
                     struct files_list *out, struct texts *warnings, struct err *err)
{
    struct folder_reading reading = {arena, options, out, warnings};
    struct stat status;
    if (!strchr(path, ',') || stat(path, &status) == 0) {
        return add_any(&reading, path, err);
    }
    struct texts parts = {0};
    str_split(arena, path, ',', &parts);
    for (size_t i = 0; i < parts.count; i++) {
        if (!str_empty(parts.items[i]) &&
            !add_any(&reading, str_trim(arena, parts.items[i]), err)) {
            return false;
        }
    }
    if ((int64_t)out->count > options->files_max_files) {
        return err_set(err, ERR_NOT_A_DATABASE, "More than %lld files are named.",
                       (long long)options->files_max_files);
    }
    return out->count > 0 || err_set(err, ERR_DATASOURCE_NOT_FOUND, "No file is named.");
}

/* ------------------------------------------------------------------ looking */

static bool is_other(const struct files_file *file, const char *what, const char *hint,
                     struct err *err)
{
    (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' is %s.", file->name, what);
    return err_hint(err, "%s", hint);
}

/* Bytes that no text has, before the first line ends. */
static bool is_binary(const unsigned char *bytes, size_t size)
{
    if (size >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) ||
                      (bytes[0] == 0xFE && bytes[1] == 0xFF))) {
        return false; /* UTF-16 */
    }
    size_t odd = 0;
    for (size_t i = 0; i < size; i++) {
        odd += bytes[i] < 32 && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t';
    }
    return odd * 4 > size;
}

/* The first bytes win over the name where they are sure. */
static bool files_list_look(struct arena *arena, struct files_file *file,
                            const struct file_head *head, struct texts *warnings,
                            struct err *err)
{
    static const struct {
        const char *bytes;
        size_t size;
        enum files_format format;
        const char *what;
    } magics[] = {{"PAR1", 4, FILES_PARQUET, "a Parquet file"},
                  {"PK\3\4", 4, FILES_XLSX, "a spreadsheet"}};
    if (head->size == 0) {
        return is_other(file, "empty", "A table needs at least a line of headings.", err);
    }
    if (file_head_is_sqlite(head) || file_head_is_duckdb(head)) {
        return is_other(file, "a database, although its name says otherwise",
                        "Rename it so that it ends in .db or .duckdb.", err);
    }
    if (head->size >= 4 && memcmp(head->bytes, "\xD0\xCF\x11\xE0", 4) == 0) {
        return is_other(file, "an old .xls, or a spreadsheet with a password",
                        "Save it as .xlsx without a password, or as .csv.", err);
    }
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        bool is = head->size >= magics[i].size &&
                  memcmp(head->bytes, magics[i].bytes, magics[i].size) == 0;
        if (is && file->format != magics[i].format) {
            file->format = magics[i].format;
            VEC_PUSH(arena, warnings,
                     arena_format(arena, "'%s' is %s and was read as one", file->name,
                                  magics[i].what));
        } else if (!is && file->format == magics[i].format) {
            return is_other(
                file, arena_format(arena, "not %s, or it is damaged", magics[i].what),
                "Check the file, or rename it to what it is.", err);
        }
    }
    bool gzip = head->size >= 2 && memcmp(head->bytes, "\x1F\x8B", 2) == 0;
    if (file->packed && !gzip) {
        file->packed = false;
    }
    file->packed = gzip;
    if (file->format == FILES_UNKNOWN ||
        (!gzip && file->format < FILES_PARQUET && is_binary(head->bytes, head->size))) {
        return is_other(file, "not a file that can be read as a table",
                        "Tables are .csv, .tsv, .json, .ndjson, .parquet and .xlsx.",
                        err);
    }
    return true;
}

bool files_open(struct arena *arena, struct files_file *file, int *fd,
                struct texts *warnings, struct err *err)
{
    struct stat status;
    struct file_head head = {.size = 0};
    *fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0 || fstat(*fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        bool gone = *fd < 0 && errno == ENOENT;
        if (*fd >= 0) {
            (void)close(*fd);
        }
        *fd = -1;
        return file_source_check(file->path, err) &&
               err_set(err, gone ? ERR_DATASOURCE_NOT_FOUND : ERR_DATASOURCE_UNREACHABLE,
                       "The file '%s' cannot be opened.", file->name);
    }
    mark_of(&status, &file->mark);
    ssize_t got = pread(*fd, head.bytes, sizeof head.bytes, 0);
    head.size = got > 0 ? (size_t)got : 0;
    if (!files_list_look(arena, file, &head, warnings, err)) {
        (void)close(*fd);
        *fd = -1;
        return false;
    }
    return true;
}

void files_look(struct arena *arena, struct files_list *list, struct texts *warnings)
{
    for (size_t i = 0; i < list->count; i++) {
        int fd = -1;
        struct err why;
        err_clear(&why);
        if (files_open(arena, &list->items[i], &fd, warnings, &why)) {
            (void)close(fd);
        } else {
            struct err *failure = ARENA_NEW(arena, struct err);
            *failure = why;
            list->items[i].failure = failure;
        }
    }
}

int files_open_again(const struct files_file *file)
{
    struct stat status;
    struct stat_mark mark;
    int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && fstat(fd, &status) == 0) {
        mark_of(&status, &mark);
        if (files_mark_equal(&mark, &file->mark)) {
            return fd;
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return -1;
}

int files_pass(const struct files_file *file)
{
    return file->failure || file->format == FILES_XLSX ? -1 : files_open_again(file);
}

/* ------------------------------------------------------------------ signature */

/* Small files by what they hold, so that a copy or a new date changes nothing; large ones
 * by size, time and place, and by both ends. */
static bool hash_file(struct hash *hash, const struct files_file *file, struct err *err)
{
    struct stat_mark mark;
    int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || !files_mark_read(file->path, &mark)) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return file_source_check(file->path, err) &&
               err_set(err, ERR_DATASOURCE_UNREACHABLE, "The file '%s' no longer exists.",
                       file->name);
    }
    bool whole = mark.size <= WHOLE_MOST;
    char *bytes = memory_alloc(whole ? (size_t)mark.size + 1 : (size_t)2 * END_BYTES);
    ssize_t got = 0;
    if (whole) {
        got = pread(fd, bytes, (size_t)mark.size, 0);
    } else {
        hash_add(hash, &mark.inode, sizeof mark.inode);
        hash_add(hash, &mark.changed.tv_sec, sizeof mark.changed.tv_sec);
        hash_add(hash, &mark.changed.tv_nsec, sizeof mark.changed.tv_nsec);
        ssize_t first = pread(fd, bytes, END_BYTES, 0);
        first = first > 0 ? first : 0;
        ssize_t last = pread(fd, bytes + first, END_BYTES, mark.size - END_BYTES);
        got = first + (last > 0 ? last : 0);
    }
    hash_text(hash, file->path);
    hash_add(hash, &mark.size, sizeof mark.size);
    hash_add(hash, bytes, got > 0 ? (size_t)got : 0);
    memory_free(bytes);
    (void)close(fd);
    return true;
}

bool files_list_signature(const struct files_list *list, const struct options *options,
                          char out[33], struct err *err)
{
    struct hash *hash = hash_new();
    bool ok = true;
    hash_text(hash, "files 1"); /* how they are read: another number reads them anew */
    hash_add(hash, &options->files_load_mb, sizeof options->files_load_mb);
    hash_add(hash, &options->files_max_columns, sizeof options->files_max_columns);
    for (size_t i = 0; ok && i < list->count; i++) {
        ok = hash_file(hash, &list->items[i], err);
    }
    hash_hex(hash, out);
    hash_free(hash);
    return ok;
}
