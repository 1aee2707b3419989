/* An SVG document: styles, title, legend, the chart, and what it leaves out. */
#include "chart/svg/svg.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

enum {
    TITLE_LINES = 2,
    TITLE_MOST = 200,
    TICKS = 5,
    SMALL_ROW = 130,
    RING = 240,
    FIGURE = 70
};

/* The colours of the page, light and dark. */
static const char style[] =
    ".dgm-chart{background:#fff;font:12px system-ui,-apple-system,'Segoe "
    "UI',Roboto,'Noto Sans',"
    "'Liberation Sans',sans-serif}"
    ".dgm-chart text{fill:#1d2226}.dgm-chart .dgm-quiet{fill:#4d545b}"
    ".dgm-chart .dgm-title{font-size:15px;font-weight:600}"
    ".dgm-chart .dgm-name,.dgm-chart .dgm-value{font-weight:600}"
    ".dgm-chart .dgm-figure{font-size:44px;font-weight:600}"
    ".dgm-grid{stroke:#e4e1d8}.dgm-axis{stroke:#8d897e}"
    ".dgm-line{fill:none;stroke-width:2.2;stroke-linejoin:round}.dgm-area{fill-opacity:."
    "3}"
    "@@"
    "@media (prefers-color-scheme:dark){.dgm-chart{background:#1a1e21}"
    ".dgm-chart text{fill:#e9e7e2}.dgm-chart .dgm-quiet{fill:#b4babf}"
    ".dgm-grid{stroke:#2c3236}.dgm-axis{stroke:#7d868d}"
    "@@}";

static const char *const light[SVG_COLORS] = {"#0b665d", "#c2713a", "#5a6fb0", "#a5548a",
                                              "#8a8a3c", "#4e9bb5", "#b84a52", "#7a5c3e",
                                              "#3f8f4e", "#7d6fb8", "#b8841c", "#5f7380"};
static const char *const dark[SVG_COLORS] = {"#68c7ba", "#e39b67", "#93a6e0", "#d48bbd",
                                             "#c1c172", "#83c6dc", "#e58a90", "#c5a583",
                                             "#8fd09b", "#bcaef0", "#e8c26a", "#a9bac5"};

static void write_colors(struct buf *out, const char *const *colors)
{
    for (int i = 0; i < SVG_COLORS; i++) {
        (void)buf_format(out, ".dgm-f%d{fill:%s}.dgm-l%d{stroke:%s}", i, colors[i], i,
                         colors[i]);
    }
}

void draw_style(struct buf *out)
{
    const char *first = strstr(style, "@@");
    const char *second = strstr(first + 2, "@@");
    (void)buf_add(out, style, (size_t)(first - style));
    write_colors(out, light);
    (void)buf_add(out, first + 2, (size_t)(second - first - 2));
    write_colors(out, dark);
    (void)buf_text(out, second + 2);
}

/* ------------------------------------------------------------------ above the plot */

/* Where a line of text is broken: the last space that fits, or NULL. */
static const char *line_end(struct arena *arena, const char *text, double width)
{
    const char *end = NULL;
    for (const char *at = strchr(text, ' '); at; at = strchr(at + 1, ' ')) {
        const char *part = arena_copy(arena, text, (size_t)(at - text));
        if (label_width(part, SVG_TITLE_FONT) > width) {
            break;
        }
        end = at;
    }
    return end;
}

static double write_title(struct svg *svg, const char *title, double top)
{
    double width = (SVG_WIDTH - 2.0 * SVG_MARGIN) * 0.88; /* it is bold */
    if (str_empty(title)) {
        return top;
    }
    const char *rest = label_clean(svg->arena, title, strlen(title), TITLE_MOST);
    for (int i = 0; i < TITLE_LINES && *rest; i++) {
        bool fits = label_width(rest, SVG_TITLE_FONT) <= width;
        const char *end =
            fits || i + 1 == TITLE_LINES ? NULL : line_end(svg->arena, rest, width);
        const char *line = end ? arena_copy(svg->arena, rest, (size_t)(end - rest))
                               : label_fit(svg->arena, rest, SVG_TITLE_FONT, width);
        top += SVG_LINE + 2;
        svg_text(svg, SVG_MARGIN, top, SVG_START, "title", line);
        rest = end ? end + 1 : "";
    }
    return top + 6;
}

