/* The decoder: one step for several prefixes at once, with the keys of earlier steps
 * kept. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "parser/network_state.h"

struct network_decoder {
    const struct network *network;
    const struct network_memory *memory;
    size_t width;
    size_t positions; /* steps there is room for */
    size_t step;
    float *kept[LAYERS_MOST]; /* [width][positions][2d]: keys and values so far */
    float *spare;             /* [width][positions][2d], to reorder */
    float *x;                 /* [width][d] */
    float *h;
    float *q;
    float *mixed;
    float *kv;   /* [width][2d] */
    float *wide; /* [width][ff] */
    float *scores;
    float *words; /* [width][outputs] */
};

static float *numbers(struct arena *arena, size_t count)
{
    return arena_array(arena, count, sizeof(float));
}

struct network_decoder *network_decoder_new(const struct network *network,
                                            struct arena *arena,
                                            const struct network_memory *memory,
                                            size_t width, size_t positions)
{
    size_t d = network->d;
    struct network_decoder *decoder = ARENA_NEW(arena, struct network_decoder);
    decoder->network = network;
    decoder->memory = memory;
    decoder->width = width;
    decoder->positions = positions < network->positions ? positions : network->positions;
    size_t kept = width * decoder->positions * 2 * d;
    for (size_t i = 0; i < network->decoder_layers; i++) {
        decoder->kept[i] = numbers(arena, kept);
    }
    decoder->spare = numbers(arena, kept);
    decoder->x = numbers(arena, width * d);
    decoder->h = numbers(arena, width * d);
    decoder->q = numbers(arena, width * d);
    decoder->mixed = numbers(arena, width * d);
    decoder->kv = numbers(arena, width * 2 * d);
    decoder->wide = numbers(arena, width * network->ff);
    size_t longest =
        memory->count > decoder->positions ? memory->count : decoder->positions;
    decoder->scores = numbers(arena, longest);
    decoder->words = numbers(arena, width * network->outputs);
    return decoder;
}

size_t network_row(const struct network_decoder *decoder)
{
    return decoder->network->outputs + decoder->memory->count;
}

/* Each prefix takes over what was kept for the one it continues. */
static void reorder(struct network_decoder *decoder, const size_t *from, size_t count)
{
    size_t row = decoder->positions * 2 * decoder->network->d;
    size_t used = decoder->step * 2 * decoder->network->d;
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        same = same && from[i] == i;
    }
    if (same) {
        return;
    }
    for (size_t layer = 0; layer < decoder->network->decoder_layers; layer++) {
        float *kept = decoder->kept[layer];
        for (size_t i = 0; i < count; i++) {
            memcpy(decoder->spare + i * row, kept + from[i] * row, used * sizeof *kept);
        }
        decoder->kept[layer] = decoder->spare;
        decoder->spare = kept;
    }
}

/* One query row against `count` rows of keys and values, head by head. */
static void attend(const struct network_decoder *decoder, const float *q, const float *kv,
                   size_t count, float *out)
{
    size_t d = decoder->network->d;
    size_t size = decoder->network->head;
    float scale = 1.0F / sqrtf((float)size);
    float *scores = decoder->scores;
    memset(out, 0, d * sizeof *out);
    for (size_t head = 0; head < decoder->network->heads; head++) {
        const float *own = q + head * size;
        for (size_t j = 0; j < count; j++) {
            scores[j] = kernel_dot(own, kv + j * 2 * d + head * size, size) * scale;
        }
        kernel_softmax(scores, count);
        for (size_t j = 0; j < count; j++) {
            kernel_scaled_add(out + head * size, kv + j * 2 * d + d + head * size,
                              scores[j], size);
        }
    }
}

