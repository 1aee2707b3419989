/* Figures as a language writes them, rounded so that they say nothing wrong. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agent/sentence/telling.h"
#include "base/str.h"
#include "model/chart.h"

enum { DIGITS_MOST = 64, EXACT_DIGITS = 15 };

/* "-1234567.50" -> "-1,234,567.5" in English. keep: zeros at the end stay. */
static const char *grouped(const struct telling *telling, const char *digits, bool keep)
{
    const struct language *language = telling->language;
    char out[DIGITS_MOST * 3];
    size_t size = 0;
    bool minus = *digits == '-';
    digits += minus;
    size_t whole = strcspn(digits, ".");
    size_t all = strlen(digits);
    if (!keep && all > whole) {
        while (digits[all - 1] == '0') {
            all--;
        }
        all -= digits[all - 1] == '.';
    }
    bool zero = strspn(digits, "0.") >= all;
    if (minus && !zero) {
        out[size++] = '-';
    }
    for (size_t i = 0; i < whole; i++) {
        if (i && (whole - i) % 3 == 0 && whole >= (size_t)language->group_from) {
            size += (size_t)snprintf(out + size, sizeof out - size, "%s",
                                     language->thousands);
        }
        out[size++] = digits[i];
    }
    if (all > whole) {
        size +=
            (size_t)snprintf(out + size, sizeof out - size, "%s%.*s", language->decimal,
                             (int)(all - whole - 1), digits + whole + 1);
    }
    return arena_copy(telling->arena, out, size);
}

/* 2.5 is 3, and 1.005 is 1.01: halves away from zero, as decimals and not as binary numbers. */
static double half_up(double number, int decimals)
{
    static const double exact_most = 4503599627370496.0; /* 2^52 */
    double power = pow(10, decimals);
    double scaled = fabs(number) * power;
    if (!(scaled < exact_most / 4)) {
        return number;
    }
    double whole = floor(scaled + 0.5 + scaled * 4e-16);
    return copysign(whole / power, number);
}

static const char *of_real(const struct telling *telling, double number, int decimals,
                           bool keep)
{
    char digits[DIGITS_MOST];
    int size =
        snprintf(digits, sizeof digits, "%.*f", decimals, half_up(number, decimals));
    return size > 0 && size < DIGITS_MOST ? grouped(telling, digits, keep) : NULL;
}

/* Digits behind the point: a number below 1 keeps three that say something. */
static int decimals_of(double number, enum number_form form)
{
    enum { MOST = 12 };
    double size = fabs(number);
    if (number == floor(number) || (form == NUMBER_ROUND && size >= 1000)) {
        return 0;
    }
    if (size >= 1) {
        return 2;
    }
    int zeros = (int)floor(-log10(size));
    return zeros + 3 < MOST ? zeros + 3 : MOST;
}

const char *number_count(const struct telling *telling, size_t count)
{
    char digits[DIGITS_MOST];
    (void)snprintf(digits, sizeof digits, "%zu", count);
    return grouped(telling, digits, false);
}

/* An exact decimal with more digits than a double has: only its digits are grouped. */
static bool is_long_whole(const struct value *value, char digits[DIGITS_MOST])
{
    size_t size = value->text.size;
    if (value->kind != VALUE_NUMBER || size <= EXACT_DIGITS || size > 40) {
        return false;
    }
    memcpy(digits, value->text.data, size);
    digits[size] = '\0';
    size_t sign = *digits == '-';
    return digits[sign] && strspn(digits + sign, "0123456789") == size - sign;
}

static const char *plain(const struct telling *telling, const struct value *value,
                         enum number_form form, bool money)
{
    char digits[DIGITS_MOST];
    double number = 0;
    if (value->kind == VALUE_INT) {
        (void)snprintf(digits, sizeof digits, "%lld", (long long)value->integer);
        return grouped(telling, digits, false);
    }
    if (is_long_whole(value, digits)) {
        return grouped(telling, digits, false);
    }
    if (!chart_number(value, &number) || fabs(number) >= 1e15 ||
        (number != 0 && fabs(number) < 1e-9)) {
        struct buf text; /* as the table shows it: 2.7e-10 */
        buf_init(&text, 400);
        value_show(&text, value);
        const char *raw = cell_clean(telling->arena, buf_get(&text), text.size, 60);
        size_t whole = strcspn(raw, ".");
        const char *shown =
            raw[whole] ? arena_format(telling->arena, "%.*s%s%s", (int)whole, raw,
                                      telling->language->decimal, raw + whole + 1)
                       : raw;
        buf_release(&text);
        return shown;
    }
    int decimals = decimals_of(number, form);
    double tenths = number * 10; /* 4.5 stays; 349.196 is 349.20 and not 349.2 */
    bool rounded = fabs(tenths - nearbyint(tenths)) > 1e-9 * fabs(tenths);
    bool cents = value->kind == VALUE_NUMBER && value->text.size > 3 &&
                 value->text.data[value->text.size - 3] == '.';
    return of_real(telling, number, decimals,
                   decimals == 2 && (money || rounded || cents));
}

