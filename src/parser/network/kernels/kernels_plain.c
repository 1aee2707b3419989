/* The kernels for every other processor, with registers of 4 numbers: arm64 has 32 of
 * them, x86-64 half as many. Real numbers are multiplied no slower there than pairs of
 * whole ones, so all products are real. */
#include "parser/network/kernels/kernels.h"

#define LANES 4
#if defined(__aarch64__)
#define VECTORS 4
#else
#define VECTORS 2
#endif
#define TARGET
#define LARGER(a, b) choose((a) > (b), a, b)
#include "parser/network/kernels/kernels_body.h"

const struct kernels *kernels_plain(void)
{
    static const struct kernels own = KERNELS("plain");
    return &own;
}
