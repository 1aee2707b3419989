/* The ranking. */
#include "knowledge/prefilter/prefilter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/prefilter/prefilter_cells.h"
#include "knowledge/prefilter/prefilter_index.h"
#include "knowledge/words/phrase.h"
#include "knowledge/words/words.h"

enum {
    MOST_WORDS = 200, /* of question and history together */
    NEAR_LEAST = 4,   /* shorter words are not matched nearly */
    NEAR_MOST = 4,    /* similar words that one word may match */
    MOST_HIGH = 24,   /* tables whose neighbours are looked at */
};

static const double HISTORY_SHARE = 0.15;
static const double NEAR_SHARE = 0.5;
static const double VIEW_LEAST =
    0.25; /* of a view's score, which a table of it must have */
static const double VIEW_MOST = 0.99; /* of that table's score, for the view */

struct query_word {
    const char *folded;
    const char *written;
    double share; /* how much a match counts */
    const struct postings *found[NEAR_MOST];
    size_t found_count;
};

struct query_words {
    struct query_word *items;
    size_t count;
    size_t capacity;
};

/* One table on its way to a place in the ranking. */
struct candidate {
    uint32_t table;
    uint32_t degree;
    const char *name;
    double score;
    double linked[2]; /* the two best scores among its neighbours */
    uint32_t name_hits;
};

struct ranking {
    const struct prefilter_index *index;
    struct arena *arena;   /* what comes out */
    struct arena *scratch; /* what goes away: large when the schema is */
    struct query_words words;
    struct candidate *tables; /* one per table of the schema */
};

static bool words_have(const struct query_words *words, const char *folded)
{
    for (size_t i = 0; i < words->count; i++) {
        if (str_equal(words->items[i].folded, folded)) {
            return true;
        }
    }
    return false;
}

static void words_collect(struct ranking *ranking, const char *text, double share)
{
    struct words words;
    struct word word;
    words_init(&words, text);
    while (ranking->words.count < MOST_WORDS && words_next(&words, &word)) {
        if (word_is_common(word.folded) || words_have(&ranking->words, word.folded)) {
            continue;
        }
        struct query_word *added = VEC_ADD(ranking->scratch, &ranking->words);
        added->folded = arena_text(ranking->scratch, word.folded);
        added->written = arena_copy(ranking->arena, word.start, word.size);
        added->share = share;
    }
}

/* "user" is near "username", "custmer" is near "customer". */
static bool is_near(const char *word, size_t size, const char *other)
{
    if (word[0] != other[0]) {
        return false;
    }
    size_t other_size = strlen(other);
    size_t shorter = size < other_size ? size : other_size;
    if (shorter >= NEAR_LEAST && memcmp(word, other, shorter) == 0) {
        return true;
    }
    size_t gap = size > other_size ? size - other_size : other_size - size;
    return shorter > NEAR_LEAST && gap <= 1 && str_distance(word, other, 1) <= 1;
}

static void word_lookup(struct ranking *ranking, struct query_word *word)
{
    const struct postings *exact = map_get(&ranking->index->words, word->folded);
    if (exact) {
        word->found[word->found_count++] = exact;
        return;
    }
    size_t size = strlen(word->folded);
    const struct vocabulary *vocabulary = &ranking->index->vocabulary;
    for (size_t i = 0; size >= NEAR_LEAST && i < vocabulary->count; i++) {
        if (word->found_count < NEAR_MOST &&
            is_near(word->folded, size, vocabulary->items[i]->word)) {
            word->found[word->found_count++] = vocabulary->items[i];
        }
    }
    word->share *= NEAR_SHARE;
}

/* A word that few tables have tells more than one that all have. */
static void word_score(struct ranking *ranking, const struct query_word *word)
{
    double tables = (double)ranking->index->schema->tables.count;
    for (size_t i = 0; i < word->found_count; i++) {
        const struct postings *postings = word->found[i];
        double rarity = log(1.0 + tables / (double)postings->count);
        for (size_t j = 0; j < postings->count; j++) {
            struct candidate *table = &ranking->tables[postings->items[j].table];
            double weight = (double)postings->items[j].weight;
            table->score += rarity * weight * word->share;
            table->name_hits += postings->items[j].weight >= WEIGHT_NAME;
        }
    }
}

