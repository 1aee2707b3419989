/* The kernels for x86-64 processors with registers of 16 numbers. */
#include "parser/network/kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES        16
#define VECTORS      2
#define TARGET       __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define LARGER(a, b) (vector) _mm512_max_ps((__m512)(a), (__m512)(b))
#define PAIRS_ADD(sum, a, b)                                                             \
    ((sum) + (whole)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#include "parser/network/kernels/kernels_body.h"

const struct kernels *kernels_avx512(void)
{
    static const struct kernels own = KERNELS("avx512");
    bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return can ? &own : NULL;
}
#else
const struct kernels *kernels_avx512(void)
{
    return NULL;
}
#endif
