/* Small functions for NUL-ended text. Case folding is ASCII only. */
#ifndef DGM_BASE_STR_H
#define DGM_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct texts;

bool str_equal(const char *a, const char *b); /* NULL equals only NULL */
bool str_equal_nocase(const char *a, const char *b);
bool str_starts(const char *text, const char *prefix);
bool str_starts_nocase(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);
bool str_ends_nocase(const char *text, const char *suffix);
/* Is the word in this list? Fast, because most words differ in their first letter. */
bool str_is_among(const char *word, const char *const *list, size_t count);
#define IS_AMONG(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))
/* Where the part begins, or NULL. */
const char *str_find_nocase(const char *text, const char *part);
bool str_contains_nocase(const char *text, const char *part);
bool str_empty(const char *text);           /* NULL, "" or only white space */
const char *str_or_empty(const char *text); /* "" for NULL */
/* Copies as much as fits, with a NUL; NULL gives "". Faster than snprintf. */
void str_put(char *out, size_t size, const char *text);

char *str_lower(struct arena *arena, const char *text);
char *str_trim(struct arena *arena, const char *text);
/*
 * White space runs become one space, ends trimmed: for one-line display and cache keys.
 */
char *str_squeeze(struct arena *arena, const char *text);
void str_split(struct arena *arena, const char *text, char separator, struct texts *out);
char *str_join(struct arena *arena, const struct texts *texts, const char *separator);

/* Writes 2 * size lower-case hexadecimal digits and a NUL. */
void str_hex(char *out, const void *data, size_t size);
/* The value of a hexadecimal digit of either case; -1: it is none. */
int str_hex_digit(char c);
/* The whole text as a number; false if it is not a number, has trailing text or does not
 * fit. */
bool str_to_int(const char *text, int64_t *out);
bool str_to_real(const char *text, double *out);
bool str_to_bool(const char *text, bool *out); /* true false yes no on off 1 0 */

/* Edits (with swaps of neighbours) between two words, case folded; stops at `most`. */
size_t str_distance(const char *a, const char *b, size_t most);
/* The most similar word, or NULL if none is similar enough. */
const char *str_nearest(const char *word, const char *const *words, size_t count);

#endif
