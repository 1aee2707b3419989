/* Inside the network: its layers as loaded. Only network*.c look here. */
#ifndef DGM_PARSER_NETWORK_STATE_H
#define DGM_PARSER_NETWORK_STATE_H

#include "parser/kernels.h"
#include "parser/network.h"
#include "parser/weights.h"

enum { NETWORK_TYPES = 11, LAYERS_MOST = 16 };

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
    const float *rk; /* [relations + 1][head] */
    const float *rv;
    const float *rb; /* [relations + 1][heads] */
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

struct network {
    struct weights *weights;
    struct arena *arena;
    float *memory; /* all linear layers, 64-byte aligned */
    float *next;   /* where the next one goes while loading */
    size_t bytes;

    size_t d;
    size_t heads;
    size_t head; /* d / heads */
    size_t ff;
    size_t relations; /* with the padding one */
    size_t outputs;
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

struct network_memory {
    size_t count;
    const bool *pointable;
    float *states;             /* [count][d] */
    float *cross[LAYERS_MOST]; /* per decoder layer: [count][2d], keys then values */
    float *pointers;           /* [count][d]: what prefixes are compared with */
    float *pointed;            /* [count][d]: what a pointer looks like as input */
};

#endif
