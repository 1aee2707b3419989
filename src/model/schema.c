/* A schema being built, frozen, and looked up. */
#include "model/schema.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

struct schema *schema_new(void)
{
    struct arena *arena = arena_new();
    struct schema *schema = ARENA_NEW(arena, struct schema);
    schema->arena = arena;
    atomic_init(&schema->references, 1);
    return schema;
}

struct schema *schema_ref(struct schema *schema)
{
    (void)atomic_fetch_add_explicit(&schema->references, 1, memory_order_relaxed);
    return schema;
}

void schema_unref(struct schema *schema)
{
    if (schema &&
        atomic_fetch_sub_explicit(&schema->references, 1, memory_order_acq_rel) == 1) {
        arena_free(schema->arena);
    }
}

/* The dot between namespace and name; NULL when there is none, or when a part would be
 * empty: then the dots are letters of the name ("Acme Ltd."). */
static const char *dividing_dot(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool whole = dot && name[0] != '.' && dot[1] && !strstr(name, "..");
    return whole ? dot : NULL;
}

struct table *schema_add_table(struct schema *schema, const char *name)
{
    schema->by_bare_name = NULL; /* the order is gone; schema_normalize makes it anew */
    struct table *table = VEC_ADD(schema->arena, &schema->tables);
    const char *dot = dividing_dot(name);
    table->name = arena_text(schema->arena, name);
    table->namespace = dot ? arena_copy(schema->arena, name, (size_t)(dot - name)) : "";
    table->bare_name = dot ? arena_text(schema->arena, dot + 1) : table->name;
    table->row_count = -1;
    return table;
}

struct column *table_add_column(struct schema *schema, struct table *table,
                                const char *name, const char *type)
{
    struct column *column = VEC_ADD(schema->arena, &table->columns);
    column->name = arena_text(schema->arena, name);
    column->type = arena_text(schema->arena, type ? type : "");
    column->nullable = true;
    column->distinct = -1;
    column->null_share = -1;
    return column;
}

/* Case folded first, so that spellings of one name are neighbours. */
static int name_order(const char *a, const char *b)
{
    int order = strcasecmp(a, b);
    return order ? order : strcmp(a, b);
}

static int table_order(const void *a, const void *b)
{
    return name_order(((const struct table *)a)->name, ((const struct table *)b)->name);
}

static int bare_order(const void *a, const void *b)
{
    const struct table *left = *(struct table *const *)a;
    const struct table *right = *(struct table *const *)b;
    int order = name_order(left->bare_name, right->bare_name);
    return order ? order : name_order(left->name, right->name);
}

/* Position in one of the two orders -> table, and the name that order goes by. */
struct listing {
    const struct schema *schema;
    bool bare;
};

static struct table *listing_table(struct listing listing, size_t at)
{
    return listing.bare ? listing.schema->by_bare_name[at]
                        : &listing.schema->tables.items[at];
}

static const char *listing_name(struct listing listing, size_t at)
{
    const struct table *table = listing_table(listing, at);
    return listing.bare ? table->bare_name : table->name;
}

/* The exact spelling if it exists, otherwise the first one that differs only in case. */
static struct table *search_sorted(struct listing listing, const char *name)
{
    size_t count = listing.schema->tables.count;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcasecmp(listing_name(listing, middle), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == count || strcasecmp(listing_name(listing, low), name) != 0) {
        return NULL;
    }
    for (size_t at = low; at < count && strcasecmp(listing_name(listing, at), name) == 0;
         at++) {
        if (strcmp(listing_name(listing, at), name) == 0) {
            return listing_table(listing, at);
        }
    }
    return listing_table(listing, low);
}

/* Four grades of sameness, the best one wins. Newest first: a driver that is still
 * building asks most often for the table it has just added. */
static struct table *search_unsorted(const struct schema *schema, const char *name)
{
    struct table *best = NULL;
    int best_grade = 0;
    for (size_t i = schema->tables.count; i-- > 0;) {
        struct table *table = &schema->tables.items[i];
        int grade = strcmp(table->name, name) == 0            ? 4
                    : strcasecmp(table->name, name) == 0      ? 3
                    : strcmp(table->bare_name, name) == 0     ? 2
                    : strcasecmp(table->bare_name, name) == 0 ? 1
                                                              : 0;
        if (grade == 4) {
            return table;
        }
        if (grade > best_grade) {
            best_grade = grade;
            best = table;
        }
    }
    return best;
}

struct table *schema_table(const struct schema *schema, const char *name)
{
    if (!name) {
        return NULL;
    }
    if (!schema->by_bare_name) {
        return search_unsorted(schema, name);
    }
    struct table *table = search_sorted((struct listing){schema, false}, name);
    return table ? table : search_sorted((struct listing){schema, true}, name);
}

const char *table_sole_key(const struct table *table)
{
    const char *key = NULL;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (column->primary && key) {
            return NULL;
        }
        key = column->primary ? column->name : key;
    }
    return key;
}

