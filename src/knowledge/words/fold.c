/*
 * Lower case, without accents, with plain quotes: the form in which texts are compared.
 */
#include "knowledge/words/fold.h"

#include <string.h>

#include "base/utf8.h"

/* U+00C0 to U+017F without their accents; a blank is no letter. */
static const char latin[] = "aaaaaaaceeeeiiii"
                            "dnooooo ouuuuyts"
                            "aaaaaaaceeeeiiii"
                            "dnooooo ouuuuyty"
                            "aaaaaaccccccccdd"
                            "ddeeeeeeeeeegggg"
                            "gggghhhhiiiiiiii"
                            "iiiijjkkklllllll"
                            "lllnnnnnnnnnoooo"
                            "oooorrrrrrssssss"
                            "ssttttttuuuuuuuu"
                            "uuuuwwyyyzzzzzzs";

enum { LATIN_FIRST = 0xC0, LATIN_LAST = 0x17F };

static bool in(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

static void fold_ascii(uint32_t code, struct fold_char *out)
{
    if (in(code, 'A', 'Z')) {
        *out = (struct fold_char){FOLD_LETTER, code + 32, true};
    } else if (in(code, 'a', 'z')) {
        out->kind = FOLD_LETTER;
    } else if (in(code, '0', '9')) {
        out->kind = FOLD_DIGIT;
    } else if (code == ' ' || in(code, '\t', '\r')) {
        *out = (struct fold_char){FOLD_SPACE, ' ', false};
    } else if (code < ' ' || code == 0x7F) {
        out->kind = FOLD_NOTHING;
    }
}

static void fold_latin(uint32_t code, struct fold_char *out)
{
    char base = latin[code - LATIN_FIRST];
    if (base != ' ') {
        bool odd_is_upper = in(code, 0x139, 0x148) || in(code, 0x179, 0x17E);
        out->kind = FOLD_LETTER;
        out->code = (uint32_t)(unsigned char)base;
        out->upper = code < 0x100 ? code < 0xDF : (code % 2 == 1) == odd_is_upper;
    }
}

/* Signs that mean the same as a sign of ASCII. */
static uint32_t plain_sign(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        char plain;
    } rows[] = {
        {0x2018, 0x201B, '\''}, {0x201C, 0x201F, '"'},  {0xAB, 0xAB, '"'},
        {0xBB, 0xBB, '"'},      {0x2032, 0x2032, '\''}, {0x2033, 0x2033, '"'},
        {0x60, 0x60, '\''},     {0xB4, 0xB4, '\''},     {0x2010, 0x2015, '-'},
        {0x2212, 0x2212, '-'},  {0x300C, 0x300F, '"'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (in(code, rows[i].first, rows[i].last)) {
            return (uint32_t)(unsigned char)rows[i].plain;
        }
    }
    return code;
}

static void fold_other(uint32_t code, struct fold_char *out)
{
    if (in(code, 0x300, 0x36F) || in(code, 0x80, 0x9F) || in(code, 0x200B, 0x200F) ||
        in(code, 0xFE00, 0xFE0F) || in(code, 0x202A, 0x202E) || code == 0xFEFF) {
        out->kind = FOLD_NOTHING;
    } else if (code == 0xA0 || in(code, 0x2000, 0x200A) || code == 0x202F ||
               in(code, 0x2028, 0x2029) || code == 0x3000) {
        *out = (struct fold_char){FOLD_SPACE, ' ', false};
    } else if (in(code, 0x391, 0x3A9) || in(code, 0x410, 0x42F)) {
        *out = (struct fold_char){FOLD_LETTER, code + 32, true}; /* Greek, Cyrillic */
    } else if (in(code, 0x400, 0x40F)) {
        *out = (struct fold_char){FOLD_LETTER, code + 80, true};
    } else if (in(code, 0xA1, 0xBF) || in(code, 0x2000, 0x2BFF) ||
               in(code, 0x3000, 0x303F) || code == 0xFFFD || in(code, 0xE000, 0xF8FF) ||
               in(code, 0x1F000, 0x1FAFF)) {
        out->kind = FOLD_MARK;
    } else if (in(code, 0x2E80, 0xA4CF) || in(code, 0xF900, 0xFAFF) ||
               in(code, 0x20000, 0x3FFFF)) {
        out->kind = FOLD_ALONE;
    } else {
        out->kind = FOLD_LETTER;
    }
}

size_t fold_next(const char *text, size_t size, struct fold_char *out)
{
    uint32_t code = size ? (unsigned char)text[0] : 0;
    if (code > 0 && code < 0x80 && code != '`') { /* most are */
        *out = (struct fold_char){FOLD_MARK, code, false};
        fold_ascii(code, out);
        return 1;
    }
    size_t length = utf8_next(text, size, &code);
    code = plain_sign(code);
    *out = (struct fold_char){FOLD_MARK, code, false};
    if (code < 0x80) {
        fold_ascii(code, out);
    } else if (in(code, LATIN_FIRST, LATIN_LAST)) {
        fold_latin(code, out);
    } else {
        fold_other(code, out);
    }
    return length;
}

size_t fold_put(char *out, uint32_t code)
{
    size_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(lead[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++) {
        out[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
    }
    return more + 1;
}

enum { CODE_BYTES = 4 };

/* Most letters and digits: those of ASCII, folded; 0: fold_next() has to look. */
static char fold_plain(char c)
{
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? lower : c >= '0' && c <= '9' ? c : '\0';
}

size_t fold_text(char *out, size_t room, const char *text, size_t size)
{
    size_t count = 0;
    bool space = false;
    for (size_t at = 0; at < size && count + 2 + CODE_BYTES <= room;) {
        char plain = space ? '\0' : fold_plain(text[at]);
        if (plain) {
            out[count++] = plain;
            at++;
            continue;
        }
        struct fold_char c;
        at += fold_next(text + at, size - at, &c);
        if (c.kind == FOLD_SPACE) {
            space = count > 0;
        } else if (c.kind != FOLD_NOTHING) {
            if (space) {
                out[count++] = ' ';
            }
            space = false;
            count += fold_put(out + count, c.code);
        }
    }
    if (room) {
        out[count] = '\0';
    }
    return count;
}

size_t fold_squash(char *out, size_t room, const char *text, size_t size)
{
    size_t count = 0;
    for (size_t at = 0; at < size && count + 1 + CODE_BYTES <= room;) {
        char plain = fold_plain(text[at]);
        if (plain) {
            out[count++] = plain;
            at++;
            continue;
        }
        struct fold_char c;
        at += fold_next(text + at, size - at, &c);
        if (c.kind == FOLD_LETTER || c.kind == FOLD_DIGIT || c.kind == FOLD_ALONE) {
            count += fold_put(out + count, c.code);
        }
    }
    if (room) {
        out[count] = '\0';
    }
    return count;
}
