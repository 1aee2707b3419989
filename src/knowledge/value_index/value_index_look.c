/* Finds values that are equal, contain the word, or are nearly equal. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/words/fold.h"
#include "knowledge/value_index/value_index_state.h"

enum {
    NEAR_LEAST = 5, /* letters; shorter words are too easily like another one */
    NEAR_TWO = 9,   /* from here on two errors may be made */
    PART_LOOKS = 400,
    NEAR_MOST = 32,
};

struct key {
    char squashed[VALUE_KEY_SIZE];
    char folded[VALUE_KEY_SIZE];
    size_t size; /* of the squashed one */
    size_t folded_size;
};

static bool key_make(struct key *key, const char *text, size_t size)
{
    if (size >= VALUE_KEY_SIZE) {
        return false;
    }
    key->folded_size = fold_text(key->folded, sizeof key->folded, text, size);
    key->size = fold_squash(key->squashed, sizeof key->squashed, text, size);
    if (key->size == 0) {
        memcpy(key->squashed, key->folded, key->folded_size + 1);
        key->size = key->folded_size;
    }
    return key->size > 0;
}

/* The squashed form alone: most keys are of no value, and then the other is not needed. */
static bool key_squash(struct key *key, const char *text, size_t size)
{
    if (size >= VALUE_KEY_SIZE) {
        return false;
    }
    key->size = fold_squash(key->squashed, sizeof key->squashed, text, size);
    return key->size > 0 || key_make(key, text, size);
}

