/* The value axis of a chart, and numbers on it. */
#include <math.h>

#include "base/buf.h"
#include "service/documents/picture_state.h"

enum { TICKS_WANTED = 5 };

/* 1, 2 or 5 times a power of ten. */
static double round_step(double rough)
{
    double power = pow(10, floor(log10(rough)));
    double part = rough / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

void scale_fit(struct scale *scale, double least, double greatest)
{
    double low = least > 0 ? 0 : least;
    double high = greatest < 0 ? 0 : greatest;
    if (!isfinite(low) || !isfinite(high) || !isfinite(high - low) || high - low <= 0) {
        low = isfinite(low) ? low : 0;
        high = low + 1;
    }
    double step = round_step((high - low) / TICKS_WANTED);
    scale->low = floor(low / step) * step;
    scale->high = ceil(high / step) * step;
    scale->count = 0;
    for (int i = 0; i < TICKS_MOST && scale->low + i * step <= scale->high + step / 2;
         i++) {
        scale->ticks[scale->count++] = scale->low + i * step;
    }
}

double scale_at(const struct scale *scale, double value, double begin, double end)
{
    double span = scale->high - scale->low;
    return span > 0 ? begin + (value - scale->low) / span * (end - begin) : begin;
}

void scale_number(struct buf *out, double value)
{
    static const struct {
        double size;
        const char *letter;
    } units[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e4, "k"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (fabs(value) >= units[i].size && fabs(value) < 1e15) {
            double divisor = units[i].size > 1e4 ? units[i].size : 1e3;
            (void)buf_format(out, "%.4g%s", value / divisor, units[i].letter);
            return;
        }
    }
    (void)buf_format(out, "%.6g", value == 0 ? 0 : value); /* never -0 */
}
