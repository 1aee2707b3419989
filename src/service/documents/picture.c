/* A simple chart as SVG. */
#include "service/documents/picture.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "model/chart.h"
#include "model/rows.h"
#include "service/documents/escape.h"
#include "service/documents/picture_state.h"

enum {
    BARS_MOST = 30,
    POINTS_MOST = 500,
    SERIES_MOST = 6, /* as many colours as there are */
    BAR_HEIGHT = 22,
    LABEL_WIDTH = 190,
    VALUE_WIDTH = 90,
    LABEL_COLUMNS = 26,
    TOP = 12,
    LEFT = 60,
    RIGHT = 20,
    BOTTOM = 46,
    HEIGHT = 320,
    NAME_MOST = 200,
};

/* The chart that is being drawn. */
struct drawing {
    struct buf *out;
    struct arena *arena;
    const struct rows *rows;
    const struct chart *chart;
    struct scale scale;
    struct texts places; /* different values of x, in the order of the rows */
    struct texts series; /* names of the lines or groups of points */
};

static const char *label_of(const struct drawing *drawing, size_t row, size_t column)
{
    struct buf buf;
    const struct value *value = rows_cell(drawing->rows, row, column);
    if (value->kind == VALUE_NULL) {
        return "(none)";
    }
    buf_init(&buf, NAME_MOST);
    value_show(&buf, value);
    const char *text = buf_clone(&buf, drawing->arena);
    buf_release(&buf);
    return text;
}

/* A label of at most so many columns of text. */
static void write_label(const struct drawing *drawing, const char *text, size_t columns)
{
    size_t size = strlen(text);
    size_t cut = size;
    while (cut && utf8_columns(text, cut) > columns) {
        cut = utf8_cut(text, size, cut - 1);
    }
    escape_text_n(drawing->out, text, cut);
    if (cut < size) {
        (void)buf_text(drawing->out, "…");
    }
}

static void begin(const struct drawing *drawing, double height)
{
    (void)buf_format(
        drawing->out,
        "<figure><svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"Chart of ",
        (int)PICTURE_WIDTH, height);
    for (size_t i = 0; i < drawing->chart->y_count; i++) {
        (void)buf_text(drawing->out, i ? ", " : "");
        write_label(drawing, drawing->rows->columns[drawing->chart->y[i]].name, 80);
    }
    if (drawing->chart->x != CHART_NO_COLUMN) {
        (void)buf_text(drawing->out, " by ");
        write_label(drawing, drawing->rows->columns[drawing->chart->x].name, 80);
    }
    (void)buf_text(drawing->out, "; the table below has the same values\">\n");
}

static void end(const struct drawing *drawing)
{
    (void)buf_text(drawing->out, "</svg></figure>\n");
}

/* Least and greatest number of the columns in the chart's y; false if there is none. */
static bool fit_values(struct drawing *drawing)
{
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (size_t row = 0; row < drawing->rows->count; row++) {
        for (size_t i = 0; i < drawing->chart->y_count; i++) {
            double number = 0;
            if (chart_number(rows_cell(drawing->rows, row, drawing->chart->y[i]),
                             &number) &&
                isfinite(number)) {
                least = fmin(least, number);
                greatest = fmax(greatest, number);
            }
        }
    }
    if (least > greatest) {
        return false;
    }
    scale_fit(&drawing->scale, least, greatest);
    return true;
}

/* ------------------------------------------------------------------ bars */

static void draw_bar(const struct drawing *drawing, size_t row)
{
    double number = 0;
    double y = (double)row * BAR_HEIGHT + 4;
    const struct value *value = rows_cell(drawing->rows, row, drawing->chart->y[0]);
    (void)buf_format(drawing->out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">",
                     LABEL_WIDTH - 8, y + 14);
    write_label(drawing, label_of(drawing, row, drawing->chart->x), LABEL_COLUMNS);
    (void)buf_text(drawing->out, "</text>");
    if (!chart_number(value, &number) || !isfinite(number)) {
        (void)buf_text(drawing->out, "\n");
        return;
    }
    double zero = scale_at(&drawing->scale, 0, LABEL_WIDTH, PICTURE_WIDTH - VALUE_WIDTH);
    double to =
        scale_at(&drawing->scale, number, LABEL_WIDTH, PICTURE_WIDTH - VALUE_WIDTH);
    (void)buf_format(drawing->out,
                     "<rect class=\"s0 fill\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" "
                     "height=\"%d\" rx=\"2\"/><text x=\"%.1f\" y=\"%.0f\">",
                     fmin(zero, to), y, fmax(fabs(to - zero), 1), BAR_HEIGHT - 6,
                     fmax(zero, to) + 6, y + 14);
    write_label(drawing, label_of(drawing, row, drawing->chart->y[0]), 14);
    (void)buf_text(drawing->out, "</text>\n");
}

