/* What a chart shows, read from the rows: bounded, and in the order in which it is drawn. */
#ifndef DGM_CHART_POINTS_H
#define DGM_CHART_POINTS_H

#include "base/arena.h"
#include "chart/draw.h"

enum { POINTS_PLACES = 400, POINTS_SERIES = 24, POINTS_BARS = 20 };

struct point {
    double x; /* a number, or days since 1970; else the number of its place */
    double y;
    size_t place;
    size_t series;
};

struct points {
    struct arena *arena;
    const struct draw_words *words;
    const struct chart *chart;
    const struct rows *rows;
    bool placed;         /* places with names, and not positions on an axis */
    bool moments;        /* x is a time */
    bool ordered;        /* the places follow each other: they are not sorted by size */
    struct point *items; /* in the order of series and x */
    size_t count;
    const char *places[POINTS_PLACES];
    double sums[POINTS_PLACES]; /* of each place */
    size_t place_count;
    const char *series[POINTS_SERIES]; /* the largest first */
    size_t series_count;               /* 1 without a legend */
    bool split;                        /* the series have names */
    double least;
    double greatest;
    double x_least;
    double x_greatest;
    size_t left; /* places or points that are not drawn */
};

/* False if there is nothing to draw. */
bool points_read(struct arena *arena, const struct chart *chart, const struct rows *rows,
                 const struct draw_words *words, struct points *out);
/* The highest, the lowest and the last point of a single series; they can be the same. */
void points_extremes(const struct points *points, const struct point *out[3]);

#endif
