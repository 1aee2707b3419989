/* Keys that nobody declared but the data show. */
#include "knowledge/keys/key_find.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/keys/join_guess.h"
#include "knowledge/keys/key_find_state.h"
#include "knowledge/keys/key_values.h"

enum {
    TABLES_MOST = 300, /* pairs of tables grow with the square */
    ALL_MS = 8000,
    CONSTANT_ROWS = 4, /* of fewer rows nobody can tell */
};

static const double SELF = 0.65; /* manager_id -> the employee's own id */

bool key_is_constant(const struct table *table, const struct column *column)
{
    if (table->row_count < CONSTANT_ROWS || column->null_share > 0) {
        return false;
    }
    return column->distinct == 1 || (column->least && column->greatest &&
                                     str_equal(column->least, column->greatest));
}

/* A column that says what a row is called: natural keys are made of these. */
static bool is_label(const struct key_trait *trait)
{
    static const char *const words[] = {"nam",  "name",   "titl",   "title", "cod",
                                        "code", "symbol", "number", "key"};
    if (trait->key) {
        return true;
    }
    for (size_t i = 0; trait->name.count && i < sizeof words / sizeof *words; i++) {
        if (str_equal(trait->name.words[trait->name.count - 1], words[i])) {
            return true;
        }
    }
    return false;
}

/* manager_id of employees leads to another employee. */
static bool is_role_of_own(const struct key_trait *trait)
{
    static const char *const words[] = {
        "manager", "supervisor", "bos",      "boss",   "mentor", "parent", "lead",
        "leader",  "superior",   "referred", "referr", "refer",  "report"};
    static const char *const endings[] = {"id",  "to",   "by",    "no",
                                          "cod", "code", "number"};
    size_t count = trait->name.count;
    bool whole = count == 1;
    for (size_t i = 0; count == 2 && i < sizeof endings / sizeof *endings; i++) {
        whole = whole || str_equal(trait->name.words[count - 1], endings[i]);
    }
    for (size_t i = 0; whole && count && i < sizeof words / sizeof *words; i++) {
        if (str_equal(trait->name.words[0], words[i])) {
            return true;
        }
    }
    return false;
}

/* type_id is short for product_type_id, the key of product_types. */
static bool is_tail(const struct key_trait *column, const struct key_trait *key)
{
    size_t size = column->name.count;
    return key->key && size > 1 && size < key->whole.count &&
           key_name_has_at(&key->whole, key->whole.count - size, &column->name);
}

static bool types_fit(const struct key_trait *a, const struct key_trait *b)
{
    return a->class != 'd' && b->class != 'd' &&
           (a->class == b->class || a->class == '?' || b->class == '?');
}

/* Words that another table has, under whatever name; numbers that are far apart. */
static double score_values(const struct key_finding *finding, size_t from, size_t i,
                           size_t to, size_t k)
{
    const struct key_side *parent = &finding->sides[to];
    const struct key_trait *column = &finding->sides[from].columns[i];
    const struct key_trait *key = &parent->columns[k];
    bool same = key_name_equals(&column->name, &key->name);
    if (is_tail(column, key)) {
        return KEY_NAME_ALONE;
    }
    if (column->class == 't' && key->class == 't') {
        if (key_name_equals(&column->name, &parent->name)) {
            return is_label(key) ? KEY_NAME_ALONE : 0;
        }
        return is_label(key) && !(same && column->general) ? KEY_NO_NAME : 0;
    }
    return key->key && !same && key_is_wide(parent->table, key_column(finding, to, k))
               ? KEY_NO_NAME
               : 0;
}

/* What speaks for column -> key before anybody looks; 0: nothing. */
static double score_of(const struct key_finding *finding, size_t from, size_t i,
                       size_t to, size_t k)
{
    const struct key_side *child = &finding->sides[from];
    const struct key_side *parent = &finding->sides[to];
    const struct key_trait *column = &child->columns[i];
    const struct key_trait *key = &parent->columns[k];
    if (!key->unique || column->declared || !types_fit(column, key)) {
        return 0;
    }
    if (from == to) {
        return i != k && key->key && is_role_of_own(column) ? SELF : 0;
    }
    double names = join_guess_score(child, i, parent, k);
    if (column->class == 'n' && !key->key) {
        return 0; /* prices and salaries are in many tables */
    }
    return names > KEY_NO_NAME ? names : score_values(finding, from, i, to, k);
}

/* Nobody needs to look where the statistics say that it cannot be. */
static bool may_hold(const struct key_finding *finding, const struct key_guess *guess)
{
    const struct table *tables = finding->schema->tables.items;
    const struct column *column = key_column(finding, guess->from, guess->column);
    const struct column *key = key_column(finding, guess->to, guess->key);
    if (tables[guess->from].row_count == 0 || tables[guess->to].row_count == 0 ||
        key_is_constant(&tables[guess->from], column)) {
        return false;
    }
    bool counted = column->distinct > 0 && key->distinct > 0;
    return !counted || (double)column->distinct * 0.9 <= (double)key->distinct;
}

