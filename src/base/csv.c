/* Fields of CSV that no spreadsheet takes for a formula. */
#include "base/csv.h"

#include <limits.h>
#include <string.h>

#include "base/buf.h"

static size_t csv_digits(const char *text, size_t size)
{
    size_t count = 0;
    while (count < size && text[count] >= '0' && text[count] <= '9') {
        count++;
    }
    return count;
}

/* After the sign: 12, 1.5, .5, 2e-3. */
static bool is_number(const char *text, size_t size)
{
    size_t at = csv_digits(text, size);
    size_t known = at;
    if (at < size && text[at] == '.') {
        size_t fraction = csv_digits(text + at + 1, size - at - 1);
        known += fraction;
        at += 1 + fraction;
    }
    if (known && at < size && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < size && (text[at] == '+' || text[at] == '-');
        size_t exponent = csv_digits(text + at, size - at);
        known = exponent;
        at += exponent;
    }
    return known > 0 && at == size;
}

/* = + - @ as East Asian keyboards write them: some spreadsheets fold them. */
static bool begins_wide(const char *text, size_t size)
{
    static const char *const signs[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
                                        "\xEF\xBC\xA0"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (size >= 3 && memcmp(text, signs[i], 3) == 0) {
            return true;
        }
    }
    return false;
}

bool csv_is_formula(const char *text, size_t size)
{
    if (size == 0) {
        return false;
    }
    if (text[0] == '+' || text[0] == '-') {
        return !is_number(text + 1, size - 1);
    }
    return memchr("=@\t\r\n", text[0], 5) || begins_wide(text, size);
}

/* ; and tab part fields for spreadsheets of some countries. */
static bool needs_quotes(const char *text, size_t size)
{
    if (size == 0 || text[0] == ' ' || text[size - 1] == ' ') {
        return true;
    }
    static const bool parts[UCHAR_MAX + 1] = {[','] = true,  ['"'] = true, ['\n'] = true,
                                              ['\r'] = true, [';'] = true, ['\t'] = true};
    for (size_t i = 0; i < size; i++) {
        if (parts[(unsigned char)text[i]]) {
            return true;
        }
    }
    return false;
}

bool csv_add(struct buf *out, const char *text, size_t size)
{
    if (!text) {
        return true;
    }
    bool quoted = needs_quotes(text, size);
    bool ok = buf_text(out, quoted ? "\"" : "") &&
              buf_text(out, csv_is_formula(text, size) ? "'" : "");
    while (ok && quoted && size) {
        const char *quote = memchr(text, '"', size);
        size_t part = quote ? (size_t)(quote - text) + 1 : size;
        ok = buf_add(out, text, part) && buf_text(out, quote ? "\"" : "");
        text += part;
        size -= part;
    }
    return ok && buf_add(out, text, size) && buf_text(out, quoted ? "\"" : "");
}
