/*
 * The text of one set of kernels. Only kernels_avx512.c, kernels_avx2.c and
 * kernels_plain.c include it, each after defining
 *   LANES    numbers in a vector register
 *   VECTORS  vectors that one tile of a product is wide
 *   TARGET   the attribute that lets the compiler use the registers
 * Written with the vector types of gcc and clang, so that one text serves all processors.
 */
#include <math.h>

#include "parser/kernels.h"

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
/* clang multiplies and adds in one instruction anyway */
#pragma GCC optimize("fp-contract=fast")
#endif
#define INLINE TARGET static inline __attribute__((always_inline))

enum { ROWS = 6, WIDTH = LANES * VECTORS };

typedef float vector __attribute__((vector_size(LANES * 4)));
typedef int32_t whole __attribute__((vector_size(LANES * 4)));
typedef uint32_t quads __attribute__((vector_size(LANES * 4)));

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

/* a where the mask is set, else b */
INLINE vector choose(whole mask, vector a, vector b)
{
    return (vector)(((whole)a & mask) | ((whole)b & ~mask));
}

/* Lanes folded by halves: the same order for every caller. */
INLINE float sum_of(vector value)
{
    float lanes[LANES];
    store(lanes, value);
    for (size_t half = LANES / 2; half; half /= 2) {
        for (size_t i = 0; i < half; i++) {
            lanes[i] += lanes[i + half];
        }
    }
    return lanes[0];
}

/* e^x within 2 units of the last place, 0 below -87: 2^n times a polynomial of what is
 * left. Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits. */
INLINE vector exp_of(vector x)
{
    const vector round = all(12582912.0F);
    vector clamped = choose(x < all(-87.0F), all(-87.0F), x);
    clamped = choose(clamped > all(88.0F), all(88.0F), clamped);
    vector shifted = clamped * 1.44269504F + round;
    vector n = shifted - round;
    vector r = clamped - n * 0.693145752F - n * 1.42860682e-6F;
    vector p = r * 1.392632562e-3F + 8.363292753e-3F;
    p = p * r + 4.166655376e-2F;
    p = p * r + 1.666657631e-1F;
    p = p * r + 0.5F;
    p = p * r * r + r + 1.0F;
    whole power = ((whole)shifted - (whole)round + 127) << 23;
    return choose(x < all(-87.0F), all(0.0F), p * (vector)power);
}

/* The sums of one tile, while they are made. */
struct sums {
    vector of[ROWS][VECTORS];
};

INLINE void sums_begin(const struct kernel_product *product, const float *y,
                       const size_t rows, struct sums *sums)
{
    UNROLLED
    for (size_t r = 0; r < rows; r++) {
        UNROLLED
        for (size_t v = 0; v < VECTORS; v++) {
            sums->of[r][v] =
                product->more ? load(y + r * product->y_stride + v * LANES) : (vector){0};
        }
    }
}

/* One row of the panel, with one number of each row of x. */
INLINE void sums_add(const vector *weights, const float *x, size_t stride,
                     const size_t rows, struct sums *sums)
{
    UNROLLED
    for (size_t r = 0; r < rows; r++) {
        float value = x[r * stride];
        UNROLLED
        for (size_t v = 0; v < VECTORS; v++) {
            sums->of[r][v] += weights[v] * value;
        }
    }
}

INLINE void sums_end(const struct kernel_product *product, float *y, size_t column,
                     const size_t rows, const struct sums *sums)
{
    UNROLLED
    for (size_t r = 0; r < rows; r++) {
        UNROLLED
        for (size_t v = 0; v < VECTORS; v++) {
            size_t at = v * LANES;
            vector sum = sums->of[r][v];
            if (product->scale) {
                sum = sum * load(product->scale + column + at) +
                      load(product->bias + column + at);
            }
            store(y + r * product->y_stride + at, sum);
        }
    }
}

/* The k-th of four numbers in each word: shifts bring it to the top and back down with
 * its sign. Compilers turn them into vectors everywhere, which they do not with bytes. */
INLINE vector one_of(const uint32_t *from, const uint32_t k)
{
    quads four;
    __builtin_memcpy(&four, from, sizeof four);
    whole one = (whole)(four << (24 - 8 * k)) >> 24;
    return __builtin_convertvector(one, vector);
}

/* One tile: `rows` (known when compiled) rows by WIDTH columns, the sums in registers. */
INLINE void tile(const struct kernel_product *product, size_t row, size_t column,
                 const size_t rows)
{
    struct sums sums;
    vector weights[VECTORS];
    size_t stride = product->x_stride;
    const float *x = product->x + row * stride;
    float *y = product->y + row * product->y_stride + column;
    sums_begin(product, y, rows, &sums);
    const uint32_t *eight = product->eight ? product->eight + column : NULL;
    for (size_t k = 0; eight && k < product->depth; k += 4, eight += KERNEL_PANEL) {
        UNROLLED
        for (uint32_t part = 0; part < 4; part++) {
            UNROLLED
            for (size_t v = 0; v < VECTORS; v++) {
                weights[v] = one_of(eight + v * LANES, part);
            }
            sums_add(weights, x + k + part, stride, rows, &sums);
        }
    }
    const float *w = product->w ? product->w + column : NULL;
    for (size_t k = 0; w && k < product->depth; k++, w += KERNEL_PANEL) {
        UNROLLED
        for (size_t v = 0; v < VECTORS; v++) {
            weights[v] = load(w + v * LANES);
        }
        sums_add(weights, x + k, stride, rows, &sums);
    }
    sums_end(product, y, column, rows, &sums);
}

