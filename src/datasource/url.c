/* Where a datasource is: a URL or a bare path, taken apart; and its form without secrets.
 */
#include "datasource/url.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"
#include "datasource/driver.h"

/* Decodes %20 and the like. A sequence that is not a byte, or is NUL, is not changed. */
char *url_percent_decode(struct arena *arena, const char *text)
{
    char *out = arena_text(arena, text);
    char *end = out;
    for (const char *at = text; *at; at++) {
        int high = *at == '%' ? str_hex_digit(at[1]) : -1;
        int low = high >= 0 ? str_hex_digit(at[2]) : -1;
        if (low >= 0 && high * 16 + low != 0) {
            *end++ = (char)(high * 16 + low);
            at += 2;
        } else {
            *end++ = *at;
        }
    }
    *end = '\0';
    return out;
}

/* The scheme, or "" when the text is a path. One letter is no scheme: it is a drive. */
static const char *scheme_of(struct arena *arena, const char *url)
{
    size_t size = 0;
    while (isalnum((unsigned char)url[size]) || url[size] == '+' || url[size] == '-' ||
           url[size] == '.') {
        size++;
    }
    if (size < 2 || url[size] != ':') {
        return "";
    }
    return str_lower(arena, arena_copy(arena, url, size));
}

static const char *home_expand(struct arena *arena, const char *path)
{
    const char *home = getenv("HOME");
    return str_starts(path, "~/") && home ? arena_format(arena, "%s%s", home, path + 1)
                                          : path;
}

/* sqlite:///abs, sqlite://rel, sqlite:any; parameters after ? are not ours. */
static const char *path_of(struct arena *arena, const char *url, const char *scheme)
{
    const char *rest = url + strlen(scheme) + 1;
    rest = str_starts(rest, "//") ? rest + 2 : rest;
    const char *query = strchr(rest, '?');
    char *path = arena_copy(arena, rest, query ? (size_t)(query - rest) : strlen(rest));
    return home_expand(arena, url_percent_decode(arena, path));
}

const char *url_bare_path(struct arena *arena, const char *url)
{
    const char *scheme = scheme_of(arena, url);
    return scheme[0] == '\0'           ? home_expand(arena, url)
           : str_equal(scheme, "file") ? path_of(arena, url, scheme)
                                       : NULL;
}

static bool url_unknown(struct arena *arena, const char *what, struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_KIND, "%s", what);
    return err_hint(err, "This build of dragoman opens: %s.", registry_names(arena));
}

/* A database that dragoman knows, whose library was missing when it was built. */
static bool url_absent(const char *scheme, struct err *err)
{
    static const struct {
        const char *scheme;
        const char *title;
        const char *package;
    } absent[] = {
        {"postgres", "PostgreSQL", "libpq-dev"},
        {"postgresql", "PostgreSQL", "libpq-dev"},
        {"mysql", "MySQL", "libmariadb-dev"},
        {"mariadb", "MySQL", "libmariadb-dev"},
        {"odbc", "ODBC", "unixodbc-dev"},
        {"files", "DuckDB", "DuckDB (tools/duckdb/fetch)"},
        {"mongodb", "MongoDB", "libmongoc-dev"},
        {"mongodb+srv", "MongoDB", "libmongoc-dev"},
        {"dataset", "DuckDB", "DuckDB (tools/duckdb/fetch)"},
    };
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        if (str_equal(scheme, absent[i].scheme)) {
            (void)err_set(err, ERR_DATASOURCE_KIND,
                          "This dragoman was built without %s support.", absent[i].title);
            return err_hint(err, "Install %s and rebuild.", absent[i].package);
        }
    }
    return true;
}

/* The extension says nothing: the first bytes do. */
static bool driver_by_bytes(struct arena *arena, const char *path,
                            const struct datasource_driver **driver, struct err *err)
{
    struct file_head head;
    if (folder_exists(path) && (*driver = registry_by_name("files"))) {
        return true; /* every file in it is a table */
    }
    if (!file_head_read(path, &head, err)) {
        return false;
    }
    const char *name = file_head_is_sqlite(&head)  ? "sqlite"
                       : file_head_is_table(&head) ? "files"
                                                   : "duckdb";
    if (!file_head_is_sqlite(&head) && !file_head_is_duckdb(&head) &&
        !file_head_is_table(&head)) {
        (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' is not a database.",
                      file_base_name(path));
        return err_hint(err, "This build of dragoman opens: %s.", registry_names(arena));
    }
    *driver = registry_by_name(name);
    if (!*driver) {
        return url_unknown(arena, "The file needs DuckDB, and this build has no DuckDB.",
                           err);
    }
    return true;
}