static double write_legend(struct svg *svg, double top)
{
    const struct points *points = svg->points;
    double x = SVG_MARGIN;
    double most = SVG_WIDTH - 2.0 * SVG_MARGIN - 18;
    top += SVG_LINE;
    for (size_t i = 0; i < points->series_count; i++) {
        const char *name = label_fit(svg->arena, points->series[i], SVG_FONT, most / 3);
        double width = label_width(name, SVG_FONT) + 34;
        if (x > SVG_MARGIN && x + width > SVG_WIDTH - SVG_MARGIN) {
            x = SVG_MARGIN;
            top += SVG_LINE;
        }
        svg_dot(svg, x + 5, top - 4, 5, i, NULL);
        svg_text(svg, x + 15, top, SVG_START, "label", name);
        x += width;
    }
    return top + 8;
}

static double write_heading(struct svg *svg, double top)
{
    const struct chart *chart = svg->points->chart;
    const char *name = svg->points->rows->columns[chart->y[0]].name;
    if (chart->y_count > 1) {
        return top;
    }
    top += SVG_LINE;
    svg_text(svg, SVG_MARGIN, top, SVG_START, "quiet",
             label_fit(svg->arena, label_heading(svg->arena, name), SVG_FONT,
                       SVG_WIDTH - 2.0 * SVG_MARGIN));
    return top + 4;
}

/* ------------------------------------------------------------------ the plot */

static double plot_height(const struct points *points)
{
    size_t lines = (points->series_count + 2) / 3; /* of small charts */
    switch (points->chart->kind) {
    case CHART_MULTIPLES:
        return SMALL_ROW * (double)lines;
    case CHART_ARC:
        return RING;
    case CHART_BAR:
        return svg_is_lying(points) ? SVG_BAR * (double)points->place_count : SVG_PLOT;
    default:
        return SVG_PLOT;
    }
}

/* Room for the labels at the left. */
static double left_of(const struct svg *svg)
{
    const struct points *points = svg->points;
    double widest = 0;
    if (points->chart->kind == CHART_ARC || points->chart->kind == CHART_MULTIPLES) {
        return SVG_MARGIN;
    }
    if (!svg_is_lying(points)) {
        return SVG_MARGIN + 60;
    }
    for (size_t i = 0; i < points->place_count; i++) {
        widest = fmax(widest, label_width(points->places[i], SVG_FONT));
    }
    return SVG_MARGIN + 8 + fmin(widest + 2, 220);
}

static void set_scales(struct svg *svg)
{
    const struct points *points = svg->points;
    enum chart_kind kind = points->chart->kind;
    bool dots = kind == CHART_SCATTER;
    svg->y = kind == CHART_SHARE ? (struct scale){0, 1, 0.25}
                                 : scale_round(points->least, points->greatest, !dots,
                                               kind == CHART_MULTIPLES ? 3 : TICKS);
    if (dots) {
        svg->x = scale_round(points->x_least, points->x_greatest, false, TICKS + 2);
    } else {
        bool wide = points->x_greatest > points->x_least;
        svg->x = (struct scale){points->x_least - (wide ? 0 : 1),
                                points->x_greatest + (wide ? 0 : 1), 1};
    }
}

static void draw_plot(struct svg *svg)
{
    static void (*const draw[CHART_KIND_COUNT])(struct svg *) = {
        [CHART_LINE] = svg_lines,      [CHART_AREA] = svg_lines,
        [CHART_STACKED] = svg_stack,   [CHART_SHARE] = svg_stack,
        [CHART_ARC] = svg_arc,         [CHART_BAR] = svg_bars,
        [CHART_SCATTER] = svg_scatter, [CHART_MULTIPLES] = svg_multiples,
    };
    draw[svg->points->chart->kind](svg);
}

