/*
 * The verifier: reads a finished query beside the encoded question, forth and back, and
 * what else is known of it as numbers, and says whether it is right. train/verify.py is
 * the same in the training framework.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "parser/network/network_state.h"

enum { VERIFIER_SIZE_MOST = 1024, END = 2 };

/* Numbers far from the usual say no more than that they are far. */
static const double FAR = 4;

struct verifier {
    struct network layers; /* the shape, and its layers as the decoder's are */
    size_t numbers;
    int *places;          /* of each number it reads, in what it is given */
    struct linear memory; /* all members' states -> d */
    struct norm memory_norm;
    struct norm last;
    struct linear a; /* mean, most, numbers -> d */
    struct linear b; /* d -> chosen, right */
    const float *mean;
    const float *spread;
};

static bool read_shape(struct verifier *verifier, const json_t *said, struct err *err)
{
    struct network *layers = &verifier->layers;
    int64_t d = json_int_at(said, "d", 0);
    int64_t heads = json_int_at(said, "heads", 0);
    int64_t count = json_int_at(said, "layers", 0);
    if (d < KERNEL_PANEL || d > VERIFIER_SIZE_MOST || d % KERNEL_PANEL != 0 ||
        heads < 1 || heads > d || d % heads != 0 || count < 1 || count > LAYERS_MOST) {
        return err_set(err, ERR_INVALID_DATA,
                       "The weights file's verifier has no sensible sizes.");
    }
    layers->d = (size_t)d;
    layers->heads = (size_t)heads;
    layers->head = layers->d / layers->heads;
    layers->ff = 4 * layers->d;
    layers->decoder_layers = (size_t)count;
    layers->next = NULL;
    (void)snprintf(layers->prefix, sizeof layers->prefix, "v.");
    return true;
}

static bool load_layers(struct verifier *verifier, size_t wide, struct err *err)
{
    struct network *layers = &verifier->layers;
    size_t d = layers->d;
    size_t numbers = verifier->numbers;
    bool ok = true;
    for (size_t i = 0; ok && i < layers->decoder_layers; i++) {
        ok = network_load_decoder_layer(layers, i, err);
    }
    return ok && network_load_linear(layers, &verifier->memory, "memory", wide, d, err) &&
           network_load_norm(layers, &verifier->memory_norm, "mn", err) &&
           network_load_linear(layers, &layers->pin, "pin", d, d, err) &&
           (layers->k = network_get(layers, layers->outputs, d, err, "k", "")) &&
           (layers->pos = network_reals(layers, layers->positions, d, err, "pos")) &&
           network_load_norm(layers, &verifier->last, "on", err) &&
           network_load_linear(layers, &verifier->a, "a", 2 * d + numbers, d, err) &&
           network_load_linear(layers, &verifier->b, "b", d, 2, err) &&
           (verifier->mean = network_reals(layers, numbers, 1, err, "mean")) &&
           (verifier->spread = network_reals(layers, numbers, 1, err, "spread"));
}

/* Which of the program's numbers it reads, by their names: newer programs know more. */
static bool read_numbers(struct verifier *verifier, const json_t *names,
                         const struct network_names *known, struct err *err)
{
    size_t count = json_array_size(names);
    verifier->numbers = count;
    verifier->places = arena_array(verifier->layers.arena, count, sizeof(int));
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        int place = 0;
        while (place < known->numbers && !str_equal(known->number(place), name)) {
            place++;
        }
        verifier->places[i] = place;
        if (!name || place == known->numbers) {
            return err_set(err, ERR_INVALID_DATA,
                           "The weights file's 'judged_by' names '%.40s', which this "
                           "program does not know.",
                           name ? name : "");
        }
    }
    return count % 4 == 0 ||
           err_set(err, ERR_INVALID_DATA,
                   "The weights file's verifier has no sensible sizes.");
}

bool network_load_verifier(struct network *network, const struct network_names *names,
                           struct err *err)
{
    const json_t *header = network->weights->header;
    const json_t *said = json_object_get(header, "verifier");
    if (!said || !names->number) {
        return true;
    }
    struct verifier *verifier = ARENA_NEW(network->arena, struct verifier);
    verifier->layers = *network;
    size_t wide = 0;
    for (const struct network *member = network; member; member = member->next) {
        wide += member->d;
    }
    if (!read_numbers(verifier, json_array_at(header, "judged_by"), names, err) ||
        !read_shape(verifier, said, err) || !load_layers(verifier, wide, err)) {
        return false;
    }
    network->verifier = verifier;
    return true;
}

