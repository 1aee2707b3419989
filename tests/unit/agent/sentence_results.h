/* Results of all shapes, drawn from a fixed seed, with texts that mean no good. */
#ifndef DGM_TESTS_SENTENCE_RESULTS_H
#define DGM_TESTS_SENTENCE_RESULTS_H

#include "agent/sentence/telling.h"

enum { RESULTS_ROWS = 40, RESULTS_COLUMNS = 6 };

struct result {
    struct rows rows;
    struct facts facts; /* true of the rows, as far as rows can tell */
    bool wild;          /* texts have digits of their own */
};

uint64_t results_draw(uint64_t below);
void results_make(struct arena *arena, struct result *result);
/* The number in a cell; false: it has none. */
bool results_number(const struct value *value, double *out);

#endif
