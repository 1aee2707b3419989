/* Which chart fits a result, and which others would. */
#include "model/chart.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/writer.h"

enum {
    COLUMNS_SEEN = 32,
    SERIES_MOST = 12,
    SLICES_MOST = 8,
    LINES_MOST = 6, /* more in one chart cannot be told apart */
    MULTIPLES_MOST = 24,
    SHOWN_COLUMNS_MOST = 6, /* a result with more is a list to read */
    SHOWN_DOTS_LEAST = 5
};

static const char *const names[CHART_KIND_COUNT] = {
    [CHART_FIGURE] = "figure",   [CHART_LINE] = "line",
    [CHART_AREA] = "area",       [CHART_STACKED] = "stacked",
    [CHART_ARC] = "arc",         [CHART_BAR] = "bar",
    [CHART_SCATTER] = "scatter", [CHART_MULTIPLES] = "multiples",
    [CHART_SHARE] = "share",
};

const char *chart_kind_name(enum chart_kind kind)
{
    return kind < CHART_KIND_COUNT ? names[kind] : "";
}

bool chart_kind_find(const char *name, enum chart_kind *out)
{
    for (size_t i = 0; i < CHART_KIND_COUNT; i++) {
        if (str_equal(name, names[i])) {
            *out = (enum chart_kind)i;
            return true;
        }
    }
    return false;
}

/* The shape of a result. */
struct shape {
    const struct rows *result;
    struct chart_column columns[COLUMNS_SEEN];
    size_t column_count;
    size_t rows;
    size_t time; /* the first of its role, or CHART_NO_COLUMN */
    size_t order;
    size_t category[2];
    size_t number[CHART_LINES_MOST];
    size_t number_count;
    size_t any_number; /* an id will do, for a figure */
    size_t any_count;
};

static void shape_read(struct shape *shape, const struct rows *rows)
{
    size_t categories = 0;
    *shape = (struct shape){.result = rows,
                            .column_count = rows->column_count,
                            .rows = rows->count,
                            .time = CHART_NO_COLUMN,
                            .order = CHART_NO_COLUMN,
                            .category = {CHART_NO_COLUMN, CHART_NO_COLUMN},
                            .any_number = CHART_NO_COLUMN};
    for (size_t i = 0; i < rows->column_count && i < COLUMNS_SEEN; i++) {
        struct chart_column *column = &shape->columns[i];
        chart_column_read(rows, i, column);
        if (column->is_number && shape->any_count++ == 0) {
            shape->any_number = i;
        }
        if (column->role == CHART_TIME && shape->time == CHART_NO_COLUMN) {
            shape->time = i;
        } else if (column->role == CHART_ORDER && shape->order == CHART_NO_COLUMN) {
            shape->order = i;
        } else if (column->role == CHART_CATEGORY && categories < 2) {
            shape->category[categories++] = i;
        } else if (column->role == CHART_NUMBER &&
                   shape->number_count < CHART_LINES_MOST) {
            shape->number[shape->number_count++] = i;
        }
    }
}

static bool some(size_t column)
{
    return column != CHART_NO_COLUMN;
}

static size_t distinct(const struct shape *shape, size_t column)
{
    return some(column) ? shape->columns[column].distinct : 0;
}

static size_t moment(const struct shape *shape)
{
    return some(shape->time) ? shape->time : shape->order;
}

static void take_numbers(const struct shape *shape, size_t most, struct chart *chart)
{
    for (size_t i = 0; i < shape->number_count && i < most; i++) {
        chart->y[chart->y_count++] = shape->number[i];
    }
}

/* ------------------------------------------------------------------ what fits */

static bool fits_figure(const struct shape *shape, struct chart *chart)
{
    chart->y[chart->y_count++] = shape->any_number;
    return shape->rows == 1 && shape->any_count == 1;
}

