/* The encoder: words into vectors, then layers in which every pair has a relation. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "parser/network_state.h"

enum { PARTS = 4 };

/* Room for one pass, given back at its end. */
struct pass {
    const struct network *network;
    const struct kernels *kernels;
    struct arena *arena;
    size_t count;
    size_t padded; /* count, up to a panel */
    size_t codes;  /* relations, up to a panel */
    const uint8_t *relations;
    struct attended attended; /* of one head */
    float *h;                 /* [count][d] */
    float *q;                 /* [count][d] */
    float *kv;                /* [count][2d] */
    float *mixed;             /* [count][d] */
    float *wide;              /* [count][ff] */
    float *scores;            /* [count][padded] */
    float *by_code;           /* [count][codes] */
    float *mass;              /* [count][codes] */
    float *parts;             /* [PARTS][codes]: neighbours have the same code often, and
                                 adding to one place again and again would wait */
    float *own;               /* [count][head up to a panel] */
    float *related;           /* the same */
};

/* The mean over an item's words of the word's row and the mean of its trigrams' rows. */
static void embed_item(const struct network *network, const struct network_item *item,
                       float *row, float *out)
{
    const struct kernels *kernels = network->kernels;
    size_t d = network->d;
    memset(out, 0, d * sizeof *out);
    for (size_t i = 0; i < item->word_count; i++) {
        const struct network_word *word = &item->words[i];
        size_t place = (size_t)word->row < network->w->rows ? (size_t)word->row : 1;
        float share = 1.0F / (float)item->word_count;
        tensor_row(network->w, place, row);
        kernels->scaled_add(out, row, share, d);
        for (size_t t = 0; t < word->trigram_count; t++) {
            /* from 1 on: row 0 is none; the table may be smaller than the ids */
            size_t turn = network->trigrams - 1;
            tensor_row(network->t, (word->trigrams[t] + turn - 1) % turn + 1, row);
            kernels->scaled_add(out, row, share / (float)word->trigram_count, d);
        }
    }
    size_t type = item->type < NETWORK_TYPES ? item->type : NETWORK_TYPES_FIRST - 1;
    if (type >= network->types) {
        type = type - NETWORK_TYPES_FIRST + NETWORK_TYPES_GAPS;
    }
    kernels->add(out, network->ty + type * d, d);
}

static void embed(struct pass *pass, const struct network_input *input, float *x)
{
    const struct network *network = pass->network;
    size_t d = network->d;
    for (size_t i = 0; i < input->count; i++) {
        embed_item(network, &input->items[i], pass->q, x + i * d);
    }
    const struct norm *first = &network->mix_norm;
    pass->kernels->norm(x, first->g, first->b, input->count, d, pass->h);
    network_linear(network, &network->mix_a, pass->h, input->count, pass->q);
    pass->kernels->gelu(pass->q, input->count * d);
    network_linear(network, &network->mix_b, pass->q, input->count, pass->h);
    pass->kernels->add(x, pass->h, input->count * d);
}

/* Scores of one row into shares, and how much of them each relation has. */
static void weigh(struct pass *pass, size_t row)
{
    const uint8_t *codes = pass->relations + row * pass->count;
    const float *by_code = pass->by_code + row * pass->codes;
    float *scores = pass->scores + row * pass->padded;
    float *mass = pass->mass + row * pass->codes;
    for (size_t j = 0; j < pass->count; j++) {
        scores[j] += by_code[codes[j]];
    }
    pass->kernels->softmax(scores, pass->padded);
    memset(pass->parts, 0, PARTS * pass->codes * sizeof *pass->parts);
    for (size_t j = 0; j < pass->count; j++) {
        pass->parts[j % PARTS * pass->codes + codes[j]] += scores[j];
    }
    memcpy(mass, pass->parts, pass->codes * sizeof *mass);
    for (size_t i = 1; i < PARTS; i++) {
        pass->kernels->add(mass, pass->parts + i * pass->codes, pass->codes);
    }
}

/* One head of all rows: scores by keys and relations, then values and relation mass. */
static void attend(struct pass *pass, const struct encoder_layer *layer, size_t head)
{
    const struct network *network = pass->network;
    const struct kernels *kernels = pass->kernels;
    size_t d = network->d;
    size_t size = kernel_padded(network->head);
    const float *q = pass->q + head * network->head;
    struct linear rk = layer->rk;
    rk.bias = layer->rb + head * pass->codes;
    attended_set(network, pass->kv, head, &pass->attended);
    linear_apply(kernels, &rk, q, d, pass->count, pass->by_code, pass->codes);
    linear_apply(kernels, &pass->attended.keys, q, d, pass->count, pass->scores,
                 pass->padded);
    for (size_t row = 0; row < pass->count; row++) {
        weigh(pass, row);
    }
    linear_apply(kernels, &pass->attended.values, pass->scores, pass->padded, pass->count,
                 pass->own, size);
    linear_apply(kernels, &layer->rv, pass->mass, pass->codes, pass->count, pass->related,
                 size);
    kernels->add(pass->own, pass->related, pass->count * size);
    for (size_t row = 0; row < pass->count; row++) {
        memcpy(pass->mixed + row * d + head * network->head, pass->own + row * size,
               network->head * sizeof(float));
    }
}

