/* The inverted index: word to tables, and the keys between tables. */
#include "knowledge/prefilter/prefilter_index.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec.h"
#include "knowledge/words/words.h"

enum { MOST_SAMPLES = 5, MOST_COMMENT_WORDS = 40, MOST_MEANINGS = 50 };

static struct postings *postings_of(struct prefilter_index *index, const char *word)
{
    struct postings *postings = map_get(&index->words, word);
    if (!postings) {
        postings = ARENA_NEW(index->arena, struct postings);
        postings->word = arena_text(index->arena, word);
        (void)map_set(&index->words, word, postings);
        VEC_PUSH(index->arena, &index->vocabulary, postings);
    }
    return postings;
}

/* Tables are read in order, so the last posting is the only one that may be of this
 * table. */
static void post(struct prefilter_index *index, struct postings *postings, uint32_t table,
                 float weight)
{
    struct posting *last = postings->count ? &postings->items[postings->count - 1] : NULL;
    if (!last || last->table != table) {
        last = VEC_ADD(index->arena, postings);
        last->table = table;
    }
    last->weight = weight > last->weight ? weight : last->weight;
}

static uint32_t post_text(struct prefilter_index *index, const char *text, uint32_t table,
                          float weight, uint32_t most)
{
    struct words words;
    struct word word;
    uint32_t count = 0;
    words_init(&words, text);
    while (count < most && words_next(&words, &word)) {
        count++;
        if (!word_is_common(word.folded)) {
            post(index, postings_of(index, word.folded), table, weight);
        }
    }
    return count;
}

/* The same few column names stand in most tables, so each is split only once. */
static void post_column(struct prefilter_index *index, struct map *seen, const char *name,
                        uint32_t table)
{
    struct vocabulary *known = map_get(seen, name);
    if (!known) {
        struct words words;
        struct word word;
        known = ARENA_NEW(index->arena, struct vocabulary);
        words_init(&words, name);
        while (words_next(&words, &word)) {
            if (!word_is_common(word.folded)) {
                VEC_PUSH(index->arena, known, postings_of(index, word.folded));
            }
        }
        (void)map_set(seen, name, known);
    }
    for (size_t i = 0; i < known->count; i++) {
        post(index, known->items[i], table, WEIGHT_COLUMN);
    }
}

/* What people call a thing counts as much as its name does. */
static void post_synonyms(struct prefilter_index *index, const struct texts *synonyms,
                          uint32_t table, float weight)
{
    for (size_t i = 0; i < synonyms->count; i++) {
        (void)post_text(index, synonyms->items[i], table, weight, MOST_COMMENT_WORDS);
    }
}

static void post_meanings(struct prefilter_index *index, const struct meanings *meanings,
                          uint32_t table)
{
    for (size_t i = 0; i < meanings->count && i < MOST_MEANINGS; i++) {
        (void)post_text(index, meanings->items[i].text, table, WEIGHT_SAMPLE,
                        MOST_COMMENT_WORDS);
    }
}

static void post_metrics(struct prefilter_index *index, const struct metrics *metrics,
                         uint32_t table)
{
    for (size_t i = 0; i < metrics->count; i++) {
        (void)post_text(index, metrics->items[i].name, table, WEIGHT_COLUMN,
                        MOST_COMMENT_WORDS);
        post_synonyms(index, &metrics->items[i].synonyms, table, WEIGHT_COLUMN);
    }
}

static void post_table(struct prefilter_index *index, struct map *seen,
                       const struct table *table, uint32_t number)
{
    index->tables[number].name_words =
        post_text(index, table->name, number, WEIGHT_NAME, UINT32_MAX);
    (void)post_text(index, table->comment, number, WEIGHT_COMMENT, MOST_COMMENT_WORDS);
    post_synonyms(index, &table->synonyms, number, WEIGHT_NAME);
    post_metrics(index, &table->metrics, number);
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        post_synonyms(index, &column->synonyms, number, WEIGHT_COLUMN);
        post_meanings(index, &column->meanings, number);
        post_column(index, seen, column->name, number);
        (void)post_text(index, column->comment, number, WEIGHT_COMMENT,
                        MOST_COMMENT_WORDS);
        size_t samples =
            column->samples.count < MOST_SAMPLES ? column->samples.count : MOST_SAMPLES;
        for (size_t j = 0; column->is_text && j < samples; j++) {
            (void)post_text(index, column->samples.items[j], number, WEIGHT_SAMPLE,
                            MOST_COMMENT_WORDS);
        }
    }
}

struct link {
    uint32_t from;
    uint32_t to;
};

struct links {
    struct link *items;
    size_t count;
    size_t capacity;
};

/* Every foreign key in both directions. */
static void links_collect(const struct schema *schema, struct arena *arena,
                          struct links *links)
{
    const struct tables *tables = &schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct foreign_keys *keys = &tables->items[i].foreign_keys;
        for (size_t j = 0; j < keys->count; j++) {
            const struct table *to = schema_table(schema, keys->items[j].table);
            if (to && to != &tables->items[i]) {
                struct link link = {(uint32_t)i, (uint32_t)(to - tables->items)};
                VEC_PUSH(arena, links, link);
                VEC_PUSH(arena, links, ((struct link){link.to, link.from}));
            }
        }
    }
}

/* Neighbours side by side, table by table. */
static void links_build(struct prefilter_index *index)
{
    struct arena *scratch = arena_new();
    struct links links = {0};
    links_collect(index->schema, scratch, &links);
    for (size_t i = 0; i < links.count; i++) {
        index->tables[links.items[i].from].degree++;
    }
    uint32_t total = 0;
    for (size_t i = 0; i < index->schema->tables.count; i++) {
        index->tables[i].first_link = total;
        total += index->tables[i].degree;
        index->tables[i].degree = 0;
    }
    index->links = arena_array(index->arena, total, sizeof *index->links);
    for (size_t i = 0; i < links.count; i++) {
        struct table_notes *notes = &index->tables[links.items[i].from];
        index->links[notes->first_link + notes->degree++] = links.items[i].to;
    }
    arena_free(scratch);
}

struct prefilter_index *prefilter_index_new(const struct schema *schema)
{
    struct prefilter_index *index = memory_alloc(sizeof *index);
    index->arena = arena_new();
    index->schema = schema;
    map_init(&index->words, false);
    index->tables =
        arena_array(index->arena, schema->tables.count, sizeof *index->tables);
    struct map seen; /* column name -> its words */
    map_init(&seen, false);
    for (size_t i = 0; i < schema->tables.count; i++) {
        post_table(index, &seen, &schema->tables.items[i], (uint32_t)i);
    }
    map_release(&seen);
    links_build(index);
    return index;
}

void prefilter_index_free(struct prefilter_index *index)
{
    if (index) {
        map_release(&index->words);
        arena_free(index->arena);
        memory_free(index);
    }
}
