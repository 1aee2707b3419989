/* Places for queries on one database, and who holds them. */
#include "base/places.h"

#include "base/str.h"

enum { PLACES_FEW = 4 }; /* with fewer places, none is reserved */

static bool holds_one(const struct places *places, const char *owner)
{
    const struct places_holder *at = places->holders;
    while (at && !str_equal(at->owner, owner)) {
        at = at->next;
    }
    return at != NULL;
}

bool places_free(const struct places *places, const char *owner)
{
    if (places->held >= places->most) {
        return false;
    }
    bool last = places->held + 1 == places->most && places->most >= PLACES_FEW;
    return !last || str_empty(owner) || !holds_one(places, owner);
}

void places_take(struct places *places, struct places_holder *holder, const char *owner)
{
    holder->owner = owner;
    holder->next = places->holders;
    places->holders = holder;
    places->held++;
}

void places_give(struct places *places, const struct places_holder *holder)
{
    struct places_holder **at = &places->holders;
    while (*at != holder) {
        at = &(*at)->next;
    }
    *at = holder->next;
    places->held--;
}
