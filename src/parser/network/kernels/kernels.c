/* Choosing a set of kernels, and packed layers. */
#include "parser/network/kernels/kernels.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "parser/network/weights.h"

enum {
    DEPTH = 192,             /* of a panel that is multiplied before the rest: 24 KB */
    NARROW = LINEAR_IN_MOST, /* numbers of 16 bits at a time: 32 KB */
    NARROW_ROWS = 16 * KERNEL_ROWS
};

const struct kernels *kernels_at(size_t index)
{
    const struct kernels *const all[] = {kernels_vnni(), kernels_avx512(), kernels_avx2(),
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
            eight[word] = (uint32_t)(uint8_t)four[0] | (uint32_t)(uint8_t)four[2] << 8 |
                          (uint32_t)(uint8_t)four[1] << 16 |
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

void linear_set_rows(struct linear *linear, size_t first, size_t count, const float *rows,
                     size_t stride)
{
    size_t in = linear->in;
    for (size_t row = first; row < first + count; row++, rows += stride) {
        float *to =
            linear->real + row / KERNEL_PANEL * KERNEL_PANEL * in + row % KERNEL_PANEL;
        for (size_t i = 0; i < in; i++) {
            to[i * KERNEL_PANEL] = rows[i];
        }
    }
}

void linear_set_columns(struct linear *linear, size_t first, size_t count,
                        const float *rows, size_t stride)
{
    for (size_t panel = 0; panel < linear->panels; panel++) {
        size_t column = panel * KERNEL_PANEL;
        size_t left = linear->out - column;
        size_t width = left < KERNEL_PANEL ? left : KERNEL_PANEL;
        float *to = linear->real + column * linear->in + first * KERNEL_PANEL;
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * KERNEL_PANEL, rows + i * stride + column, width * sizeof *to);
        }
    }
}

/* A piece that stays in the nearest cache at a time. */
static void apply_real(const struct kernels *kernels, const struct linear *linear,
                       struct kernel_product product)
{
    alignas(KERNEL_ALIGNMENT) float spread[DEPTH * KERNEL_PANEL];
    const float *x = product.x;
    float *y = product.y;
    for (size_t panel = 0; panel < linear->panels; panel++) {
        size_t column = panel * KERNEL_PANEL;
        product.y = y + column;
        product.bias = linear->bias + column;
        for (size_t from = 0; from < linear->in; from += DEPTH) {
            bool last = linear->in - from <= DEPTH;
            product.depth = last ? linear->in - from : DEPTH;
            product.x = x + from;
            size_t place = column * linear->in + from * KERNEL_PANEL;
            if (linear->eight) {
                kernels->spread(linear->eight + place / 4,
                                product.depth * KERNEL_PANEL / 4, spread);
            }
            product.w = linear->eight ? spread : linear->real + place;
            product.more = from > 0;
            product.scale = last ? linear->scale + column : NULL;
            kernels->multiply(&product);
        }
    }
}

/* As many rows as there is room for, all panels after each other. */
static void apply_eight(const struct kernels *kernels, const struct linear *linear,
                        const struct kernel_product *product)
{
    alignas(KERNEL_ALIGNMENT) int16_t narrow[NARROW];
    float worth[NARROW_ROWS];
    size_t in = linear->in;
    /* no sum of products with -128 to 127 leaves 32 bits */
    float most = fminf(INT16_MAX, (float)(INT32_MAX / 128 / (int32_t)in));
    for (size_t i = 0; i < product->rows; i++) {
        worth[i] = kernels->narrow(product->x + i * product->x_stride, in, most,
                                   narrow + i * in);
    }
    for (size_t panel = 0; panel < linear->panels; panel++) {
        size_t column = panel * KERNEL_PANEL;
        kernels->multiply_eight(&(struct kernel_eight){
            .x = narrow,
            .worth = worth,
            .rows = product->rows,
            .w = linear->eight + column * in / 4,
            .depth = in,
            .y = product->y + column,
            .y_stride = product->y_stride,
            .scale = linear->scale + column,
            .bias = linear->bias + column,
        });
    }
}

/* Rows that apply_eight has room for. */
static size_t rows_at_once(const struct linear *linear)
{
    size_t rows = NARROW / linear->in;
    rows = rows < NARROW_ROWS ? rows : NARROW_ROWS;
    return rows > KERNEL_ROWS ? rows - rows % KERNEL_ROWS : rows;
}

void linear_apply(const struct kernels *kernels, const struct linear *linear,
                  const float *x, size_t x_stride, size_t rows, float *y, size_t y_stride)
{
    struct kernel_product product = {
        .x = x, .x_stride = x_stride, .rows = rows, .y = y, .y_stride = y_stride};
    if (linear->real || kernels->spread) {
        apply_real(kernels, linear, product);
        return;
    }
    size_t most = rows_at_once(linear);
    for (size_t first = 0; first < rows; first += most) {
        product.rows = rows - first < most ? rows - first : most;
        product.x = x + first * x_stride;
        product.y = y + first * y_stride;
        apply_eight(kernels, linear, &product);
    }
}
