/* Finds a phrase in a text, and tells how similar two texts are. */
#include "knowledge/words/phrase.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

enum { WORDS_MOST = 2000 };

void phrase_split(struct arena *arena, const char *text, struct phrase_words *out)
{
    struct words words;
    struct word word;
    *out = (struct phrase_words){0};
    words_init(&words, text);
    while (out->count < WORDS_MOST && words_next(&words, &word)) {
        VEC_PUSH(arena, out, word);
    }
}

static bool stands_at(const struct phrase_words *text, const struct phrase_words *phrase,
                      size_t first)
{
    for (size_t i = 0; i < phrase->count; i++) {
        if (strcmp(text->items[first + i].folded, phrase->items[i].folded) != 0) {
            return false;
        }
    }
    return true;
}

bool phrase_find(const struct phrase_words *text, const struct phrase_words *phrase,
                 size_t *first)
{
    for (size_t i = 0; phrase->count && i + phrase->count <= text->count; i++) {
        if (stands_at(text, phrase, i)) {
            *first = i;
            return true;
        }
    }
    return false;
}

/* Counts each word once. */
static size_t count_said(const struct phrase_words *words,
                         const struct phrase_words *also, size_t *shared)
{
    size_t count = 0;
    for (size_t i = 0; i < words->count; i++) {
        const char *folded = words->items[i].folded;
        size_t at = 0;
        while (at < i && strcmp(words->items[at].folded, folded) != 0) {
            at++;
        }
        if (at < i || word_is_common(folded)) {
            continue;
        }
        count++;
        for (at = 0; also && at < also->count; at++) {
            if (strcmp(also->items[at].folded, folded) == 0) {
                (*shared)++;
                break;
            }
        }
    }
    return count;
}

double phrase_likeness(const struct phrase_words *a, const struct phrase_words *b)
{
    size_t shared = 0;
    size_t all = count_said(a, b, &shared);
    all += count_said(b, NULL, NULL) - shared;
    return all ? (double)shared / (double)all : 0;
}