struct column *table_column(const struct table *table, const char *name)
{
    struct column *found = NULL;
    for (size_t i = 0; name && i < table->columns.count; i++) {
        struct column *column = &table->columns.items[i];
        if (strcmp(column->name, name) == 0) {
            return column;
        }
        if (!found && strcasecmp(column->name, name) == 0) {
            found = column;
        }
    }
    return found;
}

struct table *schema_table_called(const struct schema *schema, const char *name)
{
    struct table *found = NULL;
    for (size_t i = 0; name && i < schema->tables.count; i++) {
        struct table *table = &schema->tables.items[i];
        for (size_t k = 0; k < table->synonyms.count; k++) {
            if (strcasecmp(table->synonyms.items[k], name) == 0) {
                if (found && found != table) {
                    return NULL;
                }
                found = table;
            }
        }
    }
    return found;
}

static bool type_is_text(const char *type)
{
    static const char *const words[] = {"CHAR", "TEXT", "STRING", "CLOB", "ENUM"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(type, words[i])) {
            return true;
        }
    }
    return str_empty(type); /* SQLite lets a column go without one */
}

/* Tables that belong to the engine. A NULL dialect means any. */
static bool is_internal(const struct schema *schema, const struct table *table)
{
    static const char *const namespaces[] = {"information_schema", "pg_catalog",
                                             "pg_toast"};
    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++) {
        if (str_equal_nocase(table->namespace, namespaces[i])) {
            return true;
        }
    }
    return str_equal_nocase(schema->dialect, "sqlite") &&
           str_starts_nocase(table->bare_name, "sqlite_");
}

static bool is_readable(struct schema *schema, const struct table *table)
{
    if (str_empty(table->name) || is_internal(schema, table)) {
        return false;
    }
    if (table->columns.count == 0) {
        VEC_PUSH(schema->arena, &schema->warnings,
                 arena_format(schema->arena, "Table '%s' has no columns to read.",
                              table->name));
        return false;
    }
    return true;
}

static int texts_order(const struct texts *a, const struct texts *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        int order = strcmp(a->items[i], b->items[i]);
        if (order) {
            return order;
        }
    }
    return (a->count > b->count) - (a->count < b->count);
}

static int key_order(const void *a, const void *b)
{
    const struct foreign_key *left = a;
    const struct foreign_key *right = b;
    int order = texts_order(&left->columns, &right->columns);
    return order ? order : strcmp(left->table, right->table);
}

static int index_order(const void *a, const void *b)
{
    return strcmp(((const struct index *)a)->name, ((const struct index *)b)->name);
}

static void table_normalize(struct table *table)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        struct column *column = &table->columns.items[i];
        column->type = column->type ? column->type : "";
        column->is_text = type_is_text(column->type);
    }
    struct foreign_keys *keys = &table->foreign_keys;
    if (keys->count > 1) {
        qsort(keys->items, keys->count, sizeof *keys->items, key_order);
    }
    for (size_t i = 0; i < table->indexes.count; i++) {
        struct index *index = &table->indexes.items[i];
        index->name = index->name ? index->name : "";
    }
    if (table->indexes.count > 1) {
        qsort(table->indexes.items, table->indexes.count, sizeof *table->indexes.items,
              index_order);
    }
}

void schema_normalize(struct schema *schema)
{
    struct tables *tables = &schema->tables;
    size_t kept = 0;
    for (size_t i = 0; i < tables->count; i++) {
        if (is_readable(schema, &tables->items[i])) {
            tables->items[kept] = tables->items[i];
            table_normalize(&tables->items[kept++]);
        }
    }
    tables->count = kept;
    if (kept > 1) {
        qsort(tables->items, kept, sizeof *tables->items, table_order);
    }
    schema->by_bare_name = arena_array(schema->arena, kept, sizeof(struct table *));
    for (size_t i = 0; i < kept; i++) {
        schema->by_bare_name[i] = &tables->items[i];
    }
    if (kept > 1) {
        qsort(schema->by_bare_name, kept, sizeof *schema->by_bare_name, bare_order);
    }
}

static const struct foreign_key *key_to(const struct table *from, const struct table *to)
{
    const struct foreign_key *best = NULL;
    for (size_t i = 0; i < from->foreign_keys.count; i++) {
        const struct foreign_key *key = &from->foreign_keys.items[i];
        if ((str_equal_nocase(key->table, to->name) ||
             str_equal_nocase(key->table, to->bare_name)) &&
            (!best || key->confidence > best->confidence)) {
            best = key;
        }
    }
    return best;
}

const struct foreign_key *schema_key_between(const struct schema *schema,
                                             const struct table *a, const struct table *b,
                                             bool *a_refers)
{
    (void)schema; /* part of the question, not needed to answer it */
    const struct foreign_key *there = key_to(a, b);
    const struct foreign_key *back = key_to(b, a);
    bool forward = there && (!back || there->confidence >= back->confidence);
    if (a_refers) {
        *a_refers = forward;
    }
    return forward ? there : back;
}
