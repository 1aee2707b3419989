/* The questions of a conversation that are still being answered. Their messages join the
 * conversation when they end; until then this is where a reader finds them. */
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "service/questions/question.h"
#include "store/store.h"

enum {
    UNRESTED_MOST = 1000,
    TIME_OF_ID = 11, /* "q-" and nine letters: the time in milliseconds */
};

struct running {
    const char *id;
    const char *text;
    int64_t asked_at; /* seconds since 1970 */
};

struct runnings {
    struct running *items;
    size_t count;
    size_t capacity;
};

/* The list of live questions begins with the newest one. */
static void turn_round(struct runnings *all)
{
    for (size_t i = 0; i < all->count / 2; i++) {
        struct running first = all->items[i];
        all->items[i] = all->items[all->count - 1 - i];
        all->items[all->count - 1 - i] = first;
    }
}

/* Those of this process. */
static void running_here(struct dgm *dgm, struct arena *arena, const char *session,
                         struct runnings *out)
{
    int64_t now_us = clock_us();
    int64_t now_s = clock_wall_s();
    (void)pthread_mutex_lock(&dgm->lock);
    for (const struct dgm_question *at = dgm->live; at; at = at->next) {
        const struct run *run = at->run;
        if (run->request.delivery || !str_equal(run->question.session_id, session)) {
            continue;
        }
        VEC_PUSH(arena, out,
                 ((struct running){arena_text(arena, run->answer.query_id),
                                   arena_text(arena, run->question.text),
                                   now_s - (now_us - run->born_us) / 1000000}));
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    turn_round(out);
}

static bool has(const struct runnings *all, const char *id)
{
    for (size_t i = 0; i < all->count; i++) {
        if (str_equal(all->items[i].id, id)) {
            return true;
        }
    }
    return false;
}

/* In a shared store, another process may work on some. */
static bool running_elsewhere(struct dgm *dgm, struct arena *arena, const char *session,
                              struct runnings *out, struct err *err)
{
    struct store_question *left = NULL;
    size_t count = 0;
    if (!store_shared(dgm->agent.store)) {
        return true;
    }
    if (!store_question_unrested(dgm->agent.store, arena, UNRESTED_MOST, &left, &count,
                                 err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (str_equal(left[i].session_id, session) && !has(out, left[i].id)) {
            VEC_PUSH(arena, out,
                     ((struct running){left[i].id, left[i].text, left[i].updated_at}));
        }
    }
    return true;
}

static bool before(const struct running *a, const struct running *b)
{
    return strncmp(a->id, b->id, TIME_OF_ID) < 0;
}

/* By the time in their ids; those of the same millisecond stay as they are. */
static void in_order(struct runnings *all)
{
    for (size_t i = 1; i < all->count; i++) {
        struct running moved = all->items[i];
        size_t at = i;
        for (; at > 0 && before(&moved, &all->items[at - 1]); at--) {
            all->items[at] = all->items[at - 1];
        }
        all->items[at] = moved;
    }
}

bool running_write(struct dgm *dgm, struct arena *arena, const char *session,
                   struct writer *writer, struct err *err)
{
    struct runnings all = {0};
    running_here(dgm, arena, session, &all);
    if (!running_elsewhere(dgm, arena, session, &all, err)) {
        return false;
    }
    in_order(&all);
    writer_key(writer, "running");
    writer_array(writer);
    for (size_t i = 0; i < all.count; i++) {
        writer_object(writer);
        writer_key_text(writer, "query_id", all.items[i].id);
        writer_key_text(writer, "content", all.items[i].text);
        writer_key_text(writer, "timestamp", clock_iso(arena, all.items[i].asked_at));
        writer_object_end(writer);
    }
    writer_array_end(writer);
    return true;
}
