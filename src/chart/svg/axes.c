/* The axes of an SVG chart: grid lines, ticks and their labels. */
#include <math.h>

#include "chart/moment.h"
#include "chart/svg/svg.h"

enum { TICKS_MOST = 40, LABEL_GAP = 6 };

double svg_y(const struct svg *svg, double value)
{
    return svg->plot.bottom -
           scale_at(&svg->y, value) * (svg->plot.bottom - svg->plot.top);
}

double svg_x(const struct svg *svg, const struct point *point)
{
    double width = svg->plot.right - svg->plot.left;
    if (svg->points->placed) {
        double step = width / (double)svg->points->place_count;
        return svg->plot.left + step * ((double)point->place + 0.5);
    }
    return svg->plot.left + scale_at(&svg->x, point->x) * width;
}

const char *svg_hint(const struct svg *svg, const struct point *point)
{
    const struct points *points = svg->points;
    const char *value = label_number(svg->arena, svg->words, point->y, (double)INFINITY);
    const char *series = points->split ? points->series[point->series] : "";
    const char *place = points->placed ? points->places[point->place] : "";
    return arena_format(svg->arena, "%s%s%s%s%s", place, *place && *series ? ", " : "",
                        series, *place || *series ? ": " : "", value);
}

static const char *tick_words(const struct svg *svg, const struct scale *scale,
                              double tick, bool share)
{
    double greatest = fmax(fabs(scale->low), fabs(scale->high));
    double value = fabs(tick) < scale->step * 1e-6 ? 0 : tick;
    if (share) {
        return arena_format(svg->arena, "%.0f %%", value * 100);
    }
    return label_number(svg->arena, svg->words, value,
                        greatest >= LABEL_SHORT_FROM ? 1000 : (double)INFINITY);
}

/* The axis of the values: upright, or below lying bars. */
void svg_value_axis(struct svg *svg, bool lying)
{
    const struct scale *scale = &svg->y;
    const struct svg_box *plot = &svg->plot;
    bool share = svg->points->chart->kind == CHART_SHARE;
    int count = (int)lround((scale->high - scale->low) / scale->step);
    for (int i = 0; i <= count && i < TICKS_MOST; i++) {
        double value = scale->low + scale->step * i;
        const char *text = tick_words(svg, scale, value, share);
        const char *line = fabs(value) < scale->step * 1e-6 ? "axis" : "grid";
        if (lying) {
            double x = plot->left + scale_at(scale, value) * (plot->right - plot->left);
            svg_line(svg, x, plot->top, x, plot->bottom, line);
            svg_text(svg, x, plot->bottom + SVG_LINE - 2, SVG_MIDDLE, "quiet", text);
        } else {
            double y = svg_y(svg, value);
            svg_line(svg, plot->left, y, plot->right, y, line);
            svg_text(
                svg, plot->left - LABEL_GAP, y + 4, SVG_END, "quiet",
                label_fit(svg->arena, text, SVG_FONT, plot->left - SVG_MARGIN / 2.0));
        }
    }
}

/* Centred below its place, but inside the canvas; false: it would touch the one before. */
static bool put_below(struct svg *svg, double x, const char *text, double *end)
{
    double half = label_width(text, SVG_FONT) / 2;
    double middle = fmin(fmax(x, half + 2), SVG_WIDTH - half - 2);
    if (middle - half < *end + LABEL_GAP) {
        return false;
    }
    svg_text(svg, middle, svg->plot.bottom + SVG_LINE, SVG_MIDDLE, "quiet", text);
    *end = middle + half;
    return true;
}

void svg_moment_axis(struct svg *svg)
{
    const struct scale *scale = &svg->x;
    const struct svg_box *plot = &svg->plot;
    int most = plot->right - plot->left > SVG_WIDTH / 2.0 ? 8 : 3;
    struct moment_ticks ticks = moment_ticks(scale->low, scale->high, most);
    double tick = moment_tick_first(&ticks, scale->low);
    double end = -LABEL_GAP;
    for (int i = 0; i < TICKS_MOST && tick <= scale->high + 1e-9; i++) {
        double x = plot->left + scale_at(scale, tick) * (plot->right - plot->left);
        if (put_below(svg, x, moment_tick_words(svg->arena, svg->words, &ticks, tick),
                      &end)) {
            svg_line(svg, x, plot->bottom, x, plot->bottom + 4, "axis");
        }
        tick = moment_tick_next(&ticks, tick);
    }
}

void svg_number_axis(struct svg *svg)
{
    const struct scale *scale = &svg->x;
    int count = (int)lround((scale->high - scale->low) / scale->step);
    double end = -LABEL_GAP;
    for (int i = 0; i <= count && i < TICKS_MOST; i++) {
        double value = scale->low + scale->step * i;
        double x =
            svg->plot.left + scale_at(scale, value) * (svg->plot.right - svg->plot.left);
        svg_line(svg, x, svg->plot.top, x, svg->plot.bottom, "grid");
        (void)put_below(svg, x, tick_words(svg, scale, value, false), &end);
    }
}

void svg_place_axis(struct svg *svg)
{
    const struct points *points = svg->points;
    double step = (svg->plot.right - svg->plot.left) / (double)points->place_count;
    double end = -LABEL_GAP;
    for (size_t i = 0; i < points->place_count; i++) {
        struct point place = {.place = i, .x = (double)i};
        double width =
            points->place_count <= 8 ? step - LABEL_GAP : fmax(step - LABEL_GAP, 90);
        (void)put_below(svg, svg_x(svg, &place),
                        label_fit(svg->arena, points->places[i], SVG_FONT, width), &end);
    }
}
