/* A dictionary from YAML: our own form, or dbt's schema.yml. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/yaml.h"
#include "datasource/dictionary/dictionary_state.h"

/* What is read, and how it is called in messages. */
struct yaml_reading {
    struct dictionary *dictionary;
    struct err *err;
    bool dbt; /* has many more keys, which are ignored */
};

static const char *scalar(struct arena *arena, const struct yaml *map, const char *key,
                          size_t most)
{
    const struct yaml *value = yaml_at(map, key);
    return value && value->kind == YAML_SCALAR ? dictionary_text(arena, value->text, most)
                                               : NULL;
}

static void read_synonyms(struct arena *arena, const struct yaml *value,
                          struct texts *synonyms)
{
    if (value && value->kind == YAML_SCALAR) {
        dictionary_synonyms_split(arena, synonyms, value->text);
    }
    for (const struct yaml *item = value ? value->first : NULL; item; item = item->next) {
        if (item->kind == YAML_SCALAR) {
            dictionary_synonym_add(arena, synonyms, item->text);
        }
    }
}

/* {1: active}, [{value: 1, meaning: active}] or "1 = active; 2 = closed" */
static void read_meanings(struct arena *arena, const struct yaml *value,
                          struct meanings *meanings)
{
    if (value && value->kind == YAML_SCALAR) {
        dictionary_meanings_split(arena, meanings, value->text);
    }
    for (const struct yaml *item = value ? value->first : NULL; item; item = item->next) {
        if (item->kind == YAML_SCALAR && item->key) {
            dictionary_meaning_add(arena, meanings, item->key, item->text);
        } else if (item->kind == YAML_SCALAR) {
            dictionary_meanings_split(arena, meanings, item->text);
        } else if (item->kind == YAML_MAP) {
            dictionary_meaning_add(arena, meanings,
                                   scalar(arena, item, "value", DICTIONARY_NAME_MOST),
                                   scalar(arena, item, "meaning", DICTIONARY_NAME_MOST));
        }
    }
}

static void check_keys(struct yaml_reading *reading, const struct yaml *map,
                       const char *const *keys, size_t count)
{
    if (map->kind != YAML_MAP) {
        dictionary_warn(reading->dictionary,
                        "Line %d of the dictionary: a list stands where a description or "
                        "a map is wanted.",
                        map->line);
        return;
    }
    for (const struct yaml *item = map->first; item && !reading->dbt; item = item->next) {
        bool known = false;
        for (size_t i = 0; i < count && !known; i++) {
            known = str_equal(keys[i], item->key);
        }
        const char *nearest = known ? NULL : str_nearest(item->key, keys, count);
        if (!known) {
            dictionary_warn(
                reading->dictionary,
                "Line %d of the dictionary: the key '%.80s' is not known%s%s.",
                item->line, item->key, nearest ? "; did you mean " : "",
                nearest ? nearest : "");
        }
    }
}

/* dbt keeps what is not its own under meta, today inside config. */
static void read_meta(struct arena *arena, const struct yaml *map,
                      struct dictionary_entry *entry)
{
    const struct yaml *metas[] = {yaml_at(map, "meta"),
                                  yaml_at(yaml_at(map, "config"), "meta")};
    for (size_t i = 0; i < 2; i++) {
        read_synonyms(arena, yaml_at(metas[i], "synonyms"), &entry->synonyms);
        read_meanings(arena, yaml_at(metas[i], "values"), &entry->meanings);
    }
}

static void read_about(struct yaml_reading *reading, const struct yaml *map,
                       struct dictionary_entry *entry)
{
    static const char *const names[] = {"description", "comment", "label", "title"};
    struct arena *arena = reading->dictionary->arena;
    for (size_t i = 0; i < 4 && !entry->description; i++) {
        const char *text = scalar(arena, map, names[i], DICTIONARY_TEXT_MOST);
        /* a template of dbt's that points somewhere else says nothing here */
        entry->description = text && str_starts(text, "{{") ? NULL : text;
    }
    read_synonyms(arena, yaml_at(map, "synonyms"), &entry->synonyms);
    read_synonyms(arena, yaml_at(map, "aliases"), &entry->synonyms);
    read_meta(arena, map, entry);
}

static const char *item_name(struct arena *arena, const struct yaml *item)
{
    return item->key ? dictionary_text(arena, item->key, DICTIONARY_NAME_MOST)
                     : scalar(arena, item, "name", DICTIONARY_NAME_MOST);
}

static bool read_column(struct yaml_reading *reading, const struct yaml *item,
                        const struct dictionary_entry *table)
{
    static const char *const keys[] = {
        "name",     "actual_name", "description", "comment", "label", "title",
        "synonyms", "aliases",     "values",      "meta",    "type",  "data_type"};
    struct arena *arena = reading->dictionary->arena;
    const char *name = item_name(arena, item);
    if (!name) {
        dictionary_warn(reading->dictionary,
                        "Line %d of the dictionary: a column without a name.",
                        item->line);
        return true;
    }
    const char *actual_table = table->actual_table;
    struct dictionary_entry *entry =
        dictionary_entry_add(reading->dictionary, table->table, name, reading->err);
    if (!entry) {
        return false;
    }
    entry->actual_table = actual_table;
    if (item->kind == YAML_SCALAR) {
        entry->description = dictionary_text(arena, item->text, DICTIONARY_TEXT_MOST);
        return true;
    }
    entry->actual_column = scalar(arena, item, "actual_name", DICTIONARY_NAME_MOST);
    if (item->key) {
        dictionary_synonym_add(arena, &entry->synonyms,
                               scalar(arena, item, "name", DICTIONARY_NAME_MOST));
    }
    read_about(reading, item, entry);
    read_meanings(arena, yaml_at(item, "values"), &entry->meanings);
    check_keys(reading, item, keys, sizeof keys / sizeof *keys);
    return true;
}

