/* Files and folders. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

static bool file_fail(struct err *err, const char *what, const char *path, int number)
{
    enum err_code code = number == ENOENT || number == ENOTDIR  ? ERR_FILE_NOT_FOUND
                         : number == EACCES || number == EPERM  ? ERR_ACCESS
                         : number == ENOSPC || number == EDQUOT ? ERR_DISK_FULL
                                                                : ERR_STORE;
    char reason[128];
    return err_set(err, code, "Could not %s '%s': %s.", what, path,
                   strerror_r(number, reason, sizeof reason));
}

static char *read_all(struct arena *arena, int fd, const char *name, size_t most,
                      size_t *size, struct err *err)
{
    struct buf buf;
    buf_init(&buf, most);
    char chunk[16384];
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            (void)file_fail(err, "read", name, errno);
            break;
        }
        if (got == 0) {
            char *copy = buf_clone(&buf, arena);
            if (size) {
                *size = buf.size;
            }
            buf_release(&buf);
            return copy;
        }
        if (!buf_add(&buf, chunk, (size_t)got)) {
            (void)err_set(err, ERR_INVALID_DATA, "'%s' is larger than %zu bytes.", name,
                          most);
            break;
        }
    }
    buf_release(&buf);
    return NULL;
}

char *file_read(struct arena *arena, const char *path, size_t most, size_t *size,
                struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)file_fail(err, "open", path, errno);
        return NULL;
    }
    char *text = read_all(arena, fd, path, most, size, err);
    (void)close(fd);
    return text;
}

char *file_read_stdin(struct arena *arena, size_t most, size_t *size, struct err *err)
{
    return read_all(arena, STDIN_FILENO, "standard input", most, size, err);
}

bool file_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t wrote = write(fd, at, size);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        if (wrote > 0) {
            at += wrote;
            size -= (size_t)wrote;
        }
    }
    return true;
}

ssize_t file_read_full(int fd, void *data, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(fd, (char *)data + have, size - have);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        have += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)have;
}

bool file_write(const char *path, const void *data, size_t size, struct err *err)
{
    struct arena *arena = arena_new();
    char *beside = arena_format(arena, "%s.XXXXXX", path);
    int fd = mkstemp(beside);
    bool ok = fd >= 0 && file_write_all(fd, data, size) && fsync(fd) == 0;
    int number = errno;
    if (fd >= 0) {
        ok = close(fd) == 0 && ok;
    }
    if (ok && rename(beside, path) != 0) {
        number = errno;
        ok = false;
    }
    if (!ok) {
        (void)file_fail(err, "write", path, number);
        if (fd >= 0) {
            (void)unlink(beside);
        }
    }
    arena_free(arena);
    return ok;
}

static bool has_mode(const char *path, mode_t kind)
{
    struct stat info;
    return path && stat(path, &info) == 0 && (info.st_mode & S_IFMT) == kind;
}

bool file_exists(const char *path)
{
    return has_mode(path, S_IFREG);
}

bool folder_exists(const char *path)
{
    return has_mode(path, S_IFDIR);
}

bool folder_create(const char *path, struct err *err)
{
    struct arena *arena = arena_new();
    char *part = arena_text(arena, path);
    bool ok = true;
    for (char *slash = part + 1; ok; slash++) {
        slash += strcspn(slash, "/");
        char end = *slash;
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) {
            ok = file_fail(err, "create the folder", part, errno);
        }
        *slash = end;
        if (!end) {
            break;
        }
    }
    if (ok && !folder_exists(path)) {
        ok = file_fail(err, "create the folder", path, ENOTDIR);
    }
    arena_free(arena);
    return ok;
}

static char *folder_of(struct arena *arena, const char *variable, const char *under_home)
{
    const char *base = getenv(variable);
    if (!str_empty(base)) {
        return arena_format(arena, "%s/dragoman", base);
    }
    const char *home = getenv("HOME");
    return arena_format(arena, "%s/%s/dragoman", str_empty(home) ? "." : home,
                        under_home);
}

char *folder_data(struct arena *arena)
{
    return folder_of(arena, "XDG_DATA_HOME", ".local/share");
}

char *folder_config(struct arena *arena)
{
    return folder_of(arena, "XDG_CONFIG_HOME", ".config");
}
