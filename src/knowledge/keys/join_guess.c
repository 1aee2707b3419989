/* Which columns of two tables may belong together where no key is declared. */
#include "knowledge/keys/join_guess.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/keys/key_traits.h"

enum {
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
static const double NEAR_BEST = 0.12;    /* as good as the best one */

static double part_score(const struct key_name *column, const struct key_name *key)
{
    for (size_t at = 0; at + key->count <= column->count; at++) {
        if (key_name_has_at(column, at, key)) {
            return PART_OF_NAME;
        }
    }
    return 0;
}

/* customer_id, billing_customer_id, customer: does the name speak of the table's key? */
static double key_score(const struct key_name *column, const struct key_side *to,
                        const struct key_trait *key)
{
    if (key_name_equals(column, &key->whole)) {
        return NAME_AND_KEY;
    }
    if (column->count > key->whole.count &&
        key_name_has_at(column, column->count - key->whole.count, &key->whole)) {
        return ROLE_AND_KEY;
    }
    return key_name_equals(column, &to->name) ? NAME_ALONE : 0;
}

/* An id that no two documents share and no person writes: where it stands in another
 * table under that table's name, it was put there to refer to it. */
static bool refers(const struct column *column, const struct column *key)
{
    return str_equal_nocase(column->type, "objectId") &&
           str_equal_nocase(key->type, "objectId");
}

double join_guess_score(const struct key_side *from, size_t i, const struct key_side *to,
                        size_t k)
{
    const struct key_trait *column = &from->columns[i];
    const struct key_trait *key = &to->columns[k];
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
    if (key_name_equals(&column->name, &key->name)) {
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

static void add_pairs(struct arena *arena, const struct key_side *from,
                      const struct key_side *to, double least, struct join_guesses *out)
{
    for (size_t i = 0; i < from->table->columns.count; i++) {
        const struct column *column = &from->table->columns.items[i];
        for (size_t k = 0; k < to->table->columns.count; k++) {
            if (!to->columns[k].key && least > SAME_NAME) {
                continue;
            }
            const struct column *key = &to->table->columns.items[k];
            double score = join_guess_score(from, i, to, k);
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
    struct key_side left;
    struct key_side right;
    key_side_read(&left, arena, a);
    key_side_read(&right, arena, b);
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

bool join_guess_only(struct arena *arena, const struct table *a, const struct table *b,
                     const struct join_probe *probe, struct join_guess *out)
{
    struct join_guesses all;
    join_guess_pairs(arena, a, b, probe, &all);
    if (all.count == 0 || all.items[0].confidence < ROLE_AND_KEY ||
        (all.count > 1 &&
         all.items[1].confidence > all.items[0].confidence - NEAR_BEST)) {
        return false;
    }
    *out = all.items[0];
    return true;
}

void join_guess_all(struct arena *arena, const struct table *const *tables, size_t count,
                    size_t most, struct join_guesses *out)
{
    struct arena *scratch = arena_new();
    struct key_side *sides = arena_array(scratch, count, sizeof *sides);
    struct join_guesses all = {0};
    for (size_t i = 0; i < count; i++) {
        key_side_read(&sides[i], scratch, tables[i]);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (i != k && !key_declares(tables[i], tables[k]) &&
                !key_declares(tables[k], tables[i])) {
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
