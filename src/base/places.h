/*
 * Places for queries on one database, and who holds them. The last place is not for an
 * owner that has one: its slow queries leave it to others. No lock and no waiting are in
 * here; pools have both.
 */
#ifndef DGM_BASE_PLACES_H
#define DGM_BASE_PLACES_H

#include <stdbool.h>
#include <stddef.h>

struct places_holder { /* yours; in use from places_take to places_give */
    const char *owner; /* an account; NULL or "": no account */
    struct places_holder *next;
};

struct places {
    size_t most;
    size_t held;
    struct places_holder *holders;
};

/* May one more be taken for this owner? Without accounts there is nobody to keep the last
 * one for, and of few places none is kept. */
bool places_free(const struct places *places, const char *owner);
void places_take(struct places *places, struct places_holder *holder, const char *owner);
void places_give(struct places *places, const struct places_holder *holder);

#endif
