/* What one column of a result is to a chart. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/chart.h"

bool chart_number(const struct value *value, double *out)
{
    char text[64];
    switch (value->kind) {
    case VALUE_INT:
        *out = (double)value->integer;
        return true;
    case VALUE_REAL:
        *out = value->real;
        return isfinite(value->real);
    case VALUE_NUMBER:
        if (value->text.size >= sizeof text) {
            return false;
        }
        memcpy(text, value->text.data, value->text.size);
        text[value->text.size] = '\0';
        return str_to_real(text, out) && isfinite(*out);
    default:
        return false;
    }
}

/* Does the text begin as the pattern says? 9: a digit, others themselves. */
static bool looks(const char *text, size_t size, const char *pattern)
{
    size_t wanted = strlen(pattern);
    bool same = size >= wanted;
    for (size_t i = 0; same && i < wanted; i++) {
        same = pattern[i] == '9' ? isdigit((unsigned char)text[i]) != 0
                                 : text[i] == pattern[i];
    }
    return same;
}

/* A zone at the end, or none; "+02" becomes "+02:00". */
static const char *zone_of(const char *text, size_t size, size_t *at, const char **more)
{
    *more = "";
    *at = size;
    if (size && text[size - 1] == 'Z') {
        return "";
    }
    if (size > 6 && (text[size - 6] == '+' || text[size - 6] == '-') &&
        looks(text + size - 5, 5, "99:99")) {
        return "";
    }
    if (size > 3 && (text[size - 3] == '+' || text[size - 3] == '-') &&
        looks(text + size - 2, 2, "99")) {
        *more = ":00";
        return "";
    }
    return "Z";
}

static void time_of_text(const char *text, size_t size, char out[CHART_TIME_SIZE])
{
    if (looks(text, size, "9999-99-99") && size > 10 && size < 36 &&
        (text[10] == ' ' || text[10] == 'T') && looks(text + 11, size - 11, "99:99")) {
        size_t end = size;
        const char *more = "";
        const char *zone = zone_of(text, size, &end, &more);
        (void)snprintf(out, CHART_TIME_SIZE, "%.10sT%.*s%s%s", text, (int)(end - 11),
                       text + 11, more, zone);
    } else if ((size == 10 && looks(text, size, "9999-99-99")) ||
               (size == 7 && looks(text, size, "9999-99"))) {
        (void)snprintf(out, CHART_TIME_SIZE, "%.*s", (int)size, text);
    }
    for (char *c = out; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-:.+", *c)) {
            *out = '\0'; /* something else follows the date */
            return;
        }
    }
}

void chart_time(const struct value *value, char out[CHART_TIME_SIZE])
{
    *out = '\0';
    if (value->kind == VALUE_INT) { /* a year: the column's name says so */
        if (value->integer >= 1000 && value->integer <= 2999) {
            (void)snprintf(out, CHART_TIME_SIZE, "%d", (int)value->integer);
        }
    } else if (value->kind == VALUE_TEXT && value->text.size == 4 &&
               looks(value->text.data, 4, "9999")) {
        (void)snprintf(out, CHART_TIME_SIZE, "%.4s", value->text.data);
    } else if (value->kind == VALUE_TEXT) {
        time_of_text(value->text.data, value->text.size, out);
    }
}

/* "2024-Q1", "Q1", "2024-W05": they follow each other, but are no moments. */
static bool is_part(const struct value *value)
{
    const char *text = value->text.data;
    size_t size = value->text.size;
    return value->kind == VALUE_TEXT && ((size == 7 && (looks(text, size, "9999-Q9") ||
                                                        looks(text, size, "9999 Q9"))) ||
                                         (size == 8 && looks(text, size, "9999-W99")) ||
                                         (size == 2 && looks(text, size, "Q9")));
}

/* The name as words: is this one of them? */
static bool name_has(const char *name, const char *const *words)
{
    for (; *words; words++) {
        size_t size = strlen(*words);
        for (const char *at = name; *at; at++) {
            bool begins = at == name || !isalpha((unsigned char)at[-1]) ||
                          (islower((unsigned char)at[-1]) && isupper((unsigned char)*at));
            if (begins && str_starts_nocase(at, *words) &&
                !islower((unsigned char)at[size])) {
                return true;
            }
        }
    }
    return false;
}

static const char *const year_words[] = {"year", "yr", NULL};
static const char *const part_words[] = {"month", "quarter", "week", "weekday",
                                         "hour",  "day",     "dow",  NULL};
static const char *const name_words[] = {"id", "code", "zip", "postcode", "phone", NULL};
static const char *const share_words[] = {"share",   "percent",    "percentage", "pct",
                                          "portion", "proportion", "fraction",   NULL};
static const char *const mean_words[] = {"avg",  "average", "mean",  "median",
                                         "rate", "ratio",   "score", NULL};
static const char *const ends[] = {"min_", "max_", "lowest_", "highest_", NULL};
static const char *const sums[] = {"sum_", "total_", "count", "number_", NULL};

