/* What the files that draw a chart share. */
#ifndef DGM_SERVICE_PICTURE_STATE_H
#define DGM_SERVICE_PICTURE_STATE_H

#include <stddef.h>

struct buf;

enum { PICTURE_WIDTH = 720, TICKS_MOST = 12 };

/* An axis of values: from `low` to `high`, with a line at each tick. */
struct scale {
    double low;
    double high;
    double ticks[TICKS_MOST];
    size_t count;
};

/* Round numbers around the values; 0 is among them unless all values are far from it. */
void scale_fit(struct scale *scale, double least, double greatest);
/* Where the value is between begin and end. */
double scale_at(const struct scale *scale, double value, double begin, double end);
/* A short number: 1.5M, 20k, 0.25. */
void scale_number(struct buf *out, double value);

#endif
