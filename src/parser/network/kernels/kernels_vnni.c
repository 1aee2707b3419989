/* The kernels for x86-64 processors with registers of 16 numbers that multiply whole
 * numbers by pairs and add in one instruction. */
#include "parser/network/kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES   16
#define VECTORS 2
#define TARGET                                                                           \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")))
#define LARGER(a, b) (vector) _mm512_max_ps((__m512)(a), (__m512)(b))
#define PAIRS_ADD(sum, a, b)                                                             \
    (whole) _mm512_dpwssd_epi32((__m512i)(sum), (__m512i)(a), (__m512i)(b))
#include "parser/network/kernels/kernels_body.h"

const struct kernels *kernels_vnni(void)
{
    static const struct kernels own = KERNELS("vnni");
    return kernels_avx512() && __builtin_cpu_supports("avx512vnni") ? &own : NULL;
}
#else
const struct kernels *kernels_vnni(void)
{
    return NULL;
}
#endif
