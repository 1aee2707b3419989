/* A chart as lines of text: bars of blocks, or of ASCII characters. */
#include "chart/text.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

enum {
    WIDTH = 80,
    NARROWEST = 30,
    WIDEST = 240,
    COLORS = 6,
    EIGHTHS = 8,
    LABEL_PART = 3
};

void text_repeat(const struct text *text, const char *what, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)buf_text(text->out, what);
    }
}

/* What only ASCII can show becomes "?". */
static const char *plain_label(const struct text *text, const char *label)
{
    if (!text->ascii) {
        return label;
    }
    char *copy = arena_text(text->arena, label);
    size_t size = strlen(label);
    size_t kept = 0;
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        at += utf8_next(label + at, size - at, &code);
        copy[kept++] = code < 0x80 ? (char)code : '?';
    }
    copy[kept] = '\0';
    return copy;
}

void text_label(const struct text *text, const char *label, size_t columns, bool right)
{
    label = plain_label(text, label);
    size_t size = strlen(label);
    size_t used = utf8_columns(label, size);
    size_t at = size;
    bool cut = used > columns;
    if (cut) {
        used = 0;
        for (at = 0; at < size;) {
            uint32_t code = 0;
            size_t bytes = utf8_next(label + at, size - at, &code);
            size_t wide = (size_t)utf8_width(code);
            if (used + wide + 1 > columns) {
                break;
            }
            used += wide;
            at += bytes;
        }
        used++;
    }
    text_repeat(text, " ", right ? columns - used : 0);
    (void)buf_add(text->out, label, at);
    (void)buf_text(text->out, cut ? (text->ascii ? "~" : "…") : "");
    text_repeat(text, " ", right ? 0 : columns - used);
}

void text_color(const struct text *text, size_t series)
{
    static const char *const codes[COLORS] = {"36", "33", "34", "35", "32", "31"};
    if (text->color) {
        (void)buf_format(text->out, "\x1b[%sm", codes[series % COLORS]);
    }
}

void text_plain(const struct text *text)
{
    (void)buf_text(text->out, text->color ? "\x1b[0m" : "");
}

const char *text_number(const struct text *text, double number)
{
    return label_number(text->arena, text->words, number, (double)LABEL_SHORT_FROM);
}

void text_legend(const struct text *text, const char *const *marks, size_t mark_count)
{
    const struct points *points = text->points;
    size_t used = 0;
    for (size_t i = 0; i < points->series_count; i++) {
        const char *name = plain_label(text, points->series[i]);
        size_t columns = utf8_columns(name, strlen(name));
        columns = columns < text->width / LABEL_PART ? columns : text->width / LABEL_PART;
        if (used && used + columns + 4 > text->width) {
            (void)buf_text(text->out, "\n");
            used = 0;
        }
        (void)buf_text(text->out, used ? "  " : "");
        text_color(text, i);
        (void)buf_text(text->out, marks[i % mark_count]);
        text_plain(text);
        (void)buf_text(text->out, " ");
        text_label(text, name, columns, false);
        used += columns + 4;
    }
    (void)buf_text(text->out, "\n");
}

/* ------------------------------------------------------------------ bars */

