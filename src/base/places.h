/*
 * Counts who uses the limited connections of a database. The last one is not given to an
 * account that already has one, so that its slow queries leave it to others. No locking
 * or waiting happens here; pools do both.
 */
#ifndef DGM_BASE_PLACES_H
#define DGM_BASE_PLACES_H

#include <stdbool.h>
#include <stddef.h>

struct places_holder { /* Owned by the caller; in use from places_take to places_give. */
    const char *owner; /* an account; NULL or "": no account */
    struct places_holder *next;
};

struct places {
    size_t most;
    size_t held;
    struct places_holder *holders;
};

/* May this owner get one more? Without accounts the last one is not reserved, nor if
 * there are very few. */
bool places_free(const struct places *places, const char *owner);
void places_take(struct places *places, struct places_holder *holder, const char *owner);
void places_give(struct places *places, const struct places_holder *holder);

#endif
