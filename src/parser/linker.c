/* A schema prepared for linking: the words of every table and column. */
#include "parser/linker.h"

#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "model/schema.h"
#include "parser/ir_schema.h"
#include "parser/linker_state.h"
#include "parser/stem.h"

enum {
    SHOWN_MOST = 5,
    COMMENT_WORDS = 8,
    COMMENT_NAME = 4, /* a comment of so few words is another name */
    JOINED_BYTES = 512,
};

static uint32_t word_number(struct linker *linker, struct arena *arena, const char *text)
{
    uintptr_t known = (uintptr_t)map_get(&linker->word_numbers, text);
    if (known) {
        return (uint32_t)known - 1;
    }
    char stem[STEM_SIZE];
    size_t size = stem_word(stem, text);
    struct linker_word *word = VEC_ADD(arena, &linker->words);
    word->text = arena_text(arena, text);
    word->stem = arena_copy(arena, stem, size);
    lexicon_senses(&linker->names.lexicon, text, &word->senses);
    (void)map_set(&linker->word_numbers, text, (void *)(uintptr_t)linker->words.count);
    (void)map_set(&linker->known, text, linker);
    (void)map_set(&linker->known, stem, linker);
    return (uint32_t)linker->words.count - 1;
}

/* The hash of the stems run together: "order date" and "orderdate" are one. */
static uint64_t joined_hash(const struct texts *words)
{
    char joined[JOINED_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < words->count; i++) {
        char stem[STEM_SIZE];
        size_t size = stem_word(stem, words->items[i]);
        if (used + size >= sizeof joined) {
            break;
        }
        memcpy(joined + used, stem, size);
        used += size;
    }
    return hash_of(joined, used);
}

static void add_words(struct linker *linker, struct arena *arena,
                      struct linker_item *item, const struct texts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        uint32_t number = word_number(linker, arena, words->items[i]);
        bool known = false;
        for (size_t j = 0; j < item->word_count && !known; j++) {
            known = item->words[j] == number;
        }
        if (!known) {
            item->words[item->word_count++] = number;
        }
    }
}

static void show_words(struct arena *arena, struct linker_item *item,
                       const struct texts *words)
{
    for (size_t i = 0; i < words->count && item->shown.count < SHOWN_MOST; i++) {
        bool shown = false;
        for (size_t j = 0; j < item->shown.count && !shown; j++) {
            shown = strcmp(item->shown.items[j], words->items[i]) == 0;
        }
        if (!shown) {
            VEC_PUSH(arena, &item->shown, words->items[i]);
        }
    }
}

static void prepare_item(struct linker *linker, struct arena *arena,
                         struct linker_item *item, const char *name, const char *comment)
{
    struct name_words words;
    struct texts described;
    names_split(&linker->names, arena, name, &words);
    names_describe(arena, comment, COMMENT_WORDS, &described);
    size_t most = words.plain.count + words.full.count + described.count;
    item->words = arena_array(arena, most, sizeof *item->words);
    add_words(linker, arena, item, &words.full);
    add_words(linker, arena, item, &words.plain);
    add_words(linker, arena, item, &described);
    item->joined[item->joined_count++] = joined_hash(&words.plain);
    if (described.count && described.count <= COMMENT_NAME) {
        item->joined[item->joined_count++] = joined_hash(&described);
    }
    item->full = words.differ ? joined_hash(&words.full) : 0;
    for (size_t i = 0; i < words.full.count && item->shown.count < SHOWN_MOST; i++) {
        VEC_PUSH(arena, &item->shown, words.full.items[i]);
    }
    show_words(arena, item, &described);
}

static void linker_release(void *object)
{
    struct linker *linker = object;
    names_release(&linker->names);
    map_release(&linker->known);
    map_release(&linker->word_numbers);
}

struct linker *linker_new(struct arena *arena, const struct ir_schema *schema)
{
    struct linker *linker = ARENA_NEW(arena, struct linker);
    size_t tables = (size_t)schema->table_count;
    size_t columns = (size_t)schema->column_count;
    linker->schema = schema;
    names_init(&linker->names);
    map_init(&linker->known, false);
    map_init(&linker->word_numbers, false);
    arena_defer(arena, linker_release, linker);
    linker->items = arena_array(arena, tables + columns, sizeof *linker->items);
    for (size_t i = 0; i < tables; i++) {
        names_learn(&linker->names, schema->tables[i].source->bare_name);
    }
    for (size_t i = 1; i < columns; i++) {
        names_learn(&linker->names, schema->columns[i].name);
    }
    for (size_t i = 0; i < tables; i++) {
        const struct table *table = schema->tables[i].source;
        prepare_item(linker, arena, &linker->items[i], table->bare_name, table->comment);
    }
    VEC_PUSH(arena, &linker->items[tables].shown, "*");
    for (size_t i = 1; i < columns; i++) {
        const struct column *column = schema->columns[i].source;
        prepare_item(linker, arena, &linker->items[tables + i], column->name,
                     column->comment);
    }
    return linker;
}

const struct map *linker_words(const struct linker *linker)
{
    return &linker->known;
}

const struct lexicon *linker_lexicon(const struct linker *linker)
{
    return &linker->names.lexicon;
}

const struct texts *linker_item_words(const struct linker *linker, size_t item)
{
    return &linker->items[item].shown;
}
