/* The files that one datasource reads. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "datasource/url.h"
#include "service/settings/paths.h"

enum { LINKS_MOST = 1000, SQLITE_HEAD = 20, SQLITE_MODE_AT = 18, SQLITE_WAL = 2 };

/* Files that client libraries look for; "~" stands for the home folder. */
static const struct {
    const char *scheme;
    const char *path;
} clients[] = {
    {"postgres", "~/.postgresql"},
    {"postgres", "~/.pgpass"},
    {"postgres", "~/.pg_service.conf"},
    {"postgres", "/etc/postgresql-common"},
    {"postgres", "/etc/krb5.conf"},
    {"mysql", "/etc/mysql"},
    {"mysql", "/etc/my.cnf"},
    {"mariadb", "/etc/mysql"},
    {"mariadb", "/etc/my.cnf"},
    {"odbc", "~/.odbc.ini"},
    {"odbc", "~/.odbcinst.ini"},
    {"odbc", "~/.freetds.conf"},
    {"odbc", "/etc/odbc.ini"},
    {"odbc", "/etc/odbcinst.ini"},
    {"odbc", "/etc/ODBCDataSources"},
    {"odbc", "/etc/freetds"},
    {"odbc", "/opt"},
};

void paths_add_clients(struct paths *paths, const char *url, const char *of)
{
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        if (!str_starts(url, clients[i].scheme)) {
            continue;
        }
        const char *path = clients[i].path;
        if (*path == '~') {
            path = *paths->home
                       ? arena_format(paths->arena, "%s%s", paths->home, path + 1)
                       : "";
        }
        paths_add(paths, path, of, false);
    }
}

/* ---------------------------------------------------------------- URLs */

/*
 * Values of URL parameters that are existing files (?sslrootcert=/etc/ca.pem,
 * DRIVER=/opt/lib.so). Which parameters name files differs by driver, so all values are
 * tried.
 */
static void add_values(struct paths *paths, const char *text, const char *of)
{
    while (*text) {
        size_t size = strcspn(text, "?&;");
        const char *equals = memchr(text, '=', size);
        if (equals) {
            const char *from = equals + 1;
            size_t length = size - (size_t)(from - text);
            char *value =
                url_percent_decode(paths->arena, arena_copy(paths->arena, from, length));
            value[strcspn(value, "}")] = '\0';
            value += *value == '{';
            if (folder_exists(value)) {
                paths_add(paths, value, of, false);
            } else if (file_exists(value)) {
                paths_add_file(paths, value, of, false);
            }
        }
        text += size + (text[size] != '\0');
    }
}

/* ---------------------------------------------------------------- files */

/* Even reading a database in WAL mode creates files next to it. */
static bool is_wal(const char *path)
{
    static const char mark[] = "SQLite format 3";
    char head[SQLITE_HEAD] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool whole = fd >= 0 && file_read_full(fd, head, sizeof head) == sizeof head;
    if (fd >= 0) {
        (void)close(fd);
    }
    return whole && memcmp(head, mark, sizeof mark) == 0 &&
           head[SQLITE_MODE_AT] == SQLITE_WAL;
}

/* Links in a folder may lead out of it. */
static void add_folder(struct paths *paths, const char *folder, const char *of)
{
    size_t count = 0;
    DIR *list = opendir(folder);
    paths_add(paths, folder, of, false);
    for (struct dirent *entry; list && count < LINKS_MOST && (entry = readdir(list));) {
        if (entry->d_type == DT_LNK) {
            const char *link = arena_format(paths->arena, "%s/%s", folder, entry->d_name);
            char *real = realpath(link, NULL);
            paths_add(paths, real, of, false);
            free(real);
            count++;
        }
    }
    if (list) {
        (void)closedir(list);
    }
}

static void add_local(struct paths *paths, const char *path,
                      const struct datasource_setting *setting)
{
    if (folder_exists(path)) {
        add_folder(paths, path, setting->id);
    } else {
        paths_add_file(paths, path, setting->id, setting->writable || is_wal(path));
    }
}

void paths_add_source(struct paths *paths, const struct datasource_setting *setting)
{
    struct err ignored;
    struct source_url url;
    const struct datasource_driver *driver = NULL;
    paths_add_file(paths, setting->dictionary, setting->id, false);
    if (str_starts(setting->url, "dataset:")) {
        return; /* in the data folder */
    }
    (void)url_resolve(paths->arena, setting->url, &url, &driver, &ignored);
    if (str_empty(url.path)) {
        paths_add_clients(paths, setting->url, setting->id);
        add_values(paths, setting->url, setting->id);
        return;
    }
    struct texts parts = {0};
    if (file_exists(url.path) || folder_exists(url.path)) {
        VEC_PUSH(paths->arena, &parts, url.path);
    } else {
        str_split(paths->arena, url.path, ',',
                  &parts); /* a list of files, or a pattern */
    }
    for (size_t i = 0; i < parts.count; i++) {
        add_local(paths, str_trim(paths->arena, parts.items[i]), setting);
    }
}
