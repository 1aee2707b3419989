/* A database that is a file: is it there, may it be read, what is it? */
#include "datasource/driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    NEIGHBOURS_MOST = 500
}; /* a folder may be huge; a suggestion is only a courtesy */

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* A file in the same folder with a similar name. */
static const char *file_similar(struct arena *arena, const char *path)
{
    const char *base = file_base_name(path);
    const char *folder =
        base == path ? "." : arena_copy(arena, path, (size_t)(base - path));
    DIR *entries = opendir(folder);
    if (!entries) {
        return NULL;
    }
    struct texts names = {0};
    for (struct dirent *entry;
         names.count < NEIGHBOURS_MOST && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.' && entry->d_type != DT_DIR) {
            VEC_PUSH(arena, &names, arena_text(arena, entry->d_name));
        }
    }
    (void)closedir(entries);
    return str_nearest(base, names.items, names.count);
}

static bool file_missing(const char *path, struct err *err)
{
    struct arena *arena = arena_new();
    const char *similar = file_similar(arena, path);
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "There is no file '%s'.",
                  file_base_name(path));
    if (similar) {
        (void)err_hint(err, "Did you mean '%s' in the same folder?", similar);
    } else {
        (void)err_hint(err, "Check the path. dragoman never creates a database.");
    }
    arena_free(arena);
    return false;
}

static bool file_failed(const char *path, int reason, struct err *err)
{
    if (reason == ENOENT || reason == ENOTDIR) {
        return file_missing(path, err);
    }
    if (reason == EACCES || reason == EPERM) {
        return err_set(err, ERR_ACCESS, "The file '%s' may not be read.",
                       file_base_name(path));
    }
    (void)err_set(err, ERR_DATASOURCE_UNREACHABLE, "The file '%s' cannot be opened.",
                  file_base_name(path));
    return err_detail(err, "%s", strerror(reason));
}

bool file_source_check(const char *path, struct err *err)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return file_failed(path, errno, err);
    }
    if (S_ISDIR(status.st_mode)) {
        (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' is a folder, not a database file.",
                      file_base_name(path));
        return err_hint(err, "Name a file in it, for example %s/shop.db.",
                        file_base_name(path));
    }
    if (!S_ISREG(status.st_mode)) { /* a pipe or a device would block or never end */
        return err_set(err, ERR_NOT_A_DATABASE, "'%s' is not an ordinary file.",
                       file_base_name(path));
    }
    return access(path, R_OK) == 0 || file_failed(path, errno, err);
}

bool file_head_read(const char *path, struct file_head *head, struct err *err)
{
    memset(head, 0, sizeof *head);
    if (!file_source_check(path, err)) {
        return false;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return file_failed(path, errno, err);
    }
    ssize_t got = pread(fd, head->bytes, sizeof head->bytes, 0);
    int reason = errno;
    (void)close(fd);
    if (got < 0) {
        return file_failed(path, reason, err);
    }
    head->size = (size_t)got;
    return true;
}

bool file_head_is_sqlite(const struct file_head *head)
{
    return head->size == FILE_HEAD_SIZE &&
           memcmp(head->bytes, "SQLite format 3", FILE_HEAD_SIZE) == 0;
}

bool file_head_is_duckdb(const struct file_head *head)
{
    return head->size >= 12 && memcmp(head->bytes + 8, "DUCK", 4) == 0;
}

/* Forms whose first bytes are sure. */
bool file_head_is_table(const struct file_head *head)
{
    return head->size >= 4 &&
           (memcmp(head->bytes, "PAR1", 4) == 0 || memcmp(head->bytes, "PK\3\4", 4) == 0);
}