TARGET static void tile_1(const struct kernel_product *product, size_t row, size_t column)
{
    tile(product, row, column, 1);
}

TARGET static void tile_2(const struct kernel_product *product, size_t row, size_t column)
{
    tile(product, row, column, 2);
}

TARGET static void tile_3(const struct kernel_product *product, size_t row, size_t column)
{
    tile(product, row, column, 3);
}

TARGET static void tile_4(const struct kernel_product *product, size_t row, size_t column)
{
    tile(product, row, column, 4);
}

TARGET static void tile_5(const struct kernel_product *product, size_t row, size_t column)
{
    tile(product, row, column, 5);
}

TARGET static void tile_6(const struct kernel_product *product, size_t row, size_t column)
{
    tile(product, row, column, 6);
}

static void multiply(const struct kernel_product *product)
{
    static void (*const tiles[ROWS])(const struct kernel_product *, size_t, size_t) = {
        tile_1, tile_2, tile_3, tile_4, tile_5, tile_6};
    for (size_t column = 0; column < KERNEL_PANEL; column += WIDTH) {
        for (size_t row = 0; row < product->rows; row += ROWS) {
            size_t left = product->rows - row;
            tiles[(left < ROWS ? left : ROWS) - 1](product, row, column);
        }
    }
}

TARGET static void spread(const uint32_t *from, size_t count, float *to)
{
    for (size_t i = 0; i < count; i += KERNEL_PANEL, to += 4 * KERNEL_PANEL) {
        for (size_t c = 0; c < KERNEL_PANEL; c += LANES) {
            UNROLLED
            for (uint32_t k = 0; k < 4; k++) {
                store(to + k * KERNEL_PANEL + c, one_of(from + i + c, k));
            }
        }
    }
}

TARGET static void norm(const float *x, const float *g, const float *b, size_t rows,
                        size_t d, float *y)
{
    for (size_t r = 0; r < rows; r++, x += d, y += d) {
        vector sum = {0};
        vector spread_sum = {0};
        for (size_t i = 0; i < d; i += LANES) {
            sum += load(x + i);
        }
        vector mean = all(sum_of(sum) / (float)d);
        for (size_t i = 0; i < d; i += LANES) {
            vector off = load(x + i) - mean;
            spread_sum += off * off;
        }
        vector scale = all(1.0F / sqrtf(sum_of(spread_sum) / (float)d + 1e-5F));
        for (size_t i = 0; i < d; i += LANES) {
            store(y + i, (load(x + i) - mean) * scale * load(g + i) + load(b + i));
        }
    }
}

/* x times half of 1 + erf(x / sqrt 2); erf as Abramowitz and Stegun give it (7.1.26). */
TARGET static void gelu(float *x, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        vector value = load(x + i);
        whole negative = value < all(0.0F);
        vector size = choose(negative, -value, value) * 0.70710678F;
        vector t = 1.0F / (size * 0.3275911F + 1.0F);
        vector p = t * 1.061405429F - 1.453152027F;
        p = p * t + 1.421413741F;
        p = p * t - 0.284496736F;
        p = (p * t + 0.254829592F) * t;
        vector tail = p * exp_of(-size * size); /* 1 - erf(size) */
        store(x + i, value * choose(negative, tail, 2.0F - tail) * 0.5F);
    }
}

TARGET static void softmax(float *x, size_t count)
{
    vector highest = load(x);
    for (size_t i = LANES; i < count; i += LANES) {
        vector value = load(x + i);
        highest = choose(value > highest, value, highest);
    }
    float lanes[LANES];
    store(lanes, highest);
    float most = lanes[0];
    for (size_t i = 1; i < LANES; i++) {
        most = lanes[i] > most ? lanes[i] : most;
    }
    vector sum = {0};
    for (size_t i = 0; i < count; i += LANES) {
        vector value = exp_of(load(x + i) - most);
        sum += value;
        store(x + i, value);
    }
    float share = 1.0F / sum_of(sum);
    for (size_t i = 0; i < count; i += LANES) {
        store(x + i, load(x + i) * share);
    }
}

TARGET static void add(float *x, const float *y, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        store(x + i, load(x + i) + load(y + i));
    }
}

TARGET static float dot(const float *a, const float *b, size_t count)
{
    vector sums = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        sums += load(a + i) * load(b + i);
    }
    float sum = sum_of(sums);
    for (; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

TARGET static void scaled_add(float *x, const float *y, float scale, size_t count)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        store(x + i, load(x + i) + load(y + i) * scale);
    }
    for (; i < count; i++) {
        x[i] += y[i] * scale;
    }
}

#define KERNELS(text)                                                                    \
    {                                                                                    \
        text, multiply, spread, norm, gelu, softmax, add, dot, scaled_add                \
    }
