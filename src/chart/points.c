/* Reads the points of a chart: which places and series there are, and their order. */
#include "chart/points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "chart/label.h"
#include "chart/moment.h"

enum { MONTHS_IN_YEAR = 12 };
static const double drawable = 1e100; /* differences of larger numbers could overflow */

static bool is_stack(const struct points *points)
{
    return points->chart->kind == CHART_STACKED || points->chart->kind == CHART_SHARE;
}

static bool has_column(size_t column)
{
    return column != CHART_NO_COLUMN;
}

/* ------------------------------------------------------------------ reading */

/* The place of a label; each row of a chart without parts has its own. */
static bool find_place(struct points *points, const char *label, bool own, size_t *place)
{
    for (size_t i = 0; !own && i < points->place_count; i++) {
        if (strcmp(points->places[i], label) == 0) {
            *place = i;
            return true;
        }
    }
    if (points->place_count == POINTS_PLACES) {
        return false;
    }
    *place = points->place_count++;
    points->places[*place] = label;
    return true;
}

static bool find_series(struct points *points, const char *label, size_t *series)
{
    for (size_t i = 0; i < points->series_count; i++) {
        if (strcmp(points->series[i], label) == 0) {
            *series = i;
            return true;
        }
    }
    if (points->series_count == POINTS_SERIES) {
        return false;
    }
    *series = points->series_count++;
    points->series[*series] = label;
    return true;
}

static const char *place_label(const struct points *points, const struct value *value)
{
    double number = 0;
    const char *name = points->rows->columns[points->chart->x].name;
    bool month = points->chart->x_role == CHART_ORDER &&
                 str_contains_nocase(name, "month") && chart_number(value, &number) &&
                 number >= 1 && number <= MONTHS_IN_YEAR;
    return month ? points->words->months[(int)number - 1]
                 : label_cell(points->arena, points->words, value, points->chart->x_role);
}

/* Where a row stands; false: it has no place. */
static bool read_x(struct points *points, size_t row, struct point *point)
{
    const struct chart *chart = points->chart;
    char time[CHART_TIME_SIZE];
    if (!has_column(chart->x)) {
        return true;
    }
    const struct value *value = rows_cell(points->rows, row, chart->x);
    chart_time(value, time);
    bool number = chart_number(value, &point->x) && fabs(point->x) < drawable;
    bool moment = chart->x_role == CHART_TIME && moment_read(time, &point->x);
    if (!points->placed) {
        return points->moments ? moment : number;
    }
    bool own = !points->split && (chart->kind == CHART_BAR || chart->kind == CHART_ARC);
    if (!number && !moment) {
        point->x = DBL_MAX; /* after all others */
    }
    return find_place(points, place_label(points, value), own, &point->place);
}

static bool read_y(struct points *points, size_t row, size_t y, struct point *point)
{
    const struct chart *chart = points->chart;
    const char *name = "";
    if (!chart_number(rows_cell(points->rows, row, chart->y[y]), &point->y) ||
        fabs(point->y) > drawable) {
        return false;
    }
    if (has_column(chart->series)) {
        name = label_cell(points->arena, points->words,
                          rows_cell(points->rows, row, chart->series), CHART_CATEGORY);
    } else if (chart->y_count > 1) {
        name = label_heading(points->arena, points->rows->columns[chart->y[y]].name);
    }
    return find_series(points, name, &point->series);
}

static void read_rows(struct points *points)
{
    const struct chart *chart = points->chart;
    size_t rows =
        points->rows->count < CHART_POINTS_MOST ? points->rows->count : CHART_POINTS_MOST;
    points->items =
        arena_array(points->arena, rows * chart->y_count + 1, sizeof *points->items);
    points->left = points->rows->count - rows;
    for (size_t row = 0; row < rows; row++) {
        struct point point = {.x = 0};
        if (!read_x(points, row, &point)) {
            points->left++;
            continue;
        }
        for (size_t y = 0; y < chart->y_count; y++) {
            if (read_y(points, row, y, &point)) {
                points->items[points->count++] = point;
            }
        }
    }
}

/* ------------------------------------------------------------------ order */

struct rank {
    size_t from;
    double size;
    const char *label;
};

static int by_size(const void *a, const void *b)
{
    const struct rank *x = a;
    const struct rank *y = b;
    return x->size > y->size ? -1 : x->size < y->size ? 1 : x->from < y->from ? -1 : 1;
}

static int by_label(const void *a, const void *b)
{
    const struct rank *x = a;
    const struct rank *y = b;
    int order = x->size < y->size   ? -1
                : x->size > y->size ? 1
                                    : strcmp(x->label, y->label);
    return order ? order : x->from < y->from ? -1 : 1;
}

static int by_series(const void *a, const void *b)
{
    const struct point *x = a;
    const struct point *y = b;
    if (x->series != y->series) {
        return x->series < y->series ? -1 : 1;
    }
    return x->x < y->x ? -1 : x->x > y->x ? 1 : x->y < y->y ? -1 : x->y > y->y;
}

