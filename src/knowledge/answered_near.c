/* Questions that are nearly this one: the words they share decide. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/vec.h"
#include "knowledge/answered_state.h"
#include "knowledge/words/words.h"
#include "sql/statement.h"

enum { LOOKED_AT = 500, WORDS_MOST = 64 };

static const double least_score = 0.5;
static const double confirmed_bonus =
    0.1; /* among equals the confirmed one comes first */

struct bag {
    char words[WORDS_MOST][WORD_SIZE];
    size_t count;
};

static bool bag_holds(const struct bag *bag, const char *word)
{
    for (size_t i = 0; i < bag->count; i++) {
        if (strcmp(bag->words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static void bag_fill(struct bag *bag, const char *text)
{
    struct words words;
    struct word word;
    bag->count = 0;
    words_init(&words, text);
    while (bag->count < WORDS_MOST && words_next(&words, &word)) {
        if (!word_is_common(word.folded) && !bag_holds(bag, word.folded)) {
            memcpy(bag->words[bag->count++], word.folded, WORD_SIZE);
        }
    }
}

/* Twice the shared words among all words: 1 when they are the same. */
static double likeness(const struct bag *a, const struct bag *b)
{
    size_t shared = 0;
    for (size_t i = 0; i < a->count; i++) {
        shared += bag_holds(b, a->words[i]);
    }
    size_t all = a->count + b->count;
    return all ? 2.0 * (double)shared / (double)all : 0;
}

static int better_first(const void *a, const void *b)
{
    const struct answered_example *one = a;
    const struct answered_example *two = b;
    return one->score < two->score ? 1 : one->score > two->score ? -1 : 0;
}

struct seen {
    struct sql_statement *items;
    size_t count;
    size_t capacity;
};

/* The same statement twice teaches nothing new, however it is written. */
static bool is_new(struct arena *arena, struct seen *seen, enum dialect dialect,
                   const char *sql)
{
    struct sql_statement statement;
    (void)sql_statement_read(arena, dialect, sql, strlen(sql), &statement);
    for (size_t i = 0; i < seen->count; i++) {
        if (sql_statement_same(&seen->items[i], &statement)) {
            return false;
        }
    }
    VEC_PUSH(arena, seen, statement);
    return true;
}

bool answered_near(struct answered *answered, struct arena *arena,
                   const struct answered_question *question, enum dialect dialect,
                   size_t most, struct answered_examples *out, struct err *err)
{
    err_clear(err);
    if (!answered->store || most == 0) {
        return true;
    }
    struct store_answered like = {.account = question->account,
                                  .datasource = question->datasource,
                                  .schema_hash = question->schema_hash};
    struct store_answereds rows = {0};
    int64_t since = answered->ttl_s ? clock_wall_s() - answered->ttl_s : 0;
    if (!store_answered_list(answered->store, arena, &like, since, LOOKED_AT, &rows,
                             err)) {
        return false;
    }
    struct seen seen = {0};
    struct bag *bags = arena_array(arena, 2, sizeof *bags);
    bag_fill(&bags[0], question->text);
    for (size_t i = 0; i < rows.count; i++) {
        const struct store_answered *row = &rows.items[i];
        bag_fill(&bags[1], row->question);
        double score = likeness(&bags[0], &bags[1]);
        if (row->verdict == STORE_VERDICT_WRONG || score < least_score ||
            !is_new(arena, &seen, dialect, row->sql)) {
            continue;
        }
        score += row->verdict == STORE_VERDICT_GOOD ? confirmed_bonus : 0;
        VEC_PUSH(arena, out, ((struct answered_example){row->question, row->sql, score}));
    }
    if (out->count) {
        qsort(out->items, out->count, sizeof *out->items, better_first);
    }
    out->count = out->count < most ? out->count : most;
    return true;
}
