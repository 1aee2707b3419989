/* Weights files made in memory: small networks of chosen numbers, whole or broken. */
#ifndef DGM_TESTS_WEIGHTS_MADE_H
#define DGM_TESTS_WEIGHTS_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct network_names;

struct made_weights {
    struct arena *arena;
    char *header; /* JSON; may be changed before made_file */
    unsigned char *payload;
    size_t payload_size;
    size_t favours; /* where the bias of the outputs lies in it */
};

/* A network of d = 32 that knows these names: numbers between -1 and 1, always the same
 * for the same seed; in eight bits where `eight`. */
void made_weights(struct made_weights *made, struct arena *arena,
                  const struct network_names *names, bool eight, uint32_t seed);
/* The file, with a checksum that fits; aligned, in the arena. */
void *made_file(const struct made_weights *made, size_t *size);
/* Replaces the first `old` of the header; false when there is none. */
bool made_change(struct made_weights *made, const char *old, const char *new);
/* Makes an output likelier: left alone, such networks hardly ever come to an end. */
void made_favour(struct made_weights *made, int output, float by);
/* The names that the program itself has. */
const struct network_names *made_own_names(void);

#endif