/* "orders" is more about orders than about order_items. */
static void names_score(struct ranking *ranking)
{
    for (size_t i = 0; i < ranking->index->schema->tables.count; i++) {
        struct candidate *table = &ranking->tables[i];
        uint32_t parts = ranking->index->tables[i].name_words;
        if (table->name_hits && parts) {
            double covered = (double)table->name_hits / (double)parts;
            table->score *= 1.0 + 0.5 * (covered < 1.0 ? covered : 1.0);
        }
    }
}

static int score_order(const void *a, const void *b)
{
    const struct candidate *left = a;
    const struct candidate *right = b;
    if (left->score != right->score) {
        return left->score > right->score ? -1 : 1;
    }
    if (left->degree != right->degree) {
        return left->degree > right->degree ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

/* Tables with a score, best first; *count of them. */
static struct candidate *scored(struct ranking *ranking, size_t *count)
{
    size_t all = ranking->index->schema->tables.count;
    struct candidate *found = arena_array(ranking->scratch, all, sizeof *found);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (ranking->tables[i].score > 0) {
            found[(*count)++] = ranking->tables[i];
        }
    }
    if (*count) {
        qsort(found, *count, sizeof *found, score_order);
    }
    return found;
}

/* What its neighbours lend a table. One between two good ones comes right after them: in
 * a large schema many others share a word or two with the question. */
static double lent_to(const struct candidate *table)
{
    return 0.1 * table->linked[0] + 0.8 * table->linked[1];
}

/* Tables that the best ones point to, or that point to them: one that links two of them
 * is needed to join them, whatever its name. */
static void neighbours_score(struct ranking *ranking, const struct candidate *best,
                             size_t count)
{
    const struct prefilter_index *index = ranking->index;
    for (size_t i = 0; i < count && i < MOST_HIGH; i++) {
        double score = best[i].score;
        if (score < best[0].score * 0.3) {
            break;
        }
        const struct table_notes *notes = &index->tables[best[i].table];
        for (uint32_t j = 0; j < notes->degree; j++) {
            double *linked = ranking->tables[index->links[notes->first_link + j]].linked;
            linked[1] = score > linked[0]   ? linked[0]
                        : score > linked[1] ? score
                                            : linked[1];
            linked[0] = score > linked[0] ? score : linked[0];
        }
    }
    for (size_t i = 0; i < index->schema->tables.count; i++) {
        struct candidate *table = &ranking->tables[i];
        table->score += lent_to(table);
    }
}

static bool word_is_in(const struct query_word *word, uint32_t table)
{
    for (size_t i = 0; i < word->found_count; i++) {
        size_t low = 0;
        size_t high = word->found[i]->count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            uint32_t at = word->found[i]->items[middle].table;
            if (at == table) {
                return true;
            }
            low = at < table ? middle + 1 : low;
            high = at < table ? high : middle;
        }
    }
    return false;
}

static void ranking_add(struct ranking *ranking, const struct candidate *candidate,
                        struct ranked_tables *out)
{
    struct ranked_table *ranked = VEC_ADD(ranking->arena, out);
    ranked->table = &ranking->index->schema->tables.items[candidate->table];
    ranked->score = candidate->score;
    for (size_t i = 0; i < ranking->words.count; i++) {
        if (word_is_in(&ranking->words.items[i], candidate->table)) {
            VEC_PUSH(ranking->arena, &ranked->words, ranking->words.items[i].written);
        }
    }
    double lent = lent_to(candidate);
    ranked->bridge = lent > candidate->score - lent;
}

static void candidates_init(struct ranking *ranking)
{
    const struct tables *tables = &ranking->index->schema->tables;
    ranking->tables =
        arena_array(ranking->scratch, tables->count, sizeof *ranking->tables);
    for (size_t i = 0; i < tables->count; i++) {
        ranking->tables[i].table = (uint32_t)i;
        ranking->tables[i].degree = ranking->index->tables[i].degree;
        ranking->tables[i].name = tables->items[i].name;
    }
}

