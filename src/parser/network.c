/* The network: opening, and loading its layers from the file. */
#include "parser/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/network_state.h"

/* The member's tensor of a name that ends in `part`. */
static const struct tensor *get(struct network *network, size_t rows, size_t columns,
                                struct err *err, const char *name, const char *part)
{
    char whole[64];
    (void)snprintf(whole, sizeof whole, "%s%s%s", network->prefix, name, part);
    return weights_get(network->weights, whole, rows, columns, err);
}

/* The words and their letters: all members read the same table. */
static const struct tensor *get_shared(struct network *network, size_t rows,
                                       const char *name, struct err *err)
{
    return weights_get(network->weights, name, rows, network->d, err);
}

/* A tensor of real numbers; one that was written in eight bits is spread out. */
static const float *reals(struct network *network, size_t rows, size_t columns,
                          struct err *err, const char *name)
{
    const struct tensor *tensor = get(network, rows, columns, err, name, "");
    if (!tensor || tensor->real) {
        return tensor ? tensor->real : NULL;
    }
    float *spread = arena_array(network->arena, rows * columns, sizeof *spread);
    for (size_t row = 0; row < rows; row++) {
        tensor_row(tensor, row, spread + row * columns);
    }
    return spread;
}

static bool load_linear(struct network *network, struct linear *linear, const char *name,
                        size_t in, size_t out, struct err *err)
{
    const struct tensor *w = get(network, out, in, err, name, ".w");
    const struct tensor *b = w ? get(network, out, 1, err, name, ".b") : NULL;
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

/* What relations add to scores and to values; each head has its own bias of them. */
static bool load_relations(struct network *network, struct encoder_layer *layer,
                           const char *prefix, struct err *err)
{
    size_t count = network->relations;
    size_t padded = kernel_padded(count);
    float scale = 1.0F / sqrtf((float)network->head);
    char name[64];
    (void)snprintf(name, sizeof name, "%srk", prefix);
    const float *rk = reals(network, count, network->head, err, name);
    (void)snprintf(name, sizeof name, "%srv", prefix);
    const float *rv = rk ? reals(network, count, network->head, err, name) : NULL;
    (void)snprintf(name, sizeof name, "%srb", prefix);
    const float *rb = rv ? reals(network, count, network->heads, err, name) : NULL;
    if (!rb) {
        return false;
    }
    linear_reserve(&layer->rk, network->arena, network->head, count, scale);
    linear_set_rows(&layer->rk, rk, network->head);
    linear_reserve(&layer->rv, network->arena, count, network->head, 1.0F);
    linear_set_columns(&layer->rv, rv, network->head);
    float *by_head = kernel_numbers(network->arena, network->heads * padded);
    for (size_t i = 0; i < count * network->heads; i++) {
        by_head[i % network->heads * padded + i / network->heads] = rb[i];
    }
    layer->rb = by_head;
    return true;
}

static bool load_norm(struct network *network, struct norm *norm, const char *name,
                      struct err *err)
{
    char part[64];
    (void)snprintf(part, sizeof part, "%s.g", name);
    norm->g = reals(network, network->d, 1, err, part);
    (void)snprintf(part, sizeof part, "%s.b", name);
    norm->b = norm->g ? reals(network, network->d, 1, err, part) : NULL;
    return norm->b != NULL;
}

static bool load_attention(struct network *network, struct attention *attention,
                           const char *prefix, struct err *err)
{
    size_t d = network->d;
    char name[64];
    (void)snprintf(name, sizeof name, "%sq", prefix);
    bool ok = load_linear(network, &attention->q, name, d, d, err);
    (void)snprintf(name, sizeof name, "%skv", prefix);
    ok = ok && load_linear(network, &attention->kv, name, d, 2 * d, err);
    (void)snprintf(name, sizeof name, "%so", prefix);
    return ok && load_linear(network, &attention->o, name, d, d, err);
}

static bool load_feed(struct network *network, struct linear *a, struct linear *b,
                      const char *prefix, struct err *err)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%sfa", prefix);
    bool ok = load_linear(network, a, name, network->d, network->ff, err);
    (void)snprintf(name, sizeof name, "%sfb", prefix);
    return ok && load_linear(network, b, name, network->ff, network->d, err);
}

