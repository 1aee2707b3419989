/* Bars: upright or lying, one for each place or a stack of parts. */
#include <math.h>

#include "chart/svg/svg.h"

enum {
    LYING_FROM = 7,
    NAME_MOST = 11 /* letters below an upright bar */,
    VALUES_MOST = 12
};
static const double bar_share = 0.72; /* of the room of a place */

bool svg_is_lying(const struct points *points)
{
    if (points->chart->kind != CHART_BAR || points->ordered) {
        return false;
    }
    bool lying = points->place_count >= LYING_FROM;
    for (size_t i = 0; i < points->place_count; i++) {
        lying = lying || label_width(points->places[i], 1) > NAME_MOST * 0.6;
    }
    return lying;
}

static const char *value_words(struct svg *svg, const struct point *point)
{
    return label_number(svg->arena, svg->words, point->y, (double)LABEL_SHORT_FROM);
}

static void draw_lying(struct svg *svg)
{
    const struct points *points = svg->points;
    const struct svg_box *plot = &svg->plot;
    double room = (plot->bottom - plot->top) / (double)points->place_count;
    double zero = plot->left + scale_at(&svg->y, 0) * (plot->right - plot->left);
    svg_value_axis(svg, true);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        double end =
            plot->left + scale_at(&svg->y, point->y) * (plot->right - plot->left);
        double middle = plot->top + room * ((double)point->place + 0.5);
        struct svg_box box = {.left = fmin(zero, end),
                              .right = fmax(zero, end),
                              .top = middle - room * bar_share / 2,
                              .bottom = middle + room * bar_share / 2};
        svg_rect(svg, &box, 0, svg_hint(svg, point));
        svg_text(svg, fmax(zero, end) + 5, middle + 4, SVG_START, "value",
                 value_words(svg, point));
        svg_text(svg, plot->left - 8, middle + 4, SVG_END, "label",
                 label_fit(svg->arena, points->places[point->place], SVG_FONT,
                           plot->left - 8 - SVG_MARGIN));
    }
}

static void draw_upright(struct svg *svg)
{
    const struct points *points = svg->points;
    double room = (svg->plot.right - svg->plot.left) / (double)points->place_count;
    svg_value_axis(svg, false);
    svg_place_axis(svg);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        double x = svg_x(svg, point);
        double end = svg_y(svg, point->y);
        double zero = svg_y(svg, 0);
        struct svg_box box = {.left = x - room * bar_share / 2,
                              .right = x + room * bar_share / 2,
                              .top = fmin(zero, end),
                              .bottom = fmax(zero, end)};
        svg_rect(svg, &box, 0, svg_hint(svg, point));
        if (points->place_count <= VALUES_MOST) {
            svg_text(svg, x, box.top - 5, SVG_MIDDLE, "value", value_words(svg, point));
        }
    }
}

void svg_bars(struct svg *svg)
{
    if (svg_is_lying(svg->points)) {
        draw_lying(svg);
    } else {
        draw_upright(svg);
    }
}

/* The points are in the order of series, so each goes onto those of its place. */
void svg_stack(struct svg *svg)
{
    const struct points *points = svg->points;
    bool share = points->chart->kind == CHART_SHARE;
    double *reached = arena_array(svg->arena, points->place_count, sizeof *reached);
    double room = (svg->plot.right - svg->plot.left) / (double)points->place_count;
    svg_value_axis(svg, false);
    svg_place_axis(svg);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        double sum = points->sums[point->place];
        double part = share ? (sum > 0 ? point->y / sum : 0) : point->y;
        double x = svg_x(svg, point);
        struct svg_box box = {.left = x - room * bar_share / 2,
                              .right = x + room * bar_share / 2,
                              .top = svg_y(svg, reached[point->place] + part),
                              .bottom = svg_y(svg, reached[point->place])};
        svg_rect(svg, &box, point->series, svg_hint(svg, point));
        reached[point->place] += part;
    }
}
