/* Pairs of columns that are shown to a model if no key says how tables are joined. */
#include "knowledge/keys/join_hint.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/keys/key_traits.h"

enum {
    OF_COLUMN = 2, /* hints about one column */
    TELLING = 4,   /* different texts below which equal ones are a kind or a grade */
};

/* By join_guess_score(). */
static const double NAMES_KEY = 0.65;  /* the name speaks of the other table's key */
static const double NAMES_ONCE = 0.45; /* equal names, or a table's name */
static const double SHARED = 0.1;      /* the values agree, as far as they are known */

enum meeting { MEETING_UNKNOWN, MEETING_APART, MEETING_YES };

struct hint {
    struct join_guess guess;
    size_t place; /* of the later one of its tables */
    size_t order;
};

struct hints {
    struct hint *items;
    size_t count;
    size_t capacity;
};

static bool range_of(const struct column *column, double *least, double *greatest)
{
    return column->least && column->greatest && str_to_real(column->least, least) &&
           str_to_real(column->greatest, greatest);
}

static enum meeting numbers_meet(const struct column *a, const struct column *b)
{
    double least, greatest, other_least, other_greatest;
    if (!range_of(a, &least, &greatest) || !range_of(b, &other_least, &other_greatest)) {
        return MEETING_UNKNOWN;
    }
    return least > other_greatest || other_least > greatest ? MEETING_APART : MEETING_YES;
}

/* Do they have a sample in common? Of two lists that are whole, that is all there is. */
static enum meeting texts_meet(const struct column *a, const struct column *b)
{
    for (size_t i = 0; i < a->samples.count; i++) {
        for (size_t k = 0; k < b->samples.count; k++) {
            if (str_equal_nocase(a->samples.items[i], b->samples.items[k])) {
                return MEETING_YES;
            }
        }
    }
    if (a->least && a->greatest && b->least && b->greatest &&
        (strcmp(a->least, b->greatest) > 0 || strcmp(b->least, a->greatest) > 0)) {
        return MEETING_APART;
    }
    bool whole = a->samples_all && b->samples_all && a->samples.count && b->samples.count;
    return whole ? MEETING_APART : MEETING_UNKNOWN;
}

/* invoice_no, region_code: whatever it numbers, equal ones mean the same thing. */
static bool is_keyish(const struct key_name *name)
{
    static const char *const ends[] = {/* stems */
                                       "id",  "no",       "nr",         "number", "cod",
                                       "key", "referenc", "identifier", "sku",    "uid",
                                       "ean", "isbn",     "iban",       NULL};
    for (size_t i = 0; ends[i] && name->count; i++) {
        if (str_equal(name->words[name->count - 1], ends[i])) {
            return true;
        }
    }
    return false;
}

/* Enough different texts, so that equal ones are no mere kinds: "high" is a priority of
 * tickets and of tasks. */
static bool is_telling(const struct column *column)
{
    return column->samples_all ? column->samples.count >= TELLING
                               : column->samples.count > 0;
}

/* Do the values make equal names a guess? Small whole numbers fit each other everywhere,
 * so for numbers the name must be that of a key. */
static bool values_link(const struct key_trait *trait, const struct column *a,
                        const struct column *b, enum meeting meeting)
{
    if (meeting != MEETING_YES) {
        return false;
    }
    return is_keyish(&trait->name) ||
           (trait->class == 't' && is_telling(a) && is_telling(b));
}

static double score_of(const struct key_side *from, size_t i, const struct key_side *to,
                       size_t k)
{
    const struct key_trait *trait = &from->columns[i];
    const struct column *column = &from->table->columns.items[i];
    const struct column *key = &to->table->columns.items[k];
    double names = join_guess_score(from, i, to, k);
    if (names < NAMES_ONCE || (trait->key && to->columns[k].key)) {
        return 0; /* two keys count their own rows, each from 1 */
    }
    enum meeting meeting =
        trait->class == 'n' ? numbers_meet(column, key) : texts_meet(column, key);
    bool same = key_name_equals(&trait->name, &to->columns[k].name);
    if (meeting == MEETING_APART) {
        return 0;
    }
    if (names < NAMES_KEY) {
        bool linked =
            same ? values_link(trait, column, key, meeting) : meeting == MEETING_YES;
        return linked ? names : 0;
    }
    return names + (meeting == MEETING_YES ? SHARED : 0);
}

