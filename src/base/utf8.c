/* UTF-8. */
#include "base/utf8.h"

#include <string.h>

struct range {
    uint32_t first;
    uint32_t last;
};

size_t utf8_next(const char *data, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)data;
    unsigned char lead = bytes[0];
    size_t length = lead < 0x80   ? 1
                    : lead < 0xC2 ? 0
                    : lead < 0xE0 ? 2
                    : lead < 0xF0 ? 3
                    : lead < 0xF5 ? 4
                                  : 0;
    *code = 0xFFFD;
    if (length == 0 || length > size) {
        return 1;
    }
    if (length == 1) {
        *code = lead;
        return 1;
    }
    uint32_t value = lead & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 1;
        }
        value = value << 6 | (bytes[i] & 0x3FU);
    }
    if (value < least[length] || value > 0x10FFFF ||
        (value >= 0xD800 && value <= 0xDFFF)) {
        return 1;
    }
    *code = value;
    return length;
}

/* Bytes at the start that are ASCII and no NUL. Eight are looked at in one go: a top bit
 * is set, or a subtraction borrows into one, where a byte may be something else. */
static size_t ascii_run(const char *data, size_t size)
{
    const uint64_t each = 0x0101010101010101u;
    size_t at = 0;
    for (uint64_t word; size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, data + at, sizeof word);
        if ((word | (word - each)) & each * 0x80) {
            break;
        }
    }
    while (at < size && (unsigned char)(data[at] - 1) < 0x7F) {
        at++;
    }
    return at;
}

bool utf8_valid(const char *data, size_t size, size_t *bad)
{
    for (size_t at = ascii_run(data, size); at < size;
         at += ascii_run(data + at, size - at)) {
        uint32_t code = 0;
        size_t length = utf8_next(data + at, size - at, &code);
        if (code == 0 || (code == 0xFFFD && length == 1)) {
            if (bad) {
                *bad = at;
            }
            return false;
        }
        at += length;
    }
    return true;
}

size_t utf8_cut(const char *data, size_t size, size_t most)
{
    if (size <= most) {
        return size;
    }
    while (most && ((unsigned char)data[most] & 0xC0) == 0x80) {
        most--;
    }
    return most;
}

static bool in_ranges(uint32_t code, const struct range *ranges, size_t count)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = (low + count) / 2;
        if (code > ranges[middle].last) {
            low = middle + 1;
        } else if (code < ranges[middle].first) {
            count = middle;
        } else {
            return true;
        }
    }
    return false;
}

int utf8_width(uint32_t code)
{
    static const struct range zero[] = {
        {0x0300, 0x036F}, {0x0483, 0x0489},   {0x0591, 0x05BD}, {0x0610, 0x061A},
        {0x064B, 0x065F}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
        {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x200B, 0x200F}, {0x202A, 0x202E},
        {0x2060, 0x2064}, {0x20D0, 0x20FF},   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
        {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
    };
    static const struct range wide[] = {
        {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
        {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26C4, 0x26C5},
        {0x2705, 0x2705},   {0x2728, 0x2728},   {0x274C, 0x274C},   {0x2753, 0x2755},
        {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
        {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF},   {0xFE30, 0xFE4F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
        {0x1F004, 0x1F004}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
        {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
    };
    if (code < 0x300) {
        return 1;
    }
    if (in_ranges(code, zero, sizeof zero / sizeof *zero)) {
        return 0;
    }
    return in_ranges(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t utf8_columns(const char *data, size_t size)
{
    size_t columns = 0;
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        at += utf8_next(data + at, size - at, &code);
        columns += (size_t)utf8_width(code);
    }
    return columns;
}

bool utf8_is_unsafe(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
           code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF || code == 0xFFFE ||
           code == 0xFFFF;
}

bool utf8_is_hidden(uint32_t code)
{
    return utf8_is_unsafe(code) || code == 0xAD || code == 0x180E ||
           (code >= 0x200B && code <= 0x200D) || (code >= 0x2060 && code <= 0x206F) ||
           (code >= 0xFFF9 && code <= 0xFFFB) || code >= 0xE0000;
}

size_t utf8_acting(const char *data, size_t size)
{
    uint32_t code = 0;
    bool plain = (unsigned char)data[0] >= ' ' && (unsigned char)data[0] < 0x7F;
    size_t bytes = plain ? 0 : utf8_next(data, size, &code);
    bool joins = code == 0x200C || code == 0x200D || code == 0xAD;
    return bytes && code != '\t' && !joins && utf8_is_hidden(code) ? bytes : 0;
}
