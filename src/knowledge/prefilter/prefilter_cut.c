/*
 * Which of the ranked tables a prompt needs. What scores far below the best is filler, but
 * for tables that alone have a word of the question, and for those that a key joins to a
 * good one: a group is shown as a whole.
 */
#include "base/arena.h"
#include "base/str.h"
#include "knowledge/prefilter/prefilter.h"

enum {
    OF_WORD = 2, /* tables kept for each word of the question */
    LEAST = 3,   /* tables kept in any case */
};

static const double GOOD = 0.4;   /* of the best score */
static const double JOINED = 0.1; /* the same with a key to a good one */

static bool refers(const struct table *from, const struct table *to)
{
    for (size_t i = 0; i < from->foreign_keys.count; i++) {
        const char *name = from->foreign_keys.items[i].table;
        if (str_equal_nocase(name, to->name) || str_equal_nocase(name, to->bare_name)) {
            return true;
        }
    }
    return false;
}

static bool has_word(const struct ranked_table *ranked, const char *word)
{
    for (size_t i = 0; i < ranked->words.count; i++) {
        if (str_equal(ranked->words.items[i], word)) {
            return true;
        }
    }
    return false;
}

/* Is the table one of the first two that have one of their words? */
static bool is_wanted(const struct ranked_tables *ranked, size_t at)
{
    const struct texts *words = &ranked->items[at].words;
    for (size_t w = 0; w < words->count; w++) {
        size_t before = 0;
        for (size_t i = 0; i < at && before < OF_WORD; i++) {
            before += has_word(&ranked->items[i], words->items[w]);
        }
        if (before < OF_WORD) {
            return true;
        }
    }
    return false;
}

static bool is_joined(const struct ranked_tables *ranked, const bool *good, size_t at)
{
    const struct table *table = ranked->items[at].table;
    for (size_t i = 0; i < ranked->count; i++) {
        const struct table *other = ranked->items[i].table;
        if (good[i] && (refers(table, other) || refers(other, table))) {
            return true;
        }
    }
    return false;
}

void prefilter_cut(struct ranked_tables *ranked)
{
    if (!ranked->matched || ranked->count <= LEAST) {
        return;
    }
    struct arena *scratch = arena_new();
    bool *good = arena_array(scratch, ranked->count, sizeof *good);
    double best = ranked->items[0].score;
    for (size_t i = 0; i < ranked->count; i++) {
        good[i] =
            i < LEAST || ranked->items[i].score >= GOOD * best || is_wanted(ranked, i);
    }
    size_t kept = 0;
    for (size_t i = 0; i < ranked->count; i++) {
        if (good[i] ||
            (ranked->items[i].score >= JOINED * best && is_joined(ranked, good, i))) {
            good[kept] = good[i]; /* never before what is still looked at */
            ranked->items[kept++] = ranked->items[i];
        }
    }
    ranked->count = kept;
    arena_free(scratch);
}
