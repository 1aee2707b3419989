/* Texts of a chart: cells, headings and numbers as people read them. */
#include "chart/label.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "chart/moment.h"

const struct draw_words draw_words_english = {
    .months = {"January", "February", "March", "April", "May", "June", "July", "August",
               "September", "October", "November", "December"},
    .thousands = ",",
    .decimal = ".",
    .powers = {"K", "M", "B", "T"},
    .no_value = "(no value)",
    .left_out = "more are not shown",
};

enum { BYTES_MOST = 4 };

const char *label_clean(struct arena *arena, const char *text, size_t size, size_t most)
{
    struct buf out;
    size_t count = 0;
    bool blank = false;
    buf_init(&out, (most + 2) * BYTES_MOST);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t bytes = utf8_next(text + at, size - at, &code);
        bool space = code == ' ' || code == '\n' || code == '\t' || code == '\r';
        bool bad = !space && (code < 0x20 || code == 0xFFFD || utf8_is_unsafe(code));
        if (count == most) {
            (void)buf_text(&out, "…");
            break;
        }
        if (space) {
            blank = count > 0;
        } else {
            count += blank ? 2 : 1;
            (void)buf_text(&out, blank ? " " : "");
            (void)(bad ? buf_text(&out, "\xEF\xBF\xBD")
                       : buf_add(&out, text + at, bytes));
            blank = false;
            count = count > most ? most : count;
        }
        at += bytes ? bytes : 1;
    }
    const char *copy = arena_text(arena, buf_get(&out));
    buf_release(&out);
    return copy;
}

static const char *of_number(struct arena *arena, const struct draw_words *words,
                             const struct value *value, enum chart_role role)
{
    double number = 0;
    if (!chart_number(value, &number)) {
        return "";
    }
    if (role == CHART_TIME || role == CHART_ORDER || role == CHART_NAME) {
        return arena_format(arena, "%.0f", number);
    }
    return label_number(arena, words, number, HUGE_VAL);
}

const char *label_cell(struct arena *arena, const struct draw_words *words,
                       const struct value *value, enum chart_role role)
{
    char time[CHART_TIME_SIZE] = "";
    switch (value->kind) {
    case VALUE_NULL:
        return words->no_value;
    case VALUE_BOOL:
        return value->boolean ? "true" : "false";
    case VALUE_INT:
    case VALUE_REAL:
    case VALUE_NUMBER:
        return of_number(arena, words, value, role);
    case VALUE_TEXT:
        if (role == CHART_TIME) {
            chart_time(value, time);
        }
        return *time ? moment_words(arena, words, time)
                     : label_clean(arena, value->text.data, value->text.size, LABEL_MOST);
    default:
        return label_clean(arena, value->text.data, value->text.size, LABEL_MOST);
    }
}

const char *label_heading(struct arena *arena, const char *name)
{
    char *text = arena_text(arena, label_clean(arena, name, strlen(name), LABEL_MOST));
    for (char *c = text; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    if (islower((unsigned char)*text)) {
        *text = (char)toupper((unsigned char)*text);
    }
    return text;
}

static double letter_width(uint32_t code)
{
    if (code < 0x80) {
        return strchr("iljtfrI.,:;|!'()[]", (int)code) ? 0.38
               : strchr("mwMW@%", (int)code)           ? 0.95
               : code >= 'A' && code <= 'Z'            ? 0.74
                                                       : 0.6;
    }
    return utf8_width(code) == 2 ? 1.05 : utf8_width(code) == 0 ? 0 : 0.78;
}

double label_width(const char *text, double font_size)
{
    double width = 0;
    size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        at += utf8_next(text + at, size - at, &code);
        width += letter_width(code);
    }
    return width * font_size;
}

const char *label_fit(struct arena *arena, const char *text, double font_size,
                      double width)
{
    static const char dots[] = "…";
    if (label_width(text, font_size) <= width) {
        return text;
    }
    double used = label_width(dots, font_size);
    size_t size = strlen(text);
    size_t at = 0;
    while (at < size) {
        uint32_t code = 0;
        size_t bytes = utf8_next(text + at, size - at, &code);
        used += letter_width(code) * font_size;
        if (used > width) {
            break;
        }
        at += bytes;
    }
    return arena_format(arena, "%.*s%s", (int)at, text, dots);
}

/* Digits after the point, so that there are four in all; amounts of money keep two. */
static int digits_after(double amount)
{
    int before = amount >= 1 ? (int)floor(log10(amount)) + 1 : 0;
    if (amount < 1 && amount > 0) {
        int zeros = (int)floor(-log10(amount));
        return zeros > 5 ? 6 : zeros + 3;
    }
    return before >= 4 ? 0 : 4 - before > 2 ? 2 : 4 - before;
}

/* "-1234.50" with the signs of the language, and without zeros at its end. */
static const char *with_signs(struct arena *arena, const struct draw_words *words,
                              const char *plain, bool cut, const char *end)
{
    struct buf out;
    size_t whole = strspn(plain, "-0123456789");
    size_t size = strlen(plain);
    while (cut && size > whole && (plain[size - 1] == '0' || size - 1 == whole)) {
        size--;
    }
    bool nothing = !strpbrk(plain, "123456789");
    size_t first = plain[0] == '-' ? 1 : 0;
    buf_init(&out, 256);
    (void)buf_text(&out, first && !nothing ? "-" : "");
    for (size_t i = first; i < size; i++) {
        if (i == whole) {
            (void)buf_text(&out, words->decimal);
            continue;
        }
        if (i > first && i < whole && (whole - i) % 3 == 0) {
            (void)buf_text(&out, words->thousands);
        }
        (void)buf_char(&out, plain[i]);
    }
    const char *text = arena_format(arena, "%s%s", buf_get(&out), end);
    buf_release(&out);
    return text;
}

const char *label_number(struct arena *arena, const struct draw_words *words,
                         double number, double from)
{
    char plain[64];
    double amount = fabs(number);
    const char *end = "";
    if (!isfinite(number)) {
        return "";
    }
    if (amount >= 1e15 || (amount > 0 && amount < 1e-6)) {
        (void)snprintf(plain, sizeof plain, "%.2e", number);
        return arena_text(arena, plain);
    }
    if (amount >= from) {
        size_t power = 0;
        for (amount /= 1000; amount >= 999.5 && power + 1 < DRAW_POWERS; power++) {
            amount /= 1000;
        }
        end = words->powers[power];
        int digits = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
        (void)snprintf(plain, sizeof plain, "%.*f", digits,
                       number < 0 ? -amount : amount);
        return with_signs(arena, words, plain, true, end);
    }
    bool whole = number == floor(number);
    (void)snprintf(plain, sizeof plain, "%.*f", whole ? 0 : digits_after(amount), number);
    return with_signs(arena, words, plain, amount < 1 || amount == floor(amount), end);
}
