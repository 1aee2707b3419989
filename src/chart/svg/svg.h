/* What the files of an SVG drawing share: the canvas, and the elements that are written. */
#ifndef DGM_CHART_SVG_H
#define DGM_CHART_SVG_H

#include "base/buf.h"
#include "chart/label.h"
#include "chart/points.h"
#include "chart/scale.h"

enum {
    SVG_WIDTH = 720,
    SVG_MARGIN = 16,
    SVG_FONT = 12,
    SVG_TITLE_FONT = 15,
    SVG_LINE = 18, /* between two lines of text */
    SVG_PLOT = 300,
    SVG_BAR = 26,
    SVG_COLORS = 12
};

/* A rectangle of the canvas, in pixels. */
struct svg_box {
    double left;
    double top;
    double right;
    double bottom;
};

struct svg {
    struct buf *out;
    struct arena *arena;
    const struct points *points;
    const struct draw_words *words;
    struct svg_box plot;
    struct scale x; /* of numbers and moments */
    struct scale y;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* svg_write.c: elements; numbers have one decimal and never an exponent */
void svg_number(struct buf *out, double number);
void svg_escape(struct buf *out, const char *text);
void svg_text(struct svg *svg, double x, double y, enum svg_anchor anchor,
              const char *class_name, const char *text);
void svg_line(struct svg *svg, double x1, double y1, double x2, double y2,
              const char *class_name);
/* A rectangle with a tooltip; color: of a series. */
void svg_rect(struct svg *svg, const struct svg_box *box, size_t color, const char *text);
void svg_dot(struct svg *svg, double x, double y, double radius, size_t color,
             const char *text);
/* classes: of the path; the last one gets the number of the colour. */
void svg_begin_path(struct svg *svg, const char *classes, size_t color);
void svg_end_path(struct svg *svg);
/* " M1,2" */
void svg_go(struct svg *svg, char how, double x, double y);

/* svg_axes.c */
void svg_value_axis(struct svg *svg, bool lying);
void svg_moment_axis(struct svg *svg);
void svg_number_axis(struct svg *svg);
void svg_place_axis(struct svg *svg);
double svg_x(const struct svg *svg, const struct point *point);
double svg_y(const struct svg *svg, double value);
/* "Rome: 12" */
const char *svg_hint(const struct svg *svg, const struct point *point);

/* one kind each */
void svg_lines(struct svg *svg);
void svg_bars(struct svg *svg);
void svg_stack(struct svg *svg);
void svg_scatter(struct svg *svg);
void svg_arc(struct svg *svg);
void svg_multiples(struct svg *svg);
bool svg_is_lying(const struct points *points);

#endif
