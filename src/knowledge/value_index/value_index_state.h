/* What a value index is made of; for the files of the index only. */
#ifndef DGM_KNOWLEDGE_VALUE_INDEX_STATE_H
#define DGM_KNOWLEDGE_VALUE_INDEX_STATE_H

#include <stdatomic.h>

#include "base/arena.h"
#include "knowledge/value_index/value_index.h"

enum {
    VALUE_KEY_SIZE = 256, /* a folded value with its NUL */
    VALUE_LENGTHS_MAX =
        64, /* keys of this length and longer are not found as near ones */
};

/* While values are added, the places of one are a list, newest first. */
struct value_node {
    struct value_place place;
    uint32_t next; /* number of the next node plus one; 0: the last */
};

struct value_entry {
    const char *key;  /* squashed; the folded text when nothing is left of it */
    const char *text; /* as in the cell */
    uint64_t letters; /* which characters the key has */
    uint32_t first;   /* node; once frozen, the first of its places */
    uint32_t place_count;
    uint16_t key_size;
    uint16_t text_size;
};

/* A word of a value of several words. */
struct value_word {
    uint32_t hash;
    uint32_t entry;
};

/*
 * Values of text columns by their normalized text. Built by one thread; after
 * value_index_freeze() nothing changes any more, and any thread may read it. Reference
 * counted; all memory is in `arena`.
 */
struct value_index {
    struct arena *arena;
    atomic_int references;
    struct value_index_settings settings;
    struct value_entry *entries; /* frozen: sorted by key, then text */
    size_t count;
    size_t capacity;
    struct value_node *nodes;
    size_t node_count;
    size_t node_capacity;
    uint32_t *slots; /* hash of the text -> entry plus one; gone once frozen */
    size_t slot_count;
    struct value_place *places;
    uint32_t *by_length; /* entries by the length of their key */
    uint32_t length_first[VALUE_LENGTHS_MAX + 1];
    struct value_word *words; /* sorted */
    size_t word_count;
    size_t word_capacity;
    size_t bytes;
    bool partial;
    bool unfinished; /* time or the database failed: not worth keeping */
    bool frozen;
};

int value_entry_order(const void *a, const void *b); /* by key, then text */
/* Freezes an index whose entries, places and words came ready-made. */
void value_index_restored(struct value_index *index);
uint64_t value_letters(const char *key, size_t size);
/* The next word of folded text at or after *at: its size, with *at moved to its start; 0
 * at the end. */
size_t value_next_word(const char *folded, size_t size, size_t *at);

#endif
