/* The decoder: one step for several prefixes at once, with the keys of earlier steps
 * kept. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "parser/network/network_state.h"

struct network_decoder {
    struct network_decoder *next; /* of the next member */
    float *logs;                  /* what the next members say, [width][row] */
    const struct network *network;
    const struct kernels *kernels;
    const struct network_memory *memory;
    struct arena *arena;
    size_t width;
    size_t positions; /* steps there is room for */
    size_t step;
    float **kept;       /* [positions][layers]: keys and values of a step, [count][2d] */
    uint8_t *path;      /* [width][positions]: whose row of a step is a prefix's own */
    uint8_t *next_path; /* to be swapped with it */
    const float **rows; /* [positions]: of one prefix, while it looks back */
    float *x;           /* [width][d] */
    float *h;
    float *q;
    float *mixed;
    float *wide;   /* [width][ff] */
    float *scores; /* [width][the longer of memory and steps, up to a panel] */
    float *totals; /* [width] */
    size_t longest;
    float *own;      /* [width][head up to a panel] */
    float *words;    /* [width][outputs up to a panel] */
    float *pointers; /* [width][memory up to a panel] */
};

struct network_decoder *network_decoder_new(const struct network *network,
                                            struct arena *arena,
                                            const struct network_memory *memory,
                                            size_t width, size_t positions)
{
    size_t d = network->d;
    struct network_decoder *decoder = ARENA_NEW(arena, struct network_decoder);
    decoder->network = network;
    decoder->kernels = network->kernels;
    decoder->memory = memory;
    decoder->arena = arena;
    decoder->width = width;
    decoder->positions = positions < network->positions ? positions : network->positions;
    decoder->kept = arena_array(arena, decoder->positions * network->decoder_layers,
                                sizeof *decoder->kept);
    decoder->path = arena_array(arena, width, decoder->positions);
    decoder->next_path = arena_array(arena, width, decoder->positions);
    decoder->rows = arena_array(arena, decoder->positions, sizeof *decoder->rows);
    decoder->x = kernel_numbers(arena, width * d);
    decoder->h = kernel_numbers(arena, width * d);
    decoder->q = kernel_numbers(arena, width * d);
    decoder->mixed = kernel_numbers(arena, width * d);
    decoder->wide = kernel_numbers(arena, width * network->ff);
    decoder->longest = kernel_padded(
        memory->count > decoder->positions ? memory->count : decoder->positions);
    decoder->scores = kernel_numbers(arena, width * decoder->longest);
    decoder->totals = kernel_numbers(arena, width);
    decoder->own = kernel_numbers(arena, width * kernel_padded(network->head));
    decoder->words = kernel_numbers(arena, width * kernel_padded(network->outputs));
    decoder->pointers = kernel_numbers(arena, width * kernel_padded(memory->count));
    if (network->next) {
        decoder->next =
            network_decoder_new(network->next, arena, memory->next, width, positions);
        decoder->logs = kernel_numbers(arena, width * network_row(decoder));
    }
    return decoder;
}

size_t network_row(const struct network_decoder *decoder)
{
    return decoder->network->outputs + decoder->memory->count;
}

/* Each prefix takes over the path of the one it continues. */
static void reorder(struct network_decoder *decoder, const size_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *path = decoder->next_path + i * decoder->positions;
        memcpy(path, decoder->path + from[i] * decoder->positions, decoder->step);
        path[decoder->step] = (uint8_t)i;
    }
    uint8_t *old = decoder->path;
    decoder->path = decoder->next_path;
    decoder->next_path = old;
}

/* Keys, then values, of an earlier step of a prefix. */
static const float *kept_row(const struct network_decoder *decoder, size_t layer,
                             size_t prefix, size_t step)
{
    size_t owner = decoder->path[prefix * decoder->positions + step];
    return decoder->kept[step * decoder->network->decoder_layers + layer] +
           owner * 2 * decoder->network->d;
}

/* One prefix against its own steps so far. */
static void attend_own(struct network_decoder *decoder, size_t layer, size_t prefix)
{
    size_t d = decoder->network->d;
    size_t size = decoder->network->head;
    size_t count = decoder->step + 1;
    for (size_t j = 0; j < count; j++) {
        decoder->rows[j] = kept_row(decoder, layer, prefix, j);
    }
    for (size_t head = 0; head < d; head += size) {
        decoder->kernels->look(
            &(struct kernel_look){.q = decoder->q + prefix * d + head,
                                  .rows = decoder->rows,
                                  .count = count,
                                  .apart = d,
                                  .size = size,
                                  .scores = decoder->scores,
                                  .out = decoder->mixed + prefix * d + head});
        for (size_t j = 0; j < count; j++) {
            decoder->rows[j] += size; /* the next head */
        }
    }
}

