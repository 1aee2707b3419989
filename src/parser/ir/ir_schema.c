/* A schema turned into flat lists: tables, columns with their types, keys. */
#include "parser/ir/ir_schema.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/keys/key_find.h"
#include "model/kept.h"
#include "model/schema.h"
#include "parser/ir/ir_edges.h"

static bool any_word(const char *type, const char *const *words)
{
    for (; *words; words++) {
        if (str_contains_nocase(type, *words)) {
            return true;
        }
    }
    return false;
}

/* The first row with a word of the type decides. POINT and INTERVAL would else be INTs.
 */
static enum ir_type type_of(const char *type)
{
    static const struct {
        enum ir_type type;
        const char *words[12];
    } rows[] = {
        {IR_TYPE_OTHER, {"POINT", "INTERVAL", "ARRAY", "MAP(", "STRUCT", "JSON", "[]"}},
        {IR_TYPE_BOOLEAN, {"BOOL", "TINYINT(1)"}},
        {IR_TYPE_TIME, {"DATE", "TIME"}},
        {IR_TYPE_NUMBER,
         {"INT", "SERIAL", "REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY", "YEAR"}},
        {IR_TYPE_TEXT, {"CHAR", "TEXT", "CLOB", "STRING", "ENUM", "UUID"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (any_word(type, rows[i].words)) {
            return rows[i].type;
        }
    }
    return str_empty(type) ? IR_TYPE_TEXT : IR_TYPE_OTHER;
}

/* 2024-03-15, with or without a time of day after it. */
static bool is_iso_date(const char *text)
{
    return clock_begins_with_date(text) && (!text[10] || strchr(" T", text[10]));
}

/* SQLite has no date type: what the cells look like tells. */
static bool holds_dates(const struct column *column)
{
    if (column->least && column->greatest) {
        return is_iso_date(column->least) && is_iso_date(column->greatest);
    }
    for (size_t i = 0; i < column->samples.count; i++) {
        if (!is_iso_date(column->samples.items[i])) {
            return false;
        }
    }
    return column->samples.count > 0;
}

/* A number between 1985 and 2100 in seconds or milliseconds, in a column that is named
 * like a time. */
static bool holds_seconds(const struct column *column, enum ir_type type,
                          enum ir_storage *storage)
{
    static const char *const words[] = {"date",    "time",  "created",
                                        "updated", "epoch", NULL};
    static const char *const ends[] = {"_at", "_on", "_at_ms", "_on_ms", "_ts", "_ts_ms"};
    double least, greatest;
    bool named = type != IR_TYPE_NUMBER || any_word(column->name, words);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        named = named || str_ends_nocase(column->name, ends[i]);
    }
    if (!named || !column->least || !column->greatest ||
        !str_to_real(column->least, &least) ||
        !str_to_real(column->greatest, &greatest)) {
        return false;
    }
    bool thousands = least > 4.7e11;
    double scale = thousands ? 1e3 : 1;
    *storage = thousands ? IR_STORED_MILLISECONDS : IR_STORED_SECONDS;
    return least > 4.7e8 * scale && greatest < 4.2e9 * scale;
}

/* is_open, hasPool, open_flag, OPEN_YN */
static bool named_like_flag(const char *name)
{
    static const char *const ends[] = {"_flag", "_yn", "_ind"};
    size_t front = str_starts_nocase(name, "is")    ? 2
                   : str_starts_nocase(name, "has") ? 3
                                                    : 0;
    if (front && (name[front] == '_' || (islower((unsigned char)name[front - 1]) &&
                                         isupper((unsigned char)name[front])))) {
        return true;
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (str_ends_nocase(name, ends[i])) {
            return true;
        }
    }
    return false;
}

/* Few databases have a type for yes and no: the cells tell, or else the name. */
static bool holds_flags(const struct column *column, const struct ir_column *out)
{
    static const char *const pairs[][2] = {
        {"0", "1"}, {"n", "y"}, {"f", "t"}, {"no", "yes"}, {"false", "true"}};
    if (out->primary || (!out->integer && out->type != IR_TYPE_TEXT)) {
        return out->type == IR_TYPE_BOOLEAN;
    }
    const char *least = column->least;
    const char *greatest = column->greatest;
    if (!least && column->samples_all && column->samples.count == 2) {
        bool turned = strcmp(column->samples.items[0], column->samples.items[1]) > 0;
        least = column->samples.items[turned];
        greatest = column->samples.items[!turned];
    }
    if (!least || !greatest) {
        return named_like_flag(column->name);
    }
    if (out->type == IR_TYPE_TEXT && column->samples.count > 2) {
        return false;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (str_equal_nocase(least, pairs[i][0]) &&
            str_equal_nocase(greatest, pairs[i][1])) {
            return true;
        }
    }
    return false;
}

static void column_fill(struct ir_column *out, const struct schema *schema,
                        const struct table *table, const struct column *column)
{
    bool sqlite = str_equal_nocase(schema->dialect, "sqlite");
    const char *type = column->type ? column->type : "";
    static const char *const day_times[] = {"DATETIME", "TIMESTAMP", "TIME", NULL};
    static const char *const whole[] = {"INT", "SERIAL", NULL};
    enum ir_storage since = IR_STORED_SECONDS;
    out->name = column->name;
    out->source = column;
    out->primary = column->primary;
    out->type = type_of(type);
    out->integer = out->type == IR_TYPE_NUMBER && any_word(type, whole);
    out->storage = any_word(type, day_times) ? IR_STORED_TIME : IR_STORED_DATE;
    if (sqlite) {
        out->storage = IR_STORED_TEXT;
    }
    if (out->type == IR_TYPE_TEXT && holds_dates(column)) {
        out->type = IR_TYPE_TIME;
        out->storage = IR_STORED_TEXT;
    } else if ((out->type == IR_TYPE_NUMBER || (sqlite && out->type == IR_TYPE_TIME)) &&
               holds_seconds(column, out->type, &since)) {
        out->type = IR_TYPE_TIME;
        out->storage = since;
    }
    struct kept kept;
    kept_of(column, &kept);
    if (out->type == IR_TYPE_TEXT && kept.form != KEPT_AS_IS && !kept.whole) {
        out->type = kept.form == KEPT_DATE ? IR_TYPE_TIME : IR_TYPE_NUMBER;
        out->storage = IR_STORED_TEXT;
    }
    out->flag = holds_flags(column, out);
    out->gaps = column->null_share > 0;
    out->constant = key_is_constant(table, column);
}

static void table_fill(struct ir_schema *out, int table, const struct schema *schema)
{
    const struct table *source = &schema->tables.items[table];
    int primaries = 0;
    out->tables[table] = (struct ir_table){source->name, out->column_count,
                                           (int)source->columns.count, source};
    for (size_t i = 0; i < source->columns.count; i++) {
        struct ir_column *column = &out->columns[out->column_count++];
        column->table = table;
        column_fill(column, schema, source, &source->columns.items[i]);
        primaries += column->primary;
    }
    for (int i = out->tables[table].first_column; i < out->column_count; i++) {
        out->columns[i].unique = out->columns[i].primary && primaries == 1;
    }
}

/* The referenced column; without a name it is the primary key. */
static int reference_find(const struct ir_schema *schema, int table,
                          const struct foreign_key *key, size_t part)
{
    if (part < key->references.count && !str_empty(key->references.items[part])) {
        return ir_schema_column(schema, table, key->references.items[part]);
    }
    const struct ir_table *other = &schema->tables[table];
    for (int i = other->first_column; i < other->first_column + other->column_count;
         i++) {
        if (schema->columns[i].primary && part-- == 0) {
            return i;
        }
    }
    return -1;
}

static void keys_fill(struct ir_schema *out, int table)
{
    const struct foreign_keys *keys = &out->tables[table].source->foreign_keys;
    for (size_t i = 0; i < keys->count; i++) {
        const struct foreign_key *key = &keys->items[i];
        int other = ir_schema_table(out, key->table);
        for (size_t j = 0; other >= 0 && j < key->columns.count; j++) {
            int from = ir_schema_column(out, table, key->columns.items[j]);
            int to = reference_find(out, other, key, j);
            if (from > 0 && to > 0) {
                out->keys[out->key_count++] =
                    (struct ir_key){from, to, key->confidence, j > 0};
            }
        }
    }
}

const struct ir_schema *ir_schema_new(struct arena *arena, const struct schema *schema)
{
    struct ir_schema *out = ARENA_NEW(arena, struct ir_schema);
    size_t columns = 1;
    size_t keys = 0;
    out->source = schema;
    out->table_count = (int)schema->tables.count;
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        columns += table->columns.count;
        for (size_t j = 0; j < table->foreign_keys.count; j++) {
            keys += table->foreign_keys.items[j].columns.count;
        }
    }
    out->tables = arena_array(arena, schema->tables.count, sizeof *out->tables);
    out->columns = arena_array(arena, columns, sizeof *out->columns);
    out->keys = arena_array(arena, keys, sizeof *out->keys);
    out->columns[out->column_count++] =
        (struct ir_column){.name = "*", .table = -1, .type = IR_TYPE_OTHER};
    for (int i = 0; i < out->table_count; i++) {
        table_fill(out, i, schema);
    }
    for (int i = 0; i < out->table_count; i++) {
        keys_fill(out, i);
    }
    ir_edges_find(arena, out);
    return out;
}

int ir_schema_table(const struct ir_schema *schema, const char *name)
{
    const struct table *table = name ? schema_table(schema->source, name) : NULL;
    return table ? (int)(table - schema->source->tables.items) : -1;
}

int ir_schema_column(const struct ir_schema *schema, int table, const char *name)
{
    if (table < 0 || table >= schema->table_count) {
        return -1;
    }
    const struct column *column = table_column(schema->tables[table].source, name);
    if (!column) {
        return -1;
    }
    return schema->tables[table].first_column +
           (int)(column - schema->tables[table].source->columns.items);
}
