/* Facts about the columns of a table for the search for keys. */
#include "knowledge/keys/key_traits.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static void name_read(struct key_name *name, const char *text)
{
    struct words words;
    struct word word;
    name->count = 0;
    words_init(&words, text);
    while (name->count < KEY_NAME_WORDS && words_next(&words, &word)) {
        memcpy(name->words[name->count++], word.folded, WORD_SIZE);
    }
}

static bool word_equals(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool key_name_has_at(const struct key_name *name, size_t at, const struct key_name *part)
{
    if (at + part->count > name->count) {
        return false;
    }
    for (size_t i = 0; i < part->count; i++) {
        if (!word_equals(name->words[at + i], part->words[i])) {
            return false;
        }
    }
    return true;
}

bool key_name_equals(const struct key_name *a, const struct key_name *b)
{
    return a->count && a->count == b->count && key_name_has_at(a, 0, b);
}

/* Names that stand in every table and link nothing. */
static bool is_general(const struct column *column)
{
    static const char *const names[] = {
        "id",         "name",       "code",       "type",        "date",    "year",
        "title",      "status",     "note",       "notes",       "text",    "number",
        "address",    "details",    "created",    "created_at",  "updated", "updated_at",
        "created_on", "updated_on", "deleted_at", "description", "comment", "comments",
        "email",      "phone",      "age",        "time",        "amount",  "total",
        "price",      "quantity",   "count",      "value",       "active",  "deleted",
        "city",       "country",    "state",      "region",      "street",  "first_name",
        "last_name",  "category",   "kind",       "gender",      "colour",  "color",
        "weight",     "score",      "rating",     "level",       "month",   "day",
        "_id",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal_nocase(column->name, names[i])) {
            return true;
        }
    }
    return false;
}

static bool has_part(const char *type, const char *const *parts)
{
    for (; *parts; parts++) {
        if (str_contains_nocase(type, *parts)) {
            return true;
        }
    }
    return false;
}

/* n: number, t: text, d: date, ?: the type does not say */
static char class_of(const struct column *column)
{
    static const char *const dates[] = {"date", "time", NULL};
    static const char *const numbers[] = {"int",   "num",  "dec",    "real",
                                          "float", "doub", "serial", NULL};
    const char *type = column->type ? column->type : "";
    return has_part(type, dates)     ? 'd'
           : has_part(type, numbers) ? 'n'
           : *type                   ? 't'
                                     : '?';
}

/* Does it tell them apart at the moment, though nothing says that it must? */
static bool differs(const struct table *table, const struct column *column)
{
    return column->distinct > 1 && table->row_count_exact &&
           column->distinct == table->row_count;
}

/* Does the column alone tell the rows of its table apart? Documents have an _id beside an id of their own. */
static bool is_key(const struct table *table, const struct column *column)
{
    size_t primaries = 0;
    for (size_t i = 0; i < table->columns.count; i++) {
        primaries += table->columns.items[i].primary;
    }
    if (column->primary && primaries == 1) {
        return true;
    }
    for (size_t i = 0; i < table->indexes.count; i++) {
        const struct index *index = &table->indexes.items[i];
        if (index->unique && index->columns.count == 1 &&
            str_equal_nocase(index->columns.items[0], column->name)) {
            return true;
        }
    }
    return str_equal_nocase(column->name, "id") &&
           (primaries == 0 || differs(table, column));
}

/* Is the column, alone, a declared key to another table? */
static bool is_declared(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        if (table->foreign_keys.items[i].confidence >= 1 && columns->count == 1 &&
            str_equal_nocase(columns->items[0], column->name)) {
            return true;
        }
    }
    return false;
}

/* customers.id is called customer_id elsewhere; customers.customer_id says it itself. */
static void whole_read(struct key_name *whole, const struct key_name *table,
                       const struct key_name *key)
{
    bool own = key_name_has_at(key, 0, table);
    *whole = *table;
    for (size_t i = own ? table->count : 0;
         i < key->count && whole->count < KEY_NAME_WORDS; i++) {
        memcpy(whole->words[whole->count++], key->words[i], WORD_SIZE);
    }
}

void key_side_read(struct key_side *side, struct arena *arena, const struct table *table)
{
    size_t count = table->columns.count;
    *side = (struct key_side){
        .table = table, .columns = arena_array(arena, count, sizeof *side->columns)};
    name_read(&side->name, table->bare_name);
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &table->columns.items[i];
        struct key_trait *trait = &side->columns[i];
        name_read(&trait->name, column->name);
        trait->key = is_key(table, column);
        trait->unique = trait->key || differs(table, column);
        trait->general = is_general(column);
        trait->declared = is_declared(table, column);
        trait->class = class_of(column);
        if (trait->key) {
            whole_read(&trait->whole, &side->name, &trait->name);
        }
    }
}

/* Does the one declare a key to the other? */
bool key_declares(const struct table *a, const struct table *b)
{
    for (size_t i = 0; i < a->foreign_keys.count; i++) {
        const char *to = a->foreign_keys.items[i].table;
        bool declared = a->foreign_keys.items[i].confidence >= 1;
        if (!declared) {
            continue;
        }
        if (str_equal_nocase(to, b->name) || str_equal_nocase(to, b->bare_name)) {
            return true;
        }
    }
    return false;
}
