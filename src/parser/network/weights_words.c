/* The words of a weights file. They are most of its header: made into JSON values they
 * would take longer to read than everything else. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/vec.h"
#include "parser/network/weights.h"

enum { FIRST_ROW = 2 }; /* rows before are for no word and an unknown one */

static const char opening[] = "\"words\":[";

static struct weights_word *slot_of(const struct weights_words *words, const char *text,
                                    size_t size)
{
    size_t at = (size_t)hash_of(text, size) & (words->slot_count - 1);
    for (;; at = (at + 1) & (words->slot_count - 1)) {
        struct weights_word *slot = &words->slots[at];
        if (!slot->row || (slot->size == size && memcmp(slot->text, text, size) == 0)) {
            return slot;
        }
    }
}

static void make_room(struct arena *arena, struct weights_words *words)
{
    struct weights_words old = *words;
    words->slot_count = old.slot_count ? 2 * old.slot_count : 1024;
    words->slots = arena_array(arena, words->slot_count, sizeof *words->slots);
    for (size_t i = 0; i < old.slot_count; i++) {
        if (old.slots[i].row) {
            *slot_of(words, old.slots[i].text, old.slots[i].size) = old.slots[i];
        }
    }
}

/* A word that comes twice has its last row. */
static void add(struct weights *weights, const char *text, size_t size)
{
    struct weights_words *words = &weights->words;
    if (2 * words->count >= words->slot_count) {
        make_room(weights->arena, words);
    }
    *slot_of(words, text, size) =
        (struct weights_word){text, (uint32_t)size, (uint32_t)words->count + FIRST_ROW};
    words->count++;
}

/* Reads a text with escapes as JSON does; `size` with both quotes. */
static bool add_escaped(struct weights *weights, const char *text, size_t size)
{
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
    bool ok = json_is_string(value);
    if (ok) {
        const char *word = arena_text(weights->arena, json_string_value(value));
        add(weights, word, strlen(word));
    }
    json_decref(value);
    return ok;
}

/* One word at `at`; returns what is behind it, or NULL. */
static const char *weights_words_take(struct weights *weights, const char *at,
                                      const char *end)
{
    bool escaped = false;
    const char *close = at + 1;
    if (at >= end || *at != '"') {
        return NULL;
    }
    for (; close < end && *close != '"'; close++) {
        if (*close == '\\') {
            escaped = true;
            close++;
        }
    }
    if (close >= end) {
        return NULL;
    }
    if (escaped) {
        return add_escaped(weights, at, (size_t)(close + 1 - at)) ? close + 1 : NULL;
    }
    add(weights, at + 1, (size_t)(close - at - 1));
    return close + 1;
}

/* The header with an empty list of words; NULL: it is not written as export writes it. */
static char *read_apart(struct weights *weights, const char *header, size_t *size)
{
    const char *end = header + *size;
    const char *key = memmem(header, *size, opening, sizeof opening - 1);
    if (!key) {
        return NULL;
    }
    const char *from = key + sizeof opening - 1;
    const char *at = weights_words_take(weights, from, end);
    while (at && at < end && *at == ',') {
        at = weights_words_take(weights, at + 1, end);
    }
    if (!at || at >= end || *at != ']') {
        return NULL;
    }
    size_t before = (size_t)(from - header);
    size_t behind = (size_t)(end - at);
    char *rest = arena_alloc(weights->arena, before + behind);
    memcpy(rest, header, before);
    memcpy(rest + before, at, behind);
    *size = before + behind;
    return rest;
}

static bool read_whole(struct weights *weights, const char *header, size_t size,
                       struct err *err)
{
    size_t index = 0;
    const json_t *word = NULL;
    weights->header = json_parse(weights->arena, header, size, err);
    weights->words = (struct weights_words){0};
    json_array_foreach(json_array_at(weights->header, "words"), index, word)
    {
        const char *text = json_string_value(word);
        if (text) {
            add(weights, text, strlen(text));
        } else {
            weights->words.count++; /* no word uses this row */
        }
    }
    return weights->header != NULL;
}

bool weights_read_header(struct weights *weights, const char *header, size_t size,
                         struct err *err)
{
    struct err ignored;
    size_t rest_size = size;
    char *rest = read_apart(weights, header, &rest_size);
    weights->header = rest ? json_parse(weights->arena, rest, rest_size, &ignored) : NULL;
    const json_t *words = json_array_at(weights->header, "words");
    bool apart = words && json_array_size(words) == 0; /* it was the list that is meant */
    return apart || read_whole(weights, header, size, err);
}

int weights_word(const struct weights *weights, const char *word)
{
    const struct weights_words *words = &weights->words;
    uint32_t row =
        words->slot_count ? slot_of(words, word, strlen(word))->row : (uint32_t)0;
    return row ? (int)row : 1;
}
