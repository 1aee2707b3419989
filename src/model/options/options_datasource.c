/* The datasources in the settings. */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "model/options/options.h"

enum { ID_MOST = 64, URL_MOST = 4096, SOURCES_MOST = 10000 };

static bool id_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool valid_id(const char *id)
{
    size_t size = strlen(id);
    for (size_t i = 0; i < size; i++) {
        if (!id_character(id[i])) {
            return false;
        }
    }
    return size > 0 && size <= ID_MOST;
}

struct datasource_setting *options_find_datasource(const struct options *options,
                                                   const char *id)
{
    for (size_t i = 0; i < options->datasources.count; i++) {
        if (str_equal(options->datasources.items[i].id, id)) {
            return &options->datasources.items[i];
        }
    }
    return NULL;
}

/* odbc:Driver={…};Database=shop;PWD=… -> "shop": the database or the DSN, and nothing of
 * the rest, where the password stands. */
static const char *odbc_name(struct options *options, const char *url)
{
    static const char *const keys[] = {"database=", "dsn=", "dbq="};
    const char *text = url + strlen("odbc:");
    if (!strchr(text, '=')) {
        return arena_text(options->arena, text);
    }
    for (const char *at = text; *at;) {
        size_t size = 0;
        for (bool braces = false; at[size] && (braces || at[size] != ';'); size++) {
            braces = braces ? at[size] != '}' : at[size] == '{';
        }
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            const char *value = at + strlen(keys[i]);
            if (str_starts_nocase(at, keys[i])) {
                value += *value == '{';
                size_t length = strcspn(value, ";}");
                return arena_copy(options->arena, value, length);
            }
        }
        at += size + (at[size] == ';');
    }
    return "odbc";
}

/* The hosts of a server's URL: "host:5432,other" of "postgres://me:x@host:5432,other/shop".
 * NULL: it is a file or another place. */
static const char *hosts_of(const char *url, size_t *size)
{
    static const char *const schemes[] = {
        "clickhouse:",  "clickhouses:", "mariadb:",  "mongodb:",
        "mongodb+srv:", "mysql:",       "postgres:", "postgresql:"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (str_starts_nocase(url, schemes[i])) {
            url += strlen(schemes[i]);
            url += str_starts(url, "//") ? 2 : 0;
            *size = strcspn(url, "/?");
            const char *at = memrchr(url, '@', *size);
            *size -= at ? (size_t)(at + 1 - url) : 0;
            return at ? at + 1 : url;
        }
    }
    return NULL;
}

/* Behind the last colon of each host stands a port, or nothing. In "mysql://me:x" a password
 * stands there: the host was forgotten, and "x" would become a name that everybody sees. */
static bool ports_are_numbers(const char *url)
{
    size_t size = 0;
    const char *host = hosts_of(url, &size);
    const char *end = host ? host + size : NULL;
    while (host && host < end) {
        const char *comma = memchr(host, ',', (size_t)(end - host));
        const char *stop = comma ? comma : end;
        const char *colon = memrchr(host, ':', (size_t)(stop - host));
        bool address = colon && memchr(colon, ']', (size_t)(stop - colon)); /* [::1] */
        for (const char *c = colon && !address ? colon + 1 : stop; c < stop; c++) {
            if (!isdigit((unsigned char)*c)) {
                return memmem(host, (size_t)(stop - host), "${", 2);
            }
        }
        host = stop + 1;
    }
    return true;
}

/* "data/My Shop.db" -> "My_Shop", "postgres://host/sales?x=1" -> "sales"; of a server
 * without a database its host; never one that is taken. */
static char *id_from_url(struct options *options, const char *url)
{
    url = str_starts_nocase(url, "odbc:") ? odbc_name(options, url) : url;
    size_t end = strcspn(url, "?#");
    size_t hosts_size = 0;
    const char *hosts = hosts_of(url, &hosts_size);
    if (hosts &&
        hosts + hosts_size >= url + end) { /* no database: the host, not its port */
        end = (size_t)(hosts - url) + strcspn(hosts, ",:[?#");
    }
    size_t start = end;
    while (start && url[start - 1] != '/' && url[start - 1] != ':') {
        start--;
    }
    const char *dot = memrchr(url + start, '.', end - start);
    if (dot && dot > url + start && !memchr(url + start, '@', end - start)) {
        end = (size_t)(dot - url);
    }
    size_t size = end - start < ID_MOST - 8 ? end - start : ID_MOST - 8;
    char *name = arena_copy(options->arena, url + start, size);
    for (char *c = name; *c; c++) {
        *c = id_character(*c) ? *c : '_';
    }
    const char *stem = *name && !strchr(url + start, '@') ? name : "default";
    char *id = arena_text(options->arena, stem);
    for (int i = 2; options_find_datasource(options, id); i++) {
        id = arena_format(options->arena, "%s-%d", stem, i);
    }
    return id;
}

/* DATABASE_URL is used only if no datasource is given. */
static void drop_default(struct options *options)
{
    if (options->default_from_environment) {
        options->default_from_environment = false;
        options->datasources.count = 0;
    }
}

bool options_add_datasource(struct options *options, const char *id, const char *url,
                            struct err *err)
{
    if (str_empty(url) || strlen(url) > URL_MOST) {
        return err_set(err, ERR_CONFIG,
                       "A datasource needs a url or a path of at most %d bytes.",
                       URL_MOST);
    }
    if (!str_empty(id) && !valid_id(id)) {
        return err_set(
            err, ERR_CONFIG,
            "The datasource id '%s' may hold letters, digits, '_', '-' and '.', "
            "at most %d of them.",
            id, ID_MOST);
    }
    if (str_empty(id) && !ports_are_numbers(url)) {
        (void)err_set(err, ERR_CONFIG, "The URL of the database names no host.");
        return err_hint(err, "Write scheme://host:port/database, with the user and the "
                             "password before the host and an @ behind them.");
    }
    drop_default(options);
    if (options->datasources.count == SOURCES_MOST) {
        return err_set(err, ERR_CONFIG, "More than %d datasources.", SOURCES_MOST);
    }
    struct datasource_setting *setting =
        str_empty(id) ? NULL : options_find_datasource(options, id);
    if (!setting) {
        const char *name =
            str_empty(id) ? id_from_url(options, url) : arena_text(options->arena, id);
        setting = VEC_ADD(options->arena, &options->datasources);
        setting->id = name;
    }
    *setting = (struct datasource_setting){.id = setting->id,
                                           .url = arena_text(options->arena, url)};
    return true;
}
