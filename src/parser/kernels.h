/*
 * The arithmetic of the network. Plain C that compilers turn into vector code; on x86-64
 * the widest form the processor has is chosen when the program starts.
 */
#ifndef DGM_PARSER_KERNELS_H
#define DGM_PARSER_KERNELS_H

#include <stddef.h>

struct tensor;

/* y = x w + b, with w held by columns of the file's rows: [in][out], out padded to 16. */
struct linear {
    size_t in;
    size_t out;
    size_t stride; /* of a row of w */
    float *w;
    float *b;
};

/* Bytes that linear_load needs for a layer of this shape. */
size_t linear_bytes(size_t in, size_t out);
/* From the file's [out][in] form into memory of that size, 64-byte aligned. */
void linear_load(struct linear *linear, const struct tensor *w, const struct tensor *b,
                 float *memory);
/* rows of x [in] -> rows of y [out]; both dense. */
void linear_apply(const struct linear *linear, const float *x, size_t rows, float *y);

void kernel_norm(const float *x, const float *g, const float *b, size_t rows, size_t d,
                 float *y);
void kernel_gelu(float *x, size_t count);    /* the exact form */
void kernel_softmax(float *x, size_t count); /* in place */
void kernel_add(float *x, const float *y, size_t count);
float kernel_dot(const float *a, const float *b, size_t count);
void kernel_scaled_add(float *x, const float *y, float scale, size_t count);

#endif
