/*
 * Draws the chart of a result as SVG or as text. The same rows give the same bytes.
 * Everything from the result is escaped and bounded; nothing of it can be run or loaded.
 *
 *     struct chart chart;
 *     struct draw_options options = {.title = "Orders per month"};
 *     if (chart_recommend(&rows, &chart) && draw_svg(&chart, &rows, &options, &out)) …
 */
#ifndef DGM_CHART_DRAW_H
#define DGM_CHART_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "model/chart.h"

struct buf;

enum { DRAW_MONTHS = 12, DRAW_POWERS = 4, DRAW_NOTES = 2 };

/* How a language writes what a chart needs. */
struct draw_words {
    const char *months[DRAW_MONTHS];
    const char *thousands; /* between groups of three digits */
    const char *decimal;
    const char *powers[DRAW_POWERS]; /* after thousands, millions, 10^9 and 10^12 */
    const char *no_value;            /* in place of a NULL */
    const char *left_out;            /* after the number of bars that are not shown */
};

/* English, if `words` of the options is NULL. */
extern const struct draw_words draw_words_english;

struct draw_options {
    const char *title;              /* NULL: none */
    const struct draw_words *words; /* NULL: English */
    size_t width;                   /* text: columns; 0: 80 */
    bool ascii;                     /* text: nothing but ASCII */
    bool color;                     /* text: colours of the terminal */
    const char *name;               /* SVG: for who cannot see it; NULL: the title */
    bool inside;                    /* SVG: part of an HTML page that has draw_style() */
};

enum { DRAW_SVG_MOST = 2 * 1024 * 1024, DRAW_TEXT_MOST = 256 * 1024 };

/* A whole SVG document; false if `out` is too small for it. Its styles and classes begin with
 * "dgm-", so it can be put into a page of HTML as it is. */
bool draw_svg(const struct chart *chart, const struct rows *rows,
              const struct draw_options *options, struct buf *out);
/* The style sheet of all SVG charts, for a page that holds several or allows only its own. */
void draw_style(struct buf *out);
/* Lines of a terminal, each ended by a newline. */
bool draw_text(const struct chart *chart, const struct rows *rows,
               const struct draw_options *options, struct buf *out);

#endif
