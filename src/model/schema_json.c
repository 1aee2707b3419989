/* A schema as JSON and back: the stored form, and what `schema --json` prints. */
#include "base/err.h"
#include "base/json_tree.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/schema.h"

static void write_meanings(struct writer *writer, const struct meanings *meanings)
{
    if (meanings->count == 0) {
        return;
    }
    writer_key(writer, "values");
    writer_array(writer);
    for (size_t i = 0; i < meanings->count; i++) {
        writer_object(writer);
        writer_key_text(writer, "value", meanings->items[i].value);
        writer_key_text(writer, "meaning", meanings->items[i].text);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_metrics(struct writer *writer, const struct metrics *metrics)
{
    if (metrics->count == 0) {
        return;
    }
    writer_key(writer, "metrics");
    writer_array(writer);
    for (size_t i = 0; i < metrics->count; i++) {
        writer_object(writer);
        writer_key_text(writer, "name", metrics->items[i].name);
        writer_key_text(writer, "expression", metrics->items[i].expression);
        writer_key_text(writer, "comment", metrics->items[i].comment);
        if (metrics->items[i].derived) {
            writer_key_bool(writer, "derived", true);
        }
        writer_key_texts(writer, "synonyms", &metrics->items[i].synonyms);
        writer_key_texts(writer, "tables", &metrics->items[i].tables);
        writer_key_texts(writer, "joins", &metrics->items[i].joins);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_column(struct writer *writer, const struct column *column)
{
    writer_object(writer);
    writer_key_text(writer, "name", column->name);
    writer_key_text(writer, "type", column->type);
    writer_key_texts(writer, "path", &column->path);
    writer_key_texts(writer, "fields", &column->fields);
    writer_key_bool(writer, "nullable", column->nullable);
    writer_key_bool(writer, "primary", column->primary);
    writer_key_text(writer, "comment", column->comment);
    writer_key_texts(writer, "synonyms", &column->synonyms);
    write_meanings(writer, &column->meanings);
    writer_key_text(writer, "default", column->default_value);
    writer_key_texts(writer, "samples", &column->samples);
    if (column->samples_all) {
        writer_key_bool(writer, "samples_all", true);
    }
    if (column->distinct >= 0) {
        writer_key_int(writer, "distinct", column->distinct);
    }
    if (column->null_share >= 0) {
        writer_key_real(writer, "null_share", column->null_share);
    }
    writer_key_text(writer, "min", column->least);
    writer_key_text(writer, "max", column->greatest);
    writer_object_end(writer);
}

static void write_columns(struct writer *writer, const struct columns *columns)
{
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < columns->count; i++) {
        write_column(writer, &columns->items[i]);
    }
    writer_array_end(writer);
}

static void write_keys(struct writer *writer, const struct foreign_keys *keys)
{
    if (keys->count == 0) {
        return;
    }
    writer_key(writer, "foreign_keys");
    writer_array(writer);
    for (size_t i = 0; i < keys->count; i++) {
        writer_object(writer);
        writer_key_texts(writer, "columns", &keys->items[i].columns);
        writer_key_text(writer, "table", keys->items[i].table);
        writer_key_texts(writer, "references", &keys->items[i].references);
        writer_key_real(writer, "confidence", keys->items[i].confidence);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_indexes(struct writer *writer, const struct indexes *indexes)
{
    if (indexes->count == 0) {
        return;
    }
    writer_key(writer, "indexes");
    writer_array(writer);
    for (size_t i = 0; i < indexes->count; i++) {
        writer_object(writer);
        writer_key_text(writer, "name", indexes->items[i].name);
        writer_key_texts(writer, "columns", &indexes->items[i].columns);
        writer_key_bool(writer, "unique", indexes->items[i].unique);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_table(struct writer *writer, const struct table *table)
{
    writer_object(writer);
    writer_key_text(writer, "name", table->name);
    if (!str_empty(table->namespace)) {
        writer_key_text(writer, "namespace", table->namespace);
    }
    if (!str_equal(table->bare_name, table->name)) {
        writer_key_text(writer, "bare_name", table->bare_name);
    }
    writer_key_text(writer, "kind",
                    table->is_view  ? "view"
                    : table->parent ? "array"
                                    : "table");
    writer_key_text(writer, "parent", table->parent);
    writer_key_texts(writer, "path", &table->path);
    writer_key_text(writer, "own_code", table->own_code);
    writer_key_text(writer, "definition", table->definition);
    writer_key_text(writer, "comment", table->comment);
    writer_key_texts(writer, "synonyms", &table->synonyms);
    write_metrics(writer, &table->metrics);
    if (table->row_count >= 0) {
        writer_key_int(writer, "row_count", table->row_count);
        writer_key_bool(writer, "row_count_exact", table->row_count_exact);
    }
    write_columns(writer, &table->columns);
    write_keys(writer, &table->foreign_keys);
    write_indexes(writer, &table->indexes);
    writer_object_end(writer);
}

void schema_write(const struct schema *schema, struct writer *writer)
{
    writer_object(writer);
    writer_key_text(writer, "datasource", schema->datasource);
    writer_key_text(writer, "dialect", schema->dialect);
    if (schema->home) {
        writer_key_text(writer, "home", schema->home);
    }
    writer_key_text(writer, "signature", schema->signature);
    writer_key_text(writer, "hash", schema->hash);
    writer_key_int(writer, "read_at", schema->read_at);
    writer_key(writer, "tables");
    writer_array(writer);
    for (size_t i = 0; i < schema->tables.count; i++) {
        write_table(writer, &schema->tables.items[i]);
    }
    writer_array_end(writer);
    writer_key_texts(writer, "own_functions", &schema->functions);
    writer_key_texts(writer, "own_types", &schema->types);
    writer_key_text(writer, "own_code", schema->own_code);
    writer_key_texts(writer, "warnings", &schema->warnings);
    writer_object_end(writer);
}

static char *read_text(struct arena *arena, const struct json_tree *object,
                       const char *key)
{
    return arena_text(arena, json_tree_text(object, key));
}

static void read_meanings(struct arena *arena, const struct json_tree *json,
                          struct meanings *meanings)
{
    for (const struct json_tree *item = json_tree_items(json, "values"); item;
         item = item->next) {
        struct meaning read = {read_text(arena, item, "value"),
                               read_text(arena, item, "meaning")};
        if (read.value && read.text) {
            VEC_PUSH(arena, meanings, read);
        }
    }
}

static void read_metrics(struct arena *arena, const struct json_tree *json,
                         struct metrics *metrics)
{
    for (const struct json_tree *item = json_tree_items(json, "metrics"); item;
         item = item->next) {
        struct metric read = {.name = read_text(arena, item, "name"),
                              .expression = read_text(arena, item, "expression"),
                              .comment = read_text(arena, item, "comment"),
                              .derived = json_tree_bool(item, "derived", false)};
        json_tree_texts(arena, item, "synonyms", &read.synonyms);
        json_tree_texts(arena, item, "tables", &read.tables);
        json_tree_texts(arena, item, "joins", &read.joins);
        if (read.name && read.expression && read.tables.count == read.joins.count) {
            VEC_PUSH(arena, metrics, read);
        }
    }
}

static bool read_column(struct schema *schema, struct table *table,
                        const struct json_tree *json, struct err *err)
{
    struct arena *arena = schema->arena;
    const char *name = json_tree_text(json, "name");
    if (!name) {
        return err_set(err, ERR_INVALID_DATA,
                       "The stored schema has a column without a name in '%s'.",
                       table->name);
    }
    struct column *column =
        table_add_column(schema, table, name, json_tree_text(json, "type"));
    json_tree_texts(arena, json, "path", &column->path);
    json_tree_texts(arena, json, "fields", &column->fields);
    column->comment = read_text(arena, json, "comment");
    json_tree_texts(arena, json, "synonyms", &column->synonyms);
    read_meanings(arena, json, &column->meanings);
    column->default_value = read_text(arena, json, "default");
    column->nullable = json_tree_bool(json, "nullable", true);
    column->primary = json_tree_bool(json, "primary", false);
    json_tree_texts(arena, json, "samples", &column->samples);
    column->samples_all = json_tree_bool(json, "samples_all", false);
    column->distinct = json_tree_int(json, "distinct", -1);
    column->null_share = json_tree_real(json, "null_share", -1);
    column->least = read_text(arena, json, "min");
    column->greatest = read_text(arena, json, "max");
    return true;
}

static void read_keys(struct schema *schema, struct table *table,
                      const struct json_tree *json)
{
    for (const struct json_tree *item = json_tree_items(json, "foreign_keys"); item;
         item = item->next) {
        if (!json_tree_text(item, "table")) {
            continue; /* a key to nowhere joins nothing */
        }
        struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
        json_tree_texts(schema->arena, item, "columns", &key->columns);
        key->table = read_text(schema->arena, item, "table");
        json_tree_texts(schema->arena, item, "references", &key->references);
        key->confidence = json_tree_real(item, "confidence", 1);
    }
}

static void read_indexes(struct schema *schema, struct table *table,
                         const struct json_tree *json)
{
    for (const struct json_tree *item = json_tree_items(json, "indexes"); item;
         item = item->next) {
        struct index *index = VEC_ADD(schema->arena, &table->indexes);
        index->name = read_text(schema->arena, item, "name");
        json_tree_texts(schema->arena, item, "columns", &index->columns);
        index->unique = json_tree_bool(item, "unique", false);
    }
}

/* Room for as many at once; no more than this, for what is damaged may hold anything. */
static size_t room_for(const struct json_tree *array)
{
    enum { MOST_ROOM = 1024 };
    return !array ? 0 : array->count < MOST_ROOM ? array->count : MOST_ROOM;
}

static bool read_columns(struct schema *schema, struct table *table,
                         const struct json_tree *json, struct err *err)
{
    struct columns *columns = &table->columns;
    columns->capacity = room_for(json_tree_array(json, "columns"));
    columns->items =
        arena_array(schema->arena, columns->capacity, sizeof *columns->items);
    for (const struct json_tree *item = json_tree_items(json, "columns"); item;
         item = item->next) {
        if (!read_column(schema, table, item, err)) {
            return false;
        }
    }
    return true;
}

static bool read_table(struct schema *schema, const struct json_tree *json,
                       struct err *err)
{
    struct arena *arena = schema->arena;
    const char *name = json_tree_text(json, "name");
    if (!name) {
        return err_set(err, ERR_INVALID_DATA,
                       "The stored schema has a table without a name.");
    }
    struct table *table = schema_add_table(schema, name);
    table->namespace =
        json_tree_text(json, "namespace") ? read_text(arena, json, "namespace") : "";
    table->bare_name = json_tree_text(json, "bare_name")
                           ? read_text(arena, json, "bare_name")
                           : table->name;
    table->is_view = str_equal(json_tree_text(json, "kind"), "view");
    table->parent = read_text(arena, json, "parent");
    json_tree_texts(arena, json, "path", &table->path);
    table->own_code = read_text(arena, json, "own_code");
    table->definition = read_text(arena, json, "definition");
    table->comment = read_text(arena, json, "comment");
    json_tree_texts(arena, json, "synonyms", &table->synonyms);
    read_metrics(arena, json, &table->metrics);
    table->row_count = json_tree_int(json, "row_count", -1);
    table->row_count_exact = json_tree_bool(json, "row_count_exact", false);
    if (!read_columns(schema, table, json, err)) {
        return false;
    }
    read_keys(schema, table, json);
    read_indexes(schema, table, json);
    return true;
}

static bool read_schema(struct schema *schema, const struct json_tree *json,
                        struct err *err)
{
    const struct json_tree *tables = json_tree_array(json, "tables");
    if (!tables) {
        return err_set(err, ERR_INVALID_DATA, "The stored schema has no list of tables.");
    }
    schema->datasource = read_text(schema->arena, json, "datasource");
    schema->dialect = read_text(schema->arena, json, "dialect");
    schema->home = read_text(schema->arena, json, "home");
    schema->signature = read_text(schema->arena, json, "signature");
    schema->hash = read_text(schema->arena, json, "hash");
    schema->read_at = json_tree_int(json, "read_at", 0);
    schema->tables.capacity = room_for(tables);
    schema->tables.items =
        arena_array(schema->arena, schema->tables.capacity, sizeof *schema->tables.items);
    for (const struct json_tree *item = tables->as.first; item; item = item->next) {
        if (!read_table(schema, item, err)) {
            return false;
        }
    }
    json_tree_texts(schema->arena, json, "own_functions", &schema->functions);
    json_tree_texts(schema->arena, json, "own_types", &schema->types);
    schema->own_code = read_text(schema->arena, json, "own_code");
    json_tree_texts(schema->arena, json, "warnings", &schema->warnings);
    schema_normalize(schema);
    return true;
}

struct schema *schema_read(const char *json, size_t size, struct err *err)
{
    struct arena *scratch = arena_new();
    const struct json_tree *tree = json_tree_parse(scratch, json, size, err);
    struct schema *schema = NULL;
    if (tree) {
        schema = schema_new();
        if (!read_schema(schema, tree, err)) {
            schema_unref(schema);
            schema = NULL;
        }
    }
    arena_free(scratch);
    return schema;
}
