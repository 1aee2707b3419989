/* Many bytes in one go, as far as the machine can. */
#include "base/scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static bool scan_is_plain(unsigned char c, char one, char other)
{
    return c >= 0x20 && c < 0x7F && c != (unsigned char)one && c != (unsigned char)other;
}

/* Eight at a time: a subtraction that borrows, or a sum that carries, into a top bit
 * tells that one of them is not plain. */
static bool word_plain(uint64_t word, char one, char other)
{
    const uint64_t each = 0x0101010101010101u;
    uint64_t first = (word ^ each * (unsigned char)one) - each;
    uint64_t second = (word ^ each * (unsigned char)other) - each;
    uint64_t odd = word | (word + each) | (word - each * 0x20) | first | second;
    return (odd & each * 0x80) == 0;
}

static bool eight_plain(const char *text, char one, char other)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word_plain(word, one, other);
}

#ifdef __SSE2__
/* Sixteen, a bit for each that is not plain: as signed numbers, bytes from 0x80 on are
 * below the blank. */
static inline unsigned sixteen_odd(__m128i bytes, char one, char other)
{
    __m128i odd = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)),
                               _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F)));
    __m128i named = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(one)),
                                 _mm_cmpeq_epi8(bytes, _mm_set1_epi8(other)));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(odd, named));
}

static inline __m128i sixteen_at(const char *text)
{
    return _mm_loadu_si128((const __m128i *)(const void *)text);
}

/* Moves *at on; true: the byte there is not plain. */
static bool scan_wide(const char *text, size_t size, char one, char other, size_t *at)
{
    while (size - *at >= sizeof(__m128i)) {
        unsigned odd = sixteen_odd(sixteen_at(text + *at), one, other);
        if (odd) {
            *at += (size_t)__builtin_ctz(odd);
            return true;
        }
        *at += sizeof(__m128i);
    }
    return false;
}

static size_t copy_wide(char *out, const char *text, char one, char other)
{
    __m128i bytes = sixteen_at(text);
    _mm_storeu_si128((__m128i *)(void *)out, bytes);
    unsigned odd = sixteen_odd(bytes, one, other);
    return odd ? (size_t)__builtin_ctz(odd) : sizeof bytes;
}
#else
static size_t copy_wide(char *out, const char *text, char one, char other)
{
    size_t at = 0;
    while (at < SCAN_STEP && scan_is_plain((unsigned char)text[at], one, other)) {
        out[at] = text[at];
        at++;
    }
    return at;
}

static bool scan_wide(const char *text, size_t size, char one, char other, size_t *at)
{
    (void)text;
    (void)size;
    (void)one;
    (void)other;
    (void)at;
    return false;
}
#endif

size_t scan_plain(const char *text, size_t size, char one, char other)
{
    const size_t step = sizeof(uint64_t);
    size_t at = 0;
    if (scan_wide(text, size, one, other, &at)) {
        return at;
    }
    while (size - at >= step && eight_plain(text + at, one, other)) {
        at += step;
    }
    /* The last few are looked at together with some before them. */
    if (size - at < step && size >= step && eight_plain(text + size - step, one, other)) {
        return size;
    }
    while (at < size && scan_is_plain((unsigned char)text[at], one, other)) {
        at++;
    }
    return at;
}

size_t scan_copy(char *out, const char *text, size_t size, char one, char other)
{
    if (size >= SCAN_STEP) {
        return copy_wide(out, text, one, other);
    }
    size_t at = 0;
    while (at < size && scan_is_plain((unsigned char)text[at], one, other)) {
        out[at] = text[at];
        at++;
    }
    return at;
}

size_t scan_copy_run(char *out, size_t room, const char *text, size_t size, char one,
                     char other)
{
    size_t at = 0;
    while (at < room) {
        size_t plain = size - at >= SCAN_STEP
                           ? copy_wide(out + at, text + at, one, other)
                           : scan_copy(out + at, text + at, size - at, one, other);
        at += plain;
        if (plain < SCAN_STEP) {
            break;
        }
    }
    return at;
}

bool scan_copy_short(char *out, const char *text, size_t size, char one, char other)
{
    if (size >= sizeof(uint64_t)) { /* two words that may overlap */
        uint64_t head;
        uint64_t tail;
        memcpy(&head, text, sizeof head);
        memcpy(&tail, text + size - sizeof tail, sizeof tail);
        memcpy(out, &head, sizeof head);
        memcpy(out + size - sizeof tail, &tail, sizeof tail);
        return word_plain(head, one, other) && word_plain(tail, one, other);
    }
    if (size >= sizeof(uint32_t)) {
        uint32_t head;
        uint32_t tail;
        memcpy(&head, text, sizeof head);
        memcpy(&tail, text + size - sizeof tail, sizeof tail);
        memcpy(out, &head, sizeof head);
        memcpy(out + size - sizeof tail, &tail, sizeof tail);
        return word_plain((uint64_t)head << 32 | tail, one, other);
    }
    if (size == 0) {
        return true;
    }
    /* One to three: first, middle and last, which may be the same; blanks beside them. */
    unsigned char head = (unsigned char)text[0];
    unsigned char middle = (unsigned char)text[size / 2];
    unsigned char tail = (unsigned char)text[size - 1];
    out[0] = text[0];
    out[size / 2] = text[size / 2];
    out[size - 1] = text[size - 1];
    uint64_t word = (uint64_t)head << 16 | (uint64_t)middle << 8 | tail;
    return word_plain(word | 0x2020202020000000u, one, other);
}

#ifdef __SSE2__
size_t scan_letters(const char *text, size_t size, size_t *letters)
{
    const __m128i line = _mm_set1_epi8('\n');
    const __m128i blank = _mm_set1_epi8(' ');
    size_t at = 0;
    *letters = 0;
    while (size - at >= SCAN_STEP) {
        __m128i counts = _mm_setzero_si128(); /* of each place; a byte counts to 255 */
        size_t from = at;
        for (int round = 0; round < 255 && size - at >= SCAN_STEP; round++) {
            __m128i bytes = sixteen_at(text + at);
            if (_mm_movemask_epi8(bytes)) {
                break;
            }
            __m128i lower =
                _mm_or_si128(bytes, blank); /* its bit is that of lower case */
            __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                           _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
            __m128i space =
                _mm_or_si128(_mm_cmpeq_epi8(bytes, blank), _mm_cmpeq_epi8(bytes, line));
            counts = _mm_sub_epi8(counts, _mm_or_si128(letter, space));
            at += SCAN_STEP;
        }
        __m128i sums = _mm_sad_epu8(counts, _mm_setzero_si128());
        *letters += (size_t)_mm_cvtsi128_si64(sums) +
                    (size_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums));
        if (at == from) {
            break;
        }
    }
    return at;
}
#else
size_t scan_letters(const char *text, size_t size, size_t *letters)
{
    size_t at = 0;
    *letters = 0;
    for (; size - at >= SCAN_STEP && (unsigned char)text[at] < 0x80; at++) {
        char lower = (char)(text[at] | 0x20);
        *letters += (lower >= 'a' && lower <= 'z') || text[at] == ' ' || text[at] == '\n';
    }
    return at;
}
#endif