static bool load_encoder_layer(struct network *network, size_t index, struct err *err)
{
    struct encoder_layer *layer = &network->e[index];
    char prefix[32];
    char name[64];
    (void)snprintf(prefix, sizeof prefix, "e.%zu.", index);
    (void)snprintf(name, sizeof name, "%sn1", prefix);
    bool ok = load_norm(network, &layer->n1, name, err);
    (void)snprintf(name, sizeof name, "%sn2", prefix);
    ok = ok && load_norm(network, &layer->n2, name, err);
    ok = ok && load_attention(network, &layer->attention, prefix, err);
    ok = ok && load_feed(network, &layer->fa, &layer->fb, prefix, err);
    return ok && load_relations(network, layer, prefix, err);
}

static bool load_decoder_layer(struct network *network, size_t index, struct err *err)
{
    struct decoder_layer *layer = &network->dec[index];
    struct norm *norms[] = {&layer->n1, &layer->n2, &layer->n3};
    char prefix[32];
    char name[64];
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        (void)snprintf(name, sizeof name, "d.%zu.n%d", index, i + 1);
        ok = load_norm(network, norms[i], name, err);
    }
    (void)snprintf(prefix, sizeof prefix, "d.%zu.a.", index);
    ok = ok && load_attention(network, &layer->own, prefix, err);
    (void)snprintf(prefix, sizeof prefix, "d.%zu.c.", index);
    ok = ok && load_attention(network, &layer->cross, prefix, err);
    (void)snprintf(prefix, sizeof prefix, "d.%zu.", index);
    return ok && load_feed(network, &layer->fa, &layer->fb, prefix, err);
}

static bool load_rest(struct network *network, struct err *err)
{
    size_t d = network->d;
    size_t words = json_array_size(json_array_at(network->weights->header, "words"));
    return (network->w = get_shared(network, words + 2, "w", err)) &&
           (network->t = get_shared(network, network->trigrams, "t", err)) &&
           (network->ty = reals(network, network->types, d, err, "ty")) &&
           (network->k = get(network, network->outputs, d, err, "k", "")) &&
           (network->pos = reals(network, network->positions, d, err, "pos")) &&
           load_norm(network, &network->mix_norm, "mix.norm", err) &&
           load_linear(network, &network->mix_a, "mix.a", d, d, err) &&
           load_linear(network, &network->mix_b, "mix.b", d, d, err) &&
           load_norm(network, &network->en, "en", err) &&
           load_norm(network, &network->dn, "dn", err) &&
           load_linear(network, &network->pin, "pin", d, d, err) &&
           load_linear(network, &network->ok, "ok", d, network->outputs, err) &&
           load_linear(network, &network->pq, "pq", d, d, err) &&
           load_linear(network, &network->pk, "pk", d, d, err);
}

/* A size from the header, within reason. */
static bool read_size(const struct network *network, const char *key, size_t most,
                      size_t *out, struct err *err)
{
    int64_t value = json_int_at(network->weights->header, key, 0);
    if (value < 1 || (uint64_t)value > most) {
        return err_set(err, ERR_INVALID_DATA, "The weights file has no sensible '%s'.",
                       key);
    }
    *out = (size_t)value;
    return true;
}

/* Weights made before the newest literals were there just never say them. */
static int fixed_known(const struct weights *weights, const struct network_names *names)
{
    size_t count = json_array_size(json_array_at(weights->header, "fixed"));
    return count > 0 && count < (size_t)names->fixed_count ? (int)count
                                                           : names->fixed_count;
}

