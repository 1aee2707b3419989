/* Merges the indexes of several datasources. */
#include "knowledge/value_index/value_index_state.h"

void value_index_add_all(struct value_index *index, const struct value_index *from,
                         bool (*move)(void *context, struct value_place *place),
                         void *context)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct value_entry *entry = &from->entries[i];
        for (uint32_t k = 0; k < entry->place_count; k++) {
            struct value_place place = from->places[entry->first + k];
            if (move(context, &place)) {
                (void)value_index_add(index, place, entry->text, entry->text_size);
            }
        }
    }
    index->partial = index->partial || from->partial;
    index->unfinished = index->unfinished || from->unfinished;
}