static void attend(struct network_decoder *decoder, size_t index, size_t count)
{
    const struct network *network = decoder->network;
    const struct kernels *kernels = decoder->kernels;
    const struct decoder_layer *layer = &network->dec[index];
    size_t d = network->d;
    float *kept = kernel_numbers(decoder->arena, count * 2 * d);
    decoder->kept[decoder->step * network->decoder_layers + index] = kept;
    kernels->norm(decoder->x, layer->n1.g, layer->n1.b, count, d, decoder->h);
    network_linear(network, &layer->own.q, decoder->h, count, decoder->q);
    network_linear(network, &layer->own.kv, decoder->h, count, kept);
    for (size_t i = 0; i < count; i++) {
        attend_own(decoder, index, i);
    }
    network_linear(network, &layer->own.o, decoder->mixed, count, decoder->h);
    kernels->add(decoder->x, decoder->h, count * d);
    kernels->norm(decoder->x, layer->n2.g, layer->n2.b, count, d, decoder->h);
    network_linear(network, &layer->cross.q, decoder->h, count, decoder->q);
    attended_mix(network, decoder->memory->cross[index], decoder->q, count,
                 (struct attend_room){decoder->scores, decoder->totals, decoder->own},
                 decoder->mixed);
    network_linear(network, &layer->cross.o, decoder->mixed, count, decoder->h);
    kernels->add(decoder->x, decoder->h, count * d);
}

static void run_layer(struct network_decoder *decoder, size_t index, size_t count)
{
    const struct network *network = decoder->network;
    const struct kernels *kernels = decoder->kernels;
    const struct decoder_layer *layer = &network->dec[index];
    size_t d = network->d;
    attend(decoder, index, count);
    kernels->norm(decoder->x, layer->n3.g, layer->n3.b, count, d, decoder->h);
    network_linear(network, &layer->fa, decoder->h, count, decoder->wide);
    kernels->gelu(decoder->wide, count * network->ff);
    network_linear(network, &layer->fb, decoder->wide, count, decoder->h);
    kernels->add(decoder->x, decoder->h, count * d);
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
        decoder->kernels->add(x, network->pos + decoder->step * d, d);
    }
}

static void fill_logs(struct network_decoder *decoder, size_t count, float *logs)
{
    const struct network *network = decoder->network;
    const struct network_memory *memory = decoder->memory;
    size_t d = network->d;
    size_t row = network_row(decoder);
    size_t words = kernel_padded(network->outputs);
    size_t padded = kernel_padded(memory->count);
    decoder->kernels->norm(decoder->x, network->dn.g, network->dn.b, count, d,
                           decoder->h);
    network_linear(network, &network->ok, decoder->h, count, decoder->words);
    network_linear(network, &network->pq, decoder->h, count, decoder->q);
    network_linear(network, &memory->pointers, decoder->q, count, decoder->pointers);
    for (size_t i = 0; i < count; i++) {
        float *out = logs + i * row;
        memcpy(out, decoder->words + i * words, network->outputs * sizeof *out);
        for (size_t j = 0; j < memory->count; j++) {
            out[network->outputs + j] =
                memory->pointable[j] ? decoder->pointers[i * padded + j] : -1e4F;
        }
        float less = decoder->kernels->log_sum(out, row);
        for (size_t j = 0; j < row; j++) {
            out[j] -= less;
        }
    }
}

static void decode_member(struct network_decoder *decoder, const int *tokens,
                          const size_t *from, size_t count, float *logs)
{
    reorder(decoder, from, count);
    feed_tokens(decoder, tokens, count);
    for (size_t i = 0; i < decoder->network->decoder_layers; i++) {
        run_layer(decoder, i, count);
    }
    fill_logs(decoder, count, logs);
    decoder->step++;
}

/* The mean of what all members hold likely, as logs. */
static void average(struct network_decoder *decoder, const int *tokens,
                    const size_t *from, size_t count, float *logs)
{
    size_t numbers = count * network_row(decoder);
    float members = 1;
    for (struct network_decoder *next = decoder->next; next; next = next->next) {
        decode_member(next, tokens, from, count, decoder->logs);
        decoder->kernels->log_add(logs, decoder->logs, numbers);
        members++;
    }
    float less = logf(members);
    for (size_t i = 0; i < numbers; i++) {
        logs[i] -= less;
    }
}

bool network_decode(struct network_decoder *decoder, const int *tokens,
                    const size_t *from, size_t count, float *logs)
{
    if (decoder->step >= decoder->positions || count > decoder->width ||
        decoder->width > UINT8_MAX) {
        return false;
    }
    decode_member(decoder, tokens, from, count, logs);
    if (decoder->next) {
        average(decoder, tokens, from, count, logs);
    }
    return true;
}
