/* Descriptions that users write at run time: stored, and exported as a file. */
#include "datasource/dictionary/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/id.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "service/settings/settings.h"
#include "store/store.h"

static bool text_good(const char *text, size_t most)
{
    size_t size = text ? strnlen(text, most + 1) : 0;
    return size <= most && utf8_valid(str_or_empty(text), size, NULL);
}

/*
 * One thing that is said of a table or a column is one record, so that two processes that
 * describe at once lose nothing; the file is made from them, for the datasource to read.
 */
static const char kind[] = "dictionary";

/* One per datasource, which changes with every description: who follows looks at them. */
static const struct store_record version = {.kind = "dictionary_version"};

enum { RECORDS_MOST = 10000, /* of one datasource */ TEXT_MOST = 1 << 30 };

static json_t *empty(struct arena *arena)
{
    json_t *root = json_keep(arena, json_object());
    (void)json_object_set_new(root, "tables", json_object());
    return root;
}

/* The file as it is; an object with "tables" in it, whatever it holds. */
static json_t *load_file(struct arena *arena, const char *path)
{
    struct err ignored;
    size_t size = 0;
    err_clear(&ignored);
    const char *text = file_exists(path)
                           ? file_read(arena, path, DICTIONARY_FILE_MOST, &size, &ignored)
                           : NULL;
    json_t *root = text ? json_parse(arena, text, size, &ignored) : NULL;
    return root && json_object_at(root, "tables") ? root : empty(arena);
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

/* A record's name: of a table, or of a column of it. */
static const char *record_name(struct arena *arena, const char *table, const char *column)
{
    return str_lower(
        arena, str_empty(column) ? table : arena_format(arena, "%s\n%s", table, column));
}

/* What the records of a datasource say, as its file; NULL when there are none. */
static json_t *load_records(struct dgm *dgm, struct arena *arena, const char *scope,
                            struct err *err)
{
    struct store_records records = {0};
    const struct store_record like = {.kind = kind, .scope = scope};
    if (!store_record_list(dgm->agent.store, arena, &like, &records, err) ||
        !records.count) {
        return NULL;
    }
    json_t *root = empty(arena);
    for (size_t i = 0; i < records.count; i++) {
        const char *text = records.items[i].json;
        const json_t *said = json_parse(arena, text, strlen(text), err);
        const char *table = json_text_at(said, "table");
        const char *column = json_text_at(said, "column");
        if (!table) {
            continue;
        }
        json_t *entry = within(json_object_get(root, "tables"), table);
        entry = column ? within(within(entry, "columns"), column) : entry;
        json_t *about = json_object_get(said, "entry");
        (void)json_object_update(entry, about);
    }
    return root;
}

static bool put(struct dgm *dgm, struct arena *arena, const char *scope,
                const char *table, const char *column, json_t *entry, struct err *err)
{
    char id[ID_SIZE];
    json_t *said = json_keep(arena, json_pack("{s:s, s:s*, s:O}", "table", table,
                                              "column", column, "entry", entry));
    (void)json_object_del(json_object_get(said, "entry"), "columns");
    char *text = json_dumps(said, JSON_COMPACT);
    const struct store_record record = {.kind = kind,
                                        .scope = scope,
                                        .name = record_name(arena, table, column),
                                        .json = text};
    bool ok = store_record_put(dgm->agent.store, &record, true, RECORDS_MOST, id, err);
    free(text);
    return ok || (err->code == ERR_OK &&
                  err_set(err, ERR_INVALID_DATA, "The dictionary is too large."));
}

/* A file from before there were records becomes records. */
static bool adopt(struct dgm *dgm, struct arena *arena, const char *scope,
                  const char *path, struct err *err)
{
    json_t *tables = json_object_get(load_file(arena, path), "tables");
    const char *table = NULL;
    const char *column = NULL;
    json_t *of_table = NULL;
    json_t *of_column = NULL;
    bool ok = true;
    json_object_foreach(tables, table, of_table)
    {
        json_object_foreach(json_object_get(of_table, "columns"), column, of_column)
        {
            ok = ok && put(dgm, arena, scope, table, column, of_column, err);
        }
        json_t *own = json_keep(arena, json_copy(of_table));
        (void)json_object_del(own, "columns");
        ok = ok &&
             (!json_object_size(own) || put(dgm, arena, scope, table, NULL, own, err));
    }
    return ok;
}

/* The file that the datasource reads, as the records say now. */
static bool write_file(struct dgm *dgm, struct arena *arena, const char *id,
                       const json_t *root, struct err *err)
{
    size_t size = 0;
    struct err ignored;
    const char *path = dictionary_own_path(arena, dgm->options, id);
    const char *folder = arena_copy(arena, path, (size_t)(strrchr(path, '/') - path));
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_SORT_KEYS);
    const char *now = file_exists(path)
                          ? file_read(arena, path, DICTIONARY_FILE_MOST, &size, &ignored)
                          : NULL;
    bool ok = true;
    if (strlen(text) > DICTIONARY_FILE_MOST) {
        ok = err_set(err, ERR_INVALID_DATA, "The dictionary is too large.");
    } else if (!str_equal(now, text)) {
        ok = folder_create(folder, err) && file_write(path, text, strlen(text), err);
    }
    free(text);
    return ok;
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

/* What is said of the thing now, with what is given put over it. */
static json_t *said_now(struct arena *arena, json_t *root,
                        const struct dgm_description *given, struct err *err)
{
    json_t *entry = within(json_object_get(root, "tables"), given->table);
    if (!str_empty(given->column)) {
        entry = within(within(entry, "columns"), given->column);
    }
    entry = json_keep(arena, json_copy(entry));
    (void)json_object_del(entry, "columns");
    if (given->description) {
        (void)json_object_set_new(entry, "description", json_string(given->description));
    }
    if (!given->synonyms) {
        return entry;
    }
    const json_t *list = json_parse(arena, given->synonyms, strlen(given->synonyms), err);
    return list && set_synonyms(entry, list, err) ? entry : NULL;
}

/* What is described must be there. */
static bool check(struct dgm *dgm, struct datasource *source,
                  struct dgm_description *given, struct arena *arena, struct err *err)
{
    if (!text_good(given->description, DICTIONARY_TEXT_MOST)) {
        return err_set(err, ERR_INVALID_DATA, "A description has %d bytes at most.",
                       DICTIONARY_TEXT_MOST);
    }
    struct schema *schema = instance_schema(dgm, source, err);
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

static bool describe(struct dgm *dgm, struct arena *arena, const char *id,
                     const struct dgm_description *given, struct err *err)
{
    const char *scope = str_lower(arena, id);
    const char *path = dictionary_own_path(arena, dgm->options, id);
    json_t *root = load_records(dgm, arena, scope, err);
    if (!root && err->code == ERR_OK && file_exists(path)) {
        if (!adopt(dgm, arena, scope, path, err)) {
            return false;
        }
        root = load_records(dgm, arena, scope, err);
    }
    err_clear(err);
    json_t *entry = said_now(arena, root ? root : empty(arena), given, err);
    if (!entry || !put(dgm, arena, scope, given->table, given->column, entry, err)) {
        return false;
    }
    char made[ID_SIZE];
    char ignored[ID_SIZE];
    struct store_record changed = version;
    id_new("d", made);
    changed.name = scope;
    changed.json = arena_format(arena, "\"%s\"", made);
    root = load_records(dgm, arena, scope, err);
    return root && write_file(dgm, arena, id, root, err) &&
           store_record_put(dgm->agent.store, &changed, true, RECORDS_MOST, ignored, err);
}

bool dgm_describe(struct dgm *dgm, const char *datasource,
                  const struct dgm_description *description, struct dgm_error *error)
{
    return dgm_describe_for(dgm, NULL, datasource, description, error);
}

bool dgm_describe_for(struct dgm *dgm, const char *account, const char *datasource,
                      const struct dgm_description *description, struct dgm_error *error)
{
    struct err err;
    struct dgm_description given = *description;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct datasource *source =
        instance_datasource_for(dgm, arena, account, datasource, &err);
    bool ok =
        source && check(dgm, source, &given, arena, &err) && instance_store(dgm, &err);
    (void)pthread_mutex_lock(&dgm->settings_lock); /* one after the other, here */
    ok = ok && describe(dgm, arena, source->id, &given, &err);
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

void dictionary_follow(struct dgm *dgm)
{
    struct err err;
    struct buf seen;
    struct store_records versions = {0};
    err_clear(&err);
    buf_init(&seen, DICTIONARY_FILE_MOST);
    struct arena *arena = arena_new();
    (void)pthread_mutex_lock(&dgm->settings_lock);
    (void)store_record_list(dgm->agent.store, arena, &version, &versions, &err);
    for (size_t i = 0; i < versions.count; i++) {
        (void)buf_text(&seen, versions.items[i].json);
    }
    if (versions.count && !str_equal(buf_get(&seen), dgm->dictionary_seen)) {
        for (size_t i = 0; i < versions.count; i++) {
            const char *scope = versions.items[i].name;
            const json_t *root = load_records(dgm, arena, scope, &err);
            if (root && !write_file(dgm, arena, scope, root, &err)) {
                LOG(LOG_SERVICE, LOG_WARN, "the dictionary of %s: %s", scope,
                    err.message);
            }
        }
        memory_free(dgm->dictionary_seen);
        dgm->dictionary_seen = memory_text(buf_get(&seen));
    }
    (void)pthread_mutex_unlock(&dgm->settings_lock);
    buf_release(&seen);
    arena_free(arena);
}

/* Takes out what is not in this schema. */
static void sift(json_t *root, const struct schema *schema)
{
    json_t *tables = json_object_get(root, "tables");
    const char *name = NULL;
    json_t *entry = NULL;
    void *next = NULL;
    json_object_foreach_safe(tables, next, name, entry)
    {
        const struct table *table = schema_table(schema, name);
        json_t *columns = json_object_get(entry, "columns");
        const char *column = NULL;
        json_t *words = NULL;
        void *after = NULL;
        if (!table) {
            (void)json_object_del(tables, name);
            continue;
        }
        json_object_foreach_safe(columns, after, column, words)
        {
            if (!table_column(table, column)) {
                (void)json_object_del(columns, column);
            }
        }
    }
}

char *dgm_dictionary(struct dgm *dgm, const char *datasource, struct dgm_error *error)
{
    return dgm_dictionary_for(dgm, NULL, datasource, error);
}

char *dgm_dictionary_for(struct dgm *dgm, const char *account, const char *datasource,
                         struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct datasource *source =
        instance_datasource_for(dgm, arena, account, datasource, &err);
    /* with a policy, only columns that are certainly visible are listed */
    bool held = source && datasource_policy(source);
    struct schema *schema = held ? instance_schema(dgm, source, &err) : NULL;
    if (!source || (held && !schema) || !instance_store(dgm, &err)) {
        schema_unref(schema);
        arena_free(arena);
        (void)instance_fail(error, &err);
        return NULL;
    }
    json_t *root = load_records(dgm, arena, str_lower(arena, source->id), &err);
    if (!root) {
        root = load_file(arena, dictionary_own_path(arena, dgm->options, source->id));
    }
    if (schema) {
        sift(root, schema);
    }
    struct buf text;
    buf_init(&text, TEXT_MOST);
    (void)json_write(root, &text);
    schema_unref(schema);
    arena_free(arena);
    return buf_take(&text);
}
