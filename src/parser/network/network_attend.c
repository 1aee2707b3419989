/* What the encoder and the decoder share: layers applied to rows, keys made ready. */
#include <math.h>
#include <string.h>

#include "parser/network/network_state.h"

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
        attended->keys.bias[i] = KERNEL_NEVER;
    }
}

void attended_set(const struct network *network, const float *kv, size_t count,
                  size_t head, struct attended *attended)
{
    size_t d = network->d;
    const float *keys = kv + head * network->head;
    linear_set_rows(&attended->keys, 0, count, keys, 2 * d);
    linear_set_columns(&attended->values, 0, count, keys + d, 2 * d);
}

void attended_mix(const struct network *network, const struct attended *heads,
                  const float *q, size_t rows, struct attend_room room, float *mixed)
{
    const struct kernels *kernels = network->kernels;
    size_t d = network->d;
    size_t size = kernel_padded(network->head);
    size_t padded = kernel_padded(heads[0].keys.out);
    for (size_t head = 0; head < network->heads; head++) {
        size_t first = head * network->head;
        linear_apply(kernels, &heads[head].keys, q + first, d, rows, room.scores, padded);
        for (size_t i = 0; i < rows; i++) {
            room.totals[i] = kernels->powers(room.scores + i * padded, padded);
        }
        linear_apply(kernels, &heads[head].values, room.scores, padded, rows, room.own,
                     size);
        attended_share(network, room, rows, head, mixed);
    }
}

void attended_share(const struct network *network, struct attend_room room, size_t rows,
                    size_t head, float *mixed)
{
    size_t size = kernel_padded(network->head);
    for (size_t i = 0; i < rows; i++) {
        const float *own = room.own + i * size;
        float *out = mixed + i * network->d + head * network->head;
        float share = 1.0F / room.totals[i];
        for (size_t k = 0; k < network->head; k++) {
            out[k] = own[k] * share;
        }
    }
}