static void run_layer(struct network_decoder *decoder, size_t index, size_t count)
{
    const struct network *network = decoder->network;
    const struct decoder_layer *layer = &network->dec[index];
    size_t d = network->d;
    size_t row = decoder->positions * 2 * d;
    kernel_norm(decoder->x, layer->n1.g, layer->n1.b, count, d, decoder->h);
    linear_apply(&layer->own.q, decoder->h, count, decoder->q);
    linear_apply(&layer->own.kv, decoder->h, count, decoder->kv);
    for (size_t i = 0; i < count; i++) {
        float *kept = decoder->kept[index] + i * row;
        memcpy(kept + decoder->step * 2 * d, decoder->kv + i * 2 * d,
               2 * d * sizeof *kept);
        attend(decoder, decoder->q + i * d, kept, decoder->step + 1,
               decoder->mixed + i * d);
    }
    linear_apply(&layer->own.o, decoder->mixed, count, decoder->h);
    kernel_add(decoder->x, decoder->h, count * d);
    kernel_norm(decoder->x, layer->n2.g, layer->n2.b, count, d, decoder->h);
    linear_apply(&layer->cross.q, decoder->h, count, decoder->q);
    for (size_t i = 0; i < count; i++) {
        attend(decoder, decoder->q + i * d, decoder->memory->cross[index],
               decoder->memory->count, decoder->mixed + i * d);
    }
    linear_apply(&layer->cross.o, decoder->mixed, count, decoder->h);
    kernel_add(decoder->x, decoder->h, count * d);
    kernel_norm(decoder->x, layer->n3.g, layer->n3.b, count, d, decoder->h);
    linear_apply(&layer->fa, decoder->h, count, decoder->wide);
    kernel_gelu(decoder->wide, count * network->ff);
    linear_apply(&layer->fb, decoder->wide, count, decoder->h);
    kernel_add(decoder->x, decoder->h, count * d);
}

static void feed_tokens(struct network_decoder *decoder, const int *tokens, size_t count)
{
    const struct network *network = decoder->network;
    size_t d = network->d;
    for (size_t i = 0; i < count; i++) {
        float *x = decoder->x + i * d;
        size_t token = (size_t)tokens[i];
        if (token < network->outputs) {
            tensor_row(network->k, token, x);
        } else {
            size_t place = token - network->outputs;
            memcpy(x, decoder->memory->pointed + place * d, d * sizeof *x);
        }
        kernel_add(x, network->pos + decoder->step * d, d);
    }
}

/* Scores of one prefix into log-probabilities. */
static void to_logs(float *row, size_t count)
{
    float most = row[0];
    for (size_t i = 1; i < count; i++) {
        most = row[i] > most ? row[i] : most;
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)expf(row[i] - most);
    }
    float less = most + (float)log(sum);
    for (size_t i = 0; i < count; i++) {
        row[i] -= less;
    }
}

static void fill_logs(struct network_decoder *decoder, size_t count, float *logs)
{
    const struct network *network = decoder->network;
    const struct network_memory *memory = decoder->memory;
    size_t d = network->d;
    size_t row = network_row(decoder);
    float scale = 1.0F / sqrtf((float)d);
    kernel_norm(decoder->x, network->dn.g, network->dn.b, count, d, decoder->h);
    linear_apply(&network->ok, decoder->h, count, decoder->words);
    linear_apply(&network->pq, decoder->h, count, decoder->q);
    for (size_t i = 0; i < count; i++) {
        float *out = logs + i * row;
        memcpy(out, decoder->words + i * network->outputs,
               network->outputs * sizeof *out);
        for (size_t j = 0; j < memory->count; j++) {
            out[network->outputs + j] =
                memory->pointable[j]
                    ? kernel_dot(decoder->q + i * d, memory->pointers + j * d, d) * scale
                    : -1e4F;
        }
        to_logs(out, row);
    }
}

bool network_decode(struct network_decoder *decoder, const int *tokens,
                    const size_t *from, size_t count, float *logs)
{
    if (decoder->step >= decoder->positions || count > decoder->width) {
        return false;
    }
    reorder(decoder, from, count);
    feed_tokens(decoder, tokens, count);
    for (size_t i = 0; i < decoder->network->decoder_layers; i++) {
        run_layer(decoder, i, count);
    }
    fill_logs(decoder, count, logs);
    decoder->step++;
    return true;
}