/* Room for one pass over all candidates. */
struct reading {
    const struct verifier *verifier;
    const struct network *layers;
    const struct kernels *kernels;
    struct arena *arena;
    size_t rows;  /* tokens of all candidates, with what ends each */
    size_t items; /* of the encoded question */
    float *memory;
    float *pointed;
    float *kept;          /* [rows or items][2d] */
    const float **looked; /* [positions]: at what one head looks */
    float *x;
    float *h;
    float *q;
    float *mixed;
    float *wide;
    struct attend_room room;
};

/* A long query is read as far as there are places. */
static size_t length_of(const struct network *layers,
                        const struct network_verified *candidate)
{
    size_t most = layers->positions - 1;
    return (candidate->count < most ? candidate->count : most) + 1;
}

static struct reading reading_of(const struct verifier *verifier,
                                 const struct network_memory *memory,
                                 const struct network_verified *candidates, size_t count)
{
    const struct network *layers = &verifier->layers;
    struct arena *arena = arena_new();
    size_t d = layers->d;
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        rows += length_of(layers, &candidates[i]);
    }
    size_t most = rows > memory->count ? rows : memory->count;
    size_t longest =
        memory->count > layers->positions ? memory->count : layers->positions;
    return (struct reading){
        .verifier = verifier,
        .layers = layers,
        .kernels = layers->kernels,
        .arena = arena,
        .rows = rows,
        .items = memory->count,
        .memory = kernel_numbers(arena, memory->count * d),
        .pointed = kernel_numbers(arena, memory->count * d),
        .kept = kernel_numbers(arena, most * 2 * d),
        .looked = arena_array(arena, layers->positions, sizeof(const float *)),
        .x = kernel_numbers(arena, rows * d),
        .h = kernel_numbers(arena, most * d),
        .q = kernel_numbers(arena, rows * d),
        .mixed = kernel_numbers(arena, rows * d),
        .wide = kernel_numbers(arena, rows * layers->ff),
        .room = {kernel_numbers(arena, rows * kernel_padded(longest)),
                 kernel_numbers(arena, rows),
                 kernel_numbers(arena, rows * kernel_padded(layers->head))}};
}

/* What all members made of the question, side by side, in the verifier's own terms. */
static void read_memory(struct reading *reading, const struct network_memory *memory)
{
    const struct verifier *verifier = reading->verifier;
    size_t wide = verifier->memory.in;
    float *all = kernel_numbers(reading->arena, reading->items * wide);
    size_t at = 0;
    for (; memory; memory = memory->next) {
        size_t d = memory->width;
        for (size_t i = 0; i < reading->items; i++) {
            memcpy(all + i * wide + at, memory->states + i * d, d * sizeof *all);
        }
        at += d;
    }
    network_linear(reading->layers, &verifier->memory, all, reading->items, reading->h);
    reading->kernels->norm(reading->h, verifier->memory_norm.g, verifier->memory_norm.b,
                           reading->items, reading->layers->d, reading->memory);
    network_linear(reading->layers, &reading->layers->pin, reading->memory,
                   reading->items, reading->pointed);
}

static void read_token(const struct reading *reading, int token, size_t step, float *x)
{
    const struct network *layers = reading->layers;
    size_t d = layers->d;
    size_t output = (size_t)token;
    if (output < layers->outputs) {
        tensor_row(layers->k, output, x);
    } else if (output - layers->outputs < reading->items) {
        memcpy(x, reading->pointed + (output - layers->outputs) * d, d * sizeof *x);
    }
    reading->kernels->add(x, layers->pos + step * d, d);
}

static void read_tokens(struct reading *reading,
                        const struct network_verified *candidates, size_t count)
{
    float *x = reading->x;
    for (size_t i = 0; i < count; i++) {
        size_t length = length_of(reading->layers, &candidates[i]);
        for (size_t step = 0; step < length; step++, x += reading->layers->d) {
            int token = step + 1 < length ? candidates[i].tokens[step] : END;
            read_token(reading, token, step, x);
        }
    }
}

/* Every row of a candidate against all rows of the same. */
static void attend_own(struct reading *reading, const struct network_verified *candidates,
                       size_t count)
{
    size_t d = reading->layers->d;
    size_t size = reading->layers->head;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = length_of(reading->layers, &candidates[i]);
        for (size_t head = 0; head < d; head += size) {
            for (size_t j = 0; j < length; j++) {
                reading->looked[j] = reading->kept + (first + j) * 2 * d + head;
            }
            for (size_t row = first; row < first + length; row++) {
                reading->kernels->look(
                    &(struct kernel_look){.q = reading->q + row * d + head,
                                          .rows = reading->looked,
                                          .count = length,
                                          .apart = d,
                                          .size = size,
                                          .scores = reading->room.scores,
                                          .out = reading->mixed + row * d + head});
            }
        }
        first += length;
    }
}

