/* Products of rows with a panel, in real numbers. Only kernels_body.h includes it. */
enum { ROWS = KERNEL_ROWS, WIDTH = LANES * VECTORS };

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
    const float *w = product->w + column;
    for (size_t k = 0; k < product->depth; k++, w += KERNEL_PANEL) {
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
