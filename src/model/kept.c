/* What form the sample values of a column of text have. */
#include "model/kept.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

/* ------------------------------------------------------------------ amounts */

static const char *const units[] = {"$",   "€",   "£",   "¥",   "%",
                                    "EUR", "USD", "GBP", "CHF", "JPY"};

enum { UNITS = sizeof units / sizeof *units };

/* What the amounts of a column have shown so far. */
struct amounts {
    const char *unit;
    bool marked; /* something that no plain number has */
    bool comma;  /* certainly behind the whole part */
    bool point;
    bool code;       /* 007, or 1.9 beside 1.10: nobody writes numbers so */
    size_t fraction; /* digits behind the point */
    size_t count;
};

static void skip_blanks(const char **at)
{
    while (**at == ' ') {
        (*at)++;
    }
}

/* One currency in a column: sums over two would mean nothing. */
static bool take_unit(const char **at, struct amounts *amounts)
{
    skip_blanks(at);
    for (size_t i = 0; i < UNITS; i++) {
        if (str_starts(*at, units[i])) {
            *at += strlen(units[i]);
            if (amounts->unit && amounts->unit != units[i]) {
                return false;
            }
            amounts->unit = units[i];
            amounts->marked = true;
            break;
        }
    }
    skip_blanks(at);
    return true;
}

/* 1,200.50: the last separator stands before the fraction unless three digits follow that
 * could be thousands. */
static bool take_digits(const char **at, struct amounts *amounts)
{
    const char *start = *at;
    size_t size = strspn(start, "0123456789.,");
    size_t commas = 0;
    size_t points = 0;
    size_t last = 0;
    for (size_t i = 0; i < size; i++) {
        commas += start[i] == ',';
        points += start[i] == '.';
        last = start[i] == ',' || start[i] == '.' ? i : last;
    }
    *at += size;
    if (!size || !isdigit((unsigned char)start[0]) ||
        !isdigit((unsigned char)start[size - 1]) || (commas > 1 && points > 1)) {
        return false;
    }
    size_t same = start[last] == ',' ? commas : points;
    bool both = commas && points;
    bool thousands = commas + points > 0 && !both && size - last == 4;
    size_t fraction = points == 1 && !commas ? size - last - 1 : 0;
    amounts->code |= fraction && amounts->fraction && fraction != amounts->fraction;
    amounts->fraction = fraction ? fraction : amounts->fraction;
    amounts->code |= size > 1 && start[0] == '0' && isdigit((unsigned char)start[1]);
    amounts->marked |= both || commas > 1 || points > 1 || (commas && thousands);
    if (thousands || same > 1 || commas + points == 0) {
        /* "1,200" is more often a thousand than a fraction with three digits */
        amounts->point |= commas > 1 || (commas && thousands);
        amounts->comma |= points > 1;
    } else {
        amounts->comma |= start[last] == ',';
        amounts->point |= start[last] == '.';
    }
    return !thousands || commas || points > 1 || last <= 3;
}

static bool is_amount(const char *text, struct amounts *amounts)
{
    const char *at = text;
    skip_blanks(&at);
    bool negative = *at == '(';
    at += negative;
    at += *at == '-' || *at == '+';
    if (!take_unit(&at, amounts)) {
        return false;
    }
    at += *at == '-';
    if (*at == '(' && !negative) {
        negative = true;
        at++;
    }
    if (!take_digits(&at, amounts) || !take_unit(&at, amounts)) {
        return false;
    }
    amounts->marked |= negative;
    at += negative && *at == ')';
    skip_blanks(&at);
    return *at == '\0';
}

/* What people write into a cell whose number they do not know. */
static bool says_nothing(const char *text)
{
    static const char *const words[] = {"",     "-",    "--",      "?",   "n/a", "na",
                                        "null", "none", "unknown", "tbd", "nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal_nocase(text, words[i])) {
            return true;
        }
    }
    return text[strspn(text, " ")] == '\0';
}

static bool hold_amounts(const struct texts *samples, struct kept *out)
{
    struct amounts amounts = {0};
    for (size_t i = 0; i < samples->count; i++) {
        if (says_nothing(samples->items[i])) {
            continue;
        }
        if (!is_amount(samples->items[i], &amounts)) {
            return false;
        }
        amounts.count++;
    }
    out->unit = amounts.unit;
    out->comma = amounts.comma;
    out->plain = !amounts.marked && !amounts.comma;
    out->whole = !amounts.marked && !amounts.comma && !amounts.point;
    return amounts.count && (amounts.marked || !amounts.code) &&
           !(amounts.comma && amounts.point);
}

/* ------------------------------------------------------------------ dates */

/* The text has digits where the layout has letters, and months and days that there are. */
static bool fits(const char *text, const char *layout)
{
    int month = 0;
    int day = 0;
    if (strlen(text) != strlen(layout)) {
        return false;
    }
    for (size_t i = 0; layout[i]; i++) {
        bool digit = isdigit((unsigned char)text[i]);
        if (isalpha((unsigned char)layout[i]) ? !digit : text[i] != layout[i]) {
            return false;
        }
        month = layout[i] == 'M' ? month * 10 + (text[i] - '0') : month;
        day = layout[i] == 'D' ? day * 10 + (text[i] - '0') : day;
    }
    return month >= 1 && month <= 12 && day <= 31 && (day >= 1 || !strchr(layout, 'D'));
}

static bool all_fit(const struct texts *samples, const char *layout)
{
    for (size_t i = 0; i < samples->count; i++) {
        if (!fits(samples->items[i], layout)) {
            return false;
        }
    }
    return true;
}

/* Where day and month could be either way round nothing is said. */
static const char *layout_of(const struct texts *samples, bool *unclear)
{
    static const char *const layouts[] = {"YYYY-MM",    "YYYY/MM",    "DD.MM.YYYY",
                                          "DD/MM/YYYY", "MM/DD/YYYY", "DD-MM-YYYY",
                                          "MM-DD-YYYY", "YYYY/MM/DD", "YYYY.MM.DD"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (all_fit(samples, layouts[i])) {
            if (found) {
                *unclear = true;
                return NULL;
            }
            found = layouts[i];
        }
    }
    return found;
}

void kept_of(const struct column *column, struct kept *out)
{
    *out = (struct kept){.form = KEPT_AS_IS};
    if (!column->is_text || column->samples.count == 0) {
        return;
    }
    out->example = column->samples.items[0];
    out->layout = layout_of(&column->samples, &out->unclear);
    if (out->layout) {
        out->form = KEPT_DATE;
    } else if (!out->unclear && hold_amounts(&column->samples, out)) {
        out->form = KEPT_AMOUNT;
    }
}