static uint64_t hash_of(const struct value *value)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)value->kind;
    bool text = value->kind >= VALUE_NUMBER;
    const unsigned char *bytes =
        text ? (const unsigned char *)value->text.data
             : (const unsigned char *)(value->kind == VALUE_BOOL
                                           ? (const void *)&value->boolean
                                           : (const void *)&value->integer);
    size_t size = text ? value->text.size : value->kind == VALUE_BOOL ? 1 : 8;
    size = value->kind == VALUE_NULL ? 0 : size;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return *x < *y ? -1 : *x > *y;
}

bool chart_is_summed(const struct rows *rows, const struct chart *chart)
{
    uint64_t places[CHART_ROWS_SEEN];
    size_t count = rows->count < CHART_ROWS_SEEN ? rows->count : CHART_ROWS_SEEN;
    for (size_t i = 0; i < count; i++) {
        places[i] = hash_of(rows_cell(rows, i, chart->x));
        if (chart->series != CHART_NO_COLUMN) {
            uint64_t part = hash_of(rows_cell(rows, i, chart->series));
            places[i] = (places[i] ^ part << 1) * UINT64_C(1099511628211);
        }
    }
    qsort(places, count, sizeof *places, by_hash);
    for (size_t i = 1; i < count; i++) {
        if (places[i] == places[i - 1]) {
            return false;
        }
    }
    return true;
}

struct seen {
    uint64_t hashes[CHART_DISTINCT_MOST];
    size_t count;
    size_t values;
    size_t numbers;
    size_t times;
    size_t parts;
    size_t words;
    bool years; /* all whole and between 1000 and 2999 */
};

static void see(struct seen *seen, struct chart_column *column, const struct value *value)
{
    double number = 0;
    char time[CHART_TIME_SIZE];
    uint64_t hash = hash_of(value);
    size_t at = 0;
    while (at < seen->count && seen->hashes[at] != hash) {
        at++;
    }
    if (at == seen->count && at < CHART_DISTINCT_MOST) {
        seen->hashes[seen->count++] = hash;
    }
    seen->values++;
    if (chart_number(value, &number)) {
        bool first = seen->numbers++ == 0;
        column->least = first || number < column->least ? number : column->least;
        column->greatest = first || number > column->greatest ? number : column->greatest;
        column->sum += number;
        column->whole = column->whole && number == floor(number);
    } else if (value->kind == VALUE_TEXT || value->kind == VALUE_BOOL) {
        chart_time(value, time);
        seen->times += *time != '\0';
        seen->parts += is_part(value);
        seen->words++;
    }
}

static bool near(double value, double target)
{
    return fabs(value - target) < target * 0.01;
}

static bool begins_with_any(const char *name, const char *const *words)
{
    while (*words && !str_starts_nocase(name, *words)) {
        words++;
    }
    return *words != NULL;
}

/* Counts and sums of parts add up to those of the whole; rates, averages and extremes do
 * not. */
static bool adds_up(const char *name)
{
    return begins_with_any(name, sums) ||
           !(begins_with_any(name, ends) || name_has(name, mean_words) ||
             name_has(name, share_words) || strchr(name, '%'));
}

static enum chart_role role_of(const struct seen *seen, const struct chart_column *column,
                               const char *name)
{
    bool whole = column->is_number && column->whole;
    if (seen->values == 0) {
        return CHART_NOTHING;
    }
    if (column->is_number) {
        bool year = whole && column->least >= 1000 && column->greatest <= 2999 &&
                    name_has(name, year_words);
        bool part = whole && column->least >= 0 && column->greatest <= 366 &&
                    name_has(name, part_words);
        return year                                  ? CHART_TIME
               : part                                ? CHART_ORDER
               : whole && name_has(name, name_words) ? CHART_NAME
                                                     : CHART_NUMBER;
    }
    return seen->times == seen->values   ? CHART_TIME
           : seen->parts == seen->values ? CHART_ORDER
           : seen->words == seen->values ? CHART_CATEGORY
                                         : CHART_NOTHING;
}

void chart_column_read(const struct rows *rows, size_t column, struct chart_column *out)
{
    struct seen seen = {.count = 0};
    const char *name = rows->columns[column].name;
    *out = (struct chart_column){.whole = true};
    for (size_t i = 0; i < rows->count && i < CHART_ROWS_SEEN; i++) {
        const struct value *value = rows_cell(rows, i, column);
        if (value->kind == VALUE_NULL) {
            out->nulls++;
        } else {
            see(&seen, out, value);
        }
    }
    out->distinct = seen.count;
    out->is_number = seen.values > 0 && seen.numbers == seen.values;
    out->role = role_of(&seen, out, name);
    out->additive = adds_up(name);
    out->share = out->role == CHART_NUMBER && out->least >= 0 && seen.values > 1 &&
                 (name_has(name, share_words) || strchr(name, '%') ||
                  (!out->whole && (near(out->sum, 100) || near(out->sum, 1))));
}