static bool read_metrics(struct yaml_reading *reading, const struct yaml *list,
                         const char *table);

static bool read_table(struct yaml_reading *reading, const struct yaml *item)
{
    static const char *const keys[] = {
        "name",     "actual_name", "description", "comment", "label", "title",
        "synonyms", "aliases",     "columns",     "metrics", "meta",  "identifier"};
    struct arena *arena = reading->dictionary->arena;
    const char *name = item_name(arena, item);
    if (!name) {
        dictionary_warn(reading->dictionary,
                        "Line %d of the dictionary: a table without a name.", item->line);
        return true;
    }
    struct dictionary_entry *entry =
        dictionary_entry_add(reading->dictionary, name, NULL, reading->err);
    if (!entry) {
        return false;
    }
    if (item->kind == YAML_SCALAR) {
        entry->description = dictionary_text(arena, item->text, DICTIONARY_TEXT_MOST);
        return true;
    }
    entry->actual_table = scalar(arena, item, "actual_name", DICTIONARY_NAME_MOST);
    if (!entry->actual_table) {
        entry->actual_table = scalar(arena, item, "identifier", DICTIONARY_NAME_MOST);
    }
    if (item->key) {
        dictionary_synonym_add(arena, &entry->synonyms,
                               scalar(arena, item, "name", DICTIONARY_NAME_MOST));
    }
    read_about(reading, item, entry);
    check_keys(reading, item, keys, sizeof keys / sizeof *keys);
    const struct dictionary_entry table = *entry; /* the list may move */
    const struct yaml *columns = yaml_at(item, "columns");
    for (const struct yaml *at = columns ? columns->first : NULL; at; at = at->next) {
        if (!read_column(reading, at, &table)) {
            return false;
        }
    }
    const char *actual = table.actual_table ? table.actual_table : table.table;
    return reading->dbt || read_metrics(reading, yaml_at(item, "metrics"), actual);
}

static bool read_tables(struct yaml_reading *reading, const struct yaml *list)
{
    for (const struct yaml *at = list ? list->first : NULL; at; at = at->next) {
        if (!read_table(reading, at)) {
            return false;
        }
    }
    return true;
}

/* revenue: sum(quantity * unit_price), or a map with an expression */
static bool read_metrics(struct yaml_reading *reading, const struct yaml *list,
                         const char *table)
{
    struct arena *arena = reading->dictionary->arena;
    for (const struct yaml *at = list ? list->first : NULL; at; at = at->next) {
        bool brief = at->kind == YAML_SCALAR;
        const struct yaml *written = brief ? at : yaml_at(at, "expression");
        const char *name = item_name(arena, at);
        struct dictionary_metric *metric = dictionary_metric_add(
            reading->dictionary, name, written ? written->text : NULL);
        if (!metric) {
            dictionary_warn(reading->dictionary,
                            "Line %d of the dictionary: a metric needs a name and an "
                            "expression.",
                            at->line);
            continue;
        }
        metric->table = scalar(arena, at, "table", DICTIONARY_NAME_MOST);
        metric->table = metric->table ? metric->table : table;
        metric->metric.comment = scalar(arena, at, "description", DICTIONARY_TEXT_MOST);
        read_synonyms(arena, yaml_at(at, "synonyms"), &metric->metric.synonyms);
    }
    return true;
}

static bool read_dbt(struct yaml_reading *reading, const struct yaml *root)
{
    static const char *const lists[] = {"models", "seeds", "snapshots"};
    reading->dbt = true;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (!read_tables(reading, yaml_at(root, lists[i]))) {
            return false;
        }
    }
    const struct yaml *sources = yaml_at(root, "sources");
    for (const struct yaml *at = sources ? sources->first : NULL; at; at = at->next) {
        if (!read_tables(reading, yaml_at(at, "tables"))) {
            return false;
        }
    }
    return true;
}

bool dictionary_yaml(struct dictionary *dictionary, const char *data, size_t size,
                     struct err *err)
{
    static const char *const keys[] = {"tables", "metrics", "version"};
    struct yaml_reading reading = {dictionary, err, false};
    const struct yaml *root = yaml_parse(dictionary->arena, data, size, err);
    if (!root) {
        return false;
    }
    if (root->kind != YAML_MAP) {
        return err_set(err, ERR_INVALID_DATA,
                       "A dictionary in YAML is a map with 'tables' and 'metrics'.");
    }
    if (!yaml_at(root, "tables") &&
        (yaml_at(root, "models") || yaml_at(root, "seeds") || yaml_at(root, "sources") ||
         yaml_at(root, "snapshots"))) {
        return read_dbt(&reading, root);
    }
    check_keys(&reading, root, keys, sizeof keys / sizeof *keys);
    return read_tables(&reading, yaml_at(root, "tables")) &&
           read_metrics(&reading, yaml_at(root, "metrics"), NULL);
}
