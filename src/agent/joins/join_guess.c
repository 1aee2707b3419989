/* Which columns of two tables may belong together where no key is declared. */
#include "agent/joins/join_guess.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/words/words.h"

enum {
    MOST_WORDS = 8,  /* of a name */
    MOST_PROBES = 8, /* between two tables */
};

/* What names alone are worth; values that fit lift all of them. */
static const double NAME_AND_KEY = 0.7;  /* customer_id -> customers.id */
static const double ROLE_AND_KEY = 0.65; /* billing_customer_id -> customers.id */
static const double SAME_KEY = 0.65;     /* isbn -> books.isbn, which is its key */
static const double SAME_NAME = 0.5;     /* region_code in both */
static const double NAME_ALONE = 0.45;   /* orders.customer -> customers.id */
static const double PART_OF_NAME = 0.35; /* ring_number -> birds.ring */
static const double MOST_SURE = 0.97;    /* only a declared key is certain */
static const double NO_NAME = 0.2;       /* only the values can tell */

struct name {
    char words[MOST_WORDS][WORD_SIZE];
    size_t count;
};

static void name_read(struct name *name, const char *text)
{
    struct words words;
    struct word word;
    name->count = 0;
    words_init(&words, text);
    while (name->count < MOST_WORDS && words_next(&words, &word)) {
        memcpy(name->words[name->count++], word.folded, WORD_SIZE);
    }
}

static bool word_equals(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Are the words of `part` those of `name` from `at` on? */
static bool name_has_at(const struct name *name, size_t at, const struct name *part)
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

static bool name_equals(const struct name *a, const struct name *b)
{
    return a->count && a->count == b->count && name_has_at(a, 0, b);
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

/* Does the column alone tell the rows of its table apart? */
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
    return primaries == 0 && str_equal_nocase(column->name, "id");
}

/* Does it tell them apart at the moment, though nothing says that it must? */
static bool differs(const struct table *table, const struct column *column)
{
    return column->distinct > 1 && table->row_count_exact &&
           column->distinct == table->row_count;
}

static double part_score(const struct name *column, const struct name *key)
{
    for (size_t at = 0; at + key->count <= column->count; at++) {
        if (name_has_at(column, at, key)) {
            return PART_OF_NAME;
        }
    }
    return 0;
}

/* Is the column, alone, a declared key to another table? */
static bool is_declared(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        if (columns->count == 1 && str_equal_nocase(columns->items[0], column->name)) {
            return true;
        }
    }
    return false;
}

/* What a column is, worked out once: it is compared with all columns of other tables. */
struct trait {
    struct name name;
    struct name whole; /* of a key: with its table's name, as others refer to it */
    bool key;
    bool unique; /* a key, or as good as one */
    bool general;
    bool declared; /* a key says where it refers to: there is nothing to guess */
    char class;
};

/* A table with its names taken apart. */
struct side {
    const struct table *table;
    struct name name;
    struct trait *columns;
};

/* customers.id is called customer_id elsewhere; customers.customer_id says it itself. */
static void whole_read(struct name *whole, const struct name *table,
                       const struct name *key)
{
    bool own = name_has_at(key, 0, table);
    *whole = *table;
    for (size_t i = own ? table->count : 0; i < key->count && whole->count < MOST_WORDS;
         i++) {
        memcpy(whole->words[whole->count++], key->words[i], WORD_SIZE);
    }
}