static bool read_shape(struct network *network, const struct network_names *names,
                       struct err *err)
{
    const struct weights *weights = network->weights;
    int fixed = fixed_known(weights, names);
    bool ok =
        weights_names_match(weights, "keywords", names->keyword, names->keywords, err) &&
        weights_names_match(weights, "fixed", names->fixed, fixed, err) &&
        weights_names_match(weights, "relations", names->relation, names->relations,
                            err) &&
        read_size(network, "d", 2048, &network->d, err) &&
        read_size(network, "heads", 64, &network->heads, err) &&
        read_size(network, "ff", 8192, &network->ff, err) &&
        read_size(network, "trigrams", 1000000, &network->trigrams, err) &&
        read_size(network, "positions", 4096, &network->positions, err) &&
        read_size(network, "encoder_layers", LAYERS_MOST, &network->encoder_layers,
                  err) &&
        read_size(network, "decoder_layers", LAYERS_MOST, &network->decoder_layers, err);
    if (ok && (network->trigrams < 2 || network->d % network->heads != 0 ||
               network->d % KERNEL_PANEL != 0 || network->ff % KERNEL_PANEL != 0)) {
        return err_set(err, ERR_INVALID_DATA,
                       "The weights file's sizes do not fit together.");
    }
    const struct tensor *types = map_get(&weights->tensors, "ty");
    network->types =
        types && types->rows == NETWORK_TYPES_FIRST ? NETWORK_TYPES_FIRST : NETWORK_TYPES;
    network->head = ok ? network->d / network->heads : 0;
    network->relations = (size_t)names->relations + 1;
    network->outputs = (size_t)names->keywords + (size_t)fixed;
    return ok;
}

static bool load_member(struct network *network, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < network->encoder_layers; i++) {
        ok = load_encoder_layer(network, i, err);
    }
    for (size_t i = 0; ok && i < network->decoder_layers; i++) {
        ok = load_decoder_layer(network, i, err);
    }
    return ok && load_rest(network, err);
}

static bool load_members(struct network *network, struct err *err)
{
    size_t members = 1;
    if (json_object_get(network->weights->header, "members") &&
        !read_size(network, "members", MEMBERS_MOST, &members, err)) {
        return false;
    }
    bool ok = load_member(network, err);
    for (size_t i = 1; ok && i < members; i++) {
        struct network *member = ARENA_NEW(network->arena, struct network);
        *member = *network; /* the shape; all the rest is loaded */
        (void)snprintf(member->prefix, sizeof member->prefix, "m%zu.", i);
        ok = load_member(member, err);
        network->next = member;
    }
    return ok;
}

static struct network *network_new(struct weights *weights,
                                   const struct network_names *names, struct err *err)
{
    if (!weights) {
        return NULL;
    }
    struct arena *arena = arena_new();
    struct network *network = ARENA_NEW(arena, struct network);
    network->arena = arena;
    network->weights = weights;
    network->kernels = kernels_get();
    if (!read_shape(network, names, err) || !load_members(network, err)) {
        network_close(network);
        return NULL;
    }
    return network;
}

struct network *network_open(const char *path, const struct network_names *names,
                             struct err *err)
{
    return network_new(weights_open(path, err), names, err);
}

struct network *network_of(const void *data, size_t size,
                           const struct network_names *names, struct err *err)
{
    return network_new(weights_of(data, size, err), names, err);
}

void network_close(struct network *network)
{
    if (network) {
        weights_close(network->weights);
        arena_free(network->arena);
    }
}

const json_t *network_header(const struct network *network)
{
    return network->weights->header;
}

int network_word_row(const struct network *network, const char *word)
{
    return weights_word(network->weights, word);
}

size_t network_bytes(const struct network *network)
{
    return arena_size(network->arena) + arena_size(network->weights->arena);
}

size_t network_outputs(const struct network *network)
{
    return network->outputs;
}
