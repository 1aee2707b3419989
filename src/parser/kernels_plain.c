/* The kernels for every other processor, with registers of 4 numbers: arm64 has 32 of
 * them, x86-64 half as many. */
#include "parser/kernels.h"

#define LANES 4
#if defined(__aarch64__)
#define VECTORS 4
#else
#define VECTORS 2
#endif
#define TARGET
#include "parser/kernels_body.h"

const struct kernels *kernels_plain(void)
{
    static const struct kernels own = KERNELS("plain");
    return &own;
}