/* The title of the axis below, where its labels do not say what they are. */
static double write_below(struct svg *svg, double top)
{
    const struct points *points = svg->points;
    const struct chart *chart = points->chart;
    if (chart->kind == CHART_SCATTER) {
        const char *name = points->rows->columns[chart->x].name;
        svg_text(svg, (svg->plot.left + svg->plot.right) / 2, top + SVG_LINE - 2,
                 SVG_MIDDLE, "quiet", label_heading(svg->arena, name));
        top += SVG_LINE;
    }
    if (points->left) {
        const char *text =
            arena_format(svg->arena, "%zu %s", points->left, svg->words->left_out);
        svg_text(svg, SVG_MARGIN, top + SVG_LINE, SVG_START, "quiet", text);
        top += SVG_LINE + 2;
    }
    return top;
}

static double write_points(struct svg *svg, double top)
{
    const struct points *points = svg->points;
    bool ring = points->chart->kind == CHART_ARC;
    bool small = points->chart->kind == CHART_MULTIPLES;
    top = write_heading(svg, top);
    if (points->split && !small) {
        top = write_legend(svg, top);
    }
    svg->plot = (struct svg_box){.left = left_of(svg),
                                 .top = top + 22,
                                 .right = SVG_WIDTH - SVG_MARGIN -
                                          (svg_is_lying(points) ? 64
                                           : ring               ? 0
                                                                : 14),
                                 .bottom = top + 22 + plot_height(points)};
    set_scales(svg);
    draw_plot(svg);
    return write_below(svg, svg->plot.bottom + (ring ? 0 : SVG_LINE + 6)) + SVG_MARGIN;
}

static double write_figure(struct svg *svg, const struct rows *rows,
                           const struct chart *chart, double top)
{
    double number = 0;
    const struct value *value = rows_cell(rows, 0, chart->y[0]);
    bool known = chart_number(value, &number);
    const char *name = rows->columns[chart->y[0]].name;
    const char *text =
        known ? label_number(svg->arena, svg->words, number, (double)INFINITY)
              : svg->words->no_value;
    svg_text(svg, SVG_MARGIN, top + FIGURE - 18, SVG_START, "figure",
             label_fit(svg->arena, text, 44, SVG_WIDTH - 2.0 * SVG_MARGIN));
    svg_text(svg, SVG_MARGIN, top + FIGURE + 6, SVG_START, "quiet",
             label_fit(svg->arena, label_heading(svg->arena, name), SVG_FONT,
                       SVG_WIDTH - 2.0 * SVG_MARGIN));
    return top + FIGURE + 6 + SVG_MARGIN;
}

/* The height is known last, and stands first. */
static void write_document(struct arena *arena, const struct draw_options *options,
                           double height, const struct buf *body, struct buf *out)
{
    const char *name = options->name ? options->name : options->title;
    (void)buf_format(out,
                     "<svg%s class=\"dgm-chart\" role=\"img\" width=\"%d\" "
                     "height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                     options->inside ? "" : " xmlns=\"http://www.w3.org/2000/svg\"",
                     SVG_WIDTH, (int)ceil(height), SVG_WIDTH, (int)ceil(height));
    if (!str_empty(name)) {
        (void)buf_text(out, "<title>");
        svg_escape(out, label_clean(arena, name, strlen(name), TITLE_MOST));
        (void)buf_text(out, "</title>\n");
    }
    if (!options->inside) {
        (void)buf_text(out, "<style>");
        draw_style(out);
        (void)buf_text(out, "</style>\n");
    }
    (void)buf_add(out, buf_get(body), body->size);
    (void)buf_text(out, "</svg>\n");
}

bool draw_svg(const struct chart *chart, const struct rows *rows,
              const struct draw_options *options, struct buf *out)
{
    struct buf body;
    struct points points;
    struct arena *arena = arena_new();
    struct svg svg = {.out = &body,
                      .arena = arena,
                      .points = &points,
                      .words = options->words ? options->words : &draw_words_english};
    buf_init(&body, DRAW_SVG_MOST);
    double top = write_title(&svg, options->title, SVG_MARGIN / 2.0);
    if (chart->kind == CHART_FIGURE) {
        top = write_figure(&svg, rows, chart, top);
    } else if (points_read(arena, chart, rows, svg.words, &points)) {
        top = write_points(&svg, top);
    }
    write_document(arena, options, top, &body, out);
    bool whole = !body.full && !out->full;
    buf_release(&body);
    arena_free(arena);
    return whole;
}
