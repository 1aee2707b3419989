/* Reads dragoman.yaml; errors name file, line and column. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/yaml.h"
#include "model/options/options_policy.h"
#include "model/options/options_table.h"

enum { FILE_MOST = 1024 * 1024, VALUE_MOST = 64 * 1024 };

struct reading {
    struct options *options;
    const char *name;   /* of the file, as messages show it */
    const char *folder; /* relative paths start here; "": the current one */
    struct arena *scratch;
    struct err *err;
};

/* Puts "file:line:column: " before the message; the rest of the error stays. */
static bool place(const struct reading *reading, int line, int column)
{
    struct err *err = reading->err;
    char message[sizeof err->message];
    memcpy(message, err->message, sizeof message);
    message[0] = (char)tolower((unsigned char)message[0]);
    (void)snprintf(err->message, sizeof err->message, "%.100s:%d:%d: %.270s",
                   reading->name, line, column, message);
    return false;
}

static bool options_file_fail(const struct reading *reading, const struct yaml *at,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool options_file_fail(const struct reading *reading, const struct yaml *at,
                              const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vformat(reading->scratch, format, args);
    va_end(args);
    (void)err_set(reading->err, ERR_CONFIG, "%s", message);
    return place(reading, at->line, at->column);
}

/* One ${VAR}, ${VAR:default} or ${file:PATH} (its first line); *at stands on the '$' and
 * is moved past the '}'. */
static bool expand_one(const struct reading *reading, const struct yaml *yaml,
                       const char **at, struct buf *out)
{
    const char *start = *at + 2;
    const char *end = strchr(start, '}');
    if (!end) {
        return options_file_fail(reading, yaml, "A ${ stands here without its }.");
    }
    char *name = arena_copy(reading->scratch, start, (size_t)(end - start));
    char *fallback = strchr(name, ':');
    if (fallback) {
        *fallback++ = '\0';
    }
    const char *value = getenv(name);
    if (str_equal(name, "file") && fallback && !value) {
        size_t size = 0;
        struct err trouble;
        char *text = file_read(reading->scratch, fallback, VALUE_MOST, &size, &trouble);
        if (!text) {
            return options_file_fail(reading, yaml,
                                     "The file of this ${file:PATH} cannot be read.");
        }
        text[strcspn(text, "\r\n")] = '\0';
        (void)buf_text(out, text);
        *at = end + 1;
        return true;
    }
    if (!value && !fallback) {
        return options_file_fail(
            reading, yaml,
            "The environment variable '%s' is not set. Set it, or give a default: "
            "${NAME:default}.",
            name);
    }
    bool use_fallback = fallback && (!value || !*value);
    (void)buf_text(out, use_fallback ? fallback : value);
    *at = end + 1;
    return true;
}

/* The scalar with its variables filled in; "$${" stands for a plain "${". */
static const char *expand(const struct reading *reading, const struct yaml *yaml)
{
    struct buf out;
    buf_init(&out, VALUE_MOST);
    bool ok = true;
    for (const char *at = yaml->text; ok && *at;) {
        if (str_starts(at, "$${")) {
            (void)buf_text(&out, "${");
            at += 3;
        } else if (str_starts(at, "${")) {
            ok = expand_one(reading, yaml, &at, &out);
        } else {
            (void)buf_char(&out, *at++);
        }
    }
    if (ok && out.full) {
        ok = options_file_fail(reading, yaml, "The value is too long.");
    }
    const char *text = ok ? buf_clone(&out, reading->scratch) : NULL;
    buf_release(&out);
    return text;
}

static bool is_null(const struct yaml *yaml)
{
    return yaml->kind == YAML_SCALAR && !yaml->quoted &&
           (!*yaml->text || str_equal(yaml->text, "~") || str_equal(yaml->text, "null"));
}

/* Only a bare relative path: a URL says itself where it points. */
static const char *resolve_path(const struct reading *reading, const char *url)
{
    size_t scheme = 0;
    while (isalnum((unsigned char)url[scheme]) || url[scheme] == '+') {
        scheme++;
    }
    if (url[scheme] == ':' || url[0] == '/' || url[0] == ':') {
        return url;
    }
    const char *home = getenv("HOME");
    if (str_starts(url, "~/") && home) {
        return arena_format(reading->scratch, "%s%s", home, url + 1);
    }
    return *reading->folder
               ? arena_format(reading->scratch, "%s/%s", reading->folder, url)
               : url;
}

static bool unknown_field(const struct reading *reading, const struct yaml *field)
{
    static const char *const fields[] = {
        "id",       "url",    "description",     "dictionary",
        "writable", "policy", "allow_superuser", "allow_own_types"};
    const char *nearest = str_nearest(field->key, fields, sizeof fields / sizeof *fields);
    return nearest
               ? options_file_fail(reading, field, "Unknown key '%s'. Did you mean '%s'?",
                                   field->key, nearest)
               : options_file_fail(
                     reading, field,
                     "Unknown key '%s'. A datasource has id, url, description, "
                     "dictionary, writable, policy, allow_superuser and "
                     "allow_own_types.",
                     field->key);
}

static bool read_switch(const struct reading *reading, const struct yaml *field,
                        const char *text, bool *out)
{
    return str_to_bool(text, out) ||
           options_file_fail(reading, field, "'%s' must be true or false, but is '%s'.",
                             field->key, text);
}

static bool read_field(const struct reading *reading, const struct yaml *field,
                       struct datasource_setting *out)
{
    if (str_equal(field->key, "policy")) {
        const struct yaml *at = field;
        out->policy = policy_read(reading->scratch, field, &at, reading->err);
        return out->policy || place(reading, at->line, at->column);
    }
    const char *text = field->kind == YAML_SCALAR ? expand(reading, field) : "";
    if (!text) {
        return false;
    }
    if (field->kind != YAML_SCALAR) {
        return options_file_fail(reading, field, "'%s' must be one value.", field->key);
    }
    if (str_equal(field->key, "id")) {
        out->id = text;
    } else if (str_equal(field->key, "url") || str_equal(field->key, "path")) {
        out->url = resolve_path(reading, text);
    } else if (str_equal(field->key, "description")) {
        out->description = is_null(field) ? NULL : text;
    } else if (str_equal(field->key, "dictionary")) {
        out->dictionary = str_empty(text) ? NULL : resolve_path(reading, text);
    } else if (str_equal(field->key, "writable")) {
        return read_switch(reading, field, text, &out->writable);
    } else if (str_equal(field->key, "allow_superuser")) {
        return read_switch(reading, field, text, &out->allow_superuser);
    } else if (str_equal(field->key, "allow_own_types")) {
        return read_switch(reading, field, text, &out->allow_own_types);
    } else {
        return unknown_field(reading, field);
    }
    return true;
}

/* The newest one, unless its id was there before and it took that place. */
static struct datasource_setting *added_datasource(struct options *options,
                                                   const char *id)
{
    struct datasource_setting *items = options->datasources.items;
    size_t at = options->datasources.count - 1;
    for (size_t i = 0; id && i < at; i++) {
        if (str_equal(items[i].id, id)) {
            return &items[i];
        }
    }
    return &items[at];
}

/* An entry is {id, url, …}, or just the url or path. */
static bool read_datasource(const struct reading *reading, const struct yaml *entry,
                            struct map *seen)
{
    struct datasource_setting setting = {.id = entry->key};
    if (entry->kind == YAML_LIST) {
        return options_file_fail(reading, entry, "A datasource must be a url or a map.");
    }
    if (entry->kind == YAML_SCALAR) {
        const char *text = expand(reading, entry);
        if (!text) {
            return false;
        }
        setting.url = resolve_path(reading, text);
    }
    for (const struct yaml *field = entry->first; field; field = field->next) {
        if (!read_field(reading, field, &setting)) {
            return false;
        }
    }
    setting.id = str_empty(setting.id) ? NULL : setting.id;
    if (setting.id && map_has(seen, setting.id)) {
        return options_file_fail(reading, entry, "The datasource id '%s' is there twice.",
                                 setting.id);
    }
    if (str_empty(setting.url)) {
        return options_file_fail(reading, entry, "The datasource '%s' needs a url.",
                                 setting.id ? setting.id : "(without id)");
    }
    struct options *options = reading->options;
    if (!options_add_datasource(options, setting.id, setting.url, reading->err)) {
        return place(reading, entry->line, entry->column);
    }
    struct datasource_setting *added = added_datasource(options, setting.id);
    added->description = arena_text(options->arena, setting.description);
    added->dictionary = arena_text(options->arena, setting.dictionary);
    added->writable = setting.writable;
    added->allow_superuser = setting.allow_superuser;
    added->allow_own_types = setting.allow_own_types;
    added->policy = policy_clone(options->arena, setting.policy);
    (void)map_set(seen, added->id, seen);
    return true;
}

static bool read_datasources(const struct reading *reading, const struct yaml *node)
{
    if (node->kind == YAML_SCALAR) {
        return is_null(node) ||
               options_file_fail(reading, node,
                                 "'%s' must be a list of {id, url}, or a map of id: "
                                 "url.",
                                 node->key);
    }
    struct map seen;
    map_init(&seen, false);
    bool ok = true;
    for (const struct yaml *entry = node->first; ok && entry; entry = entry->next) {
        ok = read_datasource(reading, entry, &seen);
    }
    map_release(&seen);
    return ok;
}

static bool known_section(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; option_section_at(i); i++) {
        if (str_equal(option_section_at(i)->name, name)) {
            return true;
        }
    }
    for (size_t i = 0; option_alias_at(i); i++) {
        const char *from = option_alias_at(i)->from;
        if (str_starts(from, name) && from[size] == '.') {
            return true;
        }
    }
    return false;
}

