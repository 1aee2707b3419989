/* Inside the network: its layers as loaded. Only network*.c look here. */
#ifndef DGM_PARSER_NETWORK_STATE_H
#define DGM_PARSER_NETWORK_STATE_H

#include "parser/network/kernels/kernels.h"
#include "parser/network/network.h"
#include "parser/network/weights.h"

enum {
    NETWORK_TYPES = 17,
    NETWORK_TYPES_ALONE = 14, /* what weights know that read no conversation */
    NETWORK_TYPES_FIRST = 11, /* what the oldest weights know */
    NETWORK_TYPES_GAPS = 4,   /* the last types without their gaps start here */
    LAYERS_MOST = 16,
    MEMBERS_MOST = 4
};

struct norm {
    const float *g;
    const float *b;
};

struct attention {
    struct linear q;
    struct linear kv;
    struct linear o;
};

struct encoder_layer {
    struct norm n1;
    struct norm n2;
    struct attention attention;
    const float *rk; /* [relations][head]: a relation attended to, as a key */
    const float *rv; /* the same, as a value */
    const float *rb; /* [relations][heads]: added to the score, whatever the items are */
    struct linear fa;
    struct linear fb;
};

struct decoder_layer {
    struct norm n1;
    struct norm n2;
    struct norm n3;
    struct attention own;
    struct attention cross;
    struct linear fa;
    struct linear fb;
};

/*
 * A network as it was loaded: pointers into the weights file, which stays mapped, and
 * packed copies of the layers. Never changed after loading, so any thread may use it.
 */
struct network {
    struct weights *weights;
    const struct kernels *kernels;
    struct arena *arena;
    struct network *next;      /* another member: what they say is averaged; or NULL */
    struct verifier *verifier; /* of the first member; or NULL */
    struct network *talk;      /* what reads conversations; or NULL */
    char prefix[24];           /* of the names of its tensors */

    size_t d;
    size_t heads;
    size_t head; /* d / heads */
    size_t ff;
    size_t relations; /* with the padding one */
    size_t outputs;
    size_t keywords; /* number of outputs that are keywords; they come first */
    size_t types;
    size_t trigrams;
    size_t positions;
    size_t encoder_layers;
    size_t decoder_layers;

    const struct tensor *w;
    const struct tensor *t;
    const float *ty;
    const struct tensor *k;
    const float *pos;
    struct norm mix_norm;
    struct linear mix_a;
    struct linear mix_b;
    struct encoder_layer e[LAYERS_MOST];
    struct norm en;
    struct linear pin;
    struct decoder_layer dec[LAYERS_MOST];
    struct norm dn;
    struct linear ok;
    struct linear pq;
    struct linear pk;
};

/* What is attended to, by one head. */
struct attended {
    struct linear keys; /* head -> count; what pads a row is as good as minus infinity */
    struct linear values; /* count -> head */
};

/*
 * A question after the encoder: what every step of the decoder reads. In the arena of
 * the question.
 */
struct network_memory {
    struct network_memory *next; /* of the next member */
    size_t count;
    size_t width; /* d of its member */
    const bool *pointable;
    float *states;                       /* [count][d] */
    struct attended *cross[LAYERS_MOST]; /* per decoder layer and head */
    struct linear pointers;              /* what prefixes are compared with: d -> count */
    float *pointed; /* [count][d]: what a pointer looks like as input */
};

/* What is to one item what few are: most pairs of a row have the same relation, and what
 * all scores of a row have in common does not matter. */
struct relation_run {
    uint8_t code;
    size_t count;
    const uint32_t *places; /* of the items */
};

struct relation_row {
    uint8_t usual; /* the relation of all items that are in no run */
    size_t count;
    struct relation_run *runs;
};

/* Of count * count codes. */
struct relation_row *relation_rows_new(struct arena *arena, const uint8_t *codes,
                                       size_t count);

/* The member's tensor of a name that ends in `part`. */
const struct tensor *network_get(struct network *network, size_t rows, size_t columns,
                                 struct err *err, const char *name, const char *part);
/* A tensor of real numbers; one that was written in eight bits is spread out. */
const float *network_reals(struct network *network, size_t rows, size_t columns,
                           struct err *err, const char *name);
bool network_load_linear(struct network *network, struct linear *linear, const char *name,
                         size_t in, size_t out, struct err *err);
/* Of d numbers. */
bool network_load_norm(struct network *network, struct norm *norm, const char *name,
                       struct err *err);
bool network_load_encoder_layer(struct network *network, size_t index, struct err *err);
bool network_load_decoder_layer(struct network *network, size_t index, struct err *err);
/* True as well where the file has none. */
bool network_load_verifier(struct network *network, const struct network_names *names,
                           struct err *err);

/* Room for the keys and values of `count` items. */
void attended_reserve(const struct network *network, struct arena *arena, size_t count,
                      struct attended *attended);
/* Head `head` of `count` rows of keys and values. */
void attended_set(const struct network *network, const float *kv, size_t count,
                  size_t head, struct attended *attended);
/* Rows of q, d apart, look at all that is attended to: what they take of it, into rows of
 * `mixed`. */
struct attend_room {
    float *scores; /* [rows][count up to a panel] */
    float *totals; /* [rows]: of the scores' powers */
    float *own;    /* [rows][head up to a panel] */
};
void attended_mix(const struct network *network, const struct attended *heads,
                  const float *q, size_t rows, struct attend_room room, float *mixed);
/* The last step: what one head takes, divided by the totals, into its part of `mixed`. */
void attended_share(const struct network *network, struct attend_room room, size_t rows,
                    size_t head, float *mixed);
/* y = x w + b, both dense, in rows padded to a panel. */
void network_linear(const struct network *network, const struct linear *linear,
                    const float *x, size_t rows, float *y);

#endif
