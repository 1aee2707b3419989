/* Small things done to NUL-ended text. */
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/vec.h"

static inline char str_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool str_equal(const char *a, const char *b)
{
    return a == b || (a && b && *a == *b && strcmp(a, b) == 0);
}

bool str_is_among(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (*list[i] == *word && strcmp(list[i], word) == 0) {
            return true;
        }
    }
    return false;
}

bool str_equal_nocase(const char *a, const char *b)
{
    return a == b || (a && b && str_fold(*a) == str_fold(*b) && strcasecmp(a, b) == 0);
}

/* The prefixes are short and most differ early: no call is faster than a call. */
bool str_starts(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix) {
        text++;
        prefix++;
    }
    return !*prefix;
}

bool str_starts_nocase(const char *text, const char *prefix)
{
    while (*prefix && str_fold(*text) == str_fold(*prefix)) {
        text++;
        prefix++;
    }
    return !*prefix;
}

bool str_ends(const char *text, const char *suffix)
{
    size_t size = strlen(text);
    size_t tail = strlen(suffix);
    return size >= tail && memcmp(text + size - tail, suffix, tail) == 0;
}

bool str_ends_nocase(const char *text, const char *suffix)
{
    size_t size = strlen(text);
    size_t tail = strlen(suffix);
    return size >= tail && strcasecmp(text + size - tail, suffix) == 0;
}

const char *str_find_nocase(const char *text, const char *part)
{
    char first = str_fold(*part); /* asked first: a call for every character is slow */
    char letter = first >= 'a' && first <= 'z' ? 0x20 : 0;
    for (; *text; text++) {
        if ((*text | letter) == first && str_starts_nocase(text, part)) {
            return text;
        }
    }
    return *part ? NULL : text;
}

bool str_contains_nocase(const char *text, const char *part)
{
    return str_find_nocase(text, part) != NULL;
}

const char *str_or_empty(const char *text)
{
    return text ? text : "";
}

void str_put(char *out, size_t size, const char *text)
{
    size_t length = text ? strnlen(text, size - 1) : 0;
    if (length) {
        memcpy(out, text, length);
    }
    out[length] = '\0';
}

bool str_empty(const char *text)
{
    if (text) {
        for (; *text; text++) {
            if (!isspace((unsigned char)*text)) {
                return false;
            }
        }
    }
    return true;
}

char *str_lower(struct arena *arena, const char *text)
{
    char *copy = arena_text(arena, text);
    for (char *c = copy; *c; c++) {
        *c = str_fold(*c);
    }
    return copy;
}

char *str_trim(struct arena *arena, const char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t size = strlen(text);
    while (size && isspace((unsigned char)text[size - 1])) {
        size--;
    }
    return arena_copy(arena, text, size);
}

char *str_squeeze(struct arena *arena, const char *text)
{
    char *copy = str_trim(arena, text);
    char *to = copy;
    for (const char *from = copy; *from; from++) {
        bool space = isspace((unsigned char)*from);
        if (!space) {
            *to++ = *from;
        } else if (!isspace((unsigned char)from[1])) {
            *to++ = ' ';
        }
    }
    *to = '\0';
    return copy;
}

void str_split(struct arena *arena, const char *text, char separator, struct texts *out)
{
    for (;;) {
        const char *end = strchr(text, separator);
        size_t size = end ? (size_t)(end - text) : strlen(text);
        VEC_PUSH(arena, out, arena_copy(arena, text, size));
        if (!end) {
            return;
        }
        text = end + 1;
    }
}

char *str_join(struct arena *arena, const struct texts *texts, const char *separator)
{
    size_t gap = strlen(separator);
    size_t size = 1;
    for (size_t i = 0; i < texts->count; i++) {
        size += strlen(texts->items[i]) + gap;
    }
    char *joined = arena_alloc(arena, size);
    char *to = joined;
    for (size_t i = 0; i < texts->count; i++) {
        if (i) {
            memcpy(to, separator, gap);
            to += gap;
        }
        size_t length = strlen(texts->items[i]);
        memcpy(to, texts->items[i], length);
        to += length;
    }
    return joined;
}

void str_hex(char *out, const void *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

int str_hex_digit(char c)
{
    char letter = (char)(c | 0x20);
    return c >= '0' && c <= '9'             ? c - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                            : -1;
}

bool str_to_int(const char *text, int64_t *out)
{
    if (!text || !*text || isspace((unsigned char)*text)) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || *end) {
        return false;
    }
    *out = value;
    return true;
}

bool str_to_real(const char *text, double *out)
{
    if (!text || !*text || isspace((unsigned char)*text)) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || *end || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

bool str_to_bool(const char *text, bool *out)
{
    static const char *const words[] = {"true",  "yes", "on",  "1",
                                        "false", "no",  "off", "0"};
    for (size_t i = 0; i < 8; i++) {
        if (str_equal_nocase(text, words[i])) {
            *out = i < 4;
            return true;
        }
    }
    return false;
}

enum { WORD_MOST = 128 };

size_t str_distance(const char *a, const char *b, size_t most)
{
    size_t m = strlen(a);
    size_t n = strlen(b);
    size_t gap = m > n ? m - n : n - m;
    if (m > WORD_MOST || n > WORD_MOST || gap > most) {
        return most + 1;
    }
    size_t rows[3][WORD_MOST + 1];
    for (size_t j = 0; j <= n; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= m; i++) {
        size_t *now = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        const size_t *two_above = rows[(i + 1) % 3];
        size_t best = now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t cost = str_fold(a[i - 1]) != str_fold(b[j - 1]);
            size_t value = above[j - 1] + cost;
            value = value < above[j] + 1 ? value : above[j] + 1;
            value = value < now[j - 1] + 1 ? value : now[j - 1] + 1;
            if (i > 1 && j > 1 && str_fold(a[i - 1]) == str_fold(b[j - 2]) &&
                str_fold(a[i - 2]) == str_fold(b[j - 1]) &&
                two_above[j - 2] + cost < value) {
                value = two_above[j - 2] + cost;
            }
            now[j] = value;
            best = best < value ? best : value;
        }
        if (best > most) {
            return most + 1;
        }
    }
    return rows[m % 3][n];
}

/* Shares a whole part ("price" in "unit_price"): nearer than its edits say. */
static bool shares_part(const char *word, const char *candidate)
{
    return strlen(word) >= 3 &&
           (str_contains_nocase(candidate, word) ||
            (strlen(candidate) >= 3 && str_contains_nocase(word, candidate)));
}

const char *str_nearest(const char *word, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    size_t most = length <= 3 ? 1 : length <= 6 ? 2 : 3;
    size_t best = 2 * most + 2;
    for (size_t i = 0; i < count; i++) {
        size_t distance = 2 * str_distance(word, words[i], most);
        if (distance > 2 * most && shares_part(word, words[i])) {
            distance = 2 * most + 1;
        }
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
