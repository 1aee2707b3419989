/* Shares of a whole as a ring, and two numbers of each row as dots. */
#include <math.h>

#include "chart/svg/svg.h"

enum { HOLE_PART = 2 /* of the radius: a half */ };
static const double full = 6.283185307179586;

static void go_around(struct svg *svg, double x, double y, double radius, double angle,
                      char how)
{
    svg_go(svg, how, x + radius * sin(angle), y - radius * cos(angle));
}

static void turn(struct svg *svg, double radius, bool large, bool right)
{
    (void)buf_char(svg->out, 'A');
    svg_number(svg->out, radius);
    (void)buf_char(svg->out, ',');
    svg_number(svg->out, radius);
    (void)buf_format(svg->out, " 0 %d %d ", large, right);
}

static void draw_slice(struct svg *svg, double from, double to, size_t color)
{
    double radius = (svg->plot.bottom - svg->plot.top) / 2;
    double x = svg->plot.left + radius;
    double y = svg->plot.top + radius;
    double hole = radius / HOLE_PART;
    bool large = to - from > full / 2;
    svg_begin_path(svg, "dgm-f", color);
    go_around(svg, x, y, radius, from, 'M');
    turn(svg, radius, large, true);
    go_around(svg, x, y, radius, to, ' ');
    go_around(svg, x, y, hole, to, 'L');
    turn(svg, hole, large, false);
    go_around(svg, x, y, hole, from, ' ');
    (void)buf_char(svg->out, 'Z');
    svg_end_path(svg);
}

static const char *share_words(struct svg *svg, double share)
{
    double percent = share * 100;
    bool small = percent > 0 && percent < 1;
    return small ? "<1 %" : arena_format(svg->arena, "%.0f %%", percent);
}

/* The names stand beside the ring, each with its value and its share. */
void svg_arc(struct svg *svg)
{
    const struct points *points = svg->points;
    double sum = 0;
    double done = 0;
    double left = svg->plot.left + (svg->plot.bottom - svg->plot.top) + 40;
    for (size_t i = 0; i < points->count; i++) {
        sum += points->items[i].y;
    }
    for (size_t place = 0; place < points->place_count; place++) {
        double value = points->sums[place];
        double share = sum > 0 ? value / sum : 0;
        double y = svg->plot.top + 24 + (double)place * (SVG_LINE + 8);
        double end = fmin(done + share * full, full - 0.0001);
        if (end > done) {
            draw_slice(svg, done, end, place);
        }
        done += share * full;
        struct svg_box key = {
            .left = left, .right = left + 11, .top = y - 10, .bottom = y + 1};
        svg_rect(svg, &key, place, NULL);
        const char *words = arena_format(
            svg->arena, "%s (%s)", share_words(svg, share),
            label_number(svg->arena, svg->words, value, (double)LABEL_SHORT_FROM));
        double width = label_width(words, SVG_FONT);
        svg_text(svg, left + 18, y, SVG_START, "label",
                 label_fit(svg->arena, points->places[place], SVG_FONT,
                           svg->plot.right - left - width - 36));
        svg_text(svg, svg->plot.right, y, SVG_END, "value", words);
    }
}

void svg_scatter(struct svg *svg)
{
    const struct points *points = svg->points;
    svg_value_axis(svg, false);
    svg_number_axis(svg);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        svg_dot(svg, svg_x(svg, point), svg_y(svg, point->y), 4, point->series, NULL);
    }
}
