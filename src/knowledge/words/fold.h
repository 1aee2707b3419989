/*
 * Normalizes text for comparison: lower case, without accents, plain quotes. So typed
 * text and cells ("São Paulo", "sao paulo") become equal.
 */
#ifndef DGM_KNOWLEDGE_FOLD_H
#define DGM_KNOWLEDGE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fold_kind {
    FOLD_MARK,
    FOLD_SPACE,
    FOLD_LETTER,
    FOLD_DIGIT,
    FOLD_ALONE,   /* of a script without spaces: a word by itself */
    FOLD_NOTHING, /* a combining accent or a control character: as if it were not there */
};

struct fold_char {
    enum fold_kind kind;
    uint32_t code; /* folded */
    bool upper;    /* it was a capital */
};

/* Reads one character of UTF-8; returns its bytes. A bad byte is a mark, U+FFFD. */
size_t fold_next(const char *text, size_t size, struct fold_char *out);
/* Writes a character as UTF-8 (at most 4 bytes); returns its bytes. */
size_t fold_put(char *out, uint32_t code);

/* The whole text folded, white space runs one space, ends trimmed. Cut where `room` (with
 * the NUL) ends; returns the bytes written. */
size_t fold_text(char *out, size_t room, const char *text, size_t size);
/* Its letters and digits only: "T-Shirt", "t shirt" and "tshirt" are one. */
size_t fold_squash(char *out, size_t room, const char *text, size_t size);

#endif
