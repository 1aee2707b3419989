/* Descriptions that people write while dragoman runs. */
#include "datasource/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "service/house.h"

static bool text_good(const char *text, size_t most)
{
    size_t size = text ? strnlen(text, most + 1) : 0;
    return size <= most && utf8_valid(str_or_empty(text), size, NULL);
}

/* What is written already; an object with "tables" in it, whatever the file holds. */
static json_t *load(struct arena *arena, const char *path)
{
    struct err ignored;
    size_t size = 0;
    err_clear(&ignored);
    const char *text = file_exists(path)
                           ? file_read(arena, path, DICTIONARY_FILE_MOST, &size, &ignored)
                           : NULL;
    json_t *root = text ? json_parse(arena, text, size, &ignored) : NULL;
    if (!root || !json_object_at(root, "tables")) {
        root = json_keep(arena, json_object());
        (void)json_object_set_new(root, "tables", json_object());
    }
    return root;
}

/* The object under this key, made when it is not there; letters of either case. */
static json_t *within(json_t *object, const char *key)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(object, name, value)
    {
        if (str_equal_nocase(name, key) && json_is_object(value)) {
            return value;
        }
    }
    (void)json_object_set_new(object, key, json_object());
    return json_object_get(object, key);
}

static bool set_synonyms(json_t *entry, const json_t *list, struct err *err)
{
    json_t *copy = json_array();
    bool ok = json_is_array(list) && json_array_size(list) <= DICTIONARY_SYNONYMS_MOST;
    for (size_t i = 0; ok && i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        ok = !str_empty(word) && text_good(word, DICTIONARY_NAME_MOST) &&
             json_array_append_new(copy, json_string(word)) == 0;
    }
    if (ok) {
        (void)json_object_set(entry, "synonyms", copy);
    }
    json_decref(copy);
    return ok || err_set(err, ERR_INVALID_DATA,
                         "Synonyms are a list of at most %d words of at most %d bytes.",
                         DICTIONARY_SYNONYMS_MOST, DICTIONARY_NAME_MOST);
}

static bool set_entry(struct arena *arena, json_t *root,
                      const struct dgm_description *given, struct err *err)
{
    json_t *entry = within(json_object_get(root, "tables"), given->table);
    if (!str_empty(given->column)) {
        entry = within(within(entry, "columns"), given->column);
    }
    if (given->description) {
        (void)json_object_set_new(entry, "description", json_string(given->description));
    }
    if (!given->synonyms) {
        return true;
    }
    const json_t *list = json_parse(arena, given->synonyms, strlen(given->synonyms), err);
    return list && set_synonyms(entry, list, err);
}

/* What is described must be there. */
static bool check(struct dgm *dgm, struct datasource *source,
                  struct dgm_description *given, struct arena *arena, struct err *err)
{
    if (!text_good(given->description, DICTIONARY_TEXT_MOST)) {
        return err_set(err, ERR_INVALID_DATA, "A description has %d bytes at most.",
                       DICTIONARY_TEXT_MOST);
    }
    struct schema *schema = house_schema(dgm, source, err);
    if (!schema) {
        return false;
    }
    const struct table *table = schema_table(schema, str_or_empty(given->table));
    const struct column *column =
        table && !str_empty(given->column) ? table_column(table, given->column) : NULL;
    bool ok = table && (column || str_empty(given->column));
    if (ok) {
        given->table = arena_text(arena, table->name);
        given->column = column ? arena_text(arena, column->name) : NULL;
    }
    schema_unref(schema);
    return ok || err_set(err, ERR_INVALID_DATA, "There is no %s '%.100s'.",
                         table ? "column" : "table",
                         str_or_empty(table ? given->column : given->table));
}

bool dgm_describe(struct dgm *dgm, const char *datasource,
                  const struct dgm_description *description, struct dgm_error *error)
{
    struct err err;
    struct dgm_description given = *description;
    err_clear(&err);
    house_no_error(error);
    struct arena *arena = arena_new();
    struct datasource *source = house_datasource(dgm, datasource, &err);
    bool ok = source && check(dgm, source, &given, arena, &err);
    const char *path = ok ? dictionary_own_path(arena, dgm->options, source->id) : NULL;
    const char *folder =
        ok ? arena_copy(arena, path, (size_t)(strrchr(path, '/') - path)) : NULL;
    (void)pthread_mutex_lock(&dgm->lock); /* two who write at once must not lose a word */
    json_t *root = ok ? load(arena, path) : NULL;
    ok = ok && set_entry(arena, root, &given, &err) && folder_create(folder, &err);
    char *text = ok ? json_dumps(root, JSON_INDENT(1)) : NULL;
    if (ok && strlen(text) > DICTIONARY_FILE_MOST) {
        ok = err_set(&err, ERR_INVALID_DATA, "The dictionary is too large.");
    }
    ok = ok && file_write(path, text, strlen(text), &err);
    (void)pthread_mutex_unlock(&dgm->lock);
    free(text);
    arena_free(arena);
    return ok || house_fail(error, &err);
}

char *dgm_dictionary(struct dgm *dgm, const char *datasource, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct datasource *source = house_datasource(dgm, datasource, &err);
    if (!source) {
        (void)house_fail(error, &err);
        return NULL;
    }
    struct arena *arena = arena_new();
    char *text = json_dumps(
        load(arena, dictionary_own_path(arena, dgm->options, source->id)), JSON_COMPACT);
    char *own = memory_text(text);
    free(text);
    arena_free(arena);
    return own;
}
