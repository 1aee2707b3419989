/* The kernels for x86-64 processors with registers of 8 numbers. */
#include "parser/network/kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES        8
#define VECTORS      2
#define TARGET       __attribute__((target("avx2,fma")))
#define LARGER(a, b) (vector) _mm256_max_ps((__m256)(a), (__m256)(b))
#define PAIRS_ADD(sum, a, b)                                                             \
    ((sum) + (whole)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#include "parser/network/kernels/kernels_body.h"

const struct kernels *kernels_avx2(void)
{
    static const struct kernels own = KERNELS("avx2");
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &own : NULL;
}
#else
const struct kernels *kernels_avx2(void)
{
    return NULL;
}
#endif
