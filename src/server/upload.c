/* Bodies that are files, on their way from a connection to a file of ours. */
#include "server/upload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/form.h"
#include "server/request.h"
#include "server/response.h"
#include "server/state.h"

enum { BOUNDARY_MOST = 70 };

char *upload_folder_new(struct arena *arena, struct err *err)
{
    const char *where = getenv("TMPDIR");
    char *folder =
        arena_format(arena, "%s/dragoman-file-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        (void)err_set(err, ERR_STORE, "No folder for the file could be made.");
        return NULL;
    }
    return folder;
}

void upload_folder_remove(const char *folder)
{
    DIR *list = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)unlinkat(dirfd(list), entry->d_name, 0);
        }
    }
    if (list) {
        (void)closedir(list);
        (void)rmdir(folder);
    }
}

bool upload_begin(struct exchange *exchange, struct err *err)
{
    struct server *server = exchange->server;
    const char *account = str_or_empty(exchange->caller.account);
    size_t count = 0;
    (void)pthread_mutex_lock(&server->uploads_lock);
    for (const struct upload *at = server->uploads; at; at = at->next) {
        count += str_equal(at->account, account) ? 1 : 0;
    }
    bool ok = count < UPLOADS_MOST;
    if (ok) {
        exchange->upload.account = account;
        exchange->upload.next = server->uploads;
        server->uploads = &exchange->upload;
    }
    (void)pthread_mutex_unlock(&server->uploads_lock);
    if (ok) {
        return true;
    }
    (void)err_set(err, ERR_RATE_LIMITED, "%d uploads of this account are under way.",
                  UPLOADS_MOST);
    return err_hint(err, "Wait until one of them has ended, then send this file again.");
}

static void upload_end(struct exchange *exchange)
{
    struct server *server = exchange->server;
    if (!exchange->upload.account) {
        return;
    }
    (void)pthread_mutex_lock(&server->uploads_lock);
    struct upload **at = &server->uploads;
    while (*at != &exchange->upload) {
        at = &(*at)->next;
    }
    *at = exchange->upload.next;
    (void)pthread_mutex_unlock(&server->uploads_lock);
    exchange->upload.account = NULL;
}

bool upload_take(struct exchange *exchange, const char *data, size_t size)
{
    struct upload *upload = &exchange->upload;
    struct err ignored;
    if (!upload->folder) {
        upload->folder = upload_folder_new(exchange->arena, &ignored);
        upload->fd = upload->folder
                         ? open(arena_format(exchange->arena, "%s/body", upload->folder),
                                O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                         : -1;
        upload->failed = upload->fd < 0;
    }
    upload->size += (int64_t)size;
    if (upload->size > exchange->server->settings.max_upload || upload->failed) {
        return false;
    }
    upload->failed = !file_write_all(upload->fd, data, size);
    return !upload->failed;
}

void upload_release(struct exchange *exchange)
{
    struct upload *upload = &exchange->upload;
    if (upload->folder) {
        if (upload->fd >= 0) {
            (void)close(upload->fd);
        }
        upload_folder_remove(upload->folder);
        upload->folder = NULL;
    }
    upload_end(exchange);
}

/* ------------------------------------------------------------------ the file */

static const char *boundary_of(struct exchange *exchange)
{
    const char *type = MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                                   "Content-Type");
    if (!type || !str_starts_nocase(type, "multipart/form-data")) {
        return NULL;
    }
    const char *boundary = form_header_value(exchange->arena, type, "boundary");
    return str_empty(boundary) || strlen(boundary) > BOUNDARY_MOST ? "" : boundary;
}

static const char *upload_fail(struct exchange *exchange, const char *message)
{
    struct err err;
    (void)err_set(&err, ERR_INVALID_DATA, "%s", message);
    (void)err_hint(&err, "Send a form with the part 'file', or the file itself with "
                         "?name=sales.csv. Files are .csv, .tsv, .json, .ndjson, .jsonl "
                         "(each also with .gz), .parquet or .xlsx.");
    response_err(exchange, &err);
    return NULL;
}

static bool copy_part(struct exchange *exchange, const struct form_part *part,
                      const char *path)
{
    (void)exchange;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && file_write_all(fd, part->data, part->size);
    if (fd >= 0) {
        ok = close(fd) == 0 && ok;
    }
    return ok;
}

/* A field of the form that is short text; NULL when there is none. */
static const char *text_field(struct exchange *exchange, const char *data, size_t size,
                              const char *boundary, const char *name)
{
    enum { FIELD_MOST = 200 };
    struct form_part part = {0};
    if (!form_part_find(exchange->arena, data, size, boundary, name, &part) ||
        part.size == 0 || part.size > FIELD_MOST || memchr(part.data, 0, part.size)) {
        return NULL;
    }
    return arena_copy(exchange->arena, part.data, part.size);
}

static const char *from_form(struct exchange *exchange, const char *boundary,
                             const char **name)
{
    struct upload *upload = &exchange->upload;
    struct form_part part = {0};
    size_t size = (size_t)upload->size;
    const char *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, upload->fd, 0);
    if (data == MAP_FAILED) {
        response_fail(exchange, ERR_STORE, "The file could not be read.");
        return NULL;
    }
    const char *path = NULL;
    if (!*boundary ||
        !form_part_find(exchange->arena, data, size, boundary, "file", &part)) {
        (void)upload_fail(exchange, "The form has no part 'file', or is cut off.");
    } else if (!(*name = form_file_name(exchange->arena, str_or_empty(part.name)))) {
        (void)upload_fail(exchange, "This kind of file cannot be imported.");
    } else {
        path = arena_format(exchange->arena, "%s/%s", upload->folder,
                            str_equal(*name, "body") ? "file" : *name);
        if (!copy_part(exchange, &part, path)) {
            response_fail(exchange, ERR_DISK_FULL, "The file could not be kept.");
            path = NULL;
        }
    }
    if (path) {
        upload->dataset = text_field(exchange, data, size, boundary, "name");
    }
    (void)munmap((void *)(uintptr_t)data, size);
    return path;
}

const char *upload_file(struct exchange *exchange, const char **name)
{
    return upload_file_as(exchange, NULL, name);
}

const char *upload_file_as(struct exchange *exchange, const char *kept, const char **name)
{
    struct upload *upload = &exchange->upload;
    if (upload->size == 0) {
        return upload_fail(exchange, "There is no file in the request.");
    }
    if (upload->failed || !upload->folder) {
        response_fail(exchange, ERR_DISK_FULL, "The file could not be kept.");
        return NULL;
    }
    const char *boundary = boundary_of(exchange);
    if (boundary) {
        return from_form(exchange, boundary, name);
    }
    const char *given = request_argument(exchange, "name");
    *name = form_file_name(exchange->arena, str_or_empty(given ? given : kept));
    if (!*name) {
        return upload_fail(exchange, "This kind of file cannot be imported.");
    }
    const char *from = arena_format(exchange->arena, "%s/body", upload->folder);
    const char *path = arena_format(exchange->arena, "%s/%s", upload->folder, *name);
    if (rename(from, path) != 0) {
        response_fail(exchange, ERR_STORE, "The file could not be kept.");
        return NULL;
    }
    return path;
}
