/* Keys that nobody declared but the data show. */
#include "knowledge/keys/key_find.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "datasource/driver.h"
#include "knowledge/keys/join_guess.h"
#include "knowledge/keys/key_probe.h"
#include "knowledge/keys/key_traits.h"

enum {
    TABLES_MOST = 300, /* pairs of tables grow with the square */
    PROBES_LOCAL = 1200,
    PROBES_SERVER = 64, /* somebody else's machine does the work */
    PROBE_VALUES = 200,
    PROBE_MS = 400,
    PROBE_STEPS = 4000000,
    ALL_MS = 8000,
    CONSTANT_ROWS = 4, /* of fewer rows nobody can tell */
};

/* What it takes to believe a key, by how much its name says. */
static const struct belief {
    double names;  /* at least */
    double share;  /* of the values that must be there */
    int64_t words; /* different values, where they are text */
    int64_t wide;  /* and where they are numbers that seldom fit by chance */
    int64_t dense; /* and where they are 1, 2, 3 …; 0: never */
    bool spread;   /* dense ones must reach as far as the key's */
    double confidence;
} beliefs[] = {
    {0.65, 0.90, 1, 1, 1, false, 0.97}, /* customer_id -> customers.id */
    {0.45, 0.90, 1, 3, 3, true, 0.85},  /* orders.customer -> customers.id */
    {0.30, 0.98, 3, 5, 5, true, 0.80},  /* ring_number -> birds.ring */
    {0.10, 0.99, 3, 8, 0, false, 0.60}, /* flights.source -> airports.code */
};

static const double SELF = 0.65;   /* manager_id -> the employee's own id */
static const double NO_NAME = 0.2; /* only the values can tell */
static const double NAME_ALONE = 0.45;

struct guess {
    size_t from, column, to, key; /* numbers of tables and columns */
    double names;
    double confidence; /* 0: not believed */
    bool declared_key; /* the other column must tell rows apart, and not just does */
};

struct guesses {
    struct guess *items;
    size_t count;
    size_t capacity;
};

struct finding {
    struct datasource *source;
    struct schema *schema;
    struct arena *scratch;
    struct key_side *sides;
    struct guesses guesses;
    struct datasource_limits limits;
};

bool key_is_constant(const struct table *table, const struct column *column)
{
    if (table->row_count < CONSTANT_ROWS || column->null_share > 0) {
        return false;
    }
    return column->distinct == 1 || (column->least && column->greatest &&
                                     str_equal(column->least, column->greatest));
}

static const struct column *column_at(const struct finding *finding, size_t table,
                                      size_t column)
{
    return &finding->schema->tables.items[table].columns.items[column];
}

static bool range_of(const struct column *column, double *least, double *greatest)
{
    return column->least && column->greatest && str_to_real(column->least, least) &&
           str_to_real(column->greatest, greatest);
}

/* Are the numbers so far apart that others hit them only by chance, and seldom? */
static bool is_wide(const struct table *table, const struct column *column)
{
    enum { APART = 20, ROWS_LEAST = 4 };
    double least, greatest;
    return table->row_count >= ROWS_LEAST && range_of(column, &least, &greatest) &&
           greatest - least > APART * (double)table->row_count;
}

/* Do the values reach about as far as those of the key? Grades from 1 to 12 are no ids of
 * 400 classes. */
static bool reaches(const struct column *column, const struct column *key)
{
    double least, greatest, key_least, key_greatest;
    return !range_of(column, &least, &greatest) ||
           !range_of(key, &key_least, &key_greatest) ||
           greatest - key_least >= (key_greatest - key_least) / 2;
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
static double score_values(const struct finding *finding, size_t from, size_t i,
                           size_t to, size_t k)
{
    const struct key_side *parent = &finding->sides[to];
    const struct key_trait *column = &finding->sides[from].columns[i];
    const struct key_trait *key = &parent->columns[k];
    bool same = key_name_equals(&column->name, &key->name);
    if (is_tail(column, key)) {
        return NAME_ALONE;
    }
    if (column->class == 't' && key->class == 't') {
        if (key_name_equals(&column->name, &parent->name)) {
            return is_label(key) ? NAME_ALONE : 0;
        }
        return is_label(key) && !(same && column->general) ? NO_NAME : 0;
    }
    return key->key && !same && is_wide(parent->table, column_at(finding, to, k))
               ? NO_NAME
               : 0;
}

/* What speaks for column -> key before anybody looks; 0: nothing. */
static double score_of(const struct finding *finding, size_t from, size_t i, size_t to,
                       size_t k)
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
    return names > NO_NAME ? names : score_values(finding, from, i, to, k);
}

/* Nobody needs to look where the statistics say that it cannot be. */
static bool may_hold(const struct finding *finding, const struct guess *guess)
{
    const struct table *tables = finding->schema->tables.items;
    const struct column *column = column_at(finding, guess->from, guess->column);
    const struct column *key = column_at(finding, guess->to, guess->key);
    if (tables[guess->from].row_count == 0 || tables[guess->to].row_count == 0 ||
        key_is_constant(&tables[guess->from], column)) {
        return false;
    }
    bool counted = column->distinct > 0 && key->distinct > 0;
    return !counted || (double)column->distinct * 0.9 <= (double)key->distinct;
}

