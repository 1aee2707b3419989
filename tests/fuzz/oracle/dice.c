/* splitmix64: the same numbers on every machine. */
#include "dice.h"

static uint64_t next(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

uint32_t dice_roll(struct dice *dice, uint32_t sides)
{
    return (uint32_t)(next(dice) >> 33) % sides;
}

bool dice_chance(struct dice *dice, uint32_t of_hundred)
{
    return dice_roll(dice, 100) < of_hundred;
}

struct dice dice_for(uint64_t seed, uint64_t number)
{
    struct dice mixed = {.state = seed};
    mixed.state = next(&mixed) ^ number;
    return (struct dice){.state = next(&mixed)};
}
