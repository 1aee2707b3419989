/* Choosing a set of kernels, and packed layers. */
#include "parser/kernels.h"

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "parser/weights.h"

/* Rows of a panel that are multiplied before the next ones: 24 KB as real numbers. */
enum { DEPTH = 192, FEW = 6 };

const struct kernels *kernels_at(size_t index)
{
    const struct kernels *const all[] = {kernels_avx512(), kernels_avx2(),
                                         kernels_plain()};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] && index-- == 0) {
            return all[i];
        }
    }
    return NULL;
}

const struct kernels *kernels_get(void)
{
    return kernels_at(0);
}

size_t kernel_padded(size_t count)
{
    return (count + KERNEL_PANEL - 1) / KERNEL_PANEL * KERNEL_PANEL;
}

float *kernel_numbers(struct arena *arena, size_t count)
{
    size_t more = KERNEL_ALIGNMENT / sizeof(float);
    float *numbers = arena_array(arena, count + more, sizeof *numbers);
    size_t over = (uintptr_t)numbers % KERNEL_ALIGNMENT;
    return over ? numbers + (KERNEL_ALIGNMENT - over) / sizeof(float) : numbers;
}

size_t linear_bytes(size_t in, size_t out, bool eight)
{
    size_t each = eight ? 1 : sizeof(float);
    return in * kernel_padded(out) * each + 2 * kernel_padded(out) * sizeof(float);
}

void linear_load(struct linear *linear, const struct tensor *w, const struct tensor *b,
                 void *memory)
{
    size_t in = w->columns;
    size_t padded = kernel_padded(w->rows);
    float *scale = memory;
    float *bias = scale + padded;
    float *real = bias + padded;
    uint32_t *eight = (uint32_t *)real;
    memset(memory, 0, linear_bytes(in, w->rows, w->eight != NULL));
    for (size_t row = 0; row < w->rows; row++) {
        size_t first = row / KERNEL_PANEL * KERNEL_PANEL * in + row % KERNEL_PANEL;
        scale[row] = w->eight ? w->scale[row] : 1.0F;
        bias[row] = b->real[row];
        size_t word = row / KERNEL_PANEL * KERNEL_PANEL * (in / 4) + row % KERNEL_PANEL;
        for (size_t i = 0; i < in && w->eight; i += 4, word += KERNEL_PANEL) {
            const int8_t *four = w->eight + row * in + i;
            eight[word] = (uint32_t)(uint8_t)four[0] | (uint32_t)(uint8_t)four[1] << 8 |
                          (uint32_t)(uint8_t)four[2] << 16 |
                          (uint32_t)(uint8_t)four[3] << 24;
        }
        for (size_t i = 0; i < in && w->real; i++) {
            real[first + i * KERNEL_PANEL] = w->real[row * in + i];
        }
    }
    *linear = (struct linear){.in = in,
                              .out = w->rows,
                              .panels = padded / KERNEL_PANEL,
                              .eight = w->eight ? eight : NULL,
                              .real = w->eight ? NULL : real,
                              .scale = scale,
                              .bias = bias};
}

void linear_reserve(struct linear *linear, struct arena *arena, size_t in, size_t out,
                    float scale)
{
    size_t padded = kernel_padded(out);
    *linear = (struct linear){.in = in,
                              .out = out,
                              .panels = padded / KERNEL_PANEL,
                              .real = kernel_numbers(arena, padded * in),
                              .scale = kernel_numbers(arena, padded),
                              .bias = kernel_numbers(arena, padded)};
    for (size_t i = 0; i < padded; i++) {
        linear->scale[i] = scale;
    }
}

void linear_set_rows(struct linear *linear, const float *rows, size_t stride)
{
    size_t in = linear->in;
    for (size_t row = 0; row < linear->out; row++, rows += stride) {
        float *to =
            linear->real + row / KERNEL_PANEL * KERNEL_PANEL * in + row % KERNEL_PANEL;
        for (size_t i = 0; i < in; i++) {
            to[i * KERNEL_PANEL] = rows[i];
        }
    }
}

void linear_set_columns(struct linear *linear, const float *rows, size_t stride)
{
    for (size_t panel = 0; panel < linear->panels; panel++) {
        size_t first = panel * KERNEL_PANEL;
        size_t left = linear->out - first;
        size_t width = left < KERNEL_PANEL ? left : KERNEL_PANEL;
        float *to = linear->real + first * linear->in;
        for (size_t i = 0; i < linear->in; i++) {
            memcpy(to + i * KERNEL_PANEL, rows + i * stride + first, width * sizeof *to);
        }
    }
}

/* Many rows at once: worth making real numbers of the weights first, a piece that stays
 * in the nearest cache at a time. */
static void apply_spread(const struct kernels *kernels, const struct linear *linear,
                         size_t column, struct kernel_product product)
{
    alignas(KERNEL_ALIGNMENT) float spread[DEPTH * KERNEL_PANEL];
    const float *x = product.x;
    for (size_t from = 0; from < linear->in; from += DEPTH) {
        size_t place = column * linear->in + from * KERNEL_PANEL;
        bool last = linear->in - from <= DEPTH;
        product.depth = last ? linear->in - from : DEPTH;
        product.x = x + from;
        product.more = from > 0;
        product.scale = last ? linear->scale + column : NULL;
        if (linear->eight) {
            kernels->spread(linear->eight + place / 4, product.depth * KERNEL_PANEL / 4,
                            spread);
            product.w = spread;
        } else {
            product.w = linear->real + place;
        }
        kernels->multiply(&product);
    }
}

void linear_apply(const struct kernels *kernels, const struct linear *linear,
                  const float *x, size_t x_stride, size_t rows, float *y, size_t y_stride)
{
    for (size_t panel = 0; panel < linear->panels; panel++) {
        size_t column = panel * KERNEL_PANEL;
        struct kernel_product product = {.x = x,
                                         .x_stride = x_stride,
                                         .rows = rows,
                                         .depth = linear->in,
                                         .y = y + column,
                                         .y_stride = y_stride,
                                         .scale = linear->scale + column,
                                         .bias = linear->bias + column};
        if (linear->eight && rows <= FEW) {
            product.eight = linear->eight + column * linear->in / 4;
            kernels->multiply(&product);
        } else {
            apply_spread(kernels, linear, column, product);
        }
    }
}