static void add_columns(struct finding *finding, size_t from, size_t to)
{
    const struct table *tables = finding->schema->tables.items;
    for (size_t i = 0; i < tables[from].columns.count; i++) {
        for (size_t k = 0; k < tables[to].columns.count; k++) {
            struct guess guess = {from,
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
    const struct guess *x = a;
    const struct guess *y = b;
    if (x->names != y->names) {
        return x->names > y->names ? -1 : 1;
    }
    int order = by_number(x->from, y->from);
    order = order ? order : by_number(x->to, y->to);
    order = order ? order : by_number(x->column, y->column);
    return order ? order : by_number(x->key, y->key);
}

static void collect(struct finding *finding)
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

/* One letter is a grade or a sex, and no name of anything. */
static bool has_words(const struct column *column)
{
    for (size_t i = 0; i < column->samples.count; i++) {
        if (strlen(column->samples.items[i]) > 1) {
            return true;
        }
    }
    return column->samples.count == 0;
}

static void weigh(const struct finding *finding, struct guess *guess,
                  const struct key_share *share)
{
    const struct column *column = column_at(finding, guess->from, guess->column);
    const struct column *key = column_at(finding, guess->to, guess->key);
    const struct table *parent = &finding->schema->tables.items[guess->to];
    const struct belief *belief = beliefs;
    while (guess->names < belief->names) {
        belief++;
    }
    bool words = finding->sides[guess->from].columns[guess->column].class != 'n' &&
                 finding->sides[guess->to].columns[guess->key].class != 'n';
    bool wide = is_wide(parent, key);
    int64_t least = words ? belief->words : wide ? belief->wide : belief->dense;
    if (least == 0 || share->values < least ||
        (double)share->found < belief->share * (double)share->values ||
        (words && belief->names < NAME_ALONE && !has_words(column)) ||
        (!words && !wide && belief->spread && !reaches(column, key))) {
        return;
    }
    guess->confidence = belief->confidence;
}

static size_t probes_of(const struct datasource *source)
{
    static const char *const servers[] = {"postgres", "mysql"};
    for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
        if (str_equal(source->driver->name, servers[i])) {
            return PROBES_SERVER;
        }
    }
    return source->driver->local ? PROBES_LOCAL : 0;
}

static void probe_all(struct finding *finding)
{
    const struct table *tables = finding->schema->tables.items;
    size_t most = probes_of(finding->source);
    most = most < finding->guesses.count ? most : finding->guesses.count;
    finding->guesses.count = most;
    for (size_t i = 0; i < most && !limits_spent(&finding->limits); i++) {
        struct guess *guess = &finding->guesses.items[i];
        const struct key_probe probe = {
            &tables[guess->from], column_at(finding, guess->from, guess->column),
            &tables[guess->to], column_at(finding, guess->to, guess->key), PROBE_VALUES};
        struct datasource_limits limits = finding->limits;
        int64_t steps = PROBE_STEPS;
        bool counted = finding->source->driver->counts_steps;
        int64_t end_ms = clock_ms() + PROBE_MS * (counted ? 20 : 1);
        limits.max_rows = 1;
        limits.steps = counted ? &steps : NULL;
        limits.deadline_ms = end_ms < limits.deadline_ms ? end_ms : limits.deadline_ms;
        struct key_share share;
        if (key_probe_run(finding->source, &probe, &limits, &share)) {
            weigh(finding, guess, &share);
        }
    }
}

/* Does the key's name speak of its own table? Then others refer to it, and not it to
 * them. */
static bool is_at_home(const struct finding *finding, const struct guess *guess)
{
    const struct key_side *side = &finding->sides[guess->to];
    return key_name_has_at(&side->columns[guess->key].name, 0, &side->name);
}

/* Is the column called like the table? campus is one of campuses, whoever else has a key of
 * that name. */
static bool is_called(const struct finding *finding, const struct guess *guess)
{
    return guess->declared_key && guess->from != guess->to &&
           key_name_equals(&finding->sides[guess->from].columns[guess->column].name,
                           &finding->sides[guess->to].name);
}

/* Is a better than b, for the same column, or for the same two the other way round? */
static bool is_better(const struct finding *finding, const struct guess *a,
                      const struct guess *b)
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

static bool is_beaten(const struct finding *finding, const struct guess *guess)
{
    for (size_t i = 0; i < finding->guesses.count; i++) {
        const struct guess *other = &finding->guesses.items[i];
        bool same = other->from == guess->from && other->column == guess->column;
        bool turned = other->from == guess->to && other->to == guess->from;
        if (other != guess && other->confidence > 0 && (same || turned) &&
            is_better(finding, other, guess)) {
            return true;
        }
    }
    return false;
}

static void add_key(struct finding *finding, const struct guess *guess)
{
    struct schema *schema = finding->schema;
    struct foreign_key *key =
        VEC_ADD(schema->arena, &schema->tables.items[guess->from].foreign_keys);
    key->table = schema->tables.items[guess->to].name;
    key->confidence = guess->confidence;
    VEC_PUSH(schema->arena, &key->columns,
             column_at(finding, guess->from, guess->column)->name);
    VEC_PUSH(schema->arena, &key->references,
             column_at(finding, guess->to, guess->key)->name);
}

void key_find(struct datasource *source, struct schema *schema,
              const struct datasource_limits *limits)
{
    if (schema->tables.count > TABLES_MOST || probes_of(source) == 0) {
        return;
    }
    struct finding finding = {.source = source, .schema = schema, .scratch = arena_new()};
    if (limits) {
        finding.limits = *limits;
    }
    int64_t end_ms = clock_ms() + ALL_MS;
    if (!finding.limits.deadline_ms || finding.limits.deadline_ms > end_ms) {
        finding.limits.deadline_ms = end_ms;
    }
    collect(&finding);
    probe_all(&finding);
    for (size_t i = 0; i < finding.guesses.count; i++) {
        const struct guess *guess = &finding.guesses.items[i];
        if (guess->confidence > 0 && !is_beaten(&finding, guess)) {
            add_key(&finding, guess);
        }
    }
    arena_free(finding.scratch);
}
