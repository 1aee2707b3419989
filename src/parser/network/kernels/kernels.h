/*
 * The arithmetic of the network: one set of functions for each kind of processor, all
 * from the same text (kernels_body.h), the best one chosen when a network is opened.
 *
 * Rows of a matrix lie PANEL numbers apart or a multiple of it. The right side of a
 * product is packed into panels: PANEL columns wide, one row after the other, so that it
 * streams through the cache. A sum is always made in the same order, however many rows
 * are multiplied at once: the same question gives the same answer.
 */
#ifndef DGM_PARSER_KERNELS_H
#define DGM_PARSER_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct tensor;

enum {
    KERNEL_PANEL = 32,
    KERNEL_ROWS = 6, /* that are multiplied at once */
    KERNEL_ALIGNMENT = 64
};

/* A score that takes no part. */
#define KERNEL_NEVER (-1e30F)

/* Rows of x times one panel: y = x w, y += x w, or (x w) * scale + bias. */
struct kernel_product {
    const float *x;
    size_t x_stride;
    size_t rows;
    const float *w; /* depth rows of KERNEL_PANEL numbers */
    size_t depth;
    float *y; /* KERNEL_PANEL numbers of each row are written */
    size_t y_stride;
    bool more;          /* add to what y holds */
    const float *scale; /* NULL: the plain sum; else KERNEL_PANEL numbers */
    const float *bias;
};

/* The same with whole numbers: rows of `narrow` times a panel in eight bits. */
struct kernel_eight {
    const int16_t *x;   /* rows of depth numbers */
    const float *worth; /* of a one in each row */
    size_t rows;
    const uint32_t *w; /* depth / 4 rows of KERNEL_PANEL words */
    size_t depth;
    float *y;
    size_t y_stride;
    const float *scale;
    const float *bias;
};

/* One head looks at rows that lie anywhere: the mean of their values, each weighed by
 * e to the product of its keys with q. */
struct kernel_look {
    const float *q;
    const float *const *rows; /* keys; the values lie `apart` numbers behind them */
    size_t count;
    size_t apart;
    size_t size;   /* numbers of a head */
    float *scores; /* room for count, up to a panel */
    float *out;
};

/* Counts are multiples of KERNEL_PANEL, but from `look` on. */
struct kernels {
    const char *name;
    void (*multiply)(const struct kernel_product *product);
    /* Rows of a panel in eight bits, four under each other in a word; count words. NULL
     * where the next two are there. */
    void (*spread)(const uint32_t *from, size_t count, float *to);
    /* A row as whole numbers from -most to most; what a one is worth. */
    float (*narrow)(const float *x, size_t count, float most, int16_t *to);
    void (*multiply_eight)(const struct kernel_eight *product);
    void (*norm)(const float *x, const float *g, const float *b, size_t rows, size_t d,
                 float *y);
    void (*gelu)(float *x, size_t count); /* the exact form, within 3e-7 of x */
    /* e^(x - the highest of them); their sum. */
    float (*powers)(float *x, size_t count);
    void (*add)(float *x, const float *y, size_t count);
    void (*look)(const struct kernel_look *look);
    /* The log of the sum of e^x. */
    float (*log_sum)(const float *x, size_t count);
    /* x = log(e^x + e^y) */
    void (*log_add)(float *x, const float *y, size_t count);
    void (*scaled_add)(float *x, const float *y, float scale, size_t count);
};

/* The best set this processor can run. */
const struct kernels *kernels_get(void);
/* By number, best first; NULL past the last one. For tests. */
const struct kernels *kernels_at(size_t index);
/* Each NULL where the processor or the compiler does not have it. */
const struct kernels *kernels_vnni(void);
const struct kernels *kernels_avx512(void);
const struct kernels *kernels_avx2(void);
const struct kernels *kernels_plain(void);

size_t kernel_padded(size_t count); /* up to a multiple of KERNEL_PANEL */
/* Zeroed and aligned, in the arena. */
float *kernel_numbers(struct arena *arena, size_t count);

/* y = x w + b, with w packed; kept in eight bits where the file has it so: then `in` is a
 * multiple of four, up to LINEAR_IN_MOST, and rows of x may be rounded to 16 bits. */
enum { LINEAR_IN_MOST = 16 * 1024 };
struct linear {
    size_t in;
    size_t out;
    size_t panels;
    uint32_t *eight; /* one of the two */
    float *real;
    float *scale; /* panels * KERNEL_PANEL */
    float *bias;
};

/* Bytes that linear_load needs for a layer of this shape. */
size_t linear_bytes(size_t in, size_t out, bool eight);
/* From the file's [out][in] form into memory of that size, KERNEL_ALIGNMENT aligned. */
void linear_load(struct linear *linear, const struct tensor *w, const struct tensor *b,
                 void *memory);
/* A layer to be filled from matrices of up to this size, in the arena: x times a matrix
 * times `scale`. */
void linear_reserve(struct linear *linear, struct arena *arena, size_t in, size_t out,
                    float scale);
/* Row after row, `count` of them, becomes an output from `first` on ([out][in]). */
void linear_set_rows(struct linear *linear, size_t first, size_t count, const float *rows,
                     size_t stride);
/* Row after row, `count` of them, becomes an input from `first` on ([in][out]). */
void linear_set_columns(struct linear *linear, size_t first, size_t count,
                        const float *rows, size_t stride);
/* rows of x, x_stride apart -> rows of y, y_stride (at least panels * PANEL) apart. */
void linear_apply(const struct kernels *kernels, const struct linear *linear,
                  const float *x, size_t x_stride, size_t rows, float *y,
                  size_t y_stride);

#endif