/* "Monday", "jan": texts that have another order than their sizes or the alphabet. */
static bool is_ordered_word(const char *text)
{
    static const char *const words[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun",
                                        "jan", "feb", "mar", "apr", "may", "jun", "jul",
                                        "aug", "sep", "oct", "nov", "dec"};
    static const char *const ends[] = {
        "",  "day", "sday", "nesday", "rsday", "urday", "uary", "ruary", "ch", "il",
        "e", "y",   "ust",  "tember", "ober",  "ember", "s",    "urs",   "t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (size_t k = 0;
             str_starts_nocase(text, words[i]) && k < sizeof ends / sizeof *ends; k++) {
            if (str_equal_nocase(text + strlen(words[i]), ends[k])) {
                return true;
            }
        }
    }
    return false;
}

static bool are_ordered(const struct points *points)
{
    for (size_t i = 0; i < points->place_count; i++) {
        if (!is_ordered_word(points->places[i])) {
            return false;
        }
    }
    return points->place_count > 0;
}

static void sort_series(struct points *points)
{
    struct rank ranks[POINTS_SERIES] = {{.from = 0}};
    size_t to[POINTS_SERIES] = {0};
    const char *names[POINTS_SERIES];
    for (size_t i = 0; i < points->series_count; i++) {
        ranks[i] = (struct rank){.from = i};
        names[i] = points->series[i];
    }
    for (size_t i = 0; i < points->count; i++) {
        ranks[points->items[i].series].size += fabs(points->items[i].y);
    }
    qsort(ranks, points->series_count, sizeof *ranks, by_size);
    for (size_t i = 0; i < points->series_count; i++) {
        to[ranks[i].from] = i;
        points->series[i] = names[ranks[i].from];
    }
    for (size_t i = 0; i < points->count; i++) {
        points->items[i].series = to[points->items[i].series];
    }
}

/* Times and numbers by themselves, words of an order as they come, others by size. */
static void rank_places(struct points *points, struct rank *ranks)
{
    enum chart_role role = points->chart->x_role;
    bool timed = role == CHART_TIME || role == CHART_ORDER;
    for (size_t i = 0; i < points->place_count; i++) {
        ranks[i] = (struct rank){.from = i, .label = points->places[i]};
    }
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        ranks[point->place].size = timed ? point->x : ranks[point->place].size + point->y;
    }
    points->ordered = timed || are_ordered(points);
    if (timed) {
        qsort(ranks, points->place_count, sizeof *ranks, by_label);
    } else if (!points->ordered) {
        qsort(ranks, points->place_count, sizeof *ranks, by_size);
    }
}

static void sort_places(struct points *points)
{
    struct rank ranks[POINTS_PLACES];
    size_t to[POINTS_PLACES];
    size_t kept = 0;
    rank_places(points, ranks);
    size_t most = points->ordered ? POINTS_PLACES : POINTS_BARS;
    size_t count = points->place_count < most ? points->place_count : most;
    for (size_t i = 0; i < points->place_count; i++) {
        to[ranks[i].from] = i;
        points->places[i] = ranks[i].label;
    }
    for (size_t i = 0; i < points->count; i++) {
        struct point point = points->items[i];
        point.place = to[point.place];
        point.x = (double)point.place;
        if (point.place < count) {
            points->items[kept++] = point;
        }
    }
    points->left += points->place_count - count;
    points->place_count = count;
    points->count = kept;
}

/* ------------------------------------------------------------------ limits */

static void widen(double *least, double *greatest, double value)
{
    *least = value < *least ? value : *least;
    *greatest = value > *greatest ? value : *greatest;
}

static void measure(struct points *points)
{
    points->least = points->x_least = DBL_MAX;
    points->greatest = points->x_greatest = -DBL_MAX;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        if (points->placed) {
            points->sums[point->place] += point->y;
        }
        widen(&points->x_least, &points->x_greatest, point->x);
        widen(&points->least, &points->greatest, point->y);
    }
    for (size_t i = 0; is_stack(points) && i < points->place_count; i++) {
        widen(&points->least, &points->greatest, points->sums[i]);
    }
}

bool points_read(struct arena *arena, const struct chart *chart, const struct rows *rows,
                 const struct draw_words *words, struct points *out)
{
    bool lines = chart->kind == CHART_LINE || chart->kind == CHART_AREA ||
                 chart->kind == CHART_MULTIPLES;
    *out = (struct points){.arena = arena, .chart = chart, .rows = rows, .words = words};
    out->moments = lines && chart->x_role == CHART_TIME;
    out->placed = chart->kind != CHART_SCATTER && !out->moments;
    out->split = has_column(chart->series) || chart->y_count > 1;
    read_rows(out);
    if (!out->count) {
        return false;
    }
    if (out->split) {
        sort_series(out);
    }
    if (out->placed) {
        sort_places(out);
    }
    qsort(out->items, out->count, sizeof *out->items, by_series);
    measure(out);
    return out->count > 0;
}

void points_extremes(const struct points *points, const struct point *out[3])
{
    out[0] = out[1] = points->items;
    out[2] = &points->items[points->count - 1];
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        out[0] = point->y > out[0]->y ? point : out[0];
        out[1] = point->y < out[1]->y ? point : out[1];
    }
}