bool url_resolve(struct arena *arena, const char *url, struct source_url *out,
                 const struct datasource_driver **driver, struct err *err)
{
    memset(out, 0, sizeof *out);
    *driver = NULL;
    if (str_empty(url)) {
        return err_set(err, ERR_DATASOURCE_NOT_FOUND, "No database was named.");
    }
    if (str_ends(url, ":memory:")) {
        (void)err_set(err, ERR_DATASOURCE_KIND, "A database in memory is empty.");
        return err_hint(err, "Name a database file.");
    }
    out->scheme = scheme_of(arena, url);
    out->path = url_bare_path(arena, url);
    if (out->path) {
        *driver = registry_by_extension(out->path);
        return *driver || driver_by_bytes(arena, out->path, driver, err);
    }
    *driver = registry_by_scheme(out->scheme);
    if (!*driver) {
        return url_absent(out->scheme, err) &&
               url_unknown(
                   arena,
                   arena_format(arena, "There is no driver for '%s'.", out->scheme), err);
    }
    if ((*driver)->local) {
        out->path = path_of(arena, url, out->scheme);
        if (str_empty(out->path)) {
            return err_set(err, ERR_DATASOURCE_NOT_FOUND, "The URL names no file.");
        }
    }
    return true;
}

/* Does the key of a key=value pair name a secret? Who logs in is one, too, where it is
 * shown. */
static bool key_is_secret(const char *key, size_t size, bool user)
{
    static const char *const words[] = {"pass", "pwd",  "secret", "token", "key",
                                        "cred", "auth", "uid",    "user"};
    char text[64];
    size_t copied = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, key, copied);
    text[copied] = '\0';
    size_t count = sizeof words / sizeof *words - (user ? 0 : 2);
    for (size_t i = 0; i < count; i++) {
        if (str_contains_nocase(text, words[i])) {
            return true;
        }
    }
    return false;
}

/* Copies text, replacing the values of secret keys: a=1;PWD=x&token=y. */
static void redact_pairs(struct buf *out, const char *text, bool user)
{
    const char *separators = strchr(text, ';') ? ";&?" : "&? \t";
    while (*text) {
        size_t size = strcspn(text, separators);
        const char *equals = memchr(text, '=', size);
        if (equals && key_is_secret(text, (size_t)(equals - text), user)) {
            (void)buf_add(out, text, (size_t)(equals - text) + 1);
            (void)buf_text(out, "***");
        } else {
            (void)buf_add(out, text, size);
        }
        text += size;
        if (*text) {
            (void)buf_char(out, *text++);
        }
    }
}

/* A connection string of ODBC: only a semicolon ends a value, and in braces not even
 * that. */
static void redact_string(struct buf *out, const char *text, bool user)
{
    while (*text) {
        size_t name = strcspn(text, "=;");
        size_t size = name;
        for (bool braces = false; text[size] && (braces || text[size] != ';'); size++) {
            braces = braces ? text[size] != '}' : text[size] == '{';
        }
        bool secret = text[name] == '=' && key_is_secret(text, name, user);
        (void)buf_add(out, text, secret ? name + 1 : size);
        (void)buf_text(out, secret ? "***" : "");
        text += size;
        if (*text) {
            (void)buf_char(out, *text++);
        }
    }
}

static char *redact(struct arena *arena, const char *url, bool user)
{
    struct buf out;
    buf_init(&out, 1 << 16);
    const char *scheme = scheme_of(arena, url);
    const struct datasource_driver *driver = registry_by_scheme(scheme);
    bool is_file =
        scheme[0] == '\0' || str_equal(scheme, "file") || (driver && driver->local);
    const char *rest = url;
    if (!is_file) {
        /* A password may hold any character: hide up to the last @, wherever it is. */
        const char *body = url + strlen(scheme) + 1;
        body = str_starts(body, "//") ? body + 2 : body;
        const char *at = strrchr(body, '@');
        (void)buf_add(&out, url, (size_t)(body - url));
        if (at && !user) {
            (void)buf_add(&out, body, strcspn(body, ":@"));
        } else if (at) {
            (void)buf_text(&out, "***");
        }
        rest = at ? at : body;
    }
    if (str_equal(scheme, "odbc")) {
        buf_clear(&out);
        redact_string(&out, url, user);
    } else {
        redact_pairs(&out, rest, user);
    }
    char *safe = buf_clone(&out, arena);
    buf_release(&out);
    return safe;
}

char *datasource_safe_url(struct arena *arena, const char *url)
{
    return redact(arena, url, true);
}

char *url_without_password(struct arena *arena, const char *url)
{
    return redact(arena, url, false);
}
