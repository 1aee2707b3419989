/* The tables of several sources side by side, each under the name of its source. */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "datasource/across/across_state.h"
#include "datasource/staging/staging_types.h"

/* Names that mean something to the engine in front of a dot. */
static bool reserved(const char *name)
{
    static const char *const words[] = {"memory", "temp",       "system",
                                        "main",   "pg_catalog", "information_schema"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* Letters, digits and underscores: a name that needs no quotes and has no dot. */
static char *plain_name(struct arena *arena, const char *name)
{
    char *plain = arena_format(arena, "%s%s", isdigit((unsigned char)*name) ? "_" : "",
                               *name ? name : "source");
    for (char *at = plain; *at; at++) {
        bool keep = isalnum((unsigned char)*at) || *at == '_' || (*at & 0x80);
        *at = keep ? *at : '_';
    }
    return plain;
}

static bool alias_taken(const struct across *across, size_t count, const char *alias)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal_nocase(across->parts[i].alias, alias)) {
            return true;
        }
    }
    return false;
}

/* A dataset has an id that nobody reads: its name is at the end of its URL. */
static const char *name_people_say(const struct datasource *source)
{
    const char *slash = strrchr(source->url, '/');
    if (!str_starts_nocase(source->url, "dataset:")) {
        return source->id;
    }
    return slash ? slash + 1 : source->url + strlen("dataset:");
}

static void aliases_make(struct across *across, struct arena *arena)
{
    for (size_t i = 0; i < across->count; i++) {
        char *alias = plain_name(arena, name_people_say(across->parts[i].source));
        while (reserved(alias) || alias_taken(across, i, alias)) {
            alias = arena_format(arena, "%s_db", alias);
        }
        across->parts[i].alias = alias;
    }
}

const struct across_table *across_table_find(const struct across *across,
                                             const char *namespace, const char *name)
{
    const struct across_table *found = NULL;
    for (size_t i = 0; i < across->tables.count; i++) {
        const struct across_table *table = &across->tables.items[i];
        if (!str_equal_nocase(table->bare, name)) {
            continue;
        }
        if (!str_empty(namespace)) {
            if (str_equal_nocase(across->parts[table->part].alias, namespace)) {
                return table;
            }
            continue;
        }
        if (found) {
            return NULL; /* several: it must be said which */
        }
        found = table;
    }
    return found;
}

/* How the table is called among all: its own namespace becomes a part of its name. */
static void table_name_make(struct across *across, struct arena *arena, size_t part,
                            const struct table *table)
{
    const char *alias = across->parts[part].alias;
    char *bare = arena_text(
        arena, str_empty(table->namespace)
                   ? table->bare_name
                   : arena_format(arena, "%s_%s", table->namespace, table->bare_name));
    for (char *at = bare; *at; at++) {
        *at = *at == '.' ? '_' : *at;
    }
    while (across_table_find(across, alias, bare)) {
        bare = arena_format(arena, "%s_2", bare);
    }
    struct across_table *entry = VEC_ADD(arena, &across->tables);
    *entry = (struct across_table){.name = arena_format(arena, "%s.%s", alias, bare),
                                   .bare = bare,
                                   .part = part,
                                   .table = table};
}

static const char *name_of(const struct across *across, size_t part, const char *name)
{
    for (size_t i = 0; i < across->tables.count; i++) {
        const struct across_table *table = &across->tables.items[i];
        if (table->part == part && str_equal_nocase(table->table->name, name)) {
            return table->name;
        }
    }
    return NULL;
}

static void texts_copy(struct arena *arena, const struct texts *from, struct texts *to)
{
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(arena, to, arena_text(arena, from->items[i]));
    }
}

