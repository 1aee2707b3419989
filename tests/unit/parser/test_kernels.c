/* Every set of kernels that this processor can run against plain sums in double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "parser/network/kernels/kernels.h"
#include "parser/network/weights.h"

enum { ROWS_MOST = 14, IN = 416, OUT = 70, STRIDE = 96 };

/* Small numbers that are always the same. */
static float number(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (float)(*seed >> 8) / (float)(1U << 23) - 1.0F;
}

static float *fill(struct arena *arena, size_t count, uint32_t seed)
{
    float *numbers = kernel_numbers(arena, count);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = number(&seed);
    }
    return numbers;
}

static void assert_near(double got, double wanted, double most)
{
    if (!(fabs(got - wanted) <= most)) {
        print_error("%.9g, wanted %.9g within %.2g\n", got, wanted, most);
        fail();
    }
}

/* A layer of OUT outputs; the weights as real numbers too. */
struct layer {
    struct linear linear;
    float w[OUT][IN];
    float b[OUT];
};

static struct layer *layer_new(struct arena *arena, bool eight)
{
    struct layer *layer = ARENA_NEW(arena, struct layer);
    int8_t *small = arena_array(arena, OUT * IN, 1);
    float *scale = fill(arena, OUT, 5);
    uint32_t seed = 7;
    for (size_t i = 0; i < OUT; i++) {
        scale[i] /= 127.0F;
    }
    for (size_t i = 0; i < OUT * IN; i++) {
        float value = number(&seed);
        small[i] = (int8_t)(value * 127.0F);
        layer->w[i / IN][i % IN] = eight ? (float)small[i] * scale[i / IN] : value;
    }
    for (size_t i = 0; i < OUT; i++) {
        layer->b[i] = number(&seed);
    }
    struct tensor w = {.rows = OUT,
                       .columns = IN,
                       .real = eight ? NULL : &layer->w[0][0],
                       .eight = eight ? small : NULL,
                       .scale = scale};
    struct tensor b = {.rows = OUT, .columns = 1, .real = layer->b};
    size_t bytes = linear_bytes(IN, OUT, eight);
    linear_load(&layer->linear, &w, &b, kernel_numbers(arena, bytes / sizeof(float) + 1));
    return layer;
}

static void check_layer(const struct kernels *kernels, bool eight)
{
    struct arena *arena = arena_new();
    struct layer *layer = layer_new(arena, eight);
    float *x = fill(arena, (size_t)ROWS_MOST * IN, 3);
    float *alone = kernel_numbers(arena, STRIDE);
    /* 416 numbers rounded to 1/32767: six times what that usually comes to */
    double most = eight && kernels->narrow ? 6e-4 : 2e-5;
    for (size_t rows = 1; rows <= ROWS_MOST; rows++) {
        float *y = kernel_numbers(arena, (rows + 1) * STRIDE);
        y[rows * STRIDE] = 42.0F;
        linear_apply(kernels, &layer->linear, x, IN, rows, y, STRIDE);
        for (size_t r = 0; r < rows; r++) {
            for (size_t o = 0; o < OUT; o++) {
                double sum = (double)layer->b[o];
                for (size_t i = 0; i < IN; i++) {
                    sum += (double)x[r * IN + i] * (double)layer->w[o][i];
                }
                assert_near((double)y[r * STRIDE + o], sum, most);
            }
            linear_apply(kernels, &layer->linear, x + r * IN, IN, 1, alone, STRIDE);
            assert_memory_equal(alone, y + r * STRIDE, OUT * sizeof *y);
        }
        assert_true(y[rows * STRIDE] == 42.0F);
    }
    arena_free(arena);
}

