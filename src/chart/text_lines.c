/* Lines as text: dots of Braille characters, or a mark for each series; and sparklines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/moment.h"
#include "chart/text.h"

enum {
    ROWS = 12,
    ROW_DOTS = 4, /* a Braille character has two by four dots */
    COLUMN_DOTS = 2,
    TICKS = 4,
    EDGE = 2, /* " │" */
    SPARK_LEVELS = 8
};

struct canvas {
    size_t columns;
    bool fine;     /* Braille */
    size_t across; /* dots in a row, and in a column */
    size_t down;
    unsigned char *dots;  /* of each character: bits, or 1 + series */
    unsigned char *owner; /* series */
    struct scale x;
    struct scale y;
};

static const char *const marks[] = {"o", "x", "+", "*", "#", "@",
                                    "%", "=", "~", "&", "s", "v"};
enum { MARKS = sizeof marks / sizeof *marks };

static void put_dot(struct canvas *canvas, long x, long y, size_t series)
{
    static const unsigned char bits[ROW_DOTS][COLUMN_DOTS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || (size_t)x >= canvas->across || (size_t)y >= canvas->down) {
        return;
    }
    size_t column = canvas->fine ? (size_t)x / COLUMN_DOTS : (size_t)x;
    size_t row = canvas->fine ? (size_t)y / ROW_DOTS : (size_t)y;
    size_t at = row * canvas->columns + column;
    canvas->dots[at] = canvas->fine
                           ? canvas->dots[at] | bits[y % ROW_DOTS][x % COLUMN_DOTS]
                           : (unsigned char)(1 + series);
    canvas->owner[at] = (unsigned char)series;
}

static long dot_x(const struct canvas *canvas, const struct point *point)
{
    return lround(scale_at(&canvas->x, point->x) * (double)(canvas->across - 1));
}

static long dot_y(const struct canvas *canvas, const struct point *point)
{
    return lround((1 - scale_at(&canvas->y, point->y)) * (double)(canvas->down - 1));
}

static void put_line(struct canvas *canvas, const struct point *from,
                     const struct point *to)
{
    long x1 = dot_x(canvas, from);
    long y1 = dot_y(canvas, from);
    long across = dot_x(canvas, to) - x1;
    long down = dot_y(canvas, to) - y1;
    long steps = labs(across) > labs(down) ? labs(across) : labs(down);
    for (long i = 0; i <= steps; i++) {
        double part = steps ? (double)i / (double)steps : 0;
        put_dot(canvas, x1 + lround(part * (double)across),
                y1 + lround(part * (double)down), to->series);
    }
}

static void fill(struct canvas *canvas, const struct points *points)
{
    bool lines = points->chart->kind != CHART_SCATTER;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        bool goes_on = lines && i && points->items[i - 1].series == point->series;
        put_line(canvas, goes_on ? point - 1 : point, point);
    }
}

static void write_cell(const struct text *text, const struct canvas *canvas, size_t at)
{
    unsigned char dots = canvas->dots[at];
    if (!dots) {
        (void)buf_char(text->out, ' ');
        return;
    }
    text_color(text, canvas->owner[at]);
    if (canvas->fine) { /* U+2800 and the bits */
        (void)buf_char(text->out, (char)0xE2);
        (void)buf_char(text->out, (char)(0xA0 | dots >> 6));
        (void)buf_char(text->out, (char)(0x80 | (dots & 0x3F)));
    } else {
        (void)buf_text(text->out, marks[(dots - 1) % MARKS]);
    }
    text_plain(text);
}

/* The tick whose place is in this row; NULL: none. */
static const char *row_label(const struct text *text, const struct canvas *canvas,
                             size_t row)
{
    int count = (int)lround((canvas->y.high - canvas->y.low) / canvas->y.step);
    for (int i = 0; i <= count && i <= ROWS; i++) {
        double value = canvas->y.low + canvas->y.step * i;
        value = fabs(value) < canvas->y.step * 1e-6 ? 0 : value;
        if ((size_t)lround((1 - scale_at(&canvas->y, value)) * (ROWS - 1)) == row) {
            return text_number(text, value);
        }
    }
    return NULL;
}

static size_t label_width_most(const struct text *text, const struct canvas *canvas)
{
    size_t most = 1;
    for (size_t row = 0; row < ROWS; row++) {
        const char *label = row_label(text, canvas, row);
        size_t columns = label ? utf8_columns(label, strlen(label)) : 0;
        most = columns > most ? columns : most;
    }
    return most < text->width / 3 ? most : text->width / 3;
}

