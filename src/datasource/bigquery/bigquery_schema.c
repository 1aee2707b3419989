/* What a BigQuery dataset looks like: its signature, and tables with nested fields laid
 * flat by their paths. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"

enum { DEPTH_MOST = 16, COLUMNS_MOST = 20000 };

/* ------------------------------------------------------------------ the signature */

/* What of a table's description is its form. */
static void table_hash(const struct bigquery_table *table, struct hash *hash)
{
    static const char *const keys[] = {"type",
                                       "description",
                                       "schema",
                                       "view",
                                       "materializedView",
                                       "tableConstraints",
                                       "timePartitioning",
                                       "rangePartitioning",
                                       "clustering"};
    hash_text(hash, table->dataset);
    hash_text(hash, table->name);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *part = json_object_get(table->about, keys[i]);
        char *text =
            part ? json_dumps(part, JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY)
                 : NULL;
        hash_text(hash, text ? text : "");
        free(text); /* jansson's own */
    }
}

bool bigquery_signature(struct datasource *source, const struct datasource_limits *limits,
                        char out[33], struct err *err)
{
    struct arena *arena = arena_new();
    struct bigquery_tables tables = {0};
    bool ok = bigquery_tables_read(source, limits, arena, &tables, err);
    if (ok) {
        struct hash *hash = hash_new();
        hash_text(hash, "bigquery 1");
        for (size_t i = 0; i < tables.count; i++) {
            table_hash(&tables.items[i], hash);
        }
        hash_hex(hash, out);
        hash_free(hash);
    }
    arena_free(arena);
    return ok;
}

/* ------------------------------------------------------------------ the description */

/* A field of a struct is a column of its own, named by its path; a repeated one is a
 * single column, whose type tells what is inside. */
static void fields_add(struct schema *schema, struct table *table, const json_t *fields,
                       const char *prefix, bool nullable, int depth)
{
    for (size_t i = 0; i < json_array_size(fields); i++) {
        const json_t *field = json_array_get(fields, i);
        const char *name = json_text_at(field, "name");
        const char *mode = json_text_at(field, "mode");
        const char *type = str_or_empty(json_text_at(field, "type"));
        if (!name || table->columns.count >= COLUMNS_MOST) {
            continue;
        }
        const char *path = arena_format(schema->arena, "%s%s", prefix, name);
        bool may_miss = nullable || !str_equal(mode, "REQUIRED");
        bool record = str_equal(type, "RECORD") || str_equal(type, "STRUCT");
        if (record && !str_equal(mode, "REPEATED") && depth < DEPTH_MOST) {
            fields_add(schema, table, json_array_at(field, "fields"),
                       arena_format(schema->arena, "%s.", path), may_miss, depth + 1);
            continue;
        }
        struct column *column = table_add_column(
            schema, table, path, bigquery_type_name(schema->arena, field));
        const char *comment = json_text_at(field, "description");
        const char *fallback = json_text_at(field, "defaultValueExpression");
        column->nullable = may_miss;
        column->comment = str_empty(comment) ? NULL : arena_text(schema->arena, comment);
        column->default_value = arena_text(schema->arena, fallback);
    }
}

static void primary_mark(struct table *table, const json_t *constraints)
{
    const json_t *columns =
        json_array_at(json_object_at(constraints, "primaryKey"), "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        struct column *column = name ? table_column(table, name) : NULL;
        if (column) {
            column->primary = true;
            column->nullable = false;
        }
    }
}

static const char *name_shown(const struct bigquery_state *state, struct arena *arena,
                              const char *dataset, const char *table)
{
    return str_equal(dataset, state->dataset)
               ? arena_text(arena, table)
               : arena_format(arena, "%s.%s", dataset, table);
}

static void keys_add(const struct bigquery_state *state, struct schema *schema,
                     struct table *table, const json_t *constraints)
{
    const json_t *keys = json_array_at(constraints, "foreignKeys");
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const json_t *item = json_array_get(keys, i);
        const json_t *other = json_object_at(item, "referencedTable");
        const json_t *pairs = json_array_at(item, "columnReferences");
        const char *dataset = json_text_at(other, "datasetId");
        const char *name = json_text_at(other, "tableId");
        struct foreign_key key = {.confidence = 1};
        for (size_t j = 0; j < json_array_size(pairs); j++) {
            const json_t *pair = json_array_get(pairs, j);
            const char *from = json_text_at(pair, "referencingColumn");
            const char *to = json_text_at(pair, "referencedColumn");
            if (from && to) {
                VEC_PUSH(schema->arena, &key.columns, arena_text(schema->arena, from));
                VEC_PUSH(schema->arena, &key.references, arena_text(schema->arena, to));
            }
        }
        if (dataset && name && key.columns.count > 0) {
            key.table = name_shown(state, schema->arena, dataset, name);
            VEC_PUSH(schema->arena, &table->foreign_keys, key);
        }
    }
}

static void table_add(const struct bigquery_state *state, struct schema *schema,
                      const struct bigquery_table *from)
{
    const json_t *about = from->about;
    const char *type = str_or_empty(json_text_at(about, "type"));
    const char *comment = json_text_at(about, "description");
    const char *rows = json_text_at(about, "numRows");
    bool home = str_equal(from->dataset, state->dataset);
    struct table *table = schema_add_table(
        schema, name_shown(state, schema->arena, from->dataset, from->name));
    table->namespace = home ? "" : arena_text(schema->arena, from->dataset);
    table->bare_name = arena_text(schema->arena, from->name);
    table->is_view = strstr(type, "VIEW") != NULL;
    table->comment = str_empty(comment) ? NULL : arena_text(schema->arena, comment);
    table->row_count = -1;
    if (!table->is_view && rows) {
        (void)str_to_int(rows, &table->row_count);
    }
    fields_add(schema, table, json_array_at(json_object_at(about, "schema"), "fields"),
               "", false, 0);
    const json_t *constraints = json_object_at(about, "tableConstraints");
    primary_mark(table, constraints);
    keys_add(state, schema, table, constraints);
}

bool bigquery_describe(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err)
{
    struct bigquery_state *state = source->state;
    struct arena *arena = arena_new();
    struct bigquery_tables tables = {0};
    bool ok = bigquery_tables_read(source, limits, arena, &tables, err);
    for (size_t i = 0; ok && i < tables.count; i++) {
        if (tables.items[i].about) {
            table_add(state, schema, &tables.items[i]);
        } else {
            VEC_PUSH(schema->arena, &schema->warnings,
                     arena_format(schema->arena, "%s: could not be read",
                                  tables.items[i].name));
        }
    }
    if (tables.more) {
        VEC_PUSH(schema->arena, &schema->warnings,
                 "schema.max_tables: the dataset has more tables; they were left out");
    }
    arena_free(arena);
    return ok;
}