static bool unknown_key(const struct reading *reading, const struct yaml *node,
                        const char *key)
{
    const char *nearest = option_nearest(key);
    if (node->kind == YAML_MAP) { /* a section: its neighbours are sections */
        const char *names[64] = {"datasources"};
        size_t count = 1;
        for (size_t i = 0; option_section_at(i) && count < 64; i++) {
            names[count++] = option_section_at(i)->name;
        }
        nearest = str_nearest(key, names, count);
    }
    return nearest
               ? options_file_fail(reading, node, "Unknown key '%s'. Did you mean '%s'?",
                                   key, nearest)
               : options_file_fail(reading, node, "Unknown key '%s'.", key);
}

static bool read_setting(const struct reading *reading, const struct yaml *node,
                         const char *key)
{
    const struct option_row *row = option_row_find(key);
    if (!row) {
        return unknown_key(reading, node, key);
    }
    if (node->kind != YAML_SCALAR) {
        return options_file_fail(reading, node,
                                 "'%s' must be one value, not a list or a map.", key);
    }
    if (is_null(node)) {
        return true; /* "key:" with nothing behind it leaves the default */
    }
    const char *text = expand(reading, node);
    if (!text) {
        return false;
    }
    return option_apply(reading->options, row, key, text, reading->err) ||
           place(reading, node->line, node->column);
}

