/*
 * Vectors of LANES numbers, and what a processor has of its own for them. Only
 * kernels_body.h includes it: LANES, TARGET, LARGER and PAIRS_ADD are explained there.
 */
#include <math.h>

#include "parser/network/kernels/kernels.h"

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
/* clang multiplies and adds in one instruction anyway */
#pragma GCC optimize("fp-contract=fast")
#endif
#define INLINE TARGET static inline __attribute__((always_inline))

typedef float quarter __attribute__((vector_size(16)));
typedef float vector __attribute__((vector_size(LANES * 4)));
typedef int32_t whole __attribute__((vector_size(LANES * 4)));
typedef uint32_t words __attribute__((vector_size(LANES * 4)));
typedef int16_t halves __attribute__((vector_size(LANES * 4)));
typedef uint16_t plain_halves __attribute__((vector_size(LANES * 4)));
typedef int16_t shorts __attribute__((vector_size(LANES * 2)));

/* Added to a small number it rounds it and leaves it, whole, in the low bits. */
#define ROUND 12582912.0F

/* The builtin: a checked memcpy keeps clang from holding the sums in registers. */
INLINE vector load(const float *from)
{
    vector value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

INLINE void store(float *to, vector value)
{
    __builtin_memcpy(to, &value, sizeof value);
}

INLINE vector all(float value)
{
    return value - (vector){0};
}

/* The value where the mask is set, else 0. */
INLINE vector only(whole mask, vector value)
{
    return (vector)((whole)value & mask);
}

/* a where the mask is set, else b */
INLINE vector choose(whole mask, vector a, vector b)
{
    return (vector)(((whole)a & mask) | ((whole)b & ~mask));
}

INLINE vector size_of(vector value)
{
    return only((whole){0} + INT32_MAX, value);
}

/* Lanes folded by halves: the same order for every caller. */
INLINE float sum_of(vector value)
{
    quarter parts[LANES / 4];
    __builtin_memcpy(parts, &value, sizeof parts);
    UNROLLED
    for (size_t half = LANES / 8; half; half /= 2) {
        UNROLLED
        for (size_t i = 0; i < half; i++) {
            parts[i] += parts[i + half];
        }
    }
    return (parts[0][0] + parts[0][2]) + (parts[0][1] + parts[0][3]);
}

INLINE float highest_of(vector value)
{
    float most = value[0];
    UNROLLED
    for (size_t i = 1; i < LANES; i++) {
        most = value[i] > most ? value[i] : most;
    }
    return most;
}

/* e^x for x up to 0 within 2 units of the last place, 0 below -87: 2^n times a polynomial
 * of what is left. */
INLINE vector exp_of(vector x)
{
    vector shifted = x * 1.44269504F + ROUND;
    vector n = shifted - ROUND;
    vector r = x - n * 0.693145752F - n * 1.42860682e-6F;
    vector p = r * 1.392632562e-3F + 8.363292753e-3F;
    p = p * r + 4.166655376e-2F;
    p = p * r + 1.666657631e-1F;
    p = p * r + 0.5F;
    p = p * r * r + r + 1.0F;
    words power = ((words)shifted + 127U) << 23; /* ROUND's own bits fall off the top */
    return only(x >= all(-87.0F), p * (vector)power);
}