static void cells_score(struct ranking *ranking, const struct value_index *values,
                        const char *question)
{
    size_t count = ranking->index->schema->tables.count;
    const double *scores = prefilter_cells(values, ranking->scratch, question, count);
    for (size_t i = 0; scores && i < count; i++) {
        ranking->tables[i].score += scores[i];
    }
}

/* ------------------------------------------------------------------ views */

static bool share_a_column(const struct table *a, const struct table *b)
{
    for (size_t i = 0; i < a->columns.count; i++) {
        for (size_t k = 0; k < b->columns.count; k++) {
            if (str_equal_nocase(a->columns.items[i].name, b->columns.items[k].name)) {
                return true;
            }
        }
    }
    return false;
}

/* What stands in the question word for word, or nearly: "active customers". */
static bool is_called(struct ranking *ranking, const char *question,
                      const struct table *view)
{
    struct phrase_words text = {0};
    struct phrase_words name = {0};
    size_t first;
    phrase_split(ranking->scratch, str_or_empty(question), &text);
    phrase_split(ranking->scratch, view->bare_name, &name);
    return phrase_find(&text, &name, &first);
}

/* A view that nobody calls by its name comes after the tables that it may be made of: those with a
 * column of the same name. One whose words no table has stays where it is. */
static void views_score(struct ranking *ranking, const char *question)
{
    const struct tables *tables = &ranking->index->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct table *view = &tables->items[i];
        struct candidate *candidate = &ranking->tables[i];
        double best = 0;
        if (!view->is_view || candidate->score <= 0 ||
            is_called(ranking, question, view)) {
            continue;
        }
        for (size_t k = 0; k < tables->count; k++) {
            if (!tables->items[k].is_view && ranking->tables[k].score > best &&
                share_a_column(view, &tables->items[k])) {
                best = ranking->tables[k].score;
            }
        }
        bool derived = best >= candidate->score * VIEW_LEAST && best > 0;
        if (derived && candidate->score >= best * VIEW_MOST) {
            candidate->score = best * VIEW_MOST;
        }
    }
}

void prefilter_index_rank(const struct prefilter_index *index, struct arena *arena,
                          const char *question, const char *history, size_t most,
                          struct ranked_tables *out)
{
    prefilter_index_rank_cells(index, NULL, arena, question, history, most, out);
}

void prefilter_index_rank_cells(const struct prefilter_index *index,
                                const struct value_index *values, struct arena *arena,
                                const char *question, const char *history, size_t most,
                                struct ranked_tables *out)
{
    struct ranking ranking = {.index = index, .arena = arena, .scratch = arena_new()};
    size_t all = index->schema->tables.count;
    *out = (struct ranked_tables){0};
    candidates_init(&ranking);
    words_collect(&ranking, question, 1.0);
    words_collect(&ranking, history, HISTORY_SHARE);
    for (size_t i = 0; i < ranking.words.count; i++) {
        word_lookup(&ranking, &ranking.words.items[i]);
        word_score(&ranking, &ranking.words.items[i]);
    }
    names_score(&ranking);
    cells_score(&ranking, values, question);
    views_score(&ranking, question);
    size_t count = 0;
    struct candidate *best = scored(&ranking, &count);
    out->matched = count > 0;
    if (out->matched && all > most) {
        neighbours_score(&ranking, best, count);
        best = scored(&ranking, &count);
    } else {
        /* Nothing matched, or all tables fit: then all of them, in the same order. */
        best = ranking.tables;
        count = all;
        if (count) {
            qsort(best, count, sizeof *best, score_order);
        }
    }
    for (size_t i = 0; i < count && i < most; i++) {
        ranking_add(&ranking, &best[i], out);
    }
    arena_free(ranking.scratch);
}

void prefilter_rank(struct arena *arena, const struct schema *schema,
                    const char *question, const char *history, size_t most,
                    struct ranked_tables *out)
{
    struct prefilter_index *index = prefilter_index_new(schema);
    prefilter_index_rank(index, arena, question, history, most, out);
    prefilter_index_free(index);
}
