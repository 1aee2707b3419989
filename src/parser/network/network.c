/* The network: opening it, and what its file says. */
#include "parser/network/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/network/network_state.h"

/* The words and their letters: all members read the same table. */
static const struct tensor *get_shared(struct network *network, size_t rows,
                                       const char *name, struct err *err)
{
    return weights_get(network->weights, name, rows, network->d, err);
}

static bool load_rest(struct network *network, struct err *err)
{
    size_t d = network->d;
    size_t words = network->weights->words.count;
    return (network->w = get_shared(network, words + 2, "w", err)) &&
           (network->t = get_shared(network, network->trigrams, "t", err)) &&
           (network->ty = network_reals(network, network->types, d, err, "ty")) &&
           (network->k = network_get(network, network->outputs, d, err, "k", "")) &&
           (network->pos = network_reals(network, network->positions, d, err, "pos")) &&
           network_load_norm(network, &network->mix_norm, "mix.norm", err) &&
           network_load_linear(network, &network->mix_a, "mix.a", d, d, err) &&
           network_load_linear(network, &network->mix_b, "mix.b", d, d, err) &&
           network_load_norm(network, &network->en, "en", err) &&
           network_load_norm(network, &network->dn, "dn", err) &&
           network_load_linear(network, &network->pin, "pin", d, d, err) &&
           network_load_linear(network, &network->ok, "ok", d, network->outputs, err) &&
           network_load_linear(network, &network->pq, "pq", d, d, err) &&
           network_load_linear(network, &network->pk, "pk", d, d, err);
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

/* Likewise: between the words of the first versions and those of today any number. */
static int keywords_known(const struct weights *weights,
                          const struct network_names *names)
{
    size_t count = json_array_size(json_array_at(weights->header, "keywords"));
    bool older = names->keywords_first > 0 && count >= (size_t)names->keywords_first &&
                 count < (size_t)names->keywords;
    return older ? (int)count : names->keywords;
}

/* Weights made before the newest relations were there just never meet them: what needs
 * them is left out of the input. */
static int relations_known(const struct weights *weights,
                           const struct network_names *names)
{
    size_t count = json_array_size(json_array_at(weights->header, "relations"));
    return count > 0 && count == (size_t)names->relations_alone ? (int)count
                                                                : names->relations;
}

static size_t types_known(const struct weights *weights)
{
    const struct tensor *types = map_get(&weights->tensors, "ty");
    size_t rows = types ? types->rows : 0;
    return rows == NETWORK_TYPES_FIRST || rows == NETWORK_TYPES_ALONE ? rows
                                                                      : NETWORK_TYPES;
}

static bool read_shape(struct network *network, const struct network_names *names,
                       struct err *err)
{
    const struct weights *weights = network->weights;
    int fixed = fixed_known(weights, names);
    int keywords = keywords_known(weights, names);
    int relations = relations_known(weights, names);
    bool ok =
        weights_names_match(weights, "keywords", names->keyword, keywords, err) &&
        weights_names_match(weights, "fixed", names->fixed, fixed, err) &&
        weights_names_match(weights, "relations", names->relation, relations, err) &&
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
    network->types = types_known(weights);
    network->head = ok ? network->d / network->heads : 0;
    network->relations = (size_t)relations + 1;
    network->talk = relations == names->relations ? network : NULL;
    network->keywords = (size_t)keywords;
    network->outputs = (size_t)keywords + (size_t)fixed;
    return ok;
}

static bool load_member(struct network *network, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < network->encoder_layers; i++) {
        ok = network_load_encoder_layer(network, i, err);
    }
    for (size_t i = 0; ok && i < network->decoder_layers; i++) {
        ok = network_load_decoder_layer(network, i, err);
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

/* Members of their own for later turns: they read the same words, and what was said before
 * beside the question. First turns are none of their business. */
static bool load_talk(struct network *network, const struct network_names *names,
                      struct err *err)
{
    const struct weights *weights = network->weights;
    size_t members = 1;
    if (network->talk || !json_object_get(weights->header, "talk_members")) {
        return true;
    }
    if (!read_size(network, "talk_members", MEMBERS_MOST, &members, err) ||
        !weights_names_match(weights, "talk_relations", names->relation, names->relations,
                             err)) {
        return false;
    }
    struct network **place = &network->talk;
    bool ok = true;
    for (size_t i = 0; ok && i < members; i++) {
        struct network *member = ARENA_NEW(network->arena, struct network);
        *member = *network; /* the shape; all the rest is loaded */
        member->next = member->talk = NULL;
        member->verifier = NULL;
        member->types = NETWORK_TYPES;
        member->relations = (size_t)names->relations + 1;
        (void)snprintf(member->prefix, sizeof member->prefix, "h%zu.", i);
        ok = load_member(member, err);
        *place = member;
        place = &member->next;
    }
    return ok;
}

static struct network *network_new(struct weights *weights,
                                   const struct network_names *names, struct err *err)
{
    if (!weights) {
        return NULL;
    }
    struct arena *arena =
        arena_new_for(weights->size); /* about as much as is made of it */
    struct network *network = ARENA_NEW(arena, struct network);
    network->arena = arena;
    network->weights = weights;
    network->kernels = kernels_get();
    if (!read_shape(network, names, err) || !load_members(network, err) ||
        !network_load_verifier(network, names, err) || !load_talk(network, names, err)) {
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

size_t network_width(const struct network *network)
{
    return network->d;
}

size_t network_word(const struct network *network, const char *word, float *out,
                    size_t room)
{
    enum { UNKNOWN = 1 };
    int row = weights_word(network->weights, word);
    if (row <= UNKNOWN || network->d > room) {
        return 0;
    }
    tensor_row(network->w, (size_t)row, out);
    return network->d;
}

size_t network_bytes(const struct network *network)
{
    return arena_size(network->arena) + arena_size(network->weights->arena);
}

const struct network *network_for_talk(const struct network *network)
{
    return network->talk;
}

size_t network_keywords(const struct network *network)
{
    return network->keywords;
}

size_t network_outputs(const struct network *network)
{
    return network->outputs;
}
