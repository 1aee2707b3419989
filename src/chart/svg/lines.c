/* Lines and areas over time, in one chart or in a small one for each series. */
#include <math.h>

#include "chart/svg/svg.h"

enum {
    DOTS_MOST = 60,
    SMALL_COLUMNS = 3,
    SMALL_GAP = 24,
    SMALL_HEAD = 22,
    SMALL_FOOT = 30
};

/* The points of a series: the first, and the one after the last. */
static size_t series_end(const struct points *points, size_t first)
{
    size_t end = first;
    while (end < points->count &&
           points->items[end].series == points->items[first].series) {
        end++;
    }
    return end;
}

static void draw_path(struct svg *svg, size_t first, size_t end, bool area, size_t color)
{
    const struct point *items = svg->points->items;
    double floor_y = svg_y(svg, 0);
    svg_begin_path(svg, area ? "dgm-area dgm-f" : "dgm-line dgm-l", color);
    if (area) {
        svg_go(svg, 'M', svg_x(svg, &items[first]), floor_y);
    }
    for (size_t i = first; i < end; i++) {
        svg_go(svg, i == first && !area ? 'M' : 'L', svg_x(svg, &items[i]),
               svg_y(svg, items[i].y));
    }
    if (area) {
        svg_go(svg, 'L', svg_x(svg, &items[end - 1]), floor_y);
        (void)buf_char(svg->out, 'Z');
    }
    svg_end_path(svg);
}

static void draw_series(struct svg *svg, size_t first, size_t end, size_t color)
{
    const struct points *points = svg->points;
    bool area = points->chart->kind == CHART_AREA;
    if (area) {
        draw_path(svg, first, end, true, color);
    }
    draw_path(svg, first, end, false, color);
    for (size_t i = first; i < end && points->count <= DOTS_MOST; i++) {
        const struct point *point = &points->items[i];
        svg_dot(svg, svg_x(svg, point), svg_y(svg, point->y), 3, color,
                svg_hint(svg, point));
    }
}

/* The value beside its point, inside the canvas. */
static void annotate(struct svg *svg, const struct point *point, bool above)
{
    const char *text =
        label_number(svg->arena, svg->words, point->y, (double)LABEL_SHORT_FROM);
    double half = label_width(text, SVG_FONT) / 2;
    double x = fmin(fmax(svg_x(svg, point), half + 2), SVG_WIDTH - half - 2);
    svg_text(svg, x, svg_y(svg, point->y) + (above ? -9 : 17), SVG_MIDDLE, "value", text);
}

/* The highest, the lowest and the last value, as far as they are different points. */
static void annotate_all(struct svg *svg)
{
    const struct point *marked[3];
    points_extremes(svg->points, marked);
    annotate(svg, marked[0], true);
    double gap = fabs(svg_x(svg, marked[2]) - svg_x(svg, marked[0]));
    if (marked[1] != marked[0]) {
        annotate(svg, marked[1], false);
    }
    if (marked[2] != marked[0] && marked[2] != marked[1] && gap > 3 * SVG_FONT * 2) {
        annotate(svg, marked[2], true);
    }
}

static void draw_axes(struct svg *svg)
{
    svg_value_axis(svg, false);
    if (svg->points->moments) {
        svg_moment_axis(svg);
    } else {
        svg_place_axis(svg);
    }
}

void svg_lines(struct svg *svg)
{
    const struct points *points = svg->points;
    draw_axes(svg);
    for (size_t first = 0; first < points->count;) {
        size_t end = series_end(points, first);
        draw_series(svg, first, end, points->items[first].series);
        first = end;
    }
    if (!points->split) {
        annotate_all(svg);
    }
}

/* All small charts have the same axes, so that they can be compared. */
void svg_multiples(struct svg *svg)
{
    const struct points *points = svg->points;
    const struct svg_box whole = svg->plot;
    size_t rows = (points->series_count + SMALL_COLUMNS - 1) / SMALL_COLUMNS;
    double width = (whole.right - whole.left + SMALL_GAP) / SMALL_COLUMNS;
    double height = (whole.bottom - whole.top) / (double)rows;
    for (size_t first = 0; first < points->count;) {
        size_t end = series_end(points, first);
        size_t at = points->items[first].series;
        double left = whole.left + width * (double)(at % SMALL_COLUMNS);
        size_t line = at / SMALL_COLUMNS;
        double top = whole.top + height * (double)line;
        svg->plot = (struct svg_box){.left = left + 40,
                                     .top = top + SMALL_HEAD,
                                     .right = left + width - SMALL_GAP,
                                     .bottom = top + height - SMALL_FOOT};
        svg_text(svg, svg->plot.left, top + SVG_FONT, SVG_START, "name",
                 label_fit(svg->arena, points->series[at], SVG_FONT,
                           svg->plot.right - svg->plot.left));
        draw_axes(svg);
        draw_path(svg, first, end, false, 0);
        if (end == first + 1) {
            svg_dot(svg, svg_x(svg, &points->items[first]),
                    svg_y(svg, points->items[first].y), 3, 0, NULL);
        }
        first = end;
    }
    svg->plot = whole;
}