static const char *x_words(const struct text *text, double x)
{
    const struct points *points = text->points;
    if (points->moments) {
        struct moment_ticks ticks = moment_ticks(points->x_least, points->x_greatest, 3);
        ticks.unit = ticks.unit == MOMENT_YEARS ? MOMENT_MONTHS : ticks.unit;
        return moment_tick_words(text->arena, text->words, &ticks, x);
    }
    if (points->placed) {
        size_t place = (size_t)x;
        return points->places[place < points->place_count ? place : 0];
    }
    return text_number(text, x);
}

/* The first and the last place below the canvas. */
static void write_below(const struct text *text, const struct canvas *canvas,
                        size_t label)
{
    const char *first = x_words(text, text->points->x_least);
    const char *last = x_words(text, text->points->x_greatest);
    size_t half = canvas->columns / 2;
    text_repeat(text, " ", label + EDGE);
    text_label(text, first, half, false);
    text_label(text, last, canvas->columns - half, true);
    (void)buf_char(text->out, '\n');
}

void text_lines(const struct text *text)
{
    const struct points *points = text->points;
    bool dots = points->chart->kind == CHART_SCATTER;
    struct canvas canvas = {
        .fine = !text->ascii && (text->color || points->series_count <= 1),
        .x = {points->x_least,
              points->x_greatest + (points->x_greatest > points->x_least ? 0 : 1), 1},
        .y = scale_round(points->least, points->greatest, !dots, TICKS)};
    size_t label = label_width_most(text, &canvas);
    canvas.columns = text->width - label - EDGE - 1;
    canvas.across = canvas.columns * (canvas.fine ? COLUMN_DOTS : 1);
    canvas.down = ROWS * (canvas.fine ? ROW_DOTS : 1);
    canvas.dots = arena_alloc(text->arena, canvas.columns * ROWS);
    canvas.owner = arena_alloc(text->arena, canvas.columns * ROWS);
    fill(&canvas, points);
    if (points->split) {
        static const char *const line[] = {"━"};
        text_legend(text, canvas.fine ? line : marks, canvas.fine ? 1 : MARKS);
    }
    for (size_t row = 0; row < ROWS; row++) {
        const char *words = row_label(text, &canvas, row);
        text_label(text, words ? words : "", label, true);
        (void)buf_text(text->out, text->ascii ? " |" : words ? " ┤" : " │");
        for (size_t column = 0; column < canvas.columns; column++) {
            write_cell(text, &canvas, row * canvas.columns + column);
        }
        (void)buf_char(text->out, '\n');
    }
    write_below(text, &canvas, label);
}

/* Each has its own scale: what they have in common is the course, not the size. */
static struct scale spark_scale(const struct points *points, size_t first, size_t end)
{
    double least = 0;
    double greatest = 0;
    for (size_t i = first; i < end; i++) {
        least = fmin(least, points->items[i].y);
        greatest = fmax(greatest, points->items[i].y);
    }
    return (struct scale){least, greatest > least ? greatest : least + 1, 1};
}

/* One line for each series: its name, its course, its last value. */
void text_sparks(const struct text *text)
{
    static const char *const blocks[SPARK_LEVELS] = {"▁", "▂", "▃", "▄",
                                                     "▅", "▆", "▇", "█"};
    static const char *const letters[SPARK_LEVELS] = {"_", ".", "-", "~",
                                                      "=", "+", "*", "#"};
    const struct points *points = text->points;
    size_t label = text->width / 3;
    size_t room = text->width - label - 12;
    for (size_t first = 0; first < points->count;) {
        size_t series = points->items[first].series;
        size_t end = first;
        while (end < points->count && points->items[end].series == series) {
            end++;
        }
        struct scale scale = spark_scale(points, first, end);
        size_t count = end - first;
        size_t shown = count < room ? count : room;
        text_label(text, points->series[series], label, false);
        (void)buf_char(text->out, ' ');
        text_color(text, 0);
        for (size_t i = 0; i < shown; i++) {
            const struct point *point = &points->items[first + i * count / shown];
            int level = (int)(scale_at(&scale, point->y) * (SPARK_LEVELS - 0.01));
            (void)buf_text(text->out, (text->ascii ? letters : blocks)[level]);
        }
        text_plain(text);
        (void)buf_format(text->out, " %s\n", text_number(text, points->items[end - 1].y));
        first = end;
    }
}
