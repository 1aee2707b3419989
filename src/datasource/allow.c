/* What may be added while dragoman runs. */
#include "datasource/allow.h"

#include <ctype.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/allow_state.h"
#include "datasource/datasource.h"
#include "datasource/url.h"

/* Servers whose URL says in one place where they are. */
static const char *const schemes[] = {"postgres", "postgresql", "mysql", "mariadb",
                                      "mongodb",  "clickhouse", NULL};
/* Parameters that name no host, no file and no program. */
static const char *const parameters[] = {
    "sslmode",          "ssl",     "ssl-mode", "ssl_mode",   "tls",    "connect_timeout",
    "application_name", "charset", "secure",   "authSource", "schema", NULL};

static bool in_list(const char *const *list, const char *text, size_t size)
{
    for (; *list; list++) {
        if (strlen(*list) == size && strncmp(*list, text, size) == 0) {
            return true;
        }
    }
    return false;
}

static bool allow_refuse(struct err *err, const char *what, const char *hint)
{
    (void)err_set(err, ERR_ACCESS, "%s", what);
    return err_hint(err, "%s", hint);
}

/* ---------------------------------------------------------------- files */

static bool file_allowed(const struct options *options, struct arena *arena,
                         const char *path, struct err *err)
{
    struct texts folders = {0};
    str_split(arena, options->sources_folders, ',', &folders);
    /* Links are followed first: one that leads out of the folder does not count. */
    char *real = strpbrk(path, "*?[") ? NULL : realpath(path, NULL);
    bool inside = false;
    for (size_t i = 0; real && i < folders.count && !inside; i++) {
        const char *folder = str_trim(arena, folders.items[i]);
        char *root = str_empty(folder) ? NULL : realpath(folder, NULL);
        size_t size = root ? strlen(root) : 0;
        inside = root && strncmp(real, root, size) == 0 &&
                 (real[size] == '/' || (size && root[size - 1] == '/'));
        free(root);
    }
    free(real);
    return inside || allow_refuse(err, "This file may not be added.",
                                  "Only files in the folders of sources.folders may be "
                                  "added; or add it to the configuration.");
}

/* ---------------------------------------------------------------- servers */

/* The host between scheme and path; refuses what could be read in two ways. */
static const char *host_of(struct arena *arena, const char *url, struct err *err)
{
    const char *body = strstr(url, "://");
    body = body ? body + 3 : "";
    size_t size = strcspn(body, "/?#");
    const char *at = NULL;
    for (size_t i = 0; i < size; i++) {
        at = body[i] == '@' ? body + i : at;
    }
    const char *start = at ? at + 1 : body;
    const char *end = body + size;
    if (strchr(end, '@')) {
        (void)allow_refuse(err, "The URL is ambiguous.",
                           "Write @, / and : of a password as %40, %2F and %3A.");
        return NULL;
    }
    bool bracket = *start == '[';
    const char *stop = bracket ? memchr(start, ']', (size_t)(end - start)) : NULL;
    start += bracket ? 1 : 0;
    size_t length = stop ? (size_t)(stop - start) : strcspn(start, ":/?#");
    char *host = arena_copy(arena, start, length);
    for (const char *c = host; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr(bracket ? ":." : ".-_", *c)) {
            host[0] = '\0';
            break;
        }
    }
    if (!host[0] || (bracket && !stop)) {
        (void)allow_refuse(
            err, "The URL does not name one host.",
            "A datasource that is added names its server: postgres://host/db.");
        return NULL;
    }
    return host;
}

static bool parameters_allowed(const char *url, struct err *err)
{
    const char *at = strchr(url, '?');
    while (at && *at) {
        at++;
        size_t size = strcspn(at, "&");
        size_t name = strcspn(at, "=&");
        if (size && !in_list(parameters, at, name)) {
            return allow_refuse(
                err, "The URL has a parameter that may not be added.",
                "Files, hosts and options of a driver can only be named in the "
                "configuration.");
        }
        at += size;
    }
    return true;
}

/* "*.example.org" and "db.example.org" by name, "10.0.0.0/8" and "10.1.2.3" by address.
 */
