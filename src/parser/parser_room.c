/* Rooms that questions are worked on in: a few are kept for the next ones. */
#include "base/arena.h"
#include "parser/parser_state.h"

/* What a question over fifty tables needs. Pages that were never written use no
 * memory. */
enum { ROOM_BYTES = 8 << 20 };

struct arena *room_take(struct parser *parser)
{
    struct arena *room = NULL;
    (void)pthread_mutex_lock(&parser->lock);
    for (size_t i = 0; i < ROOMS_MOST && !room; i++) {
        room = parser->rooms[i];
        parser->rooms[i] = NULL;
    }
    (void)pthread_mutex_unlock(&parser->lock);
    return room ? room : arena_new_for(ROOM_BYTES);
}

void room_give(struct parser *parser, struct arena *room)
{
    arena_reset(room);
    (void)pthread_mutex_lock(&parser->lock);
    for (size_t i = 0; i < ROOMS_MOST && room; i++) {
        if (!parser->rooms[i]) {
            parser->rooms[i] = room;
            room = NULL;
        }
    }
    (void)pthread_mutex_unlock(&parser->lock);
    arena_free(room);
}