static void run_layer(struct pass *pass, const struct encoder_layer *layer, float *x)
{
    const struct network *network = pass->network;
    const struct kernels *kernels = pass->kernels;
    size_t d = network->d;
    size_t count = pass->count;
    kernels->norm(x, layer->n1.g, layer->n1.b, count, d, pass->h);
    network_linear(network, &layer->attention.q, pass->h, count, pass->q);
    network_linear(network, &layer->attention.kv, pass->h, count, pass->kv);
    for (size_t head = 0; head < network->heads; head++) {
        attend(pass, layer, head);
    }
    network_linear(network, &layer->attention.o, pass->mixed, count, pass->h);
    kernels->add(x, pass->h, count * d);
    kernels->norm(x, layer->n2.g, layer->n2.b, count, d, pass->h);
    network_linear(network, &layer->fa, pass->h, count, pass->wide);
    kernels->gelu(pass->wide, count * network->ff);
    network_linear(network, &layer->fb, pass->wide, count, pass->h);
    kernels->add(x, pass->h, count * d);
}

static struct pass pass_of(const struct network *network,
                           const struct network_input *input)
{
    struct arena *arena = arena_new();
    size_t d = network->d;
    size_t count = input->count;
    size_t size = kernel_padded(network->head);
    struct pass pass = {.network = network,
                        .kernels = network->kernels,
                        .arena = arena,
                        .count = count,
                        .padded = kernel_padded(count),
                        .codes = kernel_padded(network->relations),
                        .relations = input->relations,
                        .h = kernel_numbers(arena, count * d),
                        .q = kernel_numbers(arena, count * d),
                        .kv = kernel_numbers(arena, count * 2 * d),
                        .mixed = kernel_numbers(arena, count * d),
                        .wide = kernel_numbers(arena, count * network->ff),
                        .own = kernel_numbers(arena, count * size),
                        .related = kernel_numbers(arena, count * size)};
    pass.scores = kernel_numbers(arena, count * pass.padded);
    pass.by_code = kernel_numbers(arena, count * pass.codes);
    pass.mass = kernel_numbers(arena, count * pass.codes);
    pass.parts = kernel_numbers(arena, PARTS * pass.codes);
    attended_reserve(network, arena, count, &pass.attended);
    return pass;
}

/* What every step of the decoder needs of the input. */
static void remember(struct pass *pass, struct arena *arena,
                     struct network_memory *memory)
{
    const struct network *network = pass->network;
    size_t count = memory->count;
    for (size_t i = 0; i < network->decoder_layers; i++) {
        memory->cross[i] = arena_array(arena, network->heads, sizeof *memory->cross[i]);
        network_linear(network, &network->dec[i].cross.kv, memory->states, count,
                       pass->kv);
        for (size_t head = 0; head < network->heads; head++) {
            attended_reserve(network, arena, count, &memory->cross[i][head]);
            attended_set(network, pass->kv, head, &memory->cross[i][head]);
        }
    }
    network_linear(network, &network->pk, memory->states, count, pass->h);
    linear_reserve(&memory->pointers, arena, network->d, count,
                   1.0F / sqrtf((float)network->d));
    linear_set_rows(&memory->pointers, pass->h, network->d);
    memory->pointed = kernel_numbers(arena, count * network->d);
    network_linear(network, &network->pin, memory->states, count, memory->pointed);
}

static struct network_memory *encode_member(const struct network *network,
                                            struct arena *arena,
                                            const struct network_input *input)
{
    size_t d = network->d;
    struct network_memory *memory = ARENA_NEW(arena, struct network_memory);
    bool *pointable = arena_array(arena, input->count, sizeof *pointable);
    for (size_t i = 0; i < input->count; i++) {
        pointable[i] = input->items[i].pointable;
    }
    memory->count = input->count;
    memory->width = d;
    memory->pointable = pointable;
    memory->states = kernel_numbers(arena, input->count * d);
    struct pass pass = pass_of(network, input);
    float *x = kernel_numbers(pass.arena, input->count * d);
    embed(&pass, input, x);
    for (size_t i = 0; i < network->encoder_layers; i++) {
        run_layer(&pass, &network->e[i], x);
    }
    network->kernels->norm(x, network->en.g, network->en.b, input->count, d,
                           memory->states);
    remember(&pass, arena, memory);
    arena_free(pass.arena);
    return memory;
}

struct network_memory *network_encode(const struct network *network, struct arena *arena,
                                      const struct network_input *input)
{
    struct network_memory *first = encode_member(network, arena, input);
    struct network_memory *last = first;
    for (network = network->next; network; network = network->next) {
        last->next = encode_member(network, arena, input);
        last = last->next;
    }
    return first;
}

const float *network_states(const struct network_memory *memory)
{
    return memory->states;
}
