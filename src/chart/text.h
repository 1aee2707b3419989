/* What the files of a text drawing share. */
#ifndef DGM_CHART_TEXT_H
#define DGM_CHART_TEXT_H

#include "base/buf.h"
#include "chart/label.h"
#include "chart/points.h"
#include "chart/scale.h"

struct text {
    struct buf *out;
    struct arena *arena;
    const struct points *points;
    const struct draw_words *words;
    size_t width;
    bool ascii;
    bool color;
};

/* The label in exactly this many columns: cut, or filled with blanks. */
void text_label(const struct text *text, const char *label, size_t columns, bool right);
void text_repeat(const struct text *text, const char *what, size_t count);
/* The colour of a series; without colours nothing. */
void text_color(const struct text *text, size_t series);
void text_plain(const struct text *text);
const char *text_number(const struct text *text, double number);
/* Names of the series with their marks, wrapped at the width. */
void text_legend(const struct text *text, const char *const *marks, size_t mark_count);

/* text_lines.c: lines and dots on a canvas, and one short line for each series */
void text_lines(const struct text *text);
void text_sparks(const struct text *text);

#endif
