/* How the renderer looks into a tree of slots; used only by this folder. */
#ifndef DGM_PROMPT_SLOTS_H
#define DGM_PROMPT_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

enum slot_kind { SLOT_TEXT, SLOT_MAP, SLOT_LIST };

struct slot {
    const char *key; /* its name in the map above; NULL in a list and at the top */
    size_t key_size;
    enum slot_kind kind;
    bool truth;       /* does {{#key}} open */
    const char *text; /* SLOT_TEXT */
    size_t size;
    bool clean;         /* foreign_is_clean() has said so of the text */
    struct slot *first; /* SLOT_MAP and SLOT_LIST */
    struct slot *last;
    struct slot *next;
};

/* A value of a map, or NULL. Any kind may be asked; only maps have values. */
const struct slot *slot_find(const struct slot *map, const char *key, size_t size);

#endif