static const char *with_unit(const struct telling *telling, const struct fact_unit *unit,
                             const char *number)
{
    if (!unit->text) {
        return number;
    }
    if (unit->symbol && telling->language->symbol_first) {
        bool minus = *number == '-';
        return arena_format(telling->arena, "%s%s%s", minus ? "-" : "", unit->text,
                            number + minus);
    }
    return arena_format(telling->arena, "%s %s", number, unit->text);
}

const char *number_things(const struct telling *telling, const struct fact_column *fact,
                          bool one)
{
    if (fact->values && !one) {
        struct slots slots = {.texts = {[SLOT_MEASURE] = fact->values}};
        return say_text(telling, PHRASE_DIFFERENT, &slots);
    }
    return one ? fact->thing : fact->things;
}

static const char *with_things(const struct telling *telling,
                               const struct fact_column *column,
                               const struct value *value, const char *number)
{
    if (column->kind != FACT_COUNT) {
        return number;
    }
    bool one = value->kind == VALUE_INT && value->integer == 1;
    const char *things = number_things(telling, column, one);
    return things ? arena_format(telling->arena, "%s %s", number, things) : number;
}

const char *number_bare(const struct telling *telling, size_t row, size_t column,
                        enum number_form form)
{
    const struct value *value = rows_cell(telling->rows, row, column);
    const struct fact_column *fact = &telling->facts->columns[column];
    if (value->kind == VALUE_NULL) {
        return say_text(telling, PHRASE_NO_VALUE, NULL);
    }
    const char *number = plain(telling, value, form, fact->unit.symbol);
    return with_unit(telling, &fact->unit, number);
}

const char *number_cell(const struct telling *telling, size_t row, size_t column,
                        enum number_form form)
{
    return with_things(telling, &telling->facts->columns[column],
                       rows_cell(telling->rows, row, column),
                       number_bare(telling, row, column, form));
}

static const char *percent(const struct telling *telling, const char *sign, double number,
                           int decimals)
{
    const char *digits = of_real(telling, number, decimals, false);
    struct slots slots = {
        .texts = {[SLOT_VALUE] = arena_format(telling->arena, "%s%s", sign, digits)}};
    return say_text(telling, PHRASE_PERCENT, &slots);
}

static const char *compared(const struct telling *telling, enum phrase phrase,
                            double number)
{
    struct slots slots = {.texts = {[SLOT_VALUE] = percent(telling, "", number, 1)}};
    return say_text(telling, phrase, &slots);
}

const char *number_share(const struct telling *telling, double part, double whole)
{
    double share = part / whole * 100;
    if (part <= 0 || share < 0.05) {
        return part <= 0 ? percent(telling, "", 0, 0)
                         : compared(telling, PHRASE_LESS_THAN, 0.1);
    }
    if (part < whole && share >= 99.5) { /* down, so that it is not 100 */
        double down = floor(share * 10) / 10;
        return down > 99.9 || share >= 99.95 ? compared(telling, PHRASE_MORE_THAN, 99.9)
                                             : percent(telling, "", down, 1);
    }
    return percent(telling, "", share, share < 0.95 ? 1 : 0);
}

static const char *change(const struct telling *telling, double from, double to,
                          bool sign)
{
    enum { MOST = 1000000 };
    double share = from > 0 ? (to - from) / from * 100 : (double)NAN;
    double size = fabs(share);
    const char *mark = !sign ? "" : share < 0 ? "-" : "+";
    if (!(size > 0) || size > MOST) {
        return NULL;
    }
    if (size < 0.05) {
        return compared(telling, PHRASE_LESS_THAN, 0.1);
    }
    bool hundred = fabs(size - 100) < 1e-9;
    if (!hundred && fabs(size - 100) < 0.5) { /* 99.7 % is not 100 % */
        return fabs(size - 100) >= 0.05
                   ? percent(telling, mark, size, 1)
                   : compared(telling, size < 100 ? PHRASE_LESS_THAN : PHRASE_MORE_THAN,
                              100);
    }
    return percent(telling, mark, size, size < 9.95 ? 1 : 0);
}

const char *number_change(const struct telling *telling, double from, double to)
{
    return change(telling, from, to, true);
}

const char *number_more(const struct telling *telling, double from, double to)
{
    enum { TIMES_MOST = 10 }; /* more says nothing that the two numbers do not say */
    return to > from * TIMES_MOST ? NULL : change(telling, from, to, false);
}
