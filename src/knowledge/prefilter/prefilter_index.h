/* The inverted index: word to tables, and the keys between tables. */
#ifndef DGM_KNOWLEDGE_PREFILTER_INDEX_H
#define DGM_KNOWLEDGE_PREFILTER_INDEX_H

#include <stdint.h>

#include "base/map.h"
#include "knowledge/prefilter/prefilter.h"

struct posting {
    uint32_t table; /* its place in the schema; ascending within a word */
    float weight;   /* of the best place the word was found in */
};

struct postings {
    struct posting *items;
    size_t count;
    size_t capacity;
    const char *word; /* folded */
};

struct vocabulary {
    struct postings **items;
    size_t count;
    size_t capacity;
};

struct table_notes {
    uint32_t name_words; /* words in the name: "order_items" has two */
    uint32_t first_link; /* its neighbours: links[first_link .. first_link + degree) */
    uint32_t degree;
};

struct prefilter_index {
    struct arena *arena;
    const struct schema *schema;
    struct map words; /* folded word -> struct postings */
    struct vocabulary vocabulary;
    struct table_notes *tables;
    uint32_t *links;
};

#define WEIGHT_NAME    5.0F
#define WEIGHT_COLUMN  2.0F
#define WEIGHT_SAMPLE  1.5F
#define WEIGHT_COMMENT 1.0F

#endif
