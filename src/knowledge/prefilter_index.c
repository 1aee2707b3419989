/* Builds the inverted index of a schema. */
#include "knowledge/prefilter_index.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec.h"
#include "knowledge/words.h"

enum { MOST_SAMPLES = 5, MOST_COMMENT_WORDS = 40 };

/* Tables are read in order, so the last posting is the only one that may be of this
 * table. */
static void post(struct prefilter_index *index, const char *word, uint32_t table,
                 float weight)
{
    struct postings *postings = map_get(&index->words, word);
    if (!postings) {
        postings = ARENA_NEW(index->arena, struct postings);
        postings->word = arena_text(index->arena, word);
        (void)map_set(&index->words, word, postings);
        VEC_PUSH(index->arena, &index->vocabulary, postings);
    }
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
            post(index, word.folded, table, weight);
        }
    }
    return count;
}

static void post_table(struct prefilter_index *index, const struct table *table,
                       uint32_t number)
{
    index->tables[number].name_words =
        post_text(index, table->name, number, WEIGHT_NAME, UINT32_MAX);
    (void)post_text(index, table->comment, number, WEIGHT_COMMENT, MOST_COMMENT_WORDS);
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        (void)post_text(index, column->name, number, WEIGHT_COLUMN, UINT32_MAX);
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

/* Calls visit for both directions of every foreign key. */
static void each_link(struct prefilter_index *index,
                      void (*visit)(struct prefilter_index *index, uint32_t from,
                                    uint32_t to))
{
    const struct tables *tables = &index->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct foreign_keys *keys = &tables->items[i].foreign_keys;
        for (size_t j = 0; j < keys->count; j++) {
            const struct table *to = schema_table(index->schema, keys->items[j].table);
            if (to && to != &tables->items[i]) {
                visit(index, (uint32_t)i, (uint32_t)(to - tables->items));
                visit(index, (uint32_t)(to - tables->items), (uint32_t)i);
            }
        }
    }
}

static void link_count(struct prefilter_index *index, uint32_t from, uint32_t to)
{
    (void)to;
    index->tables[from].degree++;
}

static void link_add(struct prefilter_index *index, uint32_t from, uint32_t to)
{
    struct table_notes *notes = &index->tables[from];
    index->links[notes->first_link + notes->degree] = to;
    notes->degree++;
}

static void links_build(struct prefilter_index *index)
{
    each_link(index, link_count);
    uint32_t total = 0;
    for (size_t i = 0; i < index->schema->tables.count; i++) {
        index->tables[i].first_link = total;
        total += index->tables[i].degree;
        index->tables[i].degree = 0;
    }
    index->links = arena_array(index->arena, total, sizeof *index->links);
    each_link(index, link_add);
}

struct prefilter_index *prefilter_index_new(const struct schema *schema)
{
    struct prefilter_index *index = memory_alloc(sizeof *index);
    index->arena = arena_new();
    index->schema = schema;
    map_init(&index->words, false);
    index->tables =
        arena_array(index->arena, schema->tables.count, sizeof *index->tables);
    for (size_t i = 0; i < schema->tables.count; i++) {
        post_table(index, &schema->tables.items[i], (uint32_t)i);
    }
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
