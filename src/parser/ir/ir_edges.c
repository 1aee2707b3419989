/* Where no key is declared, names often tell: orders.customer_id is customers.id. */
#include "parser/ir/ir_edges.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/keys/key_find.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"

/* What a join may cost: a declared key is 1, a guess is more, the weaker the more. */
static const double COST_DECLARED = 1.0;
static const double COST_SHOWN = 1.05; /* by the data, and by its name */
static const double COST_INFERRED = 1.1;
static const double COST_VALUES = 1.6; /* only the values say so */
static const double INFERRED_LEAST = 0.65;
static const double COST_KEY_AND_NAME = 1.3;
static const double COST_KEY_OR_NAME = 1.6;
static const double COST_TWO_CHILDREN =
    3.6; /* students and courses of one department: dearer than any table between */
static const double COST_NAME =
    5.0; /* cities or channels that are equal: if all else fails */

enum {
    SAME_NAME_MAX = 24, /* more columns of one name say nothing but "everywhere" */
    WORD_MAX = 64,
};

struct edges {
    struct ir_edge *items;
    size_t count;
    size_t capacity;
};

static bool is_general(const char *name)
{
    static const char *const words[] = {
        "id",          "name",    "code",    "type",    "date",   "year",  "title",
        "description", "status",  "address", "notes",   "number", "email", "phone",
        "age",         "details", "created", "updated", NULL};
    for (size_t i = 0; words[i]; i++) {
        if (str_equal_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_key_name(const char *name)
{
    static const char *const endings[] = {"id", "code", "no", "num", "key", NULL};
    for (size_t i = 0; endings[i]; i++) {
        if (str_ends_nocase(name, endings[i])) {
            return true;
        }
    }
    return false;
}

static uint64_t pair_of(int a, int b)
{
    return a < b ? (uint64_t)a << 32 | (unsigned)b : (uint64_t)b << 32 | (unsigned)a;
}

struct pairs {
    uint64_t *items;
    size_t count;
    size_t capacity;
};

static int pair_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Do the tables of these columns have a key between them already? */
static bool pair_known(const struct pairs *pairs, uint64_t pair)
{
    return pairs->count > 0 && bsearch(&pair, pairs->items, pairs->count,
                                       sizeof *pairs->items, pair_order) != NULL;
}

static void edge_add(struct arena *arena, struct edges *edges,
                     const struct ir_schema *schema, int from, int to, double cost)
{
    struct ir_edge edge = {schema->columns[from].table,
                           schema->columns[to].table,
                           from,
                           to,
                           -1,
                           false,
                           false,
                           true,
                           cost,
                           cost <= COST_SHOWN};
    VEC_PUSH(arena, edges, edge);
}

static double key_cost(const struct ir_key *key)
{
    return key->confidence >= 1                ? COST_DECLARED
           : key->confidence >= KEY_FIND_NAMED ? COST_SHOWN
           : key->confidence >= INFERRED_LEAST ? COST_INFERRED
                                               : COST_VALUES;
}

static void add_keys(struct arena *arena, struct edges *edges, struct pairs *pairs,
                     const struct ir_schema *schema)
{
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *key = &schema->keys[i];
        int a = schema->columns[key->from].table;
        int b = schema->columns[key->to].table;
        if (key->goes_on && edges->count > 0) {
            edges->items[edges->count - 1].more = (int)edges->count;
        }
        edge_add(arena, edges, schema, key->from, key->to, key_cost(key));
        edges->items[edges->count - 1].is_part = key->goes_on;
        VEC_PUSH(arena, pairs, pair_of(a, b));
    }
    if (pairs->count > 1) {
        qsort(pairs->items, pairs->count, sizeof *pairs->items, pair_order);
    }
}

struct named {
    const char *name;
    int column;
};

static int named_order(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    int order = strcasecmp(x->name, y->name);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

static void add_same_name(struct arena *arena, struct edges *edges,
                          const struct pairs *pairs, const struct ir_schema *schema,
                          int a, int b)
{
    const struct ir_column *x = &schema->columns[a];
    const struct ir_column *y = &schema->columns[b];
    if (x->table == y->table || x->type != y->type || x->constant || y->constant ||
        pair_known(pairs, pair_of(x->table, y->table))) {
        return;
    }
    bool key = x->primary || y->primary;
    bool name = is_key_name(x->name);
    double cost = key && name ? COST_KEY_AND_NAME
                  : key       ? COST_KEY_OR_NAME
                  : name      ? COST_TWO_CHILDREN
                              : COST_NAME;
    edge_add(arena, edges, schema, y->unique ? a : b, y->unique ? b : a, cost);
}

/* Columns of equal names in different tables. */
static void add_same_names(struct arena *arena, struct edges *edges,
                           const struct pairs *pairs, const struct ir_schema *schema)
{
    size_t count = (size_t)schema->column_count - 1;
    struct named *sorted = arena_array(arena, count, sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (struct named){schema->columns[i + 1].name, (int)i + 1};
    }
    if (count > 1) {
        qsort(sorted, count, sizeof *sorted, named_order);
    }
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !strcasecmp(sorted[i].name, sorted[end].name);) {
            end++;
        }
        if (is_general(sorted[i].name) || end - i > SAME_NAME_MAX) {
            continue;
        }
        for (size_t a = i; a < end; a++) {
            for (size_t b = a + 1; b < end; b++) {
                add_same_name(arena, edges, pairs, schema, sorted[a].column,
                              sorted[b].column);
            }
        }
    }
}

/* The word before the last `_`-part, without its plural s; false when there is none. */
static bool word_before_id(const char *name, char word[WORD_MAX])
{
    const char *last = strrchr(name, '_');
    if (!last || (strcasecmp(last, "_id") != 0 && strcasecmp(last, "_code") != 0 &&
                  strcasecmp(last, "_no") != 0)) {
        return false;
    }
    const char *start = last;
    while (start > name && start[-1] != '_') {
        start--;
    }
    size_t size = (size_t)(last - start);
    if (size == 0 || size >= WORD_MAX) {
        return false;
    }
    memcpy(word, start, size);
    word[size] = '\0';
    return true;
}

/* customer ~ customers, category ~ categories */
static bool same_thing(const char *word, const char *last)
{
    size_t a = strlen(word);
    size_t b = strlen(last);
    if (a > 0 && tolower((unsigned char)word[a - 1]) == 's') {
        a--;
    }
    if (b > 3 && strcasecmp(last + b - 3, "ies") == 0) {
        return a == b - 2 && strncasecmp(word, last, b - 3) == 0 &&
               tolower((unsigned char)word[a - 1]) == 'y';
    }
    if (b > 0 && tolower((unsigned char)last[b - 1]) == 's') {
        b--;
    }
    return a > 0 && a == b && strncasecmp(word, last, a) == 0;
}

/* <table>_id meets <table>.id */
static void add_table_ids(struct arena *arena, struct edges *edges,
                          const struct pairs *pairs, const struct ir_schema *schema)
{
    char word[WORD_MAX];
    const char **last = arena_array(arena, (size_t)schema->table_count, sizeof *last);
    for (int t = 0; t < schema->table_count; t++) { /* the last word of each table */
        const char *line = strrchr(schema->tables[t].name, '_');
        last[t] = line ? line + 1 : schema->tables[t].name;
    }
    for (int i = 1; i < schema->column_count; i++) {
        const struct ir_column *column = &schema->columns[i];
        if (!word_before_id(column->name, word)) {
            continue;
        }
        for (int t = 0; t < schema->table_count; t++) {
            bool same =
                tolower((unsigned char)*word) == tolower((unsigned char)*last[t]) &&
                t != column->table && same_thing(word, last[t]);
            int id = same ? ir_schema_column(schema, t, "id") : -1;
            if (id > 0 && schema->columns[id].type == column->type &&
                !pair_known(pairs, pair_of(t, column->table))) {
                edge_add(arena, edges, schema, i, id, COST_KEY_AND_NAME);
            }
        }
    }
}

/* Which edges touch which table, as one list cut into parts. */
static void index_edges(struct arena *arena, struct ir_schema *schema)
{
    int tables = schema->table_count;
    schema->edges_at = arena_array(arena, (size_t)tables + 2, sizeof *schema->edges_at);
    schema->edge_list =
        arena_array(arena, (size_t)schema->edge_count * 2, sizeof *schema->edge_list);
    int *at = schema->edges_at + 1; /* shifted by one while filling */
    for (int i = 0; i < schema->edge_count; i++) {
        at[schema->edges[i].from_table + 1]++;
        at[schema->edges[i].to_table + 1] +=
            schema->edges[i].from_table != schema->edges[i].to_table;
    }
    for (int i = 0; i < tables; i++) {
        at[i + 1] += at[i];
    }
    for (int i = 0; i < schema->edge_count; i++) {
        const struct ir_edge *edge = &schema->edges[i];
        schema->edge_list[at[edge->from_table]++] = i;
        if (edge->from_table != edge->to_table) {
            schema->edge_list[at[edge->to_table]++] = i;
        }
    }
}

static bool same_tables(const struct ir_edge *a, const struct ir_edge *b)
{
    return (a->from_table == b->from_table && a->to_table == b->to_table) ||
           (a->from_table == b->to_table && a->to_table == b->from_table);
}

static void mark_parallels(struct ir_schema *schema)
{
    for (int i = 0; i < schema->edge_count; i++) {
        struct ir_edge *edge = &schema->edges[i];
        int from = schema->edges_at[edge->from_table];
        int end = schema->edges_at[edge->from_table + 1];
        for (int at = from; at < end && !edge->is_parallel && !edge->is_part; at++) {
            const struct ir_edge *other = &schema->edges[schema->edge_list[at]];
            edge->is_parallel =
                other != edge && !other->is_part && same_tables(edge, other);
        }
    }
}

/* Lower case, without lines between the words. */
static size_t squash(const char *name, char out[WORD_MAX])
{
    size_t size = 0;
    for (; *name && size < WORD_MAX - 1; name++) {
        if (*name != '_' && *name != ' ') {
            out[size++] = (char)tolower((unsigned char)*name);
        }
    }
    out[size] = '\0';
    return size;
}

/* absences.emp_id is called like employees.emp_id, orders.customerId like customers;
 * absences.approved_by is not. */
static bool is_called_like(const struct ir_schema *schema, const struct ir_edge *edge)
{
    static const char *const endings[] = {"id", "code", "no", "key"};
    char from[WORD_MAX];
    char table[WORD_MAX];
    char last[WORD_MAX];
    const char *name = schema->columns[edge->from].name;
    if (str_equal_nocase(name, schema->columns[edge->to].name)) {
        return !is_general(name);
    }
    const char *line = strrchr(schema->tables[edge->to_table].name, '_');
    (void)squash(schema->tables[edge->to_table].name, table);
    (void)squash(line ? line + 1 : schema->tables[edge->to_table].name, last);
    size_t size = squash(name, from);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t cut = strlen(endings[i]);
        if (size > cut && strcmp(from + size - cut, endings[i]) == 0) {
            from[size - cut] = '\0';
            break;
        }
    }
    return same_thing(from, table) || same_thing(from, last);
}

