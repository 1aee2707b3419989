/* Round numbers for the ticks of an axis. */
#include "chart/scale.h"

#include <math.h>

struct scale scale_round(double least, double greatest, bool zero, int ticks)
{
    static const double steps[] = {1, 2, 2.5, 5, 10};
    double low = zero && least > 0 ? 0 : least;
    double high = zero && greatest < 0 ? 0 : greatest;
    if (!(high - low > fabs(high) * 1e-12)) { /* all the same */
        double pad = fabs(high) > 0 ? fabs(high) * 0.1 : 1;
        low -= zero && low >= 0 && low < pad ? low : pad;
        high += pad;
    }
    double rough = (high - low) / ticks;
    double power = pow(10, floor(log10(rough)));
    double step = 10 * power;
    for (int i = 4; i >= 0; i--) {
        step = steps[i] * power >= rough * (1 - 1e-9) ? steps[i] * power : step;
    }
    return (struct scale){.low = floor(low / step + 1e-9) * step,
                          .high = ceil(high / step - 1e-9) * step,
                          .step = step};
}

double scale_at(const struct scale *scale, double value)
{
    double at = (value - scale->low) / (scale->high - scale->low);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}
