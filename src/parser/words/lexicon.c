/* The word table that is part of the program, read in place. */
#include "parser/words/lexicon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knowledge/words/stem.h"
#include "prompt/embedded.h"

extern const struct embedded_file embedded_lexicon[];

enum { HEAD_BYTES = 20, VERSION = 1 };

static uint32_t u32_at(const unsigned char *data, size_t index)
{
    const unsigned char *at = data + 4 * index;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

bool lexicon_open(struct lexicon *lexicon, const void *data, size_t size)
{
    const unsigned char *head = data;
    if (size < HEAD_BYTES || memcmp(head, "DGML", 4) != 0 || u32_at(head, 1) != VERSION) {
        return false;
    }
    uint64_t words = u32_at(head, 2);
    uint64_t relations = u32_at(head, 3);
    uint64_t text = u32_at(head, 4);
    if (HEAD_BYTES + 8 * (words + 1) + 4 * relations + words + text != size) {
        return false;
    }
    lexicon->count = (uint32_t)words;
    lexicon->starts = head + HEAD_BYTES;
    lexicon->firsts = lexicon->starts + 4 * (words + 1);
    lexicon->relations = lexicon->firsts + 4 * (words + 1);
    lexicon->weights = lexicon->relations + 4 * relations;
    lexicon->text = (const char *)lexicon->weights + words;
    return u32_at(lexicon->starts, words) == text &&
           u32_at(lexicon->firsts, words) == relations;
}

void lexicon_init(struct lexicon *lexicon)
{
    const struct embedded_file *file = &embedded_lexicon[0];
    if (!file->path ||
        !lexicon_open(lexicon, file->data, (size_t)(file->end - file->data))) {
        (void)fprintf(stderr, "dragoman: the word table in this program is damaged\n");
        abort();
    }
}

int lexicon_find(const struct lexicon *lexicon, const char *word, size_t size)
{
    uint32_t low = 0;
    uint32_t high = lexicon->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t start = u32_at(lexicon->starts, middle);
        size_t length = u32_at(lexicon->starts, (size_t)middle + 1) - start;
        int order = memcmp(lexicon->text + start, word, length < size ? length : size);
        if (order == 0 && length == size) {
            return (int)middle;
        }
        if (order < 0 || (order == 0 && length < size)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

int lexicon_weight(const struct lexicon *lexicon, int word)
{
    return word < 0 ? 0 : lexicon->weights[word];
}

void lexicon_text(const struct lexicon *lexicon, int word, char *out)
{
    uint32_t start = u32_at(lexicon->starts, (size_t)word);
    size_t size = u32_at(lexicon->starts, (size_t)word + 1) - start;
    size = size < LEXICON_WORD ? size : LEXICON_WORD - 1;
    memcpy(out, lexicon->text + start, size);
    out[size] = '\0';
}

size_t lexicon_list(const struct lexicon *lexicon, int word, enum lexicon_kind kind,
                    int *out, size_t most)
{
    size_t count = 0;
    uint32_t end = u32_at(lexicon->firsts, (size_t)word + 1);
    for (uint32_t at = u32_at(lexicon->firsts, (size_t)word); at < end && count < most;
         at++) {
        uint32_t relation = u32_at(lexicon->relations, at);
        if ((relation & 7) == (uint32_t)kind) {
            out[count++] = (int)(relation >> 3);
        }
    }
    return count;
}

static enum lexicon_kind one_way(const struct lexicon *lexicon, int a, int b)
{
    uint32_t low = u32_at(lexicon->firsts, (size_t)a);
    uint32_t end = u32_at(lexicon->firsts, (size_t)a + 1);
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((int)(u32_at(lexicon->relations, middle) >> 3) < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < end && (int)(u32_at(lexicon->relations, low) >> 3) == b) {
        return (enum lexicon_kind)(u32_at(lexicon->relations, low) & 7);
    }
    return LEXICON_NONE;
}

enum lexicon_kind lexicon_relation(const struct lexicon *lexicon, int a, int b)
{
    if (a < 0 || b < 0) {
        return LEXICON_NONE;
    }
    enum lexicon_kind forth = one_way(lexicon, a, b);
    enum lexicon_kind back = one_way(lexicon, b, a);
    back = back == LEXICON_CUE ? LEXICON_RELATED : back;
    return forth < back ? forth : back;
}

static void add_sense(struct lexicon_senses *out, int word)
{
    for (size_t i = 0; i < out->count; i++) {
        if (out->words[i] == word) {
            return;
        }
    }
    if (word >= 0 && out->count < LEXICON_SENSES) {
        out->words[out->count++] = word;
    }
}

void lexicon_senses(const struct lexicon *lexicon, const char *word,
                    struct lexicon_senses *out)
{
    char bases[STEM_BASES][STEM_SIZE];
    size_t count = stem_bases(bases, word);
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        add_sense(out, lexicon_find(lexicon, bases[i], strlen(bases[i])));
    }
    for (size_t i = 0, own = out->count; i < own; i++) {
        int forms[LEXICON_SENSES];
        size_t found =
            lexicon_list(lexicon, out->words[i], LEXICON_FORM, forms, LEXICON_SENSES);
        for (size_t j = 0; j < found; j++) {
            add_sense(out, forms[j]);
        }
    }
}

enum lexicon_kind lexicon_between(const struct lexicon *lexicon,
                                  const struct lexicon_senses *a,
                                  const struct lexicon_senses *b)
{
    enum lexicon_kind best = LEXICON_NONE;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            if (a->words[i] == b->words[j]) {
                return LEXICON_SYNONYM;
            }
            enum lexicon_kind kind = lexicon_relation(lexicon, a->words[i], b->words[j]);
            bool form = kind == LEXICON_FORM || kind == LEXICON_FORMED;
            kind = form ? LEXICON_SYNONYM : kind;
            best = kind < best ? kind : best;
        }
    }
    return best;
}