/* Whole sums are exact, also where every product is as large as can be. */
static void check_eight(const struct kernels *kernels)
{
    struct arena *arena = arena_new();
    enum { DEEP = 768, MOST = INT32_MAX / 128 / DEEP };
    int8_t *w = arena_array(arena, (size_t)2 * DEEP, 1);
    float *x = kernel_numbers(arena, (size_t)2 * DEEP);
    for (size_t i = 0; i < DEEP; i++) {
        x[i] = i % 2 ? -3.0F : 3.0F;
        w[i] = i % 2 ? 127 : -128;
        w[DEEP + i] = (int8_t)i;
    }
    float scale[] = {1.0F, 0.5F};
    float bias[] = {0, 1};
    struct tensor weights = {.rows = 2, .columns = DEEP, .eight = w, .scale = scale};
    struct tensor biases = {.rows = 2, .columns = 1, .real = bias};
    struct linear linear;
    linear_load(&linear, &weights, &biases,
                kernel_numbers(arena, linear_bytes(DEEP, 2, true) / sizeof(float)));
    float y[2 * KERNEL_PANEL];
    linear_apply(kernels, &linear, x, DEEP, 2, y, KERNEL_PANEL);
    assert_near((double)y[0], -3.0 * 255 * DEEP / 2, 0.1);
    assert_near((double)y[1], 1 - 3.0 / 2 * DEEP / 2, 1e-3);
    assert_true(y[KERNEL_PANEL] == 0.0F && y[KERNEL_PANEL + 1] == 1.0F); /* a row of 0 */
    int16_t narrow[DEEP];
    x[7] = 4.5F;
    for (size_t count = 8; kernels->narrow && count < 60; count++) {
        float worth = kernels->narrow(x, count, MOST, narrow);
        assert_near((double)worth, 4.5 / MOST, 1e-9);
        for (size_t i = 0; i < count; i++) {
            assert_near((double)narrow[i], (double)x[i] / 4.5 * MOST, 0.51);
        }
    }
    arena_free(arena);
}

/* A matrix as it lies, and turned, through reserved layers. */
static void check_matrix(const struct kernels *kernels)
{
    struct arena *arena = arena_new();
    enum { COUNT = 37, SIZE = 8 };
    float *matrix = fill(arena, (size_t)COUNT * 11, 9);
    float *x = fill(arena, COUNT, 13);
    float *y = kernel_numbers(arena, kernel_padded(COUNT));
    struct linear linear;
    linear_reserve(&linear, arena, SIZE, COUNT, 0.25F);
    linear_set_rows(&linear, 0, COUNT, matrix, 11);
    linear_apply(kernels, &linear, x, SIZE, 1, y, kernel_padded(COUNT));
    for (size_t o = 0; o < COUNT; o++) {
        double sum = 0;
        for (size_t i = 0; i < SIZE; i++) {
            sum += (double)x[i] * (double)matrix[o * 11 + i];
        }
        assert_near((double)y[o], sum * 0.25, 1e-6);
    }
    linear_reserve(&linear, arena, COUNT, SIZE, 1.0F);
    linear_set_columns(&linear, 0, COUNT, matrix, 11);
    linear_apply(kernels, &linear, x, COUNT, 1, y, kernel_padded(SIZE));
    for (size_t o = 0; o < SIZE; o++) {
        double sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            sum += (double)x[i] * (double)matrix[i * 11 + o];
        }
        assert_near((double)y[o], sum, 2e-6);
    }
    arena_free(arena);
}

static void check_rows(const struct kernels *kernels)
{
    struct arena *arena = arena_new();
    enum { D = 96 };
    float *x = fill(arena, (size_t)3 * D, 21);
    float *g = fill(arena, D, 22);
    float *b = fill(arena, D, 23);
    float *y = kernel_numbers(arena, (size_t)3 * D);
    kernels->norm(x, g, b, 3, D, y);
    for (size_t r = 0; r < 3; r++) {
        double mean = 0;
        double spread = 0;
        for (size_t i = 0; i < D; i++) {
            mean += (double)x[r * D + i] / D;
        }
        for (size_t i = 0; i < D; i++) {
            spread += pow((double)x[r * D + i] - mean, 2) / D;
        }
        for (size_t i = 0; i < D; i++) {
            double wanted = ((double)x[r * D + i] - mean) / sqrt(spread + 1e-5);
            assert_near((double)y[r * D + i], wanted * (double)g[i] + (double)b[i], 2e-6);
        }
    }
    memcpy(y, x, D * sizeof *y);
    kernels->add(y, b, D);
    for (size_t i = 0; i < D; i++) {
        assert_true(y[i] == x[i] + b[i]);
    }
    for (size_t count = 1; count < 40; count++) {
        memcpy(y, x, D * sizeof *y);
        kernels->scaled_add(y, b, 0.5F, count);
        for (size_t i = 0; i < D; i++) {
            assert_near((double)y[i], (double)x[i] + (i < count ? 0.5 : 0) * (double)b[i],
                        1e-7);
        }
    }
    arena_free(arena);
}