/* A bar of this many columns, in steps of an eighth. */
static void draw_bar(const struct text *text, double columns, size_t series)
{
    static const char *const parts[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t eighths = (size_t)llround(columns * EIGHTHS);
    size_t whole = text->ascii ? (size_t)llround(columns) : eighths / EIGHTHS;
    text_color(text, series);
    text_repeat(text, text->ascii ? "#" : "█", whole);
    (void)buf_text(text->out, text->ascii ? "" : parts[eighths % EIGHTHS]);
    text_plain(text);
}

static size_t label_columns(const struct text *text)
{
    size_t widest = 1;
    for (size_t i = 0; i < text->points->place_count; i++) {
        const char *label = text->points->places[i];
        size_t columns = utf8_columns(label, strlen(label));
        widest = columns > widest ? columns : widest;
    }
    return widest < text->width / LABEL_PART ? widest : text->width / LABEL_PART;
}

static const char *value_of(const struct text *text, double value, double sum)
{
    const char *number = text_number(text, value);
    bool share = text->points->chart->kind == CHART_ARC && sum > 0;
    return share ? arena_format(text->arena, "%s (%.0f %%)", number, value / sum * 100)
                 : number;
}

/* Negative values go to the left of the axis. */
static void text_bars(const struct text *text)
{
    const struct points *points = text->points;
    size_t label = label_columns(text);
    double low = fmin(points->least, 0);
    double high = fmax(points->greatest, 0);
    double span = high > low ? high - low : 1;
    double sum = 0;
    size_t value_columns = 0;
    for (size_t i = 0; i < points->count; i++) {
        sum += points->items[i].y;
    }
    for (size_t i = 0; i < points->count; i++) {
        const char *value = value_of(text, points->items[i].y, sum);
        size_t columns = utf8_columns(value, strlen(value));
        value_columns = columns > value_columns ? columns : value_columns;
    }
    size_t used = label + value_columns + 4;
    double room = text->width > used + 4 ? (double)(text->width - used) : 4;
    size_t below = low < 0 ? (size_t)ceil(-low / span * room) : 0;
    for (size_t i = 0; i < points->count; i++) {
        double value = points->items[i].y;
        size_t left = value < 0 ? (size_t)llround(-value / span * room) : 0;
        left = left < below ? left : below;
        text_label(text, points->places[points->items[i].place], label, false);
        text_repeat(text, " ", 1 + below - left);
        text_color(text, 0);
        text_repeat(text, text->ascii ? "#" : "█", left);
        text_plain(text);
        (void)buf_text(text->out, text->ascii ? "|" : "│");
        draw_bar(text, value > 0 ? value / span * room : 0, 0);
        (void)buf_format(text->out, " %s\n", value_of(text, value, sum));
    }
}

static void text_stack(const struct text *text)
{
    static const char *const blocks[] = {"█", "▓", "▒", "░"};
    static const char *const letters[] = {"#", "o", "+", "x", "=", "*",
                                          "%", "-", "@", "s", "~", ":"};
    static const char *const solid[] = {"█"};
    const struct points *points = text->points;
    bool share = points->chart->kind == CHART_SHARE;
    bool few = points->series_count <= sizeof blocks / sizeof *blocks && !text->ascii;
    const char *const *marks = text->color && !text->ascii ? solid
                               : few                       ? blocks
                                                           : letters;
    size_t mark_count = marks == solid ? 1 : few ? 4 : sizeof letters / sizeof *letters;
    size_t label = label_columns(text);
    double room = text->width > label + 16 ? (double)(text->width - label - 12) : 4;
    double most = points->greatest > 0 ? points->greatest : 1;
    text_legend(text, marks, mark_count);
    for (size_t place = 0; place < points->place_count; place++) {
        double sum = points->sums[place];
        double whole = share ? (sum > 0 ? sum : 1) : most;
        double reached = 0;
        text_label(text, points->places[place], label, false);
        (void)buf_text(text->out, text->ascii ? " |" : " │");
        for (size_t i = 0; i < points->count; i++) {
            const struct point *point = &points->items[i];
            if (point->place == place) {
                double from = reached / whole * room;
                reached += point->y;
                text_color(text, point->series);
                text_repeat(text, marks[point->series % mark_count],
                            (size_t)(llround(reached / whole * room) - llround(from)));
                text_plain(text);
            }
        }
        (void)buf_format(text->out, " %s\n", text_number(text, sum));
    }
}

/* ------------------------------------------------------------------ all */

static void text_figure(const struct text *text, const struct rows *rows,
                        const struct chart *chart)
{
    double number = 0;
    bool known = chart_number(rows_cell(rows, 0, chart->y[0]), &number);
    const char *name = label_heading(text->arena, rows->columns[chart->y[0]].name);
    (void)buf_format(
        text->out, "%s: %s\n", plain_label(text, name),
        known ? label_number(text->arena, text->words, number, (double)INFINITY)
              : text->words->no_value);
}

static void draw_points(const struct text *text)
{
    static void (*const draw[CHART_KIND_COUNT])(const struct text *) = {
        [CHART_LINE] = text_lines,    [CHART_AREA] = text_lines,
        [CHART_STACKED] = text_stack, [CHART_SHARE] = text_stack,
        [CHART_ARC] = text_bars,      [CHART_BAR] = text_bars,
        [CHART_SCATTER] = text_lines, [CHART_MULTIPLES] = text_sparks,
    };
    draw[text->points->chart->kind](text);
    if (text->points->left) {
        (void)buf_format(text->out, "%zu %s\n", text->points->left,
                         plain_label(text, text->words->left_out));
    }
}

bool draw_text(const struct chart *chart, const struct rows *rows,
               const struct draw_options *options, struct buf *out)
{
    struct points points;
    struct arena *arena = arena_new();
    size_t width = options->width ? options->width : WIDTH;
    width = width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
    struct text text = {.out = out,
                        .arena = arena,
                        .points = &points,
                        .words = options->words ? options->words : &draw_words_english,
                        .width = width,
                        .ascii = options->ascii,
                        .color = options->color};
    if (!str_empty(options->title)) {
        const char *title =
            label_clean(arena, options->title, strlen(options->title), width - 1);
        (void)buf_format(out, "%s\n\n", plain_label(&text, title));
    }
    if (chart->kind == CHART_FIGURE) {
        text_figure(&text, rows, chart);
    } else if (points_read(arena, chart, rows, text.words, &points)) {
        draw_points(&text);
    }
    arena_free(arena);
    return !out->full;
}
