/* Which columns name the rows, and the extremes of a figure. */
#include "agent/sentence/shape.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "agent/sentence/period.h"
#include "base/str.h"
#include "model/chart.h"

enum { SAMPLE_ROWS = 8 };
static const double exact_most = 9007199254740992.0; /* 2^53 */

/* A computed number is a figure, whatever its name says. */
static enum chart_role role_of(const struct telling *telling, size_t column,
                               const struct chart_column *read)
{
    bool computed = telling->facts->columns[column].kind != FACT_PLAIN;
    return computed && read->is_number && read->role == CHART_NAME ? CHART_NUMBER
                                                                   : read->role;
}

static bool is_better(const struct telling *telling, size_t column, size_t other)
{
    const struct facts *facts = telling->facts;
    return other == NO_COLUMN || facts->order == column ||
           (facts->order != other && facts->columns[other].kind == FACT_PLAIN &&
            facts->columns[column].kind != FACT_PLAIN);
}

static bool is_month_name(const struct telling *telling, size_t column)
{
    struct period period;
    return telling->rows->count &&
           period_read(rows_cell(telling->rows, 0, column), false, false, &period) &&
           period.kind == PERIOD_MONTH_NAME;
}

static void take_column(const struct telling *telling, size_t column,
                        const struct chart_column *read, struct shape *out)
{
    enum chart_role role = role_of(telling, column, read);
    bool month = role == CHART_CATEGORY && is_month_name(telling, column);
    if ((role == CHART_TIME || role == CHART_ORDER || month) && out->time == NO_COLUMN) {
        out->time = column;
        out->years = role == CHART_TIME;
        out->months =
            month || str_contains_nocase(telling->rows->columns[column].name, "month");
    } else if (role == CHART_CATEGORY && out->label_count < LABELS_MOST) {
        out->labels[out->label_count++] = column;
    } else if (role == CHART_NAME && out->identifier == NO_COLUMN) {
        out->identifier = column;
    } else if (role == CHART_NUMBER && is_better(telling, column, out->figure)) {
        if (telling->facts->columns[column].kind != FACT_PLAIN &&
            out->identifier == NO_COLUMN) {
            out->identifier = out->figure; /* GROUP BY rating: the number names a group */
        }
        out->figure = column;
        out->share = read->share;
    }
}

void shape_read(const struct telling *telling, struct shape *out)
{
    struct rows sample = *telling->rows;
    sample.count = sample.count < SAMPLE_ROWS ? sample.count : SAMPLE_ROWS;
    *out =
        (struct shape){.time = NO_COLUMN, .identifier = NO_COLUMN, .figure = NO_COLUMN};
    for (size_t i = 0; i < sample.column_count && i < FACTS_COLUMNS; i++) {
        struct chart_column read;
        chart_column_read(&sample, i, &read);
        take_column(telling, i, &read, out);
    }
}

static bool has_word(const struct telling *telling, size_t column,
                     const char *const *words)
{
    for (; *words; words++) {
        if (str_contains_nocase(telling->rows->columns[column].name, *words)) {
            return true;
        }
    }
    return false;
}

/* "first_name", "last_name": one name in two columns. */
static bool is_person(const struct telling *telling, const struct shape *shape)
{
    static const char *const first[] = {"first", "given", "fore", NULL};
    static const char *const last[] = {"last", "sur", "family", NULL};
    return shape->label_count >= 2 && has_word(telling, shape->labels[0], first) &&
           has_word(telling, shape->labels[1], last);
}

/* A number in a text, or one that identifies, says nothing without its heading. */
static const char *label_text(const struct telling *telling, size_t row, size_t column)
{
    const struct value *value = rows_cell(telling->rows, row, column);
    bool broken = value->kind == VALUE_REAL || value->kind == VALUE_NUMBER;
    const char *text = broken ? number_bare(telling, row, column, NUMBER_EXACT)
                              : cell_text(telling, value);
    bool words = value->kind == VALUE_NULL || value->kind == VALUE_BOOL ||
                 text[strspn(text, "0123456789.,-")];
    return words ? text
                 : arena_format(telling->arena, "%s %s", cell_heading(telling, column),
                                text);
}

static const char *when_text(const struct telling *telling, const struct shape *shape,
                             size_t row, bool in, bool *known)
{
    struct period period;
    const struct value *cell = rows_cell(telling->rows, row, shape->time);
    *known = period_read(cell, shape->years, shape->months, &period);
    return *known ? period_text(telling, &period, in)
                  : label_text(telling, row, shape->time);
}

const char *shape_name(const struct telling *telling, const struct shape *shape,
                       size_t row)
{
    const char *name = NULL;
    bool person = is_person(telling, shape);
    for (size_t i = 0; i < shape->label_count; i++) {
        const char *part = label_text(telling, row, shape->labels[i]);
        if (name && *part == '(' && str_equal(part, name)) {
            continue; /* "(no patron)", and not twice */
        }
        name = name ? arena_format(telling->arena, "%s%s%s", name,
                                   person && i == 1 ? " " : " / ", part)
                    : part;
    }
    if (shape->time != NO_COLUMN) {
        bool known = false;
        const char *when = when_text(telling, shape, row, name != NULL, &known);
        name =
            !name ? when
                  : arena_format(telling->arena, known ? "%s %s" : "%s / %s", name, when);
    }
    return !name && shape->identifier != NO_COLUMN
               ? label_text(telling, row, shape->identifier)
               : name;
}

