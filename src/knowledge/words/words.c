/*
 * Splits text and names into folded words ("customerName" and "customers" both contain
 * "customer").
 */
#include "knowledge/words/words.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "knowledge/words/abbreviations.h"

/* Sorted; folded form. */
static const char *const common[] = {
    "a",      "about", "all",  "am",      "an",    "and",   "any",  "are",   "as",
    "at",     "be",    "been", "between", "both",  "but",   "by",   "can",   "count",
    "did",    "do",    "doe",  "each",    "every", "find",  "for",  "from",  "get",
    "giv",    "given", "ha",   "had",     "has",   "hav",   "her",  "him",   "how",
    "i",      "id",    "if",   "in",      "into",  "is",    "it",   "least", "less",
    "list",   "many",  "me",   "mor",     "most",  "much",  "my",   "no",    "not",
    "number", "of",    "on",   "or",      "our",   "out",   "over", "per",   "pleas",
    "show",   "so",    "som",  "tell",    "than",  "that",  "the",  "their", "them",
    "then",   "ther",  "thes", "they",    "thi",   "those", "to",   "top",   "up",
    "us",     "wa",    "want", "we",      "wer",   "what",  "when", "wher",  "which",
    "who",    "whos",  "with", "you",     "your",
};

void words_init(struct words *words, const char *text)
{
    words->at = text ? text : "";
    words->end = words->at + strlen(words->at);
}

enum kind { KIND_OTHER, KIND_LOWER, KIND_UPPER, KIND_DIGIT, KIND_ALONE };

/* A character's kind and its lower case, for the scripts that have one and are in use. */
static enum kind kind_of(uint32_t code, uint32_t *lower)
{
    *lower = code;
    if (code < 0x80) {
        if (isupper((int)code)) {
            *lower = code + 32;
            return KIND_UPPER;
        }
        return islower((int)code)   ? KIND_LOWER
               : isdigit((int)code) ? KIND_DIGIT
                                    : KIND_OTHER;
    }
    if ((code >= 0xC0 && code <= 0xDE && code != 0xD7) ||
        (code >= 0x391 && code <= 0x3A9) || (code >= 0x410 && code <= 0x42F)) {
        *lower = code + 32;
        return KIND_UPPER;
    }
    if (code >= 0x2E80 && code <= 0xFFDC && !(code >= 0xAC00 && code <= 0xD7A3) &&
        !(code >= 0x3000 && code <= 0x303F) && !(code >= 0xFE00 && code <= 0xFF0F)) {
        return KIND_ALONE; /* scripts without spaces: each character is a word */
    }
    bool mark = code == 0xFFFD || (code >= 0x80 && code <= 0xBF) ||
                (code >= 0x2000 && code <= 0x2BFF) || (code >= 0x3000 && code <= 0x303F);
    return mark ? KIND_OTHER : KIND_LOWER;
}

static size_t put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

static bool ends(const char *word, size_t size, const char *ending, size_t least)
{
    size_t length = strlen(ending);
    return size >= length + least && memcmp(word + size - length, ending, length) == 0;
}

static bool vowel(char c)
{
    return c && strchr("aeiouy", c) != NULL;
}

/* Plurals first, then the -ed and -ing of verbs, then a silent e: rough, but the same on
 * both sides, which is all that counts. */
static size_t fold_ending(char *word, size_t size)
{
    if (ends(word, size, "ies", 2)) {
        word[size - 3] = 'y';
        size -= 2;
    } else if (ends(word, size, "sses", 1) || ends(word, size, "xes", 1) ||
               ends(word, size, "ches", 2) || ends(word, size, "shes", 2) ||
               ends(word, size, "zzes", 1)) {
        size -= 2;
    } else if (ends(word, size, "s", 2) && word[size - 2] != 's') {
        size -= 1;
    }
    size_t stem = ends(word, size, "ing", 3)  ? size - 3
                  : ends(word, size, "ed", 3) ? size - 2
                                              : size;
    if (stem < size) {
        bool doubled = stem > 3 && word[stem - 1] == word[stem - 2] &&
                       !vowel(word[stem - 1]) && !strchr("lsz", word[stem - 1]);
        size = doubled ? stem - 1 : stem;
    }
    if (size > 3 && word[size - 1] == 'e') {
        size--;
    }
    word[size] = '\0';
    return size;
}

/* Written out, abbreviations are folded again: "tel" is a telephone, and that a phone. Of
 * several words the first stands for all. */
static void words_fold(struct word *word, size_t size)
{
    enum { TIMES_MOST = 2 };
    (void)fold_ending(word->folded, size);
    for (int i = 0; i < TIMES_MOST; i++) {
        const char *full = abbreviation_compared(word->folded);
        if (!full) {
            return;
        }
        size = strcspn(full, " ");
        memcpy(word->folded, full, size);
        (void)fold_ending(word->folded, size);
    }
}

/* Does a new word start between two characters? "orderId", "HTTPServer", "line2". */
static bool boundary(enum kind before, enum kind kind, const char *next, const char *end)
{
    if (kind == KIND_ALONE || before == KIND_ALONE) {
        return true;
    }
    if ((kind == KIND_DIGIT) != (before == KIND_DIGIT)) {
        return true;
    }
    if (kind != KIND_UPPER) {
        return false;
    }
    return before == KIND_LOWER ||
           (next < end && islower((unsigned char)*next) && /* the S of "HTTPServer" */
            !(next[0] == 's' && (next + 1 == end || !isalnum((unsigned char)next[1]))));
}

bool words_next(struct words *words, struct word *word)
{
    size_t size = 0;
    enum kind before = KIND_OTHER;
    word->start = NULL;
    while (words->at < words->end) {
        uint32_t code = 0;
        uint32_t lower = 0;
        size_t length = utf8_next(words->at, (size_t)(words->end - words->at), &code);
        enum kind kind = kind_of(code, &lower);
        if (word->start && (kind == KIND_OTHER ||
                            boundary(before, kind, words->at + length, words->end))) {
            break;
        }
        if (kind != KIND_OTHER) {
            word->start = word->start ? word->start : words->at;
            if (size + 4 < WORD_SIZE) {
                size += put_utf8(word->folded + size, lower);
            }
            before = kind;
        }
        words->at += length;
    }
    if (!word->start) {
        return false;
    }
    word->size = (size_t)(words->at - word->start);
    words_fold(word, size);
    return true;
}

static int text_order(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

bool word_is_common(const char *folded)
{
    return bsearch(folded, common, sizeof common / sizeof *common, sizeof *common,
                   text_order) != NULL;
}
