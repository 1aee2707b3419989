/* The arithmetic of the network. */
#include "parser/kernels.h"

#include <math.h>
#include <string.h>

#include "parser/weights.h"

/* Sanitizers and the function selector do not mix; there the plain form is used. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WIDE
#endif

enum { LANES = 16, ROWS = 4, BLOCK = 32 };

static size_t padded(size_t out)
{
    return (out + LANES - 1) / LANES * LANES;
}

size_t linear_bytes(size_t in, size_t out)
{
    return (in + 1) * padded(out) * sizeof(float);
}

void linear_load(struct linear *linear, const struct tensor *w, const struct tensor *b,
                 float *memory)
{
    *linear =
        (struct linear){.in = w->columns, .out = w->rows, .stride = padded(w->rows)};
    linear->w = memory;
    linear->b = memory + linear->in * linear->stride;
    memset(memory, 0, linear_bytes(linear->in, linear->out));
    for (size_t row = 0; row < w->rows; row++) {
        for (size_t i = 0; i < w->columns; i++) {
            float value = w->real ? w->real[row * w->columns + i]
                                  : (float)w->eight[row * w->columns + i] * w->scale[row];
            linear->w[i * linear->stride + row] = value;
        }
    }
    for (size_t row = 0; row < w->rows; row++) {
        linear->b[row] = b->real[row];
    }
}

/* ROWS rows against BLOCK columns: the sums stay in registers. */
WIDE static void block_rows(const struct linear *linear, const float *x, size_t rows,
                            size_t from, size_t width, float *y)
{
    float sums[ROWS][BLOCK];
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < BLOCK; c++) {
            sums[r][c] = c < width ? linear->b[from + c] : 0.0F;
        }
    }
    const float *w = linear->w + from;
    if (rows == ROWS && width == BLOCK) {
        for (size_t i = 0; i < linear->in; i++, w += linear->stride) {
            for (size_t r = 0; r < ROWS; r++) {
                float value = x[r * linear->in + i];
                for (size_t c = 0; c < BLOCK; c++) {
                    sums[r][c] += value * w[c];
                }
            }
        }
    } else {
        for (size_t i = 0; i < linear->in; i++, w += linear->stride) {
            for (size_t r = 0; r < rows; r++) {
                float value = x[r * linear->in + i];
                for (size_t c = 0; c < width; c++) {
                    sums[r][c] += value * w[c];
                }
            }
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < width && from + c < linear->out; c++) {
            y[r * linear->out + from + c] = sums[r][c];
        }
    }
}

void linear_apply(const struct linear *linear, const float *x, size_t rows, float *y)
{
    for (size_t from = 0; from < linear->stride; from += BLOCK) {
        size_t width = linear->stride - from < BLOCK ? linear->stride - from : BLOCK;
        for (size_t row = 0; row < rows; row += ROWS) {
            size_t count = rows - row < ROWS ? rows - row : ROWS;
            block_rows(linear, x + row * linear->in, count, from, width,
                       y + row * linear->out);
        }
    }
}

WIDE void kernel_norm(const float *x, const float *g, const float *b, size_t rows,
                      size_t d, float *y)
{
    for (size_t r = 0; r < rows; r++, x += d, y += d) {
        float mean = 0;
        float spread = 0;
        for (size_t i = 0; i < d; i++) {
            mean += x[i];
        }
        mean /= (float)d;
        for (size_t i = 0; i < d; i++) {
            spread += (x[i] - mean) * (x[i] - mean);
        }
        float scale = 1.0F / sqrtf(spread / (float)d + 1e-5F);
        for (size_t i = 0; i < d; i++) {
            y[i] = (x[i] - mean) * scale * g[i] + b[i];
        }
    }
}

void kernel_gelu(float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = 0.5F * x[i] * (1.0F + erff(x[i] * 0.70710678F));
    }
}

void kernel_softmax(float *x, size_t count)
{
    float most = x[0];
    for (size_t i = 1; i < count; i++) {
        most = x[i] > most ? x[i] : most;
    }
    float sum = 0;
    for (size_t i = 0; i < count; i++) {
        x[i] = expf(x[i] - most);
        sum += x[i];
    }
    for (size_t i = 0; i < count; i++) {
        x[i] /= sum;
    }
}

WIDE void kernel_add(float *x, const float *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] += y[i];
    }
}

/* Sixteen sums side by side, so that the order of adding does not stop the vectors. */
WIDE float kernel_dot(const float *a, const float *b, size_t count)
{
    float sums[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (size_t c = 0; c < LANES; c++) {
            sums[c] += a[i + c] * b[i + c];
        }
    }
    float sum = 0;
    for (; i < count; i++) {
        sum += a[i] * b[i];
    }
    for (size_t c = 0; c < LANES; c++) {
        sum += sums[c];
    }
    return sum;
}

WIDE void kernel_scaled_add(float *x, const float *y, float scale, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] += y[i] * scale;
    }
}