static void add_columns(struct key_finding *finding, size_t from, size_t to)
{
    const struct table *tables = finding->schema->tables.items;
    for (size_t i = 0; i < tables[from].columns.count; i++) {
        for (size_t k = 0; k < tables[to].columns.count; k++) {
            struct key_guess guess = {from,
                                      i,
                                      to,
                                      k,
                                      score_of(finding, from, i, to, k),
                                      0,
                                      finding->sides[to].columns[k].key};
            if (guess.names > 0 && may_hold(finding, &guess)) {
                VEC_PUSH(finding->scratch, &finding->guesses, guess);
            }
        }
    }
}

static int by_number(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* The best names first; then as the schema has them. */
static int guess_order(const void *a, const void *b)
{
    const struct key_guess *x = a;
    const struct key_guess *y = b;
    if (x->names != y->names) {
        return x->names > y->names ? -1 : 1;
    }
    int order = by_number(x->from, y->from);
    order = order ? order : by_number(x->to, y->to);
    order = order ? order : by_number(x->column, y->column);
    return order ? order : by_number(x->key, y->key);
}

static void collect(struct key_finding *finding)
{
    const struct tables *tables = &finding->schema->tables;
    finding->sides = arena_array(finding->scratch, tables->count, sizeof *finding->sides);
    for (size_t i = 0; i < tables->count; i++) {
        key_side_read(&finding->sides[i], finding->scratch, &tables->items[i]);
    }
    for (size_t i = 0; i < tables->count; i++) {
        for (size_t k = 0; k < tables->count; k++) {
            const struct table *from = &tables->items[i];
            const struct table *to = &tables->items[k];
            if (!from->is_view && !to->is_view && !key_declares(from, to) &&
                !key_declares(to, from)) {
                add_columns(finding, i, k);
            }
        }
    }
    if (finding->guesses.count) {
        qsort(finding->guesses.items, finding->guesses.count,
              sizeof *finding->guesses.items, guess_order);
    }
}

/* Does the key's name speak of its own table? Then others refer to it, and not it to
 * them. */
static bool is_at_home(const struct key_finding *finding, const struct key_guess *guess)
{
    const struct key_side *side = &finding->sides[guess->to];
    return key_name_has_at(&side->columns[guess->key].name, 0, &side->name);
}

/* Has the column the name of the table it may refer to? campus refers to campuses, even
 * if other tables have a key of that name. */
static bool is_called(const struct key_finding *finding, const struct key_guess *guess)
{
    return guess->declared_key && guess->from != guess->to &&
           key_name_equals(&finding->sides[guess->from].columns[guess->column].name,
                           &finding->sides[guess->to].name);
}

/* Is a better than b, for the same column, or for the same two the other way round? */
static bool is_better(const struct key_finding *finding, const struct key_guess *a,
                      const struct key_guess *b)
{
    const struct table *tables = finding->schema->tables.items;
    bool called = is_called(finding, a);
    if (called != is_called(finding, b)) {
        return called;
    }
    if (a->confidence != b->confidence) {
        return a->confidence > b->confidence;
    }
    if (a->names != b->names) {
        return a->names > b->names;
    }
    if (a->declared_key != b->declared_key) {
        return a->declared_key;
    }
    bool home = is_at_home(finding, a);
    if (home != is_at_home(finding, b)) {
        return home;
    }
    int64_t rows = tables[a->to].row_count - tables[b->to].row_count;
    return rows ? rows > 0 : guess_order(a, b) < 0;
}

static bool is_beaten(const struct key_finding *finding, const struct key_guess *guess)
{
    for (size_t i = 0; i < finding->guesses.count; i++) {
        const struct key_guess *other = &finding->guesses.items[i];
        bool same = other->from == guess->from && other->column == guess->column;
        bool turned = other->from == guess->to && other->to == guess->from;
        if (other != guess && other->confidence > 0 && (same || turned) &&
            is_better(finding, other, guess)) {
            return true;
        }
    }
    return false;
}

static void add_key(struct key_finding *finding, const struct key_guess *guess)
{
    struct schema *schema = finding->schema;
    struct foreign_key *key =
        VEC_ADD(schema->arena, &schema->tables.items[guess->from].foreign_keys);
    key->table = schema->tables.items[guess->to].name;
    key->confidence = guess->confidence;
    VEC_PUSH(schema->arena, &key->columns,
             key_column(finding, guess->from, guess->column)->name);
    VEC_PUSH(schema->arena, &key->references,
             key_column(finding, guess->to, guess->key)->name);
}

void key_find(struct datasource *source, struct schema *schema,
              const struct datasource_limits *limits)
{
    if (schema->tables.count > TABLES_MOST || key_probes_of(source) == 0) {
        return;
    }
    struct key_finding finding = {
        .source = source, .schema = schema, .scratch = arena_new()};
    if (limits) {
        finding.limits = *limits;
    }
    int64_t end_ms = clock_ms() + ALL_MS;
    if (!finding.limits.deadline_ms || finding.limits.deadline_ms > end_ms) {
        finding.limits.deadline_ms = end_ms;
    }
    collect(&finding);
    key_weigh_all(&finding);
    for (size_t i = 0; i < finding.guesses.count; i++) {
        const struct key_guess *guess = &finding.guesses.items[i];
        if (guess->confidence > 0 && !is_beaten(&finding, guess)) {
            add_key(&finding, guess);
        }
    }
    for (size_t i = 0; i < finding.read.count; i++) {
        key_values_free(finding.read.items[i].values);
    }
    arena_free(finding.scratch);
}