static bool fits_line(const struct shape *shape, struct chart *chart)
{
    chart->x = moment(shape);
    size_t parts = shape->category[0];
    bool split = some(parts) && distinct(shape, parts) > 1;
    chart->series = split ? parts : CHART_NO_COLUMN;
    take_numbers(shape, split ? 1 : CHART_LINES_MOST, chart);
    return distinct(shape, chart->x) > 1 && chart->y_count &&
           (!split ||
            (distinct(shape, parts) <= SERIES_MOST && !some(shape->category[1])));
}

static bool fits_area(const struct shape *shape, struct chart *chart)
{
    return fits_line(shape, chart) && shape->columns[chart->y[0]].least >= 0;
}

/* Values that are parts of a whole: they add up by their name, or to 1 or 100 for each of
 * so many wholes. */
static bool are_parts(const struct chart_column *column, size_t wholes)
{
    double each = wholes ? column->sum / (double)wholes : 0;
    bool whole = fabs(each - 100) < 1 || fabs(each - 1) < 0.01;
    return column->additive || whole || fabs(column->sum - 100) < 1 ||
           fabs(column->sum - 1) < 0.01;
}

/* Two ways to divide the rows, and a number that can be added up. */
static bool fits_stacked(const struct shape *shape, struct chart *chart)
{
    bool timed = some(moment(shape));
    chart->x = timed ? moment(shape) : shape->category[0];
    chart->series = timed ? shape->category[0] : shape->category[1];
    take_numbers(shape, 1, chart);
    size_t parts = distinct(shape, chart->series);
    return parts > 1 && parts <= SERIES_MOST && chart->y_count &&
           distinct(shape, chart->x) > 1 && distinct(shape, chart->x) < shape->rows &&
           shape->columns[chart->y[0]].least >= 0 &&
           are_parts(&shape->columns[chart->y[0]], distinct(shape, chart->x));
}

/* A line for each part, in a chart of its own. */
static bool fits_multiples(const struct shape *shape, struct chart *chart)
{
    size_t parts = shape->category[0];
    chart->x = moment(shape);
    chart->series = parts;
    take_numbers(shape, 1, chart);
    return distinct(shape, parts) > 1 && distinct(shape, parts) <= MULTIPLES_MOST &&
           !some(shape->category[1]) && distinct(shape, chart->x) > 1 && chart->y_count;
}

static bool fits_arc(const struct shape *shape, struct chart *chart)
{
    chart->x = some(shape->category[0]) ? shape->category[0] : shape->order;
    take_numbers(shape, 1, chart);
    if (!some(chart->x) || !chart->y_count) {
        return false;
    }
    const struct chart_column *part = &shape->columns[chart->y[0]];
    return shape->rows > 1 && shape->rows <= SLICES_MOST &&
           distinct(shape, chart->x) + shape->columns[chart->x].nulls == shape->rows &&
           !part->nulls && part->least >= 0 && part->sum > 0 && are_parts(part, 1);
}

static bool fits_bar(const struct shape *shape, struct chart *chart)
{
    chart->x = some(shape->category[0]) ? shape->category[0] : moment(shape);
    take_numbers(shape, 1, chart);
    return some(chart->x) && chart->y_count && shape->rows > 1;
}

static bool fits_scatter(const struct shape *shape, struct chart *chart)
{
    size_t parts = shape->category[0];
    size_t count = distinct(shape, parts);
    if (shape->number_count < 2 || shape->rows < 3) {
        return false;
    }
    chart->x = shape->number[0];
    chart->y[chart->y_count++] = shape->number[1];
    chart->series = count > 1 && count <= SERIES_MOST ? parts : CHART_NO_COLUMN;
    return true;
}

/* ------------------------------------------------------------------ what is best */

static bool always(const struct shape *shape)
{
    (void)shape;
    return true;
}

static bool never(const struct shape *shape)
{
    (void)shape;
    return false;
}

static bool no_time(const struct shape *shape)
{
    return !some(moment(shape));
}

static bool is_share(const struct shape *shape)
{
    return shape->columns[shape->number[0]].share;
}

static bool few(const struct shape *shape)
{
    return shape->rows <= CHART_BARS_MOST;
}

