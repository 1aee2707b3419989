/*
 * Products of rows with a panel in eight bits. Only kernels_body.h includes it. A set
 * that has PAIRS_ADD takes rows of whole numbers; the others make real numbers of the
 * panel first.
 */
#if defined(PAIRS_ADD)
/* Two numbers of each column, of four in a word: as 16 bits each, with their signs. */
INLINE halves two_of(const uint32_t *from, const size_t part)
{
    halves four;
    __builtin_memcpy(&four, from, sizeof four);
    return part ? four >> 8 : (halves)((plain_halves)four << 8) >> 8;
}

/* Two numbers, in every word. */
INLINE halves pair(const int16_t *from)
{
    int32_t both;
    __builtin_memcpy(&both, from, sizeof both);
    return (halves)(both - (whole){0});
}

/* The whole sums of one tile: two numbers of x at a time with two of a column. */
INLINE void eight_tile(const struct kernel_eight *product, size_t row, size_t column,
                       const size_t rows)
{
    whole sums[ROWS][VECTORS];
    const size_t depth = product->depth;
    const int16_t *x = product->x + row * depth;
    const uint32_t *w = product->w + column;
    UNROLLED
    for (size_t r = 0; r < rows; r++) {
        UNROLLED
        for (size_t v = 0; v < VECTORS; v++) {
            sums[r][v] = (whole){0};
        }
    }
    for (size_t k = 0; k < depth; k += 4, w += KERNEL_PANEL) {
        UNROLLED
        for (size_t part = 0; part < 2; part++) {
            halves weights[VECTORS];
            UNROLLED
            for (size_t v = 0; v < VECTORS; v++) {
                weights[v] = two_of(w + v * LANES, part);
            }
            UNROLLED
            for (size_t r = 0; r < rows; r++) {
                halves two = pair(x + r * depth + k + 2 * part);
                UNROLLED
                for (size_t v = 0; v < VECTORS; v++) {
                    sums[r][v] = PAIRS_ADD(sums[r][v], weights[v], two);
                }
            }
        }
    }
    float *y = product->y + row * product->y_stride + column;
    UNROLLED
    for (size_t r = 0; r < rows; r++) {
        UNROLLED
        for (size_t v = 0; v < VECTORS; v++) {
            size_t at = v * LANES;
            vector sum = __builtin_convertvector(sums[r][v], vector);
            sum = sum * (load(product->scale + column + at) * product->worth[row + r]) +
                  load(product->bias + column + at);
            store(y + r * product->y_stride + at, sum);
        }
    }
}

TARGET static void eight_tile_1(const struct kernel_eight *product, size_t row,
                                size_t column)
{
    eight_tile(product, row, column, 1);
}

TARGET static void eight_tile_2(const struct kernel_eight *product, size_t row,
                                size_t column)
{
    eight_tile(product, row, column, 2);
}

TARGET static void eight_tile_3(const struct kernel_eight *product, size_t row,
                                size_t column)
{
    eight_tile(product, row, column, 3);
}

TARGET static void eight_tile_4(const struct kernel_eight *product, size_t row,
                                size_t column)
{
    eight_tile(product, row, column, 4);
}

TARGET static void eight_tile_5(const struct kernel_eight *product, size_t row,
                                size_t column)
{
    eight_tile(product, row, column, 5);
}

TARGET static void eight_tile_6(const struct kernel_eight *product, size_t row,
                                size_t column)
{
    eight_tile(product, row, column, 6);
}

static void multiply_eight(const struct kernel_eight *product)
{
    static void (*const tiles[ROWS])(const struct kernel_eight *, size_t,
                                     size_t) = {eight_tile_1, eight_tile_2, eight_tile_3,
                                                eight_tile_4, eight_tile_5, eight_tile_6};
    for (size_t column = 0; column < KERNEL_PANEL; column += WIDTH) {
        for (size_t row = 0; row < product->rows; row += ROWS) {
            size_t left = product->rows - row;
            tiles[(left < ROWS ? left : ROWS) - 1](product, row, column);
        }
    }
}

TARGET static float narrow(const float *x, size_t count, float most, int16_t *to)
{
    vector highest = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        highest = LARGER(size_of(load(x + i)), highest);
    }
    float high = highest_of(highest);
    for (; i < count; i++) {
        high = fabsf(x[i]) > high ? fabsf(x[i]) : high;
    }
    float times = high > 0.0F ? most / high : 0.0F;
    for (i = 0; i + LANES <= count; i += LANES) {
        whole rounded = (whole)(load(x + i) * times + ROUND);
        shorts low = __builtin_convertvector(rounded, shorts);
        __builtin_memcpy(to + i, &low, sizeof low);
    }
    for (; i < count; i++) {
        to[i] = (int16_t)lrintf(x[i] * times);
    }
    return high / most;
}

#define EIGHT NULL, narrow, multiply_eight
#else
/* The k-th of four numbers in each word: shifts bring it to the top and back down with
 * its sign. Compilers turn them into vectors everywhere, which they do not with bytes. */
INLINE vector one_of(const uint32_t *from, const uint32_t k)
{
    words four;
    __builtin_memcpy(&four, from, sizeof four);
    whole one = (whole)(four << (24 - 8 * k)) >> 24;
    return __builtin_convertvector(one, vector);
}

TARGET static void spread(const uint32_t *from, size_t count, float *to)
{
    static const uint32_t places[] = {0, 2, 1, 3}; /* as linear_load packs them */
    for (size_t i = 0; i < count; i += KERNEL_PANEL, to += 4 * KERNEL_PANEL) {
        for (size_t c = 0; c < KERNEL_PANEL; c += LANES) {
            UNROLLED
            for (uint32_t k = 0; k < 4; k++) {
                store(to + k * KERNEL_PANEL + c, one_of(from + i + c, places[k]));
            }
        }
    }
}

#define EIGHT spread, NULL, NULL
#endif
