/* What the encoder and the decoder share: layers applied to rows, keys made ready. */
#include <math.h>

#include "parser/network_state.h"

/* A score that takes no part. */
#define NEVER (-1e30F)

void network_linear(const struct network *network, const struct linear *linear,
                    const float *x, size_t rows, float *y)
{
    linear_apply(network->kernels, linear, x, linear->in, rows, y,
                 linear->panels * KERNEL_PANEL);
}

void attended_reserve(const struct network *network, struct arena *arena, size_t count,
                      struct attended *attended)
{
    float scale = 1.0F / sqrtf((float)network->head);
    linear_reserve(&attended->keys, arena, network->head, count, scale);
    linear_reserve(&attended->values, arena, count, network->head, 1.0F);
    for (size_t i = count; i < kernel_padded(count); i++) {
        attended->keys.bias[i] = NEVER;
    }
}

void attended_set(const struct network *network, const float *kv, size_t head,
                  struct attended *attended)
{
    size_t d = network->d;
    const float *keys = kv + head * network->head;
    linear_set_rows(&attended->keys, keys, 2 * d);
    linear_set_columns(&attended->values, keys + d, 2 * d);
}