/* Is there a key between the two already, declared or found in the data? */
static bool is_linked(const struct table *a, const struct table *b)
{
    for (size_t i = 0; i < a->foreign_keys.count; i++) {
        const char *to = a->foreign_keys.items[i].table;
        if (str_equal_nocase(to, b->name) || str_equal_nocase(to, b->bare_name)) {
            return true;
        }
    }
    return false;
}

/* Does a key say where the column leads? Then that is its meaning. */
static bool leads(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        if (columns->count == 1 && str_equal_nocase(columns->items[0], column->name)) {
            return true;
        }
    }
    return false;
}

static void add_pairs(struct arena *scratch, const struct key_side *from,
                      const struct key_side *to, size_t place, struct hints *out)
{
    for (size_t i = 0; i < from->table->columns.count; i++) {
        const struct column *column = &from->table->columns.items[i];
        if (leads(from->table, column)) {
            continue;
        }
        for (size_t k = 0; k < to->table->columns.count; k++) {
            const struct column *key = &to->table->columns.items[k];
            double score = score_of(from, i, to, k);
            if (score > 0 && !leads(to->table, key)) {
                struct join_guess guess = {from->table,           column, to->table, key,
                                           to->columns[k].unique, score};
                VEC_PUSH(scratch, out, ((struct hint){guess, place, out->count}));
            }
        }
    }
}

static int compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int hint_order(const void *a, const void *b)
{
    const struct hint *left = a;
    const struct hint *right = b;
    int views = (left->guess.from->is_view || left->guess.to->is_view) -
                (right->guess.from->is_view || right->guess.to->is_view);
    if (views) {
        return views;
    }
    if (left->guess.confidence != right->guess.confidence) {
        return left->guess.confidence > right->guess.confidence ? -1 : 1;
    }
    if (left->guess.unique != right->guess.unique) {
        return left->guess.unique ? -1 : 1;
    }
    int order = compare(left->place, right->place);
    return order ? order : compare(left->order, right->order);
}

static int place_order(const void *a, const void *b)
{
    const struct hint *left = a;
    const struct hint *right = b;
    int order = compare(left->place, right->place);
    return order ? order : compare(left->order, right->order);
}

/* Is the pair said already, or enough of its columns? */
static bool is_said(const struct join_guesses *said, const struct join_guess *guess)
{
    size_t of_column = 0;
    size_t of_key = 0;
    for (size_t i = 0; i < said->count; i++) {
        const struct join_guess *other = &said->items[i];
        if (other->column == guess->key && other->key == guess->column) {
            return true;
        }
        of_column += other->column == guess->column || other->key == guess->column;
        of_key += other->column == guess->key || other->key == guess->key;
    }
    return of_column >= OF_COLUMN || (!guess->unique && of_key >= OF_COLUMN);
}

void join_hint_all(struct arena *arena, const struct table *const *tables, size_t count,
                   size_t most, struct join_guesses *out)
{
    struct arena *scratch = arena_new();
    struct key_side *sides = arena_array(scratch, count, sizeof *sides);
    struct hints all = {0};
    for (size_t i = 0; i < count; i++) {
        key_side_read(&sides[i], scratch, tables[i]);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (i != k && !is_linked(tables[i], tables[k]) &&
                !is_linked(tables[k], tables[i])) {
                add_pairs(scratch, &sides[i], &sides[k], i > k ? i : k, &all);
            }
        }
    }
    if (all.count) {
        qsort(all.items, all.count, sizeof *all.items, hint_order);
    }
    for (size_t i = 0; i < all.count && out->count < most; i++) {
        if (!is_said(out, &all.items[i].guess)) {
            VEC_PUSH(arena, out, all.items[i].guess);
        }
    }
    arena_free(scratch);
}

static size_t place_of(const struct table *table, const struct table *const *ranked,
                       size_t count)
{
    size_t place = 0;
    while (place < count && ranked[place] != table) {
        place++;
    }
    return place;
}

void join_hint_pick(struct arena *arena, const struct join_guesses *from,
                    const struct table *const *ranked, size_t count, size_t most,
                    struct join_guesses *out)
{
    struct arena *scratch = arena_new();
    struct hints all = {0};
    for (size_t i = 0; i < from->count; i++) {
        size_t left = place_of(from->items[i].from, ranked, count);
        size_t right = place_of(from->items[i].to, ranked, count);
        VEC_PUSH(scratch, &all,
                 ((struct hint){from->items[i], left > right ? left : right, i}));
    }
    if (all.count) {
        qsort(all.items, all.count, sizeof *all.items, place_order);
    }
    for (size_t i = 0; i < all.count && i < most; i++) {
        VEC_PUSH(arena, out, all.items[i].guess);
    }
    arena_free(scratch);
}
