/*
 * A simple chart as SVG, without script, style attribute or address: bars for categories, lines over
 * time, points. Its colours are classes of the page's style sheet (style.c).
 */
#ifndef DGM_SERVICE_PICTURE_H
#define DGM_SERVICE_PICTURE_H

#include <stdbool.h>

struct arena;
struct buf;
struct chart;
struct rows;

/* Writes a <figure>. False: nothing was written, because the table alone says it better. */
bool picture_draw(struct buf *out, struct arena *arena, const struct rows *rows,
                  const struct chart *chart);

#endif