/* From deep in the tails to far out: the exact form within 3e-7 of its argument. */
static void check_curves(const struct kernels *kernels)
{
    enum { COUNT = 32 * 1000 };
    struct arena *arena = arena_new();
    float *x = kernel_numbers(arena, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = ((float)i - COUNT / 2) / 800.0F;
    }
    x[0] = -1e30F;
    x[COUNT - 1] = 1e30F;
    kernels->gelu(x, COUNT);
    assert_true(x[0] == 0.0F);
    assert_true(x[COUNT - 1] == 1e30F);
    for (size_t i = 1; i + 1 < COUNT; i++) {
        double at = (double)(((float)i - COUNT / 2) / 800.0F);
        assert_near((double)x[i], 0.5 * at * (1 + erf(at * sqrt(0.5))),
                    3e-7 * (fabs(at) + 1e-3));
    }
    float *scores = kernel_numbers(arena, 64);
    for (size_t i = 0; i < 64; i++) {
        scores[i] = i < 50 ? (float)i * -2.5F + 300.0F : KERNEL_NEVER;
    }
    double total = 1 / (1 - exp(-2.5));
    assert_near((double)kernels->powers(scores, 64), total, 1e-6);
    for (size_t i = 0; i < 64; i++) {
        double wanted = i < 50 && 2.5 * (double)i < 87 ? exp(-2.5 * (double)i) : 0;
        assert_near((double)scores[i], wanted, 3e-7 * wanted);
    }
    arena_free(arena);
}

static void check_logs(const struct kernels *kernels)
{
    enum { COUNT = 77 };
    float x[COUNT];
    float y[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = -0.7F * (float)i - 100.0F;
        y[i] = i < 5 ? -1e4F : -0.1F * (float)(i * i) - 90.0F;
    }
    double sum = 0;
    for (size_t count = 1; count <= COUNT; count++) {
        sum += exp((double)x[count - 1]);
        assert_near((double)kernels->log_sum(x, count), log(sum), 1e-5);
    }
    for (size_t count = 1; count <= COUNT; count++) {
        float both[COUNT];
        memcpy(both, x, sizeof both);
        kernels->log_add(both, y, count);
        for (size_t i = 0; i < COUNT; i++) {
            double more = fmax((double)x[i], (double)y[i]);
            double less = fmin((double)x[i], (double)y[i]);
            double wanted = i < count ? more + log1p(exp(less - more)) : (double)x[i];
            assert_near((double)both[i], wanted, 1e-7 * fabs(wanted));
        }
    }
}

/* Heads of any size, over rows of keys and values in any order. */
static void check_look(const struct kernels *kernels)
{
    enum { COUNT = 35, MOST = 40 };
    struct arena *arena = arena_new();
    float *q = fill(arena, MOST, 31);
    float *kv = fill(arena, (size_t)COUNT * 2 * MOST, 32);
    float *scores = kernel_numbers(arena, kernel_padded(COUNT));
    const float *rows[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        rows[i] = kv + (i * 11 % COUNT) * 2 * MOST;
    }
    for (size_t size = 1; size <= MOST; size += 3) {
        float out[MOST] = {0};
        size_t count = size < COUNT ? size : COUNT;
        double wanted[MOST] = {0};
        double total = 0;
        kernels->look(&(struct kernel_look){q, rows, count, MOST, size, scores, out});
        for (size_t i = 0; i < count; i++) {
            double sum = 0;
            for (size_t k = 0; k < size; k++) {
                sum += (double)q[k] * (double)rows[i][k];
            }
            double weight = exp(sum / sqrt((double)size));
            total += weight;
            for (size_t k = 0; k < size; k++) {
                wanted[k] += weight * (double)rows[i][MOST + k];
            }
        }
        for (size_t k = 0; k < MOST; k++) {
            assert_near((double)out[k], wanted[k] / total, 1e-6);
        }
    }
    arena_free(arena);
}

static void test_all_sets(void **state)
{
    (void)state;
    size_t index = 0;
    for (const struct kernels *kernels = NULL; (kernels = kernels_at(index)); index++) {
        print_message("kernels: %s\n", kernels->name);
        check_layer(kernels, false);
        check_layer(kernels, true);
        check_eight(kernels);
        check_matrix(kernels);
        check_rows(kernels);
        check_curves(kernels);
        check_logs(kernels);
        check_look(kernels);
    }
    assert_true(index >= 1);
    assert_ptr_equal(kernels_get(), kernels_at(0));
}

static void test_padding(void **state)
{
    (void)state;
    assert_int_equal(kernel_padded(0), 0);
    assert_int_equal(kernel_padded(1), KERNEL_PANEL);
    assert_int_equal(kernel_padded(KERNEL_PANEL), KERNEL_PANEL);
    assert_int_equal(kernel_padded(KERNEL_PANEL + 1), 2 * KERNEL_PANEL);
    struct arena *arena = arena_new();
    for (size_t i = 1; i < 20; i++) {
        assert_int_equal((uintptr_t)kernel_numbers(arena, i) % KERNEL_ALIGNMENT, 0);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sets),
        cmocka_unit_test(test_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