static void attend_memory(struct reading *reading, const struct decoder_layer *layer)
{
    const struct network *layers = reading->layers;
    struct attended *heads = arena_array(reading->arena, layers->heads, sizeof *heads);
    network_linear(layers, &layer->cross.kv, reading->memory, reading->items,
                   reading->kept);
    for (size_t head = 0; head < layers->heads; head++) {
        attended_reserve(layers, reading->arena, reading->items, &heads[head]);
        attended_set(layers, reading->kept, reading->items, head, &heads[head]);
    }
    attended_mix(layers, heads, reading->q, reading->rows, reading->room, reading->mixed);
}

static void run_layer(struct reading *reading, const struct decoder_layer *layer,
                      const struct network_verified *candidates, size_t count)
{
    const struct network *layers = reading->layers;
    const struct kernels *kernels = reading->kernels;
    size_t d = layers->d;
    size_t rows = reading->rows;
    kernels->norm(reading->x, layer->n1.g, layer->n1.b, rows, d, reading->h);
    network_linear(layers, &layer->own.q, reading->h, rows, reading->q);
    network_linear(layers, &layer->own.kv, reading->h, rows, reading->kept);
    attend_own(reading, candidates, count);
    network_linear(layers, &layer->own.o, reading->mixed, rows, reading->h);
    kernels->add(reading->x, reading->h, rows * d);
    kernels->norm(reading->x, layer->n2.g, layer->n2.b, rows, d, reading->h);
    network_linear(layers, &layer->cross.q, reading->h, rows, reading->q);
    attend_memory(reading, layer);
    network_linear(layers, &layer->cross.o, reading->mixed, rows, reading->h);
    kernels->add(reading->x, reading->h, rows * d);
    kernels->norm(reading->x, layer->n3.g, layer->n3.b, rows, d, reading->h);
    network_linear(layers, &layer->fa, reading->h, rows, reading->wide);
    kernels->gelu(reading->wide, rows * layers->ff);
    network_linear(layers, &layer->fb, reading->wide, rows, reading->h);
    kernels->add(reading->x, reading->h, rows * d);
}

/* Mean and most of a candidate's rows, then its numbers. */
static void gather(const struct reading *reading, const float *rows, size_t length,
                   const double *numbers, float *out)
{
    const struct verifier *verifier = reading->verifier;
    size_t d = reading->layers->d;
    float *most = out + d;
    memcpy(most, rows, d * sizeof *most);
    for (size_t i = 0; i < length; i++) {
        reading->kernels->scaled_add(out, rows + i * d, 1.0F / (float)length, d);
        for (size_t k = 0; k < d; k++) {
            most[k] = rows[i * d + k] > most[k] ? rows[i * d + k] : most[k];
        }
    }
    for (size_t i = 0; i < verifier->numbers; i++) {
        double number = numbers[verifier->places[i]];
        double far = (number - (double)verifier->mean[i]) / (double)verifier->spread[i];
        out[2 * d + i] = (float)fmin(fmax(far, -FAR), FAR);
    }
}

static void conclude(struct reading *reading, struct network_verified *candidates,
                     size_t count)
{
    const struct verifier *verifier = reading->verifier;
    const struct network *layers = reading->layers;
    size_t d = layers->d;
    size_t wide = verifier->a.in;
    float *seen = kernel_numbers(reading->arena, count * wide);
    float *y = kernel_numbers(reading->arena, count * d);
    float *said = kernel_numbers(reading->arena, count * KERNEL_PANEL);
    reading->kernels->norm(reading->x, verifier->last.g, verifier->last.b, reading->rows,
                           d, reading->h);
    const float *rows = reading->h;
    for (size_t i = 0; i < count; i++) {
        size_t length = length_of(layers, &candidates[i]);
        gather(reading, rows, length, candidates[i].numbers, seen + i * wide);
        rows += length * d;
    }
    network_linear(layers, &verifier->a, seen, count, y);
    reading->kernels->gelu(y, count * d);
    network_linear(layers, &verifier->b, y, count, said);
    for (size_t i = 0; i < count; i++) {
        candidates[i].chosen = (double)said[i * KERNEL_PANEL];
        candidates[i].right = (double)said[i * KERNEL_PANEL + 1];
    }
}

bool network_verify(const struct network *network, const struct network_memory *memory,
                    struct network_verified *candidates, size_t count)
{
    const struct verifier *verifier = network->verifier;
    if (!verifier || !count) {
        return false;
    }
    struct reading reading = reading_of(verifier, memory, candidates, count);
    read_memory(&reading, memory);
    read_tokens(&reading, candidates, count);
    for (size_t i = 0; i < verifier->layers.decoder_layers; i++) {
        run_layer(&reading, &verifier->layers.dec[i], candidates, count);
    }
    conclude(&reading, candidates, count);
    arena_free(reading.arena);
    return true;
}
