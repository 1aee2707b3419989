/* The files and folders that the settings name, for the sandbox. */
#include "service/settings/paths.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"
#include "base/writer.h"
#include "service/instance.h"

extern char **environ;

enum { LIST_CEILING = 4 << 20 };

void paths_add(struct paths *paths, const char *path, const char *of, bool write)
{
    if (str_empty(path)) {
        return;
    }
    *VEC_ADD(paths->arena, &paths->list) = (struct named_path){
        .path = arena_text(paths->arena, path), .of = of, .write = write};
}

static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return !slash          ? "."
           : slash == path ? "/"
                           : arena_copy(arena, path, (size_t)(slash - path));
}

/* The home folder, or a folder that holds it. */
static bool is_wide(const struct paths *paths, const char *folder)
{
    char *real = realpath(folder, NULL);
    size_t size = real ? strlen(real) : 0;
    bool wide = real && (str_equal(real, "/") ||
                         (*paths->home && strncmp(paths->home, real, size) == 0 &&
                          (paths->home[size] == '/' || !paths->home[size])));
    free(real);
    return wide;
}

void paths_add_file(struct paths *paths, const char *path, const char *of, bool write)
{
    if (str_empty(path)) {
        return;
    }
    const char *folder = folder_of(paths->arena, path);
    bool wide = is_wide(paths, folder);
    if (!wide || write) {
        paths_add(paths, folder, of, write);
    }
    if (wide) {
        paths_add(paths, path, of, write);
    } else if (file_exists(path)) {
        char *real = realpath(path, NULL); /* where a link leads to */
        paths_add(paths, real, of, write);
        free(real);
    }
}

/* ---------------------------------------------------------------- settings */

enum kind { FILE_READ, FILE_WRITTEN, FOLDER_READ, FOLDER_WRITTEN, LIST_READ };

#define SETTING(section, name)                                                           \
#section "." #name, offsetof(struct options, section##_##name)

static const struct {
    const char *key;
    size_t offset;
    enum kind kind;
} settings[] = {
    {SETTING(parser, weights), FILE_READ},
    {SETTING(knowledge, lessons), FILE_READ},
    {SETTING(llm, ca_file), FILE_READ},
    {SETTING(llm, script), FILE_READ},
    {SETTING(llm, record), FILE_WRITTEN},
    {SETTING(staging, folder), FOLDER_WRITTEN},
    {SETTING(prompt, folder), FOLDER_READ},
    {SETTING(schema, dictionary), FILE_READ},
    {SETTING(oidc, ca_file), FILE_READ},
    {SETTING(sources, folders), LIST_READ},
    {SETTING(server, sandbox_paths), LIST_READ},
};

static void add_list(struct paths *paths, const char *value, const char *key)
{
    struct texts list = {0};
    str_split(paths->arena, value, ',', &list);
    for (size_t i = 0; i < list.count; i++) {
        paths_add(paths, str_trim(paths->arena, list.items[i]), key, false);
    }
}

static void add_settings(struct paths *paths, const struct options *options)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = NULL;
        memcpy(&value, (const char *)options + settings[i].offset, sizeof value);
        const char *key = settings[i].key;
        enum kind kind = settings[i].kind;
        if (kind == LIST_READ) {
            add_list(paths, value, key);
        } else if (kind == FILE_READ || kind == FILE_WRITTEN) {
            paths_add_file(paths, value, key, kind == FILE_WRITTEN);
        } else {
            paths_add(paths, value, key, kind == FOLDER_WRITTEN);
        }
    }
    paths_add(paths,
              str_empty(options->store_folder) ? folder_data(paths->arena)
                                               : options->store_folder,
              "store.folder", true);
    paths_add_clients(paths, options->store_url, "store.url");
}

/* ---------------------------------------------------------------- environment */

/* Variables that name a file of a library, besides those whose names end in _FILE. */
static const char *const variables[] = {
    "SSL_CERT_DIR",  "CURL_CA_BUNDLE",
    "PGPASSFILE",    "PGSERVICEFILE",
    "PGSSLCERT",     "PGSSLKEY",
    "PGSSLROOTCERT", "ODBCINI",
    "ODBCSYSINI",    "ODBCINSTINI",
    "KRB5_CONFIG",   "KRB5_KTNAME",
    "TZDIR",         "GOOGLE_APPLICATION_CREDENTIALS",
    "FREETDSCONF",   "DRAGOMAN_DUCKDB_LIBRARY",
    "OPENSSL_CONF",  "LD_LIBRARY_PATH",
};

static bool names_file(const char *name, size_t size)
{
    static const char ending[] = "_FILE";
    size_t tail = sizeof ending - 1;
    if (size > tail && strncmp(name + size - tail, ending, tail) == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        if (strlen(variables[i]) == size && strncmp(variables[i], name, size) == 0) {
            return true;
        }
    }
    return false;
}

static void add_variable(struct paths *paths, const char *value)
{
    struct texts list = {0};
    str_split(paths->arena, value, ':', &list);
    for (size_t i = 0; i < list.count; i++) {
        const char *path = list.items[i];
        if (folder_exists(path)) {
            paths_add(paths, path, "environment", false);
        } else {
            paths_add_file(paths, path, "environment", false);
        }
    }
}

static void add_environment(struct paths *paths)
{
    for (char **entry = environ; entry && *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        if (equals && names_file(*entry, (size_t)(equals - *entry))) {
            add_variable(paths, equals + 1);
        }
    }
    const char *temporary = getenv("TMPDIR");
    paths_add(paths, str_empty(temporary) ? "/tmp" : temporary, "TMPDIR", true);
    const char *key = getenv("DRAGOMAN_KEY_FILE");
    if (!str_empty(key) && !file_exists(key)) {
        paths_add(paths, folder_of(paths->arena, key), "DRAGOMAN_KEY_FILE", true);
    }
}

/* ---------------------------------------------------------------- all of them */

static char *as_json(const struct named_paths *list)
{
    struct buf out;
    struct writer writer;
    buf_init(&out, LIST_CEILING);
    writer_init(&writer, &out);
    writer_array(&writer);
    for (size_t i = 0; i < list->count; i++) {
        writer_object(&writer);
        writer_key_text(&writer, "path", list->items[i].path);
        writer_key_bool(&writer, "write", list->items[i].write);
        writer_key_text(&writer, "of", list->items[i].of);
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    return buf_take(&out);
}

char *dgm_config_paths(const struct dgm_config *config)
{
    struct paths paths = {.arena = arena_new(), .home = ""};
    const char *home = getenv("HOME");
    char *real = str_empty(home) ? NULL : realpath(home, NULL);
    paths.home = real ? real : "";
    paths_add_file(&paths, config->path, "configuration", false);
    add_settings(&paths, config->options);
    add_environment(&paths);
    for (size_t i = 0; i < config->options->datasources.count; i++) {
        paths_add_source(&paths, &config->options->datasources.items[i]);
    }
    char *json = as_json(&paths.list);
    free(real);
    arena_free(paths.arena);
    return json;
}
