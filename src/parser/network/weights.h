/*
 * The weights file: a header that says what is in it, a checksum, aligned tensors.
 * Mapped, not read. A damaged file, one of another version, or one made for another query
 * language is refused with a reason.
 */
#ifndef DGM_PARSER_WEIGHTS_H
#define DGM_PARSER_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/map.h"

struct err;

struct tensor {
    size_t rows;
    size_t columns;      /* 1 for a vector */
    const float *real;   /* one of the two */
    const int8_t *eight; /* with a scale per row */
    const float *scale;
};

/* A word and its row in the word table. */
struct weights_word {
    const char *text; /* not ended by a NUL */
    uint32_t size;
    uint32_t row; /* 0: no word */
};

struct weights_words {
    struct weights_word *slots; /* by their hash */
    size_t slot_count;
    size_t count; /* of the list, whose order gives the rows */
};

struct weights {
    struct arena *arena;
    const void *data; /* the file */
    size_t size;
    bool mapped;
    json_t *header;     /* without the words */
    struct map tensors; /* name -> struct tensor */
    struct weights_words words;
};

struct weights *weights_open(const char *path, struct err *err);
/* Of bytes that outlive it. */
struct weights *weights_of(const void *data, size_t size, struct err *err);
void weights_close(struct weights *weights);

/* The header and its words; weights_words.c. */
bool weights_read_header(struct weights *weights, const char *header, size_t size,
                         struct err *err);

/* Of exactly this shape; an error that names the tensor otherwise. */
const struct tensor *weights_get(const struct weights *weights, const char *name,
                                 size_t rows, size_t columns, struct err *err);
/* 1 for a word that the table does not have. */
int weights_word(const struct weights *weights, const char *word);
/* Does the header's list of names equal these? */
bool weights_names_match(const struct weights *weights, const char *key,
                         const char *(*name)(int index), int count, struct err *err);
/* One row as real numbers. */
void tensor_row(const struct tensor *tensor, size_t row, float *out);

#endif