/* Who wrote a row down is seldom what is asked for. */
static bool is_clerical(const char *name)
{
    static const char *const words[] = {"creat",  "modif", "updat",  "chang",
                                        "approv", "enter", "delet",  "added",
                                        "insert", "verif", "edited", "logged"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* Smaller is more likely meant: a key called like what it leads to, one that does not say
 * who wrote it down, one that is never empty, the one that was written first. */
static int edge_rank(const struct ir_schema *schema, const struct ir_edge *edge)
{
    const struct column *column = schema->columns[edge->from].source;
    return (is_called_like(schema, edge) ? 0 : 4) +
           (is_clerical(schema->columns[edge->from].name) ? 2 : 0) +
           (column && column->nullable);
}

static void mark_defaults(struct ir_schema *schema)
{
    for (int i = 0; i < schema->edge_count; i++) {
        struct ir_edge *edge = &schema->edges[i];
        int rank = edge_rank(schema, edge);
        for (int at = schema->edges_at[edge->from_table];
             edge->is_parallel && edge->is_default &&
             at < schema->edges_at[edge->from_table + 1];
             at++) {
            const struct ir_edge *other = &schema->edges[schema->edge_list[at]];
            int place = other == edge || other->is_part || !same_tables(edge, other)
                            ? rank + 1
                            : edge_rank(schema, other);
            edge->is_default =
                rank < place || (rank == place && edge->from < other->from);
        }
    }
}

void ir_edges_find(struct arena *arena, struct ir_schema *schema)
{
    struct edges edges = {0};
    struct pairs pairs = {0};
    add_keys(arena, &edges, &pairs, schema);
    add_same_names(arena, &edges, &pairs, schema);
    add_table_ids(arena, &edges, &pairs, schema);
    schema->edges = edges.items;
    schema->edge_count = (int)edges.count;
    index_edges(arena, schema);
    mark_parallels(schema);
    mark_defaults(schema);
}

static bool is_key(const struct ir_schema *schema, int column)
{
    const char *name = schema->columns[column].name;
    if (schema->columns[column].primary || is_key_name(name) ||
        str_contains_nocase(name, "_id_")) {
        return true;
    }
    for (int i = 0; i < schema->key_count; i++) {
        if (schema->keys[i].from == column || schema->keys[i].to == column) {
            return true;
        }
    }
    return false;
}

/* Is the greatest number of one known to be below the least of the other? */
static bool is_below(const struct column *a, const struct column *b)
{
    double greatest, least;
    return a->greatest && b->least && str_to_real(a->greatest, &greatest) &&
           str_to_real(b->least, &least) && greatest < least;
}

bool ir_columns_meet(const struct ir_schema *schema, int a, int b)
{
    const struct ir_column *x = &schema->columns[a];
    const struct ir_column *y = &schema->columns[b];
    if (a <= 0 || b <= 0) {
        return false;
    }
    if (a == b || str_equal_nocase(x->name, y->name)) {
        return true;
    }
    bool number = x->type == IR_TYPE_NUMBER && y->type == IR_TYPE_NUMBER;
    if (x->type != y->type ||
        (number && (is_below(x->source, y->source) || is_below(y->source, x->source)))) {
        return false;
    }
    return is_key(schema, a) || is_key(schema, b);
}