static bool entry_allows(const char *entry, const char *host,
                         const struct address *address)
{
    char base_text[64];
    size_t size = strcspn(entry, "/");
    struct address base;
    if (entry[0] == '*' && entry[1] == '.') {
        return str_ends_nocase(host, entry + 1) && strlen(host) > strlen(entry + 1);
    }
    if (size < sizeof base_text) {
        memcpy(base_text, entry, size);
        base_text[size] = '\0';
        if (address_read(base_text, &base)) {
            int most = (int)base.size * 8;
            int64_t bits = most;
            return (!entry[size] ||
                    (str_to_int(entry + size + 1, &bits) && bits >= 0 && bits <= most)) &&
                   address_in(address, &base, (int)bits);
        }
    }
    return str_equal_nocase(entry, host);
}

enum { ADDRESSES_MOST = 8 }; /* of a host, that are tried */

static bool address_allowed(const struct options *options, struct arena *arena,
                            const char *host, const char *text)
{
    struct address address;
    if (str_empty(options->sources_hosts)) {
        return allow_is_public(text);
    }
    struct texts entries = {0};
    str_split(arena, options->sources_hosts, ',', &entries);
    for (size_t i = 0; address_read(text, &address) && i < entries.count; i++) {
        const char *entry = str_trim(arena, entries.items[i]);
        if (!str_empty(entry) && entry_allows(entry, host, &address)) {
            return true;
        }
    }
    return false;
}

static bool host_allowed(const struct options *options, struct arena *arena,
                         const char *host, const char **chosen, struct err *err)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, NULL, &hints, &found) != 0 || !found) {
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE, "There is no host of this name.");
        return err_hint(err, "Check the host in the URL.");
    }
    bool ok = true;
    size_t count = 0;
    for (const struct addrinfo *at = found; at && ok; at = at->ai_next) {
        char text[NI_MAXHOST];
        ok = getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof text, NULL, 0,
                         NI_NUMERICHOST) == 0;
        text[ok ? strcspn(text, "%") : 0] = '\0'; /* fe80::1%eth0 */
        ok = ok && address_allowed(options, arena, host, text);
        if (ok && count++ < ADDRESSES_MOST) {
            *chosen = *chosen ? arena_format(arena, "%s,%s", *chosen, text)
                              : arena_text(arena, text);
        }
    }
    freeaddrinfo(found);
    return ok ||
           allow_refuse(err, "This host may not be added.",
                        "Only hosts with public addresses and those in sources.hosts may "
                        "be added; or add it to the configuration.");
}

/* A dataset of the local user: its file lies in the data folder, and its name can lead
 * nowhere else. */
static bool is_dataset(const char *url)
{
    static const char scheme[] = "dataset:";
    size_t size = sizeof scheme - 1;
    if (strncmp(url, scheme, size) != 0 || !url[size]) {
        return false;
    }
    for (const char *c = url + size; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') {
            return false;
        }
    }
    return true;
}

bool allow_url(const struct options *options, struct arena *arena, const char *url,
               const char **address, struct err *err)
{
    struct source_url parts;
    const struct datasource_driver *driver = NULL;
    *address = NULL;
    if (is_dataset(url)) {
        return true;
    }
    /* A bare path is not opened to see what it is before its folder is allowed. */
    size_t scheme = strcspn(url, ":");
    bool server = url[scheme] && in_list(schemes, url, scheme);
    if (server) {
        const char *host = host_of(arena, url, err);
        return host && parameters_allowed(url, err) &&
               host_allowed(options, arena, host, address, err);
    }
    const char *path = url_bare_path(arena, url);
    if (path && !file_allowed(options, arena, path, err)) {
        return false;
    }
    if (!url_resolve(arena, url, &parts, &driver, err)) {
        return false;
    }
    if (!driver->local || !parts.path) {
        (void)err_set(err, ERR_DATASOURCE_KIND,
                      "Datasources of this kind cannot be added while dragoman runs.");
        return err_hint(err, "Put it into the configuration.");
    }
    return file_allowed(options, arena, parts.path, err);
}