bool shape_is_unnamed(const struct telling *telling, const struct shape *shape,
                      size_t row)
{
    bool unnamed = shape->label_count > 0;
    for (size_t i = 0; unnamed && i < shape->label_count; i++) {
        const struct value *value = rows_cell(telling->rows, row, shape->labels[i]);
        bool text = value->kind == VALUE_TEXT && value->text.size > 5;
        unnamed = value->kind == VALUE_NULL ||
                  (text && memcmp(value->text.data, "(no ", 4) == 0 &&
                   value->text.data[value->text.size - 1] == ')');
    }
    return unnamed;
}

static const char *const name_words[] = {"name", "title", "label", NULL};

bool shape_has_name(const struct telling *telling, const struct shape *shape)
{
    return is_person(telling, shape) ||
           (shape->label_count && has_word(telling, shape->labels[0], name_words));
}

void shape_keep_name(const struct telling *telling, struct shape *shape)
{
    size_t kept = 0;
    if (is_person(telling, shape)) {
        shape->label_count = 2;
        shape->time = NO_COLUMN;
        return;
    }
    for (size_t i = shape->label_count; i-- > 0;) {
        kept = has_word(telling, shape->labels[i], name_words) ? i : kept;
    }
    if (shape->label_count) {
        shape->labels[0] = shape->labels[kept];
        shape->label_count = 1;
        shape->time = NO_COLUMN;
    }
}

static bool same_cell(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return a->boolean == b->boolean;
    case VALUE_INT:
        return a->integer == b->integer;
    case VALUE_REAL:
        return a->real == b->real;
    default:
        return a->text.size == b->text.size &&
               memcmp(a->text.data, b->text.data, a->text.size) == 0;
    }
}

bool shape_same_name(const struct telling *telling, const struct shape *shape, size_t a,
                     size_t b)
{
    const struct rows *rows = telling->rows;
    for (size_t i = 0; i < shape->label_count; i++) {
        if (!same_cell(rows_cell(rows, a, shape->labels[i]),
                       rows_cell(rows, b, shape->labels[i]))) {
            return false;
        }
    }
    size_t other = shape->time != NO_COLUMN ? shape->time
                   : shape->label_count     ? NO_COLUMN
                                            : shape->identifier;
    return other == NO_COLUMN ||
           same_cell(rows_cell(rows, a, other), rows_cell(rows, b, other));
}

bool extremes_equal(double a, double b)
{
    bool whole = a == floor(a) && b == floor(b); /* these have no such error */
    return whole ? a == b : fabs(a - b) <= fmax(fabs(a), fabs(b)) * 1e-12;
}

double extremes_cell(const struct rows *rows, size_t row, size_t column)
{
    double number = (double)NAN;
    (void)chart_number(rows_cell(rows, row, column), &number);
    return number;
}

static void take_top(struct extremes *out, double number)
{
    for (size_t i = 0; i < TOP_MOST; i++) {
        if (number > out->top[i]) {
            double smaller = out->top[i];
            out->top[i] = number;
            number = smaller;
        }
    }
}

static void take_number(struct extremes *out, size_t row, double number)
{
    bool first = out->numbers++ == 0;
    if (first || (number > out->greatest && !extremes_equal(number, out->greatest))) {
        out->greatest = number;
        out->greatest_row = row;
        out->greatest_count = 0;
    }
    if (first || (number < out->least && !extremes_equal(number, out->least))) {
        out->least = number;
        out->least_row = row;
        out->least_count = 0;
    }
    out->greatest_count += extremes_equal(number, out->greatest);
    out->least_count += extremes_equal(number, out->least);
    out->sum += number;
    take_top(out, number);
}

void extremes_read(const struct rows *rows, size_t column, struct extremes *out)
{
    *out = (struct extremes){.clean = rows->count <= RANKED_MOST,
                             .top = {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (size_t i = 0; out->clean && i < rows->count; i++) {
        const struct value *value = rows_cell(rows, i, column);
        double number = 0;
        if (value->kind == VALUE_NULL) {
            out->nulls++;
        } else if (chart_number(value, &number) && fabs(number) < exact_most) {
            take_number(out, i, number);
        } else {
            out->clean = false;
        }
    }
}

bool shape_is_whole(const struct telling *telling)
{
    const struct rows *rows = telling->rows;
    return telling->facts->whole && rows_given_cut(rows) == ROWS_WHOLE &&
           rows_given(rows) == rows->count;
}

bool shape_may_be_lower(const struct telling *telling, const struct shape *shape,
                        double number)
{
    enum fact_kind kind = telling->facts->columns[shape->figure].kind;
    bool lacking = telling->facts->lacking || shape->time != NO_COLUMN;
    return lacking && (kind == FACT_COUNT || kind == FACT_SUM) && number > 0;
}
