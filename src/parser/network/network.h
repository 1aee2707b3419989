/*
 * The network: a relation-aware encoder over question, values, tables and columns, and a
 * decoder that points back at them. train/model.py is the same in the training framework.
 * A network is immutable after opening: any number of threads may use it, each with its
 * own memory.
 */
#ifndef DGM_PARSER_NETWORK_H
#define DGM_PARSER_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"

struct arena;
struct err;
struct network;

enum { NETWORK_WORDS = 5, NETWORK_TRIGRAMS = 10 };

struct network_word {
    int row; /* network_word_row */
    uint16_t trigrams[NETWORK_TRIGRAMS];
    uint8_t trigram_count;
};

struct network_item {
    struct network_word words[NETWORK_WORDS];
    uint8_t word_count;
    uint8_t type;
    bool pointable; /* a value, table or column */
};

struct network_input {
    const struct network_item *items;
    size_t count;
    const uint8_t *relations; /* count * count codes, row by row */
};

/* What the names in the file must be: the program's own keywords, literals, relations. */
struct network_names {
    const char *(*keyword)(int index);
    int keywords;
    const char *(*fixed)(int index);
    int fixed_count;
    const char *(*relation)(int index);
    int relations;
    const char *(*number)(int index); /* of a judgement; NULL: no verifier is wanted */
    int numbers;
    int keywords_first;  /* how many keywords older weights know; 0: there are none */
    int relations_alone; /* how many relations older weights know, which read no
                            conversation; 0: there are no such weights */
};

struct network *network_open(const char *path, const struct network_names *names,
                             struct err *err);
/* Of a weights file in memory that outlives it. */
struct network *network_of(const void *data, size_t size,
                           const struct network_names *names, struct err *err);
void network_close(struct network *network);
/* What the file says beside the tensors. */
const json_t *network_header(const struct network *network);
int network_word_row(const struct network *network, const char *word);
/* How many numbers stand for a word. */
size_t network_width(const struct network *network);
/* The vector of a word; words of like meaning lie in like directions. Returns its width; 0: the word is not
 * known, or there is no room. */
size_t network_word(const struct network *network, const char *word, float *out,
                    size_t room);
size_t
network_bytes(const struct network *network); /* memory it holds, the map left out */
/* The part that reads a question with what was said before; NULL: the weights have
 * none. */
const struct network *network_for_talk(const struct network *network);
size_t network_outputs(const struct network *network); /* keywords and literals */
size_t
network_keywords(const struct network *network); /* that many outputs are keywords */

/* The encoded input and what every decoding step needs of it. Lives in the arena. */
struct network_memory;
struct network_memory *network_encode(const struct network *network, struct arena *arena,
                                      const struct network_input *input);
/* The encoder's output, count * d numbers: for tests. */
const float *network_states(const struct network_memory *memory);

/* Decoding several prefixes side by side. */
struct network_decoder;
struct network_decoder *network_decoder_new(const struct network *network,
                                            struct arena *arena,
                                            const struct network_memory *memory,
                                            size_t width, size_t positions);
/* Feeds output `token` (1 begins) to each of the first `count` prefixes and fills the
 * log-probabilities of what follows: count rows of outputs + positions numbers. from[i]
 * is the prefix that i continues (as of the last step). False past the last position. */
bool network_decode(struct network_decoder *decoder, const int *tokens,
                    const size_t *from, size_t count, float *logs);
size_t network_row(const struct network_decoder *decoder); /* numbers in a row of logs */

/* A finished query and its score by the verifier. */
struct network_verified {
    const int *tokens; /* outputs; -1: something that is not in the input */
    size_t count;
    const double *numbers; /* as network_names has them */
    double chosen;         /* out: differences are those of log-probabilities */
    double right;          /* out: log-odds */
};

/* False where the weights have no verifier. */
bool network_verify(const struct network *network, const struct network_memory *memory,
                    struct network_verified *candidates, size_t count);

#endif
