/*
 * Splits text and names into folded words ("customerName" and "customers" both contain
 * "customer").
 */
#include "knowledge/words/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "knowledge/words/abbreviations.h"
#include "knowledge/words/fold.h"
#include "knowledge/words/stem.h"

/* Sorted; folded form. */
static const char *const common[] = {
    "a",    "about", "all",  "am",      "an",    "and",  "any",   "are",   "as",
    "at",   "be",    "been", "between", "both",  "but",  "by",    "can",   "count",
    "did",  "do",    "doe",  "each",    "every", "find", "for",   "from",  "get",
    "giv",  "given", "had",  "has",     "hav",   "her",  "him",   "how",   "i",
    "id",   "if",    "in",   "into",    "is",    "it",   "least", "less",  "list",
    "many", "me",    "mor",  "most",    "much",  "my",   "no",    "not",   "number",
    "of",   "on",    "or",   "our",     "out",   "over", "per",   "pleas", "show",
    "so",   "som",   "tell", "than",    "that",  "the",  "their", "them",  "then",
    "ther", "thes",  "they", "this",    "those", "to",   "top",   "up",    "us",
    "want", "was",   "we",   "wer",     "what",  "when", "wher",  "which", "who",
    "whos", "with",  "you",  "your",
};

void words_init(struct words *words, const char *text)
{
    words->at = text ? text : "";
    words->end = words->at + strlen(words->at);
}

/* Written out, abbreviations are cut again: "tel" is a telephone, and that a phone. Of
 * several words the first stands for all. */
static void words_fold(struct word *word)
{
    enum { TIMES_MOST = 2 };
    char text[WORD_SIZE];
    memcpy(text, word->folded, sizeof text);
    (void)stem_word(word->folded, text);
    for (int i = 0; i < TIMES_MOST; i++) {
        const char *full = abbreviation_compared(word->folded);
        if (!full) {
            return;
        }
        size_t size = strcspn(full, " ");
        memcpy(text, full, size);
        text[size] = '\0';
        (void)stem_word(word->folded, text);
    }
}

/* Does a new word start between two characters? "orderId", "HTTPServer", "line2". */
static bool boundary(const struct fold_char *before, const struct fold_char *c,
                     const char *next, const char *end)
{
    if (c->kind == FOLD_ALONE || before->kind == FOLD_ALONE) {
        return true;
    }
    if ((c->kind == FOLD_DIGIT) != (before->kind == FOLD_DIGIT)) {
        return true;
    }
    if (!c->upper) {
        return false;
    }
    return (before->kind == FOLD_LETTER && !before->upper) ||
           (next < end && islower((unsigned char)*next) && /* the S of "HTTPServer" */
            !(next[0] == 's' && (next + 1 == end || !isalnum((unsigned char)next[1]))));
}

bool words_next(struct words *words, struct word *word)
{
    size_t size = 0;
    struct fold_char before = {0};
    word->start = NULL;
    while (words->at < words->end) {
        if (*words->at >= 'a' && *words->at <= 'z' && before.kind == FOLD_LETTER) {
            if (size + 4 < WORD_SIZE) { /* most characters: the word goes on as it is */
                word->folded[size++] = *words->at;
            }
            before = (struct fold_char){FOLD_LETTER, (unsigned char)*words->at, false};
            words->at++;
            continue;
        }
        struct fold_char c;
        size_t length = fold_next(words->at, (size_t)(words->end - words->at), &c);
        bool part = c.kind == FOLD_LETTER || c.kind == FOLD_DIGIT || c.kind == FOLD_ALONE;
        if (word->start && c.kind != FOLD_NOTHING &&
            (!part || boundary(&before, &c, words->at + length, words->end))) {
            break;
        }
        if (part) {
            word->start = word->start ? word->start : words->at;
            if (size + 4 < WORD_SIZE) {
                size += fold_put(word->folded + size, c.code);
            }
            before = c;
        }
        words->at += length;
    }
    if (!word->start) {
        return false;
    }
    word->folded[size] = '\0';
    word->size = (size_t)(words->at - word->start);
    words_fold(word);
    return true;
}

bool words_hold(const char *text, const char *folded)
{
    struct words words;
    struct word word;
    words_init(&words, text);
    while (words_next(&words, &word)) {
        if (strcmp(word.folded, folded) == 0) {
            return true;
        }
    }
    return false;
}

static int text_order(const void *key, const void *row)
{
    const char *word = key;
    const char *text = *(const char *const *)row;
    int order = (unsigned char)*word - (unsigned char)*text; /* tells most of them */
    return order ? order : strcmp(word, text);
}

bool word_is_common(const char *folded)
{
    return bsearch(folded, common, sizeof common / sizeof *common, sizeof *common,
                   text_order) != NULL;
}