static void side_read(struct side *side, struct arena *arena, const struct table *table)
{
    size_t count = table->columns.count;
    *side = (struct side){.table = table,
                          .columns = arena_array(arena, count, sizeof *side->columns)};
    name_read(&side->name, table->bare_name);
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &table->columns.items[i];
        struct trait *trait = &side->columns[i];
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

/* customer_id, billing_customer_id, customer: does the name speak of the table's key? */
static double key_score(const struct name *column, const struct side *to,
                        const struct trait *key)
{
    if (name_equals(column, &key->whole)) {
        return NAME_AND_KEY;
    }
    if (column->count > key->whole.count &&
        name_has_at(column, column->count - key->whole.count, &key->whole)) {
        return ROLE_AND_KEY;
    }
    return name_equals(column, &to->name) ? NAME_ALONE : 0;
}

/* An id that no two documents share and no person writes: where it stands in another
 * table under that table's name, it was put there to refer to it. */
static bool refers(const struct column *column, const struct column *key)
{
    return str_equal_nocase(column->type, "objectId") &&
           str_equal_nocase(key->type, "objectId");
}

/* What the names say of column -> key; 0: nothing. */
static double score_of(const struct side *from, size_t i, const struct side *to, size_t k)
{
    const struct trait *column = &from->columns[i];
    const struct trait *key = &to->columns[k];
    if (column->declared || key->declared || column->class == 'd' || key->class == 'd') {
        return 0;
    }
    if (column->class != '?' && key->class != '?' && column->class != key->class) {
        return 0;
    }
    double score = key->key ? key_score(&column->name, to, key) : 0;
    if (score == NAME_ALONE &&
        refers(&from->table->columns.items[i], &to->table->columns.items[k])) {
        score = NAME_AND_KEY;
    }
    if (score > 0 && !(from->table->columns.items[i].primary && column->key)) {
        return score;
    }
    if (key->general || column->general) {
        return 0;
    }
    if (name_equals(&column->name, &key->name)) {
        return key->key ? SAME_KEY : SAME_NAME;
    }
    score = key->unique ? part_score(&column->name, &key->name) : 0;
    bool words = column->class == 't' && key->class == 't';
    return score > 0 ? score : key->unique && words ? NO_NAME : 0;
}

static int guess_order(const void *a, const void *b)
{
    const struct join_guess *left = a;
    const struct join_guess *right = b;
    if (left->confidence != right->confidence) {
        return left->confidence > right->confidence ? -1 : 1;
    }
    int order = strcmp(left->column->name, right->column->name);
    return order ? order : strcmp(left->key->name, right->key->name);
}

static void sort(struct join_guesses *guesses)
{
    if (guesses->count) {
        qsort(guesses->items, guesses->count, sizeof *guesses->items, guess_order);
    }
}

static bool guessed(const struct join_guesses *guesses, const struct column *a,
                    const struct column *b)
{
    for (size_t i = 0; i < guesses->count; i++) {
        const struct join_guess *guess = &guesses->items[i];
        if ((guess->column == a && guess->key == b) ||
            (guess->column == b && guess->key == a)) {
            return true;
        }
    }
    return false;
}

static void add_pairs(struct arena *arena, const struct side *from, const struct side *to,
                      double least, struct join_guesses *out)
{
    for (size_t i = 0; i < from->table->columns.count; i++) {
        const struct column *column = &from->table->columns.items[i];
        for (size_t k = 0; k < to->table->columns.count; k++) {
            if (!to->columns[k].key && least > SAME_NAME) {
                continue;
            }
            const struct column *key = &to->table->columns.items[k];
            double score = score_of(from, i, to, k);
            if (score >= least && !guessed(out, column, key)) {
                VEC_PUSH(arena, out,
                         ((struct join_guess){from->table, column, to->table, key,
                                              to->columns[k].unique, score}));
            }
        }
    }
}

/* Both ways. */
static void add_both(struct arena *arena, const struct table *a, const struct table *b,
                     double least, struct join_guesses *out)
{
    struct side left;
    struct side right;
    side_read(&left, arena, a);
    side_read(&right, arena, b);
    add_pairs(arena, &left, &right, least, out);
    add_pairs(arena, &right, &left, least, out);
    sort(out);
}

void join_guess_names(struct arena *arena, const struct table *a, const struct table *b,
                      struct join_guesses *out)
{
    *out = (struct join_guesses){0};
    add_both(arena, a, b, JOIN_GUESS_LEAST, out);
}

/* Numbers fit by chance: two that count from 1 share all of theirs. */
static double weigh(const struct join_guess *guess, double overlap)
{
    double base = guess->confidence;
    if (overlap < 0) {
        return base;
    }
    if (overlap < 0.05) {
        return base * 0.3;
    }
    if (!guess->unique) {
        return base; /* equal cities do not make an order of the customer's */
    }
    double lift = overlap >= 0.9 ? 0.3 : overlap >= 0.5 ? 0.15 : 0;
    double sum = base + (base == NO_NAME && overlap >= 0.9 ? 0.4 : lift);
    return sum > MOST_SURE ? MOST_SURE : sum;
}

void join_guess_pairs(struct arena *arena, const struct table *a, const struct table *b,
                      const struct join_probe *probe, struct join_guesses *out)
{
    join_guess_names(arena, a, b, out);
    if (!probe || !probe->overlap) {
        return;
    }
    if (out->count == 0) {
        add_both(arena, a, b, NO_NAME, out);
    }
    out->count = out->count < MOST_PROBES ? out->count : MOST_PROBES;
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        struct join_guess guess = out->items[i];
        guess.confidence = weigh(&guess, probe->overlap(probe->context, &guess));
        if (guess.confidence >= JOIN_GUESS_LEAST) {
            out->items[kept++] = guess;
        }
    }
    out->count = kept;
    sort(out);
}

/* Does the one declare a key to the other? */
static bool declares(const struct table *a, const struct table *b)
{
    for (size_t i = 0; i < a->foreign_keys.count; i++) {
        const char *to = a->foreign_keys.items[i].table;
        if (str_equal_nocase(to, b->name) || str_equal_nocase(to, b->bare_name)) {
            return true;
        }
    }
    return false;
}

void join_guess_all(struct arena *arena, const struct table *const *tables, size_t count,
                    size_t most, struct join_guesses *out)
{
    struct arena *scratch = arena_new();
    struct side *sides = arena_array(scratch, count, sizeof *sides);
    struct join_guesses all = {0};
    for (size_t i = 0; i < count; i++) {
        side_read(&sides[i], scratch, tables[i]);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (i != k && !declares(tables[i], tables[k]) &&
                !declares(tables[k], tables[i])) {
                add_pairs(scratch, &sides[i], &sides[k], ROLE_AND_KEY, &all);
            }
        }
    }
    sort(&all);
    for (size_t i = 0; i < all.count && out->count < most; i++) {
        VEC_PUSH(arena, out, all.items[i]);
    }
    arena_free(scratch);
}

const char *join_guess_condition(struct arena *arena, const struct join_guess *guess)
{
    return arena_format(arena, "%s.%s = %s.%s", guess->from->name, guess->column->name,
                        guess->to->name, guess->key->name);
}
