/*
 * Facts about the columns of a table for the search for keys: names as normalized words,
 * and what is known about the values.
 */
#ifndef DGM_KNOWLEDGE_KEYS_KEY_TRAITS_H
#define DGM_KNOWLEDGE_KEYS_KEY_TRAITS_H

#include <stdbool.h>
#include <stddef.h>

#include "knowledge/words/words.h"
#include "model/schema.h"

struct arena;

enum { KEY_NAME_WORDS = 8 }; /* of a name; further ones are left out */

struct key_name {
    char words[KEY_NAME_WORDS][WORD_SIZE];
    size_t count;
};

/* Facts about a column, computed once, because it is compared with all columns of other
 * tables. */
struct key_trait {
    struct key_name name;
    /* of a key: with the table's name, as other tables refer to it */
    struct key_name whole;
    bool key;      /* declared unique */
    bool unique;   /* unique, or nearly */
    bool general;  /* a name that many tables have */
    bool declared; /* it is a declared foreign key, so nothing is guessed */
    char class;    /* n: number, t: text, d: date, ?: the type does not say */
};

/* A table with its names taken apart. */
struct key_side {
    const struct table *table;
    struct key_name name;
    struct key_trait *columns;
};

void key_side_read(struct key_side *side, struct arena *arena, const struct table *table);
bool key_name_equals(const struct key_name *a, const struct key_name *b);
/* Are the words of `part` those of `name` from `at` on? */
bool key_name_has_at(const struct key_name *name, size_t at, const struct key_name *part);
/* Is there a declared key from one to the other? */
bool key_declares(const struct table *from, const struct table *to);

#endif
