/* A small generator of numbers that is the same everywhere. */
#ifndef DGM_TESTS_FUZZ_DICE_H
#define DGM_TESTS_FUZZ_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

uint32_t dice_roll(struct dice *dice, uint32_t sides);
bool dice_chance(struct dice *dice, uint32_t of_hundred);
/* Dice of their own for the n-th statement of a seed: it can be made again alone. */
struct dice dice_for(uint64_t seed, uint64_t number);

#endif
