/* Makes a statement that was found out shorter, as long as it is found out for the same.
 */
#include <string.h>

#include "base/str.h"
#include "session.h"

static bool same(struct session *session, const struct pieces *pieces, const char *what)
{
    struct outcome outcome = {0};
    struct arena *arena = arena_new();
    struct buf text;
    buf_init(&text, 1 << 20);
    pieces_write(pieces, &text);
    bool is = session_judge(session, arena, buf_get(&text), text.size, &outcome) &&
              str_equal(outcome.what, what);
    buf_release(&text);
    arena_free(arena);
    return is;
}

/* Without a run of pieces, if it goes without. */
static bool try_without(struct session *session, struct arena *arena,
                        struct pieces *pieces, size_t at, size_t count, const char *what)
{
    struct pieces less = {0};
    for (size_t i = 0; i < pieces->count; i++) {
        if (i < at || i >= at + count) {
            VEC_PUSH(arena, &less, pieces->items[i]);
        }
    }
    if (!same(session, &less, what)) {
        return false;
    }
    *pieces = less;
    return true;
}

const char *reduce_statement(struct session *session, struct arena *arena,
                             const char *sql, const char *what)
{
    struct pieces pieces = {0};
    struct buf text;
    pieces_read(arena, sql, strlen(sql), &pieces);
    if (!same(session, &pieces, what)) {
        return sql;
    }
    for (size_t size = pieces.count / 2; size > 0; size = size > 1 ? size / 2 : 0) {
        for (size_t at = 0; at + size <= pieces.count;) {
            if (!try_without(session, arena, &pieces, at, size, what)) {
                at++;
            }
        }
    }
    buf_init(&text, 1 << 20);
    pieces_write(&pieces, &text);
    const char *made = buf_clone(&text, arena);
    buf_release(&text);
    return made;
}
