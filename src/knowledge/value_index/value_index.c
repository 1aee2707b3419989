/* Builds the index: each text once, with all its places. */
#include "knowledge/value_index/value_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "knowledge/words/fold.h"
#include "knowledge/value_index/value_index_state.h"

enum {
    DEFAULT_VALUES = 4000,
    DEFAULT_CHARACTERS = 60,
    DEFAULT_BYTES = 24 << 20,
    DEFAULT_ROWS = 200000,
    FIRST_SLOTS = 1024,
    PART_LEAST = 3, /* letters of a word by which a longer value is found */
    ENTRY_BYTES = sizeof(struct value_entry) + sizeof(struct value_place) + 8,
};

static size_t or_default(size_t value, size_t missing)
{
    return value ? value : missing;
}

struct value_index *value_index_new(const struct value_index_settings *settings)
{
    struct value_index_settings given =
        settings ? *settings : (struct value_index_settings){0};
    struct value_index *index = memory_alloc(sizeof *index);
    index->arena = arena_new();
    atomic_init(&index->references, 1);
    index->settings.values_per_column =
        or_default(given.values_per_column, DEFAULT_VALUES);
    index->settings.value_characters =
        or_default(given.value_characters, DEFAULT_CHARACTERS);
    index->settings.total_bytes = or_default(given.total_bytes, DEFAULT_BYTES);
    index->settings.rows_per_column = or_default(given.rows_per_column, DEFAULT_ROWS);
    index->slot_count = FIRST_SLOTS;
    index->slots = memory_array(index->slot_count, sizeof *index->slots);
    return index;
}

struct value_index *value_index_ref(struct value_index *index)
{
    (void)atomic_fetch_add_explicit(&index->references, 1, memory_order_relaxed);
    return index;
}