/* The first entry whose key is not before this one. */
static size_t lower_bound(const struct value_index *index, const char *key)
{
    size_t low = 0;
    size_t high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(index->entries[middle].key, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct value_match match_of(const struct value_index *index,
                                   const struct value_entry *entry)
{
    return (struct value_match){
        .text = entry->text,
        .places = index->places + entry->first,
        .place_count = entry->place_count,
    };
}

void value_index_find(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, struct value_matches *out)
{
    struct key key;
    *out = (struct value_matches){0};
    if (!index || !key_squash(&key, text, size)) {
        return;
    }
    size_t first = lower_bound(index, key.squashed);
    if (first == index->count || strcmp(index->entries[first].key, key.squashed) != 0) {
        return;
    }
    (void)key_make(&key, text, size);
    for (int exact = 1; exact >= 0; exact--) {
        for (size_t i = first;
             i < index->count && strcmp(index->entries[i].key, key.squashed) == 0; i++) {
            const struct value_entry *entry = &index->entries[i];
            char folded[VALUE_KEY_SIZE];
            (void)fold_text(folded, sizeof folded, entry->text, entry->text_size);
            if ((strcmp(folded, key.folded) == 0) == (exact == 1)) {
                struct value_match match = match_of(index, entry);
                match.exact = exact == 1;
                VEC_PUSH(arena, out, match);
            }
        }
    }
}

void value_index_prefix(const struct value_index *index, struct arena *arena,
                        const char *text, size_t size, size_t most,
                        struct value_matches *out)
{
    struct key key;
    *out = (struct value_matches){0};
    if (!index || !key_make(&key, text, size)) {
        return;
    }
    for (size_t i = lower_bound(index, key.squashed);
         i < index->count && out->count < most &&
         strncmp(index->entries[i].key, key.squashed, key.size) == 0;
         i++) {
        struct value_match match = match_of(index, &index->entries[i]);
        match.exact = index->entries[i].key_size == key.size;
        VEC_PUSH(arena, out, match);
    }
}

/* Whole words: "art" is no part of "artist". */
static bool value_index_look_holds(const struct key *key, const struct value_entry *entry)
{
    char folded[VALUE_KEY_SIZE];
    size_t size = fold_text(folded, sizeof folded, entry->text, entry->text_size);
    size_t at = 0;
    size_t length = 0;
    for (; (length = value_next_word(folded, size, &at)) > 0; at += length) {
        size_t end = at + key->folded_size;
        if (end > size || memcmp(folded + at, key->folded, key->folded_size) != 0) {
            continue;
        }
        size_t next = end;
        if (end == size || value_next_word(folded, size, &next) == 0 || next > end) {
            return size > key->folded_size;
        }
    }
    return false;
}

/* The first of the words that are spelled like the key's first one. */
static size_t first_word(const struct value_index *index, const struct key *key,
                         uint32_t *hash)
{
    size_t start = 0;
    size_t length = value_next_word(key->folded, key->folded_size, &start);
    size_t low = 0;
    size_t high = index->word_count;
    *hash = (uint32_t)hash_of(key->folded + start, length);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->words[middle].hash < *hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void value_index_part(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, size_t most,
                      struct value_matches *out)
{
    struct key key;
    uint32_t hash = 0;
    *out = (struct value_matches){0};
    if (!index || !key_make(&key, text, size)) {
        return;
    }
    size_t first = first_word(index, &key, &hash);
    for (size_t i = first; i < index->word_count && index->words[i].hash == hash; i++) {
        const struct value_entry *entry = &index->entries[index->words[i].entry];
        bool repeated = i > first && index->words[i].entry == index->words[i - 1].entry;
        if (!repeated && value_index_look_holds(&key, entry)) {
            VEC_PUSH(arena, out, match_of(index, entry));
        }
        if (i - first > PART_LOOKS || out->count > most) {
            out->count = 0;
            return;
        }
    }
}

static bool place_add(struct value_place *places, size_t count, struct value_place place)
{
    for (size_t i = 0; i < count; i++) {
        if (places[i].table == place.table && places[i].column == place.column) {
            return false;
        }
    }
    places[count] = place;
    return true;
}

size_t value_index_inside(const struct value_index *index, const char *text, size_t size,
                          struct value_place *out, size_t most)
{
    struct key key;
    uint32_t hash = 0;
    size_t count = 0;
    if (!index || !key_make(&key, text, size)) {
        return 0;
    }
    size_t first = first_word(index, &key, &hash);
    for (size_t i = first;
         i < index->word_count && index->words[i].hash == hash && i < first + PART_LOOKS;
         i++) {
        const struct value_entry *entry = &index->entries[index->words[i].entry];
        bool inside = value_index_look_holds(&key, entry);
        for (size_t j = 0; inside && j < entry->place_count && count < most; j++) {
            count += place_add(out, count, index->places[entry->first + j]);
        }
    }
    return count;
}

static int near_order(const void *a, const void *b)
{
    const struct value_match *left = a;
    const struct value_match *right = b;
    if (left->errors != right->errors) {
        return left->errors < right->errors ? -1 : 1;
    }
    return strcmp(left->text, right->text);
}

static bool letters_only(const struct key *key)
{
    for (size_t i = 0; i < key->size; i++) {
        if (key->squashed[i] < 'a' || key->squashed[i] > 'z') {
            return false;
        }
    }
    return true;
}

/* Each error changes at most two of the letters in use; the first letter is rarely wrong
 * in a short word, and asking for it keeps chance out. */
static bool could_be(const struct key *key, uint64_t letters,
                     const struct value_entry *entry, size_t most)
{
    return (size_t)__builtin_popcountll(letters ^ entry->letters) <= 2 * most &&
           (key->size >= NEAR_TWO || entry->key[0] == key->squashed[0]);
}

void value_index_near(const struct value_index *index, struct arena *arena,
                      const char *text, size_t size, size_t most,
                      struct value_matches *out)
{
    struct key key;
    *out = (struct value_matches){0};
    if (!index || !key_make(&key, text, size) || key.size < NEAR_LEAST ||
        !letters_only(&key)) {
        return;
    }
    size_t errors = key.size >= NEAR_TWO ? 2 : 1;
    uint64_t letters = value_letters(key.squashed, key.size);
    for (size_t length = key.size - errors;
         length <= key.size + errors && length < VALUE_LENGTHS_MAX; length++) {
        for (uint32_t i = index->length_first[length];
             i < index->length_first[length + 1] && out->count < NEAR_MOST; i++) {
            const struct value_entry *entry = &index->entries[index->by_length[i]];
            if (!could_be(&key, letters, entry, errors)) {
                continue;
            }
            size_t distance = str_distance(key.squashed, entry->key, errors);
            if (distance > 0 && distance <= errors) {
                struct value_match match = match_of(index, entry);
                match.errors = distance;
                VEC_PUSH(arena, out, match);
            }
        }
    }
    if (out->count) {
        qsort(out->items, out->count, sizeof *out->items, near_order);
    }
    out->count = out->count < most ? out->count : most;
}
