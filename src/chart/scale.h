/* From values to places on an axis, with ticks at round numbers. */
#ifndef DGM_CHART_SCALE_H
#define DGM_CHART_SCALE_H

#include <stdbool.h>

struct scale {
    double low;
    double high; /* above low */
    double step; /* between two ticks */
};

/* Round limits around the values; zero: the axis contains 0. */
struct scale scale_round(double least, double greatest, bool zero, int ticks);
/* 0 at low, 1 at high. */
double scale_at(const struct scale *scale, double value);

#endif