static void column_copy(struct schema *schema, enum dialect dialect, struct table *to,
                        const struct column *column)
{
    struct arena *arena = schema->arena;
    struct column *copy =
        table_add_column(schema, to, column->name,
                         staged_type_name(arena, staged_type_of(dialect, column->type)));
    copy->comment = arena_text(arena, column->comment);
    copy->nullable = column->nullable;
    copy->primary = column->primary;
    copy->distinct = column->distinct;
    copy->null_share = column->null_share;
    copy->least = arena_text(arena, column->least);
    copy->greatest = arena_text(arena, column->greatest);
    texts_copy(arena, &column->synonyms, &copy->synonyms);
    texts_copy(arena, &column->samples, &copy->samples);
    copy->samples_all = column->samples_all;
    for (size_t i = 0; i < column->meanings.count; i++) {
        const struct meaning *meaning = &column->meanings.items[i];
        VEC_PUSH(arena, &copy->meanings,
                 ((struct meaning){arena_text(arena, meaning->value),
                                   arena_text(arena, meaning->text)}));
    }
}

static void keys_copy(const struct across *across, size_t part, struct schema *schema,
                      struct table *to, const struct table *from)
{
    struct arena *arena = schema->arena;
    for (size_t i = 0; i < from->foreign_keys.count; i++) {
        const struct foreign_key *key = &from->foreign_keys.items[i];
        const char *other = name_of(across, part, key->table);
        if (other) {
            struct foreign_key *copy = VEC_ADD(arena, &to->foreign_keys);
            copy->table = arena_text(arena, other);
            copy->confidence = key->confidence;
            texts_copy(arena, &key->columns, &copy->columns);
            texts_copy(arena, &key->references, &copy->references);
        }
    }
    for (size_t i = 0; i < from->indexes.count; i++) {
        const struct index *index = &from->indexes.items[i];
        struct index *copy = VEC_ADD(arena, &to->indexes);
        copy->name = arena_text(arena, index->name);
        copy->unique = index->unique;
        texts_copy(arena, &index->columns, &copy->columns);
    }
    for (size_t i = 0; i < from->metrics.count; i++) {
        const struct metric *metric = &from->metrics.items[i];
        if (metric->tables.count) {
            continue; /* its tables have other names here */
        }
        struct metric *copy = VEC_ADD(arena, &to->metrics);
        copy->name = arena_text(arena, metric->name);
        copy->expression = arena_text(arena, metric->expression);
        copy->comment = arena_text(arena, metric->comment);
        texts_copy(arena, &metric->synonyms, &copy->synonyms);
    }
}

static void table_copy(struct across *across, struct schema *schema,
                       const struct across_table *entry)
{
    struct arena *arena = schema->arena;
    const struct table *from = entry->table;
    struct table *to = schema_add_table(schema, entry->name);
    to->namespace = arena_text(arena, across->parts[entry->part].alias);
    to->bare_name = arena_text(arena, entry->bare);
    to->comment = arena_text(arena, from->comment);
    to->is_view = from->is_view;
    to->row_count = from->row_count;
    to->row_count_exact = from->row_count_exact;
    texts_copy(arena, &from->synonyms, &to->synonyms);
    for (size_t i = 0; i < from->columns.count; i++) {
        column_copy(schema, datasource_dialect(across->parts[entry->part].source), to,
                    &from->columns.items[i]);
    }
    keys_copy(across, entry->part, schema, to, from);
}

void across_schema_build(struct across *across, struct arena *arena, const char *id)
{
    struct schema *schema = schema_new();
    struct hash *hash = hash_new();
    char signature[33];
    aliases_make(across, arena);
    for (size_t i = 0; i < across->count; i++) {
        const struct across_part *part = &across->parts[i];
        for (size_t t = 0; t < part->schema->tables.count; t++) {
            table_name_make(across, arena, i, &part->schema->tables.items[t]);
        }
        hash_text(hash, part->source->id);
        hash_text(hash, part->signature);
        schema->read_at = part->schema->read_at;
    }
    for (size_t i = 0; i < across->tables.count; i++) {
        table_copy(across, schema, &across->tables.items[i]);
    }
    hash_hex(hash, signature);
    hash_free(hash);
    schema->datasource = arena_text(schema->arena, id);
    schema->dialect = arena_text(schema->arena, dialect_name(DIALECT_DUCKDB));
    schema->signature = arena_text(schema->arena, signature);
    across->schema = schema;
}
