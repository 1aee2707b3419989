/* UTF-8: is it valid, where may it be cut, how wide is it on a terminal. */
#ifndef DGM_BASE_UTF8_H
#define DGM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Valid UTF-8 without NUL, surrogates or overlong forms; *bad is the first bad byte. */
bool utf8_valid(const char *data, size_t size, size_t *bad);
/* Reads one character; returns its bytes (1 for a bad byte, with *code 0xFFFD). */
size_t utf8_next(const char *data, size_t size, uint32_t *code);
/* The largest size <= most at which data can be cut between characters. */
size_t utf8_cut(const char *data, size_t size, size_t most);
/* Columns on a terminal: 0 for combining marks, 2 for wide characters, else 1. */
int utf8_width(uint32_t code);
size_t utf8_columns(const char *data, size_t size);
/* Would a terminal act on this character, or display other characters differently because
 * of it? Also true for U+FFFE and U+FFFF, which are no characters. */
bool utf8_is_unsafe(uint32_t code);
/* Is it invisible (and therefore also unsafe), so that text could be hidden? */
bool utf8_is_hidden(uint32_t code);
/* The bytes of the character that begins here if it acts on what is around it, or hides; 0: it is
 * another one. Tabs stay, and joiners, since letters and emoji need them. */
size_t utf8_acting(const char *data, size_t size);

#endif