static bool read_map(const struct reading *reading, const struct yaml *map,
                     const char *prefix)
{
    for (const struct yaml *node = map->first; node; node = node->next) {
        const char *key = *prefix
                              ? arena_format(reading->scratch, "%s.%s", prefix, node->key)
                              : node->key;
        bool ok = false;
        if (str_equal(key, "datasources")) {
            ok = read_datasources(reading, node);
        } else if (!*prefix && known_section(key) && is_null(node)) {
            ok = true;
        } else if (node->kind == YAML_MAP && known_section(key)) {
            ok = read_map(reading, node, key);
        } else {
            ok = read_setting(reading, node, key);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* The reader's "(line 3, column 5)" becomes the usual "file:3:5: " in front. */
static bool refuse_yaml(const struct reading *reading)
{
    struct err *err = reading->err;
    long line = 1;
    long column = 1;
    char *where = strstr(err->message, " (line ");
    if (where) {
        char *end = NULL;
        line = strtol(where + strlen(" (line "), &end, 10);
        column = str_starts(end, ", column ")
                     ? strtol(end + strlen(", column "), &end, 10)
                     : 1;
        memcpy(where, ".", 2);
    }
    err->code = ERR_CONFIG;
    err->position = -1;
    (void)err_hint(err, "%s", err_default_hint(ERR_CONFIG));
    return place(reading, (int)line, (int)column);
}

static bool read_text(const struct reading *reading, const char *yaml, size_t size)
{
    const struct yaml *root = yaml_parse(reading->scratch, yaml, size, reading->err);
    if (!root) {
        return refuse_yaml(reading);
    }
    if (root->kind != YAML_MAP) {
        return is_null(root) ||
               options_file_fail(reading, root, "The file must be a map of settings.");
    }
    return read_map(reading, root, "");
}

bool options_parse(struct options *options, const char *name, const char *yaml,
                   size_t size, struct err *err)
{
    struct reading reading = {options, name, "", arena_new(), err};
    bool ok = read_text(&reading, yaml, size);
    arena_free(reading.scratch);
    return ok;
}

bool options_load(struct options *options, const char *path, struct err *err)
{
    struct reading reading = {options, path, "", arena_new(), err};
    const char *slash = strrchr(path, '/');
    if (slash) { /* messages go without the folder: it may be a private one */
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        reading.folder = arena_copy(reading.scratch, path, length);
        reading.name = slash + 1;
    }
    size_t size = 0;
    const char *text = file_read(reading.scratch, path, FILE_MOST, &size, err);
    bool ok = text && read_text(&reading, text, size);
    arena_free(reading.scratch);
    return ok;
}
