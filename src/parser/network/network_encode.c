/* The encoder: words into vectors, then layers in which every pair has a relation. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "parser/network/network_state.h"

/* Room for one pass. */
struct pass {
    const struct network *network; /* the member whose turn it is */
    const struct kernels *kernels;
    size_t count;
    size_t padded; /* count, up to a panel */
    size_t reach;  /* count and relations, up to a panel */
    const struct relation_row *relations;
    struct attended attended; /* of one head: the items, then the relations */
    struct attend_room room;
    float *words; /* [count][d]: what all members begin with */
    float *x;     /* [count][d] */
    float *h;     /* [count][d] */
    float *q;     /* [count][d] */
    float *kv;    /* [count][2d] */
    float *mixed; /* [count][d] */
    float *wide;  /* [count][ff], where q, kv and mixed are not needed any more */
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
}

static const float *type_row(const struct network *network,
                             const struct network_item *item)
{
    size_t type = item->type < NETWORK_TYPES ? item->type : NETWORK_TYPES_FIRST - 1;
    if (type >= network->types) {
        type = type >= NETWORK_TYPES_ALONE
                   ? 0
                   : type - NETWORK_TYPES_FIRST + NETWORK_TYPES_GAPS;
    }
    return network->ty + type * network->d;
}

static void embed(struct pass *pass, const struct network_input *input)
{
    const struct network *network = pass->network;
    size_t d = network->d;
    float *x = pass->x;
    memcpy(x, pass->words, input->count * d * sizeof *x);
    for (size_t i = 0; i < input->count; i++) {
        pass->kernels->add(x + i * d, type_row(network, &input->items[i]), d);
    }
    const struct norm *first = &network->mix_norm;
    pass->kernels->norm(x, first->g, first->b, input->count, d, pass->h);
    network_linear(network, &network->mix_a, pass->h, input->count, pass->q);
    pass->kernels->gelu(pass->q, input->count * d);
    network_linear(network, &network->mix_b, pass->q, input->count, pass->h);
    pass->kernels->add(x, pass->h, input->count * d);
}

/* Scores of one row, by items and by relations, into the weights of both. */
static void weigh(struct pass *pass, size_t at)
{
    const struct relation_row *row = &pass->relations[at];
    float *scores = pass->room.scores + at * pass->reach;
    float *related = scores + pass->count;
    for (size_t i = 0; i < row->count; i++) {
        const struct relation_run *run = &row->runs[i];
        float more = related[run->code] - related[row->usual];
        for (size_t j = 0; j < run->count; j++) {
            scores[run->places[j]] += more;
        }
    }
    for (size_t i = pass->count; i < pass->padded; i++) {
        scores[i] = KERNEL_NEVER;
    }
    float total = pass->kernels->powers(scores, pass->padded);
    float rest = total;
    memset(related, 0, pass->network->relations * sizeof *related);
    for (size_t i = 0; i < row->count; i++) {
        const struct relation_run *run = &row->runs[i];
        float sum = 0;
        for (size_t j = 0; j < run->count; j++) {
            sum += scores[run->places[j]];
        }
        related[run->code] = sum;
        rest -= sum;
    }
    related[row->usual] = rest;
    pass->room.totals[at] = total;
}

/* One head of all rows: scores by keys, then values, of items and relations alike. */
static void attend(struct pass *pass, const struct encoder_layer *layer, size_t head)
{
    const struct network *network = pass->network;
    const struct kernels *kernels = pass->kernels;
    struct attended *attended = &pass->attended;
    attended_set(network, pass->kv, pass->count, head, attended);
    for (size_t i = 0; i < network->relations; i++) {
        attended->keys.bias[pass->count + i] = layer->rb[i * network->heads + head];
    }
    linear_apply(kernels, &attended->keys, pass->q + head * network->head, network->d,
                 pass->count, pass->room.scores, pass->reach);
    for (size_t row = 0; row < pass->count; row++) {
        weigh(pass, row);
    }
    linear_apply(kernels, &attended->values, pass->room.scores, pass->reach, pass->count,
                 pass->room.own, kernel_padded(network->head));
    attended_share(network, pass->room, pass->count, head, pass->mixed);
}

static void run_layer(struct pass *pass, const struct encoder_layer *layer)
{
    const struct network *network = pass->network;
    const struct kernels *kernels = pass->kernels;
    size_t d = network->d;
    size_t count = pass->count;
    float *x = pass->x;
    kernels->norm(x, layer->n1.g, layer->n1.b, count, d, pass->h);
    network_linear(network, &layer->attention.q, pass->h, count, pass->q);
    network_linear(network, &layer->attention.kv, pass->h, count, pass->kv);
    linear_set_rows(&pass->attended.keys, count, network->relations, layer->rk,
                    network->head);
    linear_set_columns(&pass->attended.values, count, network->relations, layer->rv,
                       network->head);
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

static struct pass pass_of(const struct network *network, struct arena *arena,
                           const struct network_input *input)
{
    size_t d = network->d;
    size_t count = input->count;
    size_t reach = kernel_padded(count + network->relations);
    float *wide =
        kernel_numbers(arena, count * (network->ff > 4 * d ? network->ff : 4 * d));
    struct pass pass = {
        .network = network,
        .kernels = network->kernels,
        .count = count,
        .padded = kernel_padded(count),
        .reach = reach,
        .relations = relation_rows_new(arena, input->relations, count),
        .room = {kernel_numbers(arena, count * reach), kernel_numbers(arena, count),
                 kernel_numbers(arena, count * kernel_padded(network->head))},
        .words = kernel_numbers(arena, count * d),
        .x = kernel_numbers(arena, count * d),
        .h = kernel_numbers(arena, count * d),
        .q = wide,
        .kv = wide + count * d,
        .mixed = wide + count * 3 * d,
        .wide = wide};
    attended_reserve(network, arena, count + network->relations, &pass.attended);
    for (size_t i = 0; i < count; i++) {
        embed_item(network, &input->items[i], pass.h, pass.words + i * d);
    }
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
            attended_set(network, pass->kv, count, head, &memory->cross[i][head]);
        }
    }
    network_linear(network, &network->pk, memory->states, count, pass->h);
    linear_reserve(&memory->pointers, arena, network->d, count,
                   1.0F / sqrtf((float)network->d));
    linear_set_rows(&memory->pointers, 0, count, pass->h, network->d);
    memory->pointed = kernel_numbers(arena, count * network->d);
    network_linear(network, &network->pin, memory->states, count, memory->pointed);
}

static struct network_memory *encode_member(struct pass *pass, struct arena *arena,
                                            const struct network_input *input)
{
    const struct network *network = pass->network;
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
    embed(pass, input);
    for (size_t i = 0; i < network->encoder_layers; i++) {
        run_layer(pass, &network->e[i]);
    }
    network->kernels->norm(pass->x, network->en.g, network->en.b, input->count, d,
                           memory->states);
    remember(pass, arena, memory);
    return memory;
}

struct network_memory *network_encode(const struct network *network, struct arena *arena,
                                      const struct network_input *input)
{
    struct pass pass = pass_of(network, arena, input); /* members have the same shape */
    struct network_memory *first = NULL;
    struct network_memory **place = &first;
    for (; network; network = network->next) {
        pass.network = network;
        *place = encode_member(&pass, arena, input);
        place = &(*place)->next;
    }
    return first;
}

const float *network_states(const struct network_memory *memory)
{
    return memory->states;
}