static bool many_lines(const struct shape *shape)
{
    return distinct(shape, shape->category[0]) > LINES_MOST;
}

static bool only_numbers(const struct shape *shape)
{
    return !some(moment(shape)) && (!some(shape->category[0]) || !few(shape));
}

/* In the order of preference: the first that fits and is best is recommended. */
static const struct rule {
    enum chart_kind kind;
    bool (*fits)(const struct shape *shape, struct chart *chart);
    bool (*best)(const struct shape *shape);
    const char *reason;
} rules[] = {
    {CHART_FIGURE, fits_figure, always, "One number is best read as a figure."},
    {CHART_MULTIPLES, fits_multiples, many_lines,
     "Many lines are easier to read in a chart each."},
    {CHART_LINE, fits_line, always, "A number over time is a line."},
    {CHART_STACKED, fits_stacked, no_time, "A number in two divisions is a stack."},
    {CHART_ARC, fits_arc, is_share, "A few shares of one whole are an arc."},
    {CHART_BAR, fits_bar, few, "A number for each category is a bar."},
    {CHART_SCATTER, fits_scatter, only_numbers, "Two numbers of each row are a scatter."},
    {CHART_AREA, fits_area, never, "A number over time, filled."},
    {CHART_SHARE, fits_stacked, never, "Each stack is drawn as shares of 100 %."},
};

enum { RULE_COUNT = sizeof rules / sizeof *rules };

static bool try_rule(const struct shape *shape, const struct rule *rule,
                     struct chart *out)
{
    *out = (struct chart){.kind = rule->kind,
                          .reason = rule->reason,
                          .x = CHART_NO_COLUMN,
                          .series = CHART_NO_COLUMN};
    if (shape->rows == 0 || !rule->fits(shape, out)) {
        return false;
    }
    out->x_role = some(out->x) ? shape->columns[out->x].role : CHART_NOTHING;
    out->share = rule->kind != CHART_FIGURE && shape->columns[out->y[0]].share;
    out->at_once = rule->kind != CHART_FIGURE &&
                   shape->column_count <= SHOWN_COLUMNS_MOST &&
                   (rule->kind == CHART_SCATTER ? shape->rows >= SHOWN_DOTS_LEAST
                                                : chart_is_summed(shape->result, out));
    return true;
}

static void add_others(const struct shape *shape, struct chart *chart)
{
    struct chart other;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (rules[i].kind != chart->kind && try_rule(shape, &rules[i], &other)) {
            chart->others[chart->other_count++] = rules[i].kind;
        }
    }
}

bool chart_recommend(const struct rows *rows, struct chart *out)
{
    struct shape shape;
    shape_read(&shape, rows);
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (try_rule(&shape, &rules[i], out) && rules[i].best(&shape)) {
            add_others(&shape, out);
            return true;
        }
    }
    return false;
}

bool chart_as(const struct rows *rows, enum chart_kind kind, struct chart *out)
{
    struct shape shape;
    shape_read(&shape, rows);
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (rules[i].kind == kind && try_rule(&shape, &rules[i], out)) {
            add_others(&shape, out);
            return true;
        }
    }
    return false;
}

void chart_write(const struct chart *chart, struct writer *writer)
{
    writer_key_text(writer, "kind", chart_kind_name(chart->kind));
    writer_key_bool(writer, "at_once", chart->at_once);
    writer_key_text(writer, "reason", chart->reason);
    if (some(chart->x)) {
        writer_key_int(writer, "x", (int64_t)chart->x);
    }
    writer_key(writer, "y");
    writer_array(writer);
    for (size_t i = 0; i < chart->y_count; i++) {
        writer_int(writer, (int64_t)chart->y[i]);
    }
    writer_array_end(writer);
    if (some(chart->series)) {
        writer_key_int(writer, "series", (int64_t)chart->series);
    }
    writer_key(writer, "alternatives");
    writer_array(writer);
    for (size_t i = 0; i < chart->other_count; i++) {
        writer_text(writer, chart_kind_name(chart->others[i]));
    }
    writer_array_end(writer);
}
