/* Beam search: the best queries the network can write, never one the grammar forbids. */
#ifndef DGM_PARSER_BEAM_H
#define DGM_PARSER_BEAM_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir.h"
#include "parser/network/network.h"

/* Where things are in the encoder's sequence. */
struct beam_layout {
    size_t questions;
    size_t values;
    size_t tables;
    size_t columns;     /* with `*` */
    const bool *hidden; /* columns that the outermost query does not show; or NULL */
    const bool *barred; /* columns that are not used at all; or NULL */
};

struct beam_candidate {
    struct ir_tokens tokens;
    double log_probability;
};

struct beam_candidates {
    struct beam_candidate *items; /* best first */
    size_t count;
    size_t capacity;
};

/* At most `width` candidates. Deterministic: equal scores keep their order. */
void beam_search(const struct network *network, const struct network_memory *memory,
                 const struct beam_layout *layout, size_t width, struct arena *arena,
                 struct beam_candidates *out);

#endif
