/* The hash of a schema's structure: what a query could notice, and nothing that data
 * change. */
#include "base/hash.h"
#include "model/schema.h"

static void add_flag(struct hash *hash, bool flag)
{
    hash_add(hash, flag ? "1" : "0", 1);
}

static void add_text(struct hash *hash, const char *text)
{
    hash_text(hash, text ? text : "");
}

/* The count goes first, so that a name cannot move from one list to the next unseen. */
static void add_count(struct hash *hash, size_t count)
{
    uint64_t wide = count;
    hash_add(hash, &wide, sizeof wide);
}

static void add_texts(struct hash *hash, const struct texts *texts)
{
    add_count(hash, texts->count);
    for (size_t i = 0; i < texts->count; i++) {
        add_text(hash, texts->items[i]);
    }
}

static void add_columns(struct hash *hash, const struct columns *columns)
{
    add_count(hash, columns->count);
    for (size_t i = 0; i < columns->count; i++) {
        const struct column *column = &columns->items[i];
        add_text(hash, column->name);
        add_text(hash, column->type);
        add_flag(hash, column->nullable);
        add_flag(hash, column->primary);
        if (column->fields.count) {
            add_texts(hash, &column->fields);
        }
    }
}

/* Inferred keys are our guess from the data, not the database's structure. */
static void add_keys(struct hash *hash, const struct foreign_keys *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        const struct foreign_key *key = &keys->items[i];
        if (key->confidence >= 1) {
            add_text(hash, key->table);
            add_texts(hash, &key->columns);
            add_texts(hash, &key->references);
        }
    }
}

void schema_hash(const struct schema *schema, char out[33])
{
    struct hash *hash = hash_new();
    add_count(hash, schema->tables.count);
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        add_text(hash, table->name);
        add_flag(hash, table->is_view);
        if (table->own_code) {
            add_text(hash, table->own_code);
        }
        add_columns(hash, &table->columns);
        add_keys(hash, &table->foreign_keys);
    }
    if (schema->functions.count) {
        add_texts(hash, &schema->functions);
    }
    if (schema->types.count || schema->own_code) {
        add_texts(hash, &schema->types);
        add_text(hash, schema->own_code);
    }
    hash_hex(hash, out);
    hash_free(hash);
}
