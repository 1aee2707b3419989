/* Layers of the network from the file's tensors. */
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/network/network_state.h"

const struct tensor *network_get(struct network *network, size_t rows, size_t columns,
                                 struct err *err, const char *name, const char *part)
{
    char whole[64];
    (void)snprintf(whole, sizeof whole, "%s%s%s", network->prefix, name, part);
    return weights_get(network->weights, whole, rows, columns, err);
}

const float *network_reals(struct network *network, size_t rows, size_t columns,
                           struct err *err, const char *name)
{
    const struct tensor *tensor = network_get(network, rows, columns, err, name, "");
    if (!tensor || tensor->real) {
        return tensor ? tensor->real : NULL;
    }
    float *spread = arena_array(network->arena, rows * columns, sizeof *spread);
    for (size_t row = 0; row < rows; row++) {
        tensor_row(tensor, row, spread + row * columns);
    }
    return spread;
}

bool network_load_linear(struct network *network, struct linear *linear, const char *name,
                         size_t in, size_t out, struct err *err)
{
    const struct tensor *w = network_get(network, out, in, err, name, ".w");
    const struct tensor *b = w ? network_get(network, out, 1, err, name, ".b") : NULL;
    if (!b) {
        return false;
    }
    if (!b->real) {
        return err_set(err, ERR_INVALID_DATA, "The tensor '%s.b' has the wrong type.",
                       name);
    }
    size_t bytes = linear_bytes(in, out, w->eight != NULL);
    linear_load(linear, w, b,
                kernel_numbers(network->arena, (bytes + 3) / sizeof(float)));
    return true;
}

static bool load_relations(struct network *network, struct encoder_layer *layer,
                           const char *prefix, struct err *err)
{
    size_t count = network->relations;
    char name[64];
    (void)snprintf(name, sizeof name, "%srk", prefix);
    layer->rk = network_reals(network, count, network->head, err, name);
    (void)snprintf(name, sizeof name, "%srv", prefix);
    layer->rv =
        layer->rk ? network_reals(network, count, network->head, err, name) : NULL;
    (void)snprintf(name, sizeof name, "%srb", prefix);
    layer->rb =
        layer->rv ? network_reals(network, count, network->heads, err, name) : NULL;
    return layer->rb != NULL;
}

bool network_load_norm(struct network *network, struct norm *norm, const char *name,
                       struct err *err)
{
    char part[64];
    (void)snprintf(part, sizeof part, "%s.g", name);
    norm->g = network_reals(network, network->d, 1, err, part);
    (void)snprintf(part, sizeof part, "%s.b", name);
    norm->b = norm->g ? network_reals(network, network->d, 1, err, part) : NULL;
    return norm->b != NULL;
}

static bool load_attention(struct network *network, struct attention *attention,
                           const char *prefix, struct err *err)
{
    size_t d = network->d;
    char name[64];
    (void)snprintf(name, sizeof name, "%sq", prefix);
    bool ok = network_load_linear(network, &attention->q, name, d, d, err);
    (void)snprintf(name, sizeof name, "%skv", prefix);
    ok = ok && network_load_linear(network, &attention->kv, name, d, 2 * d, err);
    (void)snprintf(name, sizeof name, "%so", prefix);
    return ok && network_load_linear(network, &attention->o, name, d, d, err);
}

static bool load_feed(struct network *network, struct linear *a, struct linear *b,
                      const char *prefix, struct err *err)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%sfa", prefix);
    bool ok = network_load_linear(network, a, name, network->d, network->ff, err);
    (void)snprintf(name, sizeof name, "%sfb", prefix);
    return ok && network_load_linear(network, b, name, network->ff, network->d, err);
}

bool network_load_encoder_layer(struct network *network, size_t index, struct err *err)
{
    struct encoder_layer *layer = &network->e[index];
    char prefix[32];
    char name[64];
    (void)snprintf(prefix, sizeof prefix, "e.%zu.", index);
    (void)snprintf(name, sizeof name, "%sn1", prefix);
    bool ok = network_load_norm(network, &layer->n1, name, err);
    (void)snprintf(name, sizeof name, "%sn2", prefix);
    ok = ok && network_load_norm(network, &layer->n2, name, err);
    ok = ok && load_attention(network, &layer->attention, prefix, err);
    ok = ok && load_feed(network, &layer->fa, &layer->fb, prefix, err);
    return ok && load_relations(network, layer, prefix, err);
}

bool network_load_decoder_layer(struct network *network, size_t index, struct err *err)
{
    struct decoder_layer *layer = &network->dec[index];
    struct norm *norms[] = {&layer->n1, &layer->n2, &layer->n3};
    char prefix[32];
    char name[64];
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        (void)snprintf(name, sizeof name, "d.%zu.n%d", index, i + 1);
        ok = network_load_norm(network, norms[i], name, err);
    }
    (void)snprintf(prefix, sizeof prefix, "d.%zu.a.", index);
    ok = ok && load_attention(network, &layer->own, prefix, err);
    (void)snprintf(prefix, sizeof prefix, "d.%zu.c.", index);
    ok = ok && load_attention(network, &layer->cross, prefix, err);
    (void)snprintf(prefix, sizeof prefix, "d.%zu.", index);
    return ok && load_feed(network, &layer->fa, &layer->fb, prefix, err);
}
