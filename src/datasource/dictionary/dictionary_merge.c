/* A dictionary into a schema: what it describes must be there. */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/dictionary/dictionary_state.h"

enum { MISSES_MOST = 20 };

struct merging {
    const struct dictionary *dictionary;
    struct schema *schema;
    struct map tables; /* name and bare name -> table; NULL value: several */
    struct texts names;
    struct map missed; /* table names that were warned of */
    size_t misses;
};

static void warn(struct merging *merging, const char *text)
{
    if (++merging->misses <= MISSES_MOST) {
        VEC_PUSH(merging->schema->arena, &merging->schema->warnings,
                 arena_text(merging->schema->arena, text));
    }
}

/* What would not be shown is only counted: looking for near names takes long. */
static bool counted(struct merging *merging)
{
    bool full = merging->misses >= MISSES_MOST;
    merging->misses += full;
    return full;
}

static void warn_context(void *context, const char *text)
{
    warn(context, text);
}

/* The full name wins over a bare one, whichever came first. */
static void list_tables(struct merging *merging)
{
    struct tables *tables = &merging->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        if (tables->items[i].bare_name) {
            (void)map_set(&merging->tables, tables->items[i].bare_name,
                          &tables->items[i]);
        }
    }
    for (size_t i = 0; i < tables->count; i++) {
        (void)map_set(&merging->tables, tables->items[i].name, &tables->items[i]);
        VEC_PUSH(merging->dictionary->arena, &merging->names, tables->items[i].name);
    }
}

static const char *did_you_mean(struct arena *arena, const char *name,
                                const struct texts *names)
{
    const char *nearest = str_nearest(name, names->items, names->count);
    return nearest ? arena_format(arena, " Did you mean '%s'?", nearest) : "";
}

static struct table *find_table(struct merging *merging,
                                const struct dictionary_entry *entry)
{
    const char *name = entry->actual_table ? entry->actual_table : entry->table;
    struct table *table = map_get(&merging->tables, name);
    if (!table && !map_has(&merging->missed, name)) {
        struct arena *arena = merging->dictionary->arena;
        (void)map_set(&merging->missed, name, merging);
        if (counted(merging)) {
            return NULL;
        }
        warn(merging,
             arena_format(arena,
                          "The dictionary describes the table '%s', which does not "
                          "exist.%s",
                          name, did_you_mean(arena, name, &merging->names)));
    }
    return table;
}

static struct column *find_column(struct merging *merging, const struct table *table,
                                  const struct dictionary_entry *entry)
{
    const char *name = entry->actual_column ? entry->actual_column : entry->column;
    struct column *column = table_column(table, name);
    if (!column && !counted(merging)) {
        struct arena *arena = merging->dictionary->arena;
        struct texts names = {0};
        for (size_t i = 0; i < table->columns.count; i++) {
            VEC_PUSH(arena, &names, table->columns.items[i].name);
        }
        warn(merging,
             arena_format(arena,
                          "The dictionary describes the column '%s' of '%s', which does "
                          "not exist.%s",
                          name, table->name, did_you_mean(arena, name, &names)));
    }
    return column;
}

/* What the dictionary calls it is a synonym of what it is called. */
static void merge_names(struct arena *arena, struct texts *synonyms, const char *actual,
                        const char *called, const struct texts *more)
{
    if (called && !str_equal_nocase(called, actual)) {
        dictionary_synonym_add(arena, synonyms, called);
    }
    for (size_t i = 0; i < more->count; i++) {
        if (!str_equal_nocase(more->items[i], actual)) {
            dictionary_synonym_add(arena, synonyms, more->items[i]);
        }
    }
}

static void merge_column(struct merging *merging, struct column *column,
                         const struct dictionary_entry *entry)
{
    struct arena *arena = merging->schema->arena;
    merge_names(arena, &column->synonyms, column->name, entry->column, &entry->synonyms);
    if (entry->description) {
        column->comment = arena_text(arena, entry->description);
    }
    for (size_t i = 0; i < entry->meanings.count; i++) {
        const struct meaning *meaning = &entry->meanings.items[i];
        dictionary_meaning_add(arena, &column->meanings, meaning->value, meaning->text);
    }
}

static void merge_table(struct merging *merging, struct table *table,
                        const struct dictionary_entry *entry)
{
    struct arena *arena = merging->schema->arena;
    const char *called =
        str_equal_nocase(entry->table, table->bare_name) ? NULL : entry->table;
    merge_names(arena, &table->synonyms, table->name, called, &entry->synonyms);
    if (entry->description) {
        table->comment = arena_text(arena, entry->description);
    }
}

/* A table that only has columns described is called what they say, too. */
static void merge_entry(struct merging *merging, const struct dictionary_entry *entry)
{
    struct table *table = find_table(merging, entry);
    if (!table) {
        return;
    }
    if (!entry->column) {
        merge_table(merging, table, entry);
        return;
    }
    if (entry->actual_table && !str_equal_nocase(entry->table, table->bare_name)) {
        static const struct texts none = {0};
        merge_names(merging->schema->arena, &table->synonyms, table->name, entry->table,
                    &none);
    }
    struct column *column = find_column(merging, table, entry);
    if (column) {
        merge_column(merging, column, entry);
    }
}

void dictionary_merge(const struct dictionary *dictionary, struct schema *schema)
{
    struct merging merging = {.dictionary = dictionary, .schema = schema};
    map_init(&merging.tables, true);
    map_init(&merging.missed, true);
    list_tables(&merging);
    for (size_t i = 0; i < dictionary->warnings.count; i++) {
        warn(&merging, dictionary->warnings.items[i]);
    }
    for (size_t i = 0; i < dictionary->entries.count; i++) {
        merge_entry(&merging, &dictionary->entries.items[i]);
    }
    dictionary_metrics_merge(dictionary, schema, warn_context, &merging);
    if (merging.misses > MISSES_MOST) {
        size_t more = merging.misses - MISSES_MOST;
        VEC_PUSH(schema->arena, &schema->warnings,
                 arena_format(schema->arena,
                              "%zu more entries of the dictionary do not fit the schema.",
                              more));
    }
    map_release(&merging.missed);
    map_release(&merging.tables);
}