void value_index_unref(struct value_index *index)
{
    if (!index ||
        atomic_fetch_sub_explicit(&index->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    memory_free(index->slots);
    memory_free(index->entries);
    memory_free(index->nodes);
    memory_free(index->places);
    memory_free(index->by_length);
    memory_free(index->words);
    arena_free(index->arena);
    memory_free(index);
}

uint64_t value_letters(const char *key, size_t size)
{
    uint64_t letters = 0;
    for (size_t i = 0; i < size; i++) {
        letters |= UINT64_C(1) << ((unsigned char)key[i] & 63);
    }
    return letters;
}

static size_t slot_of(const struct value_index *index, const char *text, size_t size)
{
    size_t at = (size_t)hash_of(text, size) & (index->slot_count - 1);
    for (; index->slots[at]; at = (at + 1) & (index->slot_count - 1)) {
        const struct value_entry *entry = &index->entries[index->slots[at] - 1];
        if (entry->text_size == size && memcmp(entry->text, text, size) == 0) {
            break;
        }
    }
    return at;
}

static void slots_grow(struct value_index *index)
{
    memory_free(index->slots);
    index->slot_count *= 2;
    index->slots = memory_array(index->slot_count, sizeof *index->slots);
    for (size_t i = 0; i < index->count; i++) {
        const struct value_entry *entry = &index->entries[i];
        index->slots[slot_of(index, entry->text, entry->text_size)] = (uint32_t)i + 1;
    }
}

/* Room for one more, doubling. */
static void *array_room(void *items, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity) {
        return items;
    }
    *capacity = *capacity ? *capacity * 2 : 256;
    return memory_resize(items, *capacity * item_size);
}

static struct value_entry *entry_new(struct value_index *index, const char *text,
                                     size_t size)
{
    char key[VALUE_KEY_SIZE];
    size_t key_size = fold_squash(key, sizeof key, text, size);
    if (key_size == 0) {
        key_size = fold_text(key, sizeof key, text, size);
    }
    size_t bytes = size + key_size + 2 + ENTRY_BYTES;
    if (key_size == 0 || index->bytes + bytes > index->settings.total_bytes) {
        index->partial = index->partial || key_size > 0;
        return NULL;
    }
    index->bytes += bytes;
    index->entries = array_room(index->entries, index->count, &index->capacity,
                                sizeof *index->entries);
    struct value_entry *entry = &index->entries[index->count++];
    *entry = (struct value_entry){
        .key = arena_copy(index->arena, key, key_size),
        .text = arena_copy(index->arena, text, size),
        .letters = value_letters(key, key_size),
        .key_size = (uint16_t)key_size,
        .text_size = (uint16_t)size,
    };
    return entry;
}

static size_t characters(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

bool value_index_add(struct value_index *index, struct value_place place,
                     const char *text, size_t size)
{
    size_t bad = 0;
    if (index->frozen || size == 0 || size >= VALUE_KEY_SIZE ||
        characters(text, size) > index->settings.value_characters ||
        !utf8_valid(text, size, &bad)) {
        return false;
    }
    size_t slot = slot_of(index, text, size);
    struct value_entry *entry = NULL;
    if (index->slots[slot]) {
        entry = &index->entries[index->slots[slot] - 1];
        const struct value_place *last = &index->nodes[entry->first - 1].place;
        if (last->table == place.table && last->column == place.column) {
            return true;
        }
    } else {
        entry = entry_new(index, text, size);
        if (!entry) {
            return false;
        }
        index->slots[slot] = (uint32_t)index->count;
    }
    index->nodes = array_room(index->nodes, index->node_count, &index->node_capacity,
                              sizeof *index->nodes);
    index->nodes[index->node_count] = (struct value_node){place, entry->first};
    entry->first = (uint32_t)++index->node_count;
    entry->place_count++;
    if (index->count * 2 > index->slot_count) {
        slots_grow(index);
    }
    return true;
}

int value_entry_order(const void *a, const void *b)
{
    const struct value_entry *left = a;
    const struct value_entry *right = b;
    int order = strcmp(left->key, right->key);
    return order ? order : strcmp(left->text, right->text);
}

static int place_order(const void *a, const void *b)
{
    const struct value_place *left = a;
    const struct value_place *right = b;
    if (left->table != right->table) {
        return left->table < right->table ? -1 : 1;
    }
    return (left->column > right->column) - (left->column < right->column);
}

/* Lists become neighbours in one array, in the order of the schema. */
static void places_flatten(struct value_index *index)
{
    size_t used = 0;
    index->places = memory_array(index->node_count + 1, sizeof *index->places);
    for (size_t i = 0; i < index->count; i++) {
        struct value_entry *entry = &index->entries[i];
        size_t first = used;
        for (uint32_t at = entry->first; at; at = index->nodes[at - 1].next) {
            index->places[used++] = index->nodes[at - 1].place;
        }
        qsort(index->places + first, used - first, sizeof *index->places, place_order);
        entry->first = (uint32_t)first;
    }
    memory_free(index->nodes);
    index->nodes = NULL;
}

static void lengths_sort(struct value_index *index)
{
    uint32_t next[VALUE_LENGTHS_MAX + 1] = {0};
    for (size_t i = 0; i < index->count; i++) {
        if (index->entries[i].key_size < VALUE_LENGTHS_MAX) {
            index->length_first[index->entries[i].key_size + 1]++;
        }
    }
    for (size_t i = 1; i <= VALUE_LENGTHS_MAX; i++) {
        index->length_first[i] += index->length_first[i - 1];
        next[i] = index->length_first[i];
    }
    index->by_length = memory_array(index->count + 1, sizeof *index->by_length);
    for (size_t i = 0; i < index->count; i++) {
        if (index->entries[i].key_size < VALUE_LENGTHS_MAX) {
            index->by_length[next[index->entries[i].key_size]++] = (uint32_t)i;
        }
    }
}

size_t value_next_word(const char *folded, size_t size, size_t *at)
{
    struct fold_char c;
    size_t bytes = 0;
    for (; *at < size; *at += bytes) {
        bytes = fold_next(folded + *at, size - *at, &c);
        if (c.kind == FOLD_LETTER || c.kind == FOLD_DIGIT || c.kind == FOLD_ALONE) {
            break;
        }
    }
    size_t end = *at;
    for (; end < size; end += bytes) {
        bytes = fold_next(folded + end, size - end, &c);
        if (c.kind != FOLD_LETTER && c.kind != FOLD_DIGIT && c.kind != FOLD_ALONE) {
            break;
        }
    }
    return end - *at;
}

static int word_order(const void *a, const void *b)
{
    const struct value_word *left = a;
    const struct value_word *right = b;
    if (left->hash != right->hash) {
        return left->hash < right->hash ? -1 : 1;
    }
    return (left->entry > right->entry) - (left->entry < right->entry);
}

static void words_gather(struct value_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        const struct value_entry *entry = &index->entries[i];
        char folded[VALUE_KEY_SIZE];
        size_t size = fold_text(folded, sizeof folded, entry->text, entry->text_size);
        size_t at = 0;
        size_t length = 0;
        for (; (length = value_next_word(folded, size, &at)) > 0; at += length) {
            if (length < PART_LEAST || length == size) {
                continue;
            }
            index->words = array_room(index->words, index->word_count,
                                      &index->word_capacity, sizeof *index->words);
            index->words[index->word_count++] =
                (struct value_word){(uint32_t)hash_of(folded + at, length), (uint32_t)i};
        }
    }
    if (index->word_count) {
        qsort(index->words, index->word_count, sizeof *index->words, word_order);
    }
    index->bytes += index->word_count * sizeof *index->words;
}

void value_index_freeze(struct value_index *index)
{
    if (index->frozen) {
        return;
    }
    index->frozen = true;
    memory_free(index->slots);
    index->slots = NULL;
    if (index->count) {
        qsort(index->entries, index->count, sizeof *index->entries, value_entry_order);
    }
    places_flatten(index);
    lengths_sort(index);
    words_gather(index);
}

void value_index_restored(struct value_index *index)
{
    index->frozen = true;
    memory_free(index->slots);
    index->slots = NULL;
    lengths_sort(index);
}

size_t value_index_count(const struct value_index *index)
{
    return index ? index->count : 0;
}

size_t value_index_bytes(const struct value_index *index)
{
    return index ? index->bytes : 0;
}

bool value_index_partial(const struct value_index *index)
{
    return index && index->partial;
}