static bool draw_bars(struct drawing *drawing)
{
    size_t count = drawing->rows->count;
    if (count > BARS_MOST || drawing->chart->x == CHART_NO_COLUMN ||
        !fit_values(drawing)) {
        return false;
    }
    begin(drawing, (double)count * BAR_HEIGHT + 8);
    for (size_t i = 0; i < count; i++) {
        draw_bar(drawing, i);
    }
    end(drawing);
    return true;
}

/* ------------------------------------------------------------------ axes */

static size_t place_of(struct texts *texts, struct arena *arena, const char *text)
{
    for (size_t i = texts->count; i; i--) { /* the last one is the most likely */
        if (str_equal(texts->items[i - 1], text)) {
            return i - 1;
        }
    }
    VEC_PUSH(arena, texts, text);
    return texts->count - 1;
}

static void draw_ticks(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->scale.count; i++) {
        double y =
            scale_at(&drawing->scale, drawing->scale.ticks[i], HEIGHT - BOTTOM, TOP);
        (void)buf_format(
            drawing->out,
            "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
            LEFT, PICTURE_WIDTH - RIGHT, y, y, LEFT - 6, y + 4);
        scale_number(drawing->out, drawing->scale.ticks[i]);
        (void)buf_text(drawing->out, "</text>\n");
    }
}

static double x_of(const struct drawing *drawing, size_t place)
{
    double span = PICTURE_WIDTH - RIGHT - LEFT - 20;
    size_t steps = drawing->places.count > 1 ? drawing->places.count - 1 : 1;
    return LEFT + 10 + span * (double)place / (double)steps;
}

/* The first, the last, and a few between them. */
static void draw_places(const struct drawing *drawing)
{
    size_t count = drawing->places.count;
    size_t step = count > 6 ? (count + 4) / 5 : 1;
    for (size_t i = 0; i < count; i += step) {
        (void)buf_format(
            drawing->out,
            "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
            x_of(drawing, i), HEIGHT - BOTTOM + 16);
        write_label(drawing, drawing->places.items[i], 12);
        (void)buf_text(drawing->out, "</text>\n");
    }
}

static void draw_legend(const struct drawing *drawing)
{
    double x = LEFT;
    for (size_t i = 0; drawing->series.count > 1 && i < drawing->series.count; i++) {
        (void)buf_format(drawing->out,
                         "<rect class=\"s%zu fill\" x=\"%.0f\" y=\"%d\" width=\"10\" "
                         "height=\"10\"/><text x=\"%.0f\" y=\"%d\">",
                         i, x, HEIGHT - 16, x + 14, HEIGHT - 7);
        write_label(drawing, drawing->series.items[i], 13);
        (void)buf_text(drawing->out, "</text>\n");
        x += (double)(PICTURE_WIDTH - LEFT - RIGHT) / SERIES_MOST;
    }
}

/* ------------------------------------------------------------------ lines */

/* Times that come newest first are drawn oldest first, as people read them. */
static size_t row_at(const struct drawing *drawing, size_t index)
{
    size_t count = drawing->rows->count;
    bool back = drawing->chart->x_role == CHART_TIME && count > 1 &&
                strcmp(label_of(drawing, 0, drawing->chart->x),
                       label_of(drawing, count - 1, drawing->chart->x)) > 0;
    return back ? count - 1 - index : index;
}

static bool collect(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    for (size_t i = 0; i < drawing->rows->count; i++) {
        size_t row = row_at(drawing, i);
        (void)place_of(&drawing->places, drawing->arena,
                       label_of(drawing, row, chart->x));
        if (chart->series != CHART_NO_COLUMN) {
            (void)place_of(&drawing->series, drawing->arena,
                           label_of(drawing, row, chart->series));
        }
    }
    for (size_t i = 0; chart->series == CHART_NO_COLUMN && i < chart->y_count; i++) {
        VEC_PUSH(drawing->arena, &drawing->series,
                 str_or_empty(drawing->rows->columns[chart->y[i]].name));
    }
    return drawing->places.count > 1 && drawing->series.count <= SERIES_MOST;
}

