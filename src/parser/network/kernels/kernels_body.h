/*
 * The text of one set of kernels. Only kernels_vnni.c, kernels_avx512.c, kernels_avx2.c
 * and kernels_plain.c include it, each after defining
 *   LANES    numbers in a vector register
 *   VECTORS  vectors that one tile of a product is wide
 *   TARGET   the attribute that lets the compiler use the registers
 *   LARGER(a, b)          the larger of two numbers, in each lane
 *   PAIRS_ADD(sum, a, b)  to each sum of 32 bits, two products of numbers of 16; not
 *                         where real numbers are multiplied as fast
 * Written with the vector types of gcc and clang, so that one text serves all processors.
 */
#include "parser/network/kernels/kernels_vector.h"
/* each after what it is made of */
#include "parser/network/kernels/kernels_products.h"
#include "parser/network/kernels/kernels_eight.h"

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
        vector size = size_of(value) * 0.70710678F;
        vector t = 1.0F / (size * 0.3275911F + 1.0F);
        vector p = t * 1.061405429F - 1.453152027F;
        p = p * t + 1.421413741F;
        p = p * t - 0.284496736F;
        p = (p * t + 0.254829592F) * t;
        vector erf = 1.0F - p * exp_of(-size * size);
        erf = (vector)((whole)erf | ((whole)value & INT32_MIN)); /* its sign is x's */
        vector half = value * 0.5F;
        store(x + i, half * erf + half);
    }
}

TARGET static float powers(float *x, size_t count)
{
    vector highest = load(x);
    for (size_t i = LANES; i < count; i += LANES) {
        highest = LARGER(load(x + i), highest);
    }
    float most = highest_of(highest);
    vector sum = {0};
    for (size_t i = 0; i < count; i += LANES) {
        vector value = exp_of(load(x + i) - most);
        sum += value;
        store(x + i, value);
    }
    return sum_of(sum);
}

TARGET static void add(float *x, const float *y, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        store(x + i, load(x + i) + load(y + i));
    }
}

INLINE float dot(const float *a, const float *b, size_t count)
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

TARGET static void look(const struct kernel_look *look)
{
    float scale = 1.0F / sqrtf((float)look->size);
    for (size_t i = 0; i < look->count; i++) {
        look->scores[i] = dot(look->q, look->rows[i], look->size) * scale;
    }
    for (size_t i = look->count; i < kernel_padded(look->count); i++) {
        look->scores[i] = KERNEL_NEVER;
    }
    float share = 1.0F / powers(look->scores, kernel_padded(look->count));
    for (size_t i = 0; i < look->size; i++) {
        look->out[i] = 0;
    }
    for (size_t i = 0; i < look->count; i++) {
        scaled_add(look->out, look->rows[i] + look->apart, look->scores[i] * share,
                   look->size);
    }
}

TARGET static float log_sum(const float *x, size_t count)
{
    vector highest = all(x[0]);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        highest = LARGER(load(x + i), highest);
    }
    float most = highest_of(highest);
    for (; i < count; i++) {
        most = x[i] > most ? x[i] : most;
    }
    vector sums = {0};
    for (i = 0; i + LANES <= count; i += LANES) {
        sums += exp_of(load(x + i) - most);
    }
    float sum = sum_of(sums);
    for (; i < count; i++) {
        sum += expf(x[i] - most);
    }
    return most + logf(sum);
}

/* The larger one and log(1 + t), t being e to what the other is less: 2 artanh of
 * t / (2 + t), at most a third, by the first terms of its series. */
TARGET static void log_add(float *x, const float *y, size_t count)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vector a = load(x + i);
        vector b = load(y + i);
        vector t = exp_of(-size_of(a - b));
        vector s = t / (t + 2.0F);
        vector square = s * s;
        vector p = square * (1.0F / 13) + 1.0F / 11;
        p = p * square + 1.0F / 9;
        p = p * square + 1.0F / 7;
        p = p * square + 1.0F / 5;
        p = p * square + 1.0F / 3;
        p = p * square + 1.0F;
        store(x + i, LARGER(a, b) + 2.0F * s * p);
    }
    for (; i < count; i++) {
        x[i] = fmaxf(x[i], y[i]) + log1pf(expf(-fabsf(x[i] - y[i])));
    }
}

#define KERNELS(text)                                                                    \
    {                                                                                    \
        text, multiply, EIGHT, norm, gelu, powers, add, look, log_sum, log_add,          \
            scaled_add                                                                   \
    }
