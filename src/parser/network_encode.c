/* The encoder: words into vectors, then layers in which every pair has a relation. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "parser/network_state.h"

/* Room for one pass, given back at its end. */
struct pass {
    const struct network *network;
    struct arena *arena;
    size_t count;
    const uint8_t *relations;
    float *h;       /* [count][d] */
    float *q;       /* [count][d] */
    float *kv;      /* [count][2d] */
    float *mixed;   /* [count][d] */
    float *wide;    /* [count][ff] */
    float *scores;  /* [count] */
    float *by_code; /* [relations] */
    float *mass;    /* [relations] */
};

static float *numbers(struct arena *arena, size_t count)
{
    return arena_array(arena, count, sizeof(float));
}

/* The mean over an item's words of the word's row and the mean of its trigrams' rows. */
static void embed_item(const struct network *network, const struct network_item *item,
                       float *row, float *out)
{
    size_t d = network->d;
    memset(out, 0, d * sizeof *out);
    for (size_t i = 0; i < item->word_count; i++) {
        const struct network_word *word = &item->words[i];
        size_t place = (size_t)word->row < network->w->rows ? (size_t)word->row : 1;
        float share = 1.0F / (float)item->word_count;
        tensor_row(network->w, place, row);
        kernel_scaled_add(out, row, share, d);
        for (size_t t = 0; t < word->trigram_count; t++) {
            tensor_row(network->t, word->trigrams[t] % network->trigrams, row);
            kernel_scaled_add(out, row, share / (float)word->trigram_count, d);
        }
    }
    size_t type = item->type < NETWORK_TYPES ? item->type : NETWORK_TYPES - 1;
    kernel_add(out, network->ty + type * d, d);
}

static void embed(struct pass *pass, const struct network_input *input, float *x)
{
    const struct network *network = pass->network;
    size_t d = network->d;
    for (size_t i = 0; i < input->count; i++) {
        embed_item(network, &input->items[i], pass->q, x + i * d);
    }
    kernel_norm(x, network->mix_norm.g, network->mix_norm.b, input->count, d, pass->h);
    linear_apply(&network->mix_a, pass->h, input->count, pass->q);
    kernel_gelu(pass->q, input->count * d);
    linear_apply(&network->mix_b, pass->q, input->count, pass->h);
    kernel_add(x, pass->h, input->count * d);
}

/* One head of one row: scores by keys and relations, then values and relation mass. */
static void attend(struct pass *pass, const struct encoder_layer *layer, size_t row,
                   size_t head)
{
    const struct network *network = pass->network;
    size_t d = network->d;
    size_t size = network->head;
    const float *q = pass->q + row * d + head * size;
    const uint8_t *codes = pass->relations + row * pass->count;
    float scale = 1.0F / sqrtf((float)size);
    for (size_t r = 0; r < network->relations; r++) {
        pass->by_code[r] = kernel_dot(q, layer->rk + r * size, size) * scale +
                           layer->rb[r * network->heads + head];
        pass->mass[r] = 0;
    }
    for (size_t j = 0; j < pass->count; j++) {
        const float *k = pass->kv + j * 2 * d + head * size;
        pass->scores[j] = kernel_dot(q, k, size) * scale + pass->by_code[codes[j]];
    }
    kernel_softmax(pass->scores, pass->count);
    float *out = pass->mixed + row * d + head * size;
    memset(out, 0, size * sizeof *out);
    for (size_t j = 0; j < pass->count; j++) {
        kernel_scaled_add(out, pass->kv + j * 2 * d + d + head * size, pass->scores[j],
                          size);
        pass->mass[codes[j]] += pass->scores[j];
    }
    for (size_t r = 0; r < network->relations; r++) {
        if (pass->mass[r] != 0) {
            kernel_scaled_add(out, layer->rv + r * size, pass->mass[r], size);
        }
    }
}

static void run_layer(struct pass *pass, const struct encoder_layer *layer, float *x)
{
    const struct network *network = pass->network;
    size_t d = network->d;
    size_t count = pass->count;
    kernel_norm(x, layer->n1.g, layer->n1.b, count, d, pass->h);
    linear_apply(&layer->attention.q, pass->h, count, pass->q);
    linear_apply(&layer->attention.kv, pass->h, count, pass->kv);
    for (size_t row = 0; row < count; row++) {
        for (size_t head = 0; head < network->heads; head++) {
            attend(pass, layer, row, head);
        }
    }
    linear_apply(&layer->attention.o, pass->mixed, count, pass->h);
    kernel_add(x, pass->h, count * d);
    kernel_norm(x, layer->n2.g, layer->n2.b, count, d, pass->h);
    linear_apply(&layer->fa, pass->h, count, pass->wide);
    kernel_gelu(pass->wide, count * network->ff);
    linear_apply(&layer->fb, pass->wide, count, pass->h);
    kernel_add(x, pass->h, count * d);
}

static struct pass pass_of(const struct network *network,
                           const struct network_input *input)
{
    struct arena *arena = arena_new();
    size_t d = network->d;
    return (struct pass){.network = network,
                         .arena = arena,
                         .count = input->count,
                         .relations = input->relations,
                         .h = numbers(arena, input->count * d),
                         .q = numbers(arena, input->count * d),
                         .kv = numbers(arena, input->count * 2 * d),
                         .mixed = numbers(arena, input->count * d),
                         .wide = numbers(arena, input->count * network->ff),
                         .scores = numbers(arena, input->count),
                         .by_code = numbers(arena, network->relations),
                         .mass = numbers(arena, network->relations)};
}

struct network_memory *network_encode(const struct network *network, struct arena *arena,
                                      const struct network_input *input)
{
    size_t d = network->d;
    struct network_memory *memory = ARENA_NEW(arena, struct network_memory);
    bool *pointable = arena_array(arena, input->count, sizeof *pointable);
    for (size_t i = 0; i < input->count; i++) {
        pointable[i] = input->items[i].pointable;
    }
    memory->count = input->count;
    memory->pointable = pointable;
    memory->states = numbers(arena, input->count * d);
    struct pass pass = pass_of(network, input);
    float *x = numbers(pass.arena, input->count * d);
    embed(&pass, input, x);
    for (size_t i = 0; i < network->encoder_layers; i++) {
        run_layer(&pass, &network->e[i], x);
    }
    kernel_norm(x, network->en.g, network->en.b, input->count, d, memory->states);
    arena_free(pass.arena);
    for (size_t i = 0; i < network->decoder_layers; i++) {
        memory->cross[i] = numbers(arena, input->count * 2 * d);
        linear_apply(&network->dec[i].cross.kv, memory->states, input->count,
                     memory->cross[i]);
    }
    memory->pointers = numbers(arena, input->count * d);
    memory->pointed = numbers(arena, input->count * d);
    linear_apply(&network->pk, memory->states, input->count, memory->pointers);
    linear_apply(&network->pin, memory->states, input->count, memory->pointed);
    return memory;
}

const float *network_states(const struct network_memory *memory)
{
    return memory->states;
}