/* One line: of a column, or of the rows that belong to a series. A gap where there is no number. */
static void draw_line(struct drawing *drawing, size_t line)
{
    const struct chart *chart = drawing->chart;
    bool split = chart->series != CHART_NO_COLUMN;
    bool on = false;
    (void)buf_format(drawing->out, "<path class=\"s%zu stroke\" d=\"", line);
    for (size_t i = 0; i < drawing->rows->count; i++) {
        double number = 0;
        size_t row = row_at(drawing, i);
        if (split && !str_equal(label_of(drawing, row, chart->series),
                                drawing->series.items[line])) {
            continue;
        }
        size_t place =
            place_of(&drawing->places, drawing->arena, label_of(drawing, row, chart->x));
        const struct value *value =
            rows_cell(drawing->rows, row, chart->y[split ? 0 : line]);
        bool known = chart_number(value, &number) && isfinite(number);
        if (known) {
            (void)buf_format(drawing->out, "%c%.1f %.1f", on ? 'L' : 'M',
                             x_of(drawing, place),
                             scale_at(&drawing->scale, number, HEIGHT - BOTTOM, TOP));
        }
        on = known;
    }
    (void)buf_text(drawing->out, "\"/>\n");
}

static bool draw_lines(struct drawing *drawing)
{
    if (drawing->rows->count > POINTS_MOST || drawing->chart->x == CHART_NO_COLUMN ||
        !fit_values(drawing) || !collect(drawing)) {
        return false;
    }
    begin(drawing, HEIGHT);
    draw_ticks(drawing);
    draw_places(drawing);
    for (size_t i = 0; i < drawing->series.count; i++) {
        draw_line(drawing, i);
    }
    draw_legend(drawing);
    end(drawing);
    return true;
}

/* ------------------------------------------------------------------ points */

static void draw_across(const struct drawing *drawing, const struct scale *across)
{
    for (size_t i = 0; i < across->count; i++) {
        (void)buf_format(
            drawing->out,
            "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
            scale_at(across, across->ticks[i], LEFT + 10, PICTURE_WIDTH - RIGHT),
            HEIGHT - BOTTOM + 16);
        scale_number(drawing->out, across->ticks[i]);
        (void)buf_text(drawing->out, "</text>\n");
    }
}

static bool draw_points(struct drawing *drawing)
{
    struct chart_column column;
    struct scale across;
    if (drawing->rows->count > POINTS_MOST || drawing->chart->x == CHART_NO_COLUMN ||
        !fit_values(drawing)) {
        return false;
    }
    chart_column_read(drawing->rows, drawing->chart->x, &column);
    scale_fit(&across, column.least, column.greatest);
    begin(drawing, HEIGHT);
    draw_ticks(drawing);
    draw_across(drawing, &across);
    for (size_t row = 0; row < drawing->rows->count; row++) {
        double x = 0;
        double y = 0;
        if (chart_number(rows_cell(drawing->rows, row, drawing->chart->x), &x) &&
            chart_number(rows_cell(drawing->rows, row, drawing->chart->y[0]), &y) &&
            isfinite(x) && isfinite(y)) {
            (void)buf_format(
                drawing->out,
                "<circle class=\"s0 fill\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                scale_at(&across, x, LEFT + 10, PICTURE_WIDTH - RIGHT),
                scale_at(&drawing->scale, y, HEIGHT - BOTTOM, TOP));
        }
    }
    end(drawing);
    return true;
}

/* A stack is not drawn: its table says it better than bars without their parts. */
static bool (*const drawers[CHART_KIND_COUNT])(struct drawing *drawing) = {
    [CHART_LINE] = draw_lines, [CHART_AREA] = draw_lines,     [CHART_BAR] = draw_bars,
    [CHART_ARC] = draw_bars,   [CHART_SCATTER] = draw_points,
};

bool picture_draw(struct buf *out, struct arena *arena, const struct rows *rows,
                  const struct chart *chart)
{
    struct drawing drawing = {.out = out, .arena = arena, .rows = rows, .chart = chart};
    return chart->kind < CHART_KIND_COUNT && drawers[chart->kind] && chart->y_count &&
           drawers[chart->kind](&drawing);
}
