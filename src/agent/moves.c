/* The tables of states.def, events.def and moves.def. */
#include "agent/moves.h"

#include <limits.h>
#include <string.h>

#include "base/str.h"

static const struct state_info states[STATE_COUNT] = {
#define STATE(name, status, shape, rest, title)                                          \
    [STATE_##name] = {#name, #status, SHAPE_##shape, REST_##rest, (title)},
#include "agent/states.def"
#undef STATE
};

struct event_info {
    const char *name;
    const char *meaning;
};

static const struct event_info events[EVENT_COUNT] = {
#define EVENT(name, meaning) [EVENT_##name] = {#name, (meaning)},
#include "agent/events.def"
#undef EVENT
};

static const struct move moves[] = {
#define MOVE(from, event, to) {STATE_##from, EVENT_##event, STATE_##to},
#define EVERY(event, to)
#define EVERY_ASK(event)
#define EVERY_ASK_TO(event, to)
#include "agent/moves.def"
#undef MOVE
#undef EVERY
#undef EVERY_ASK
#undef EVERY_ASK_TO
};

enum { MOVE_COUNT = sizeof moves / sizeof *moves };

const struct state_info *state_get(enum state state)
{
    return &states[state];
}

const char *state_status(const char *before, enum state state)
{
    static const char *const order[] = {"understanding", "searching", "planning",
                                        "generating", "correcting"};
    enum { COUNT = sizeof order / sizeof *order };
    size_t was = COUNT;
    size_t is = COUNT;
    for (size_t i = 0; i < COUNT; i++) {
        was = str_equal(order[i], before) ? i : was;
        is = str_equal(order[i], states[state].status) ? i : is;
    }
    return was < COUNT && is < was ? order[was] : states[state].status;
}

const char *state_name(enum state state)
{
    return states[state].name;
}

bool state_find(const char *name, enum state *state)
{
    for (int i = 0; i < STATE_COUNT; i++) {
        if (strcmp(states[i].name, name) == 0) {
            *state = (enum state)i;
            return true;
        }
    }
    return false;
}

const char *event_name(enum event event)
{
    return events[event].name;
}

const char *event_meaning(enum event event)
{
    return events[event].meaning;
}

bool event_find(const char *name, enum event *event)
{
    for (int i = 0; i < EVENT_COUNT; i++) {
        if (strcmp(events[i].name, name) == 0) {
            *event = (enum event)i;
            return true;
        }
    }
    return false;
}

/* The rows that hold in many states. */
static bool moves_every(enum state from, enum event event, enum state *to)
{
    const struct state_info *info = &states[from];
    if (info->rest == REST_FINAL) {
        return false;
    }
#define MOVE(state, what, next)
#define EVERY(what, next)                                                                \
    if (event == EVENT_##what) {                                                         \
        *to = STATE_##next;                                                              \
        return true;                                                                     \
    }
#define EVERY_ASK(what)                                                                  \
    if (event == EVENT_##what && info->shape == SHAPE_ASK) {                             \
        *to = from;                                                                      \
        return true;                                                                     \
    }
#define EVERY_ASK_TO(what, next)                                                         \
    if (event == EVENT_##what && info->shape == SHAPE_ASK) {                             \
        *to = STATE_##next;                                                              \
        return true;                                                                     \
    }
#include "agent/moves.def"
#undef MOVE
#undef EVERY
#undef EVERY_ASK
#undef EVERY_ASK_TO
    return false;
}

/* The same rows by state and event, plus one; 0: there is none. */
static const unsigned char following[STATE_COUNT][EVENT_COUNT] = {
#define MOVE(from, event, to) [STATE_##from][EVENT_##event] = STATE_##to + 1,
#define EVERY(event, to)
#define EVERY_ASK(event)
#define EVERY_ASK_TO(event, to)
#include "agent/moves.def"
#undef MOVE
#undef EVERY
#undef EVERY_ASK
#undef EVERY_ASK_TO
};

_Static_assert(STATE_COUNT < UCHAR_MAX, "a state and one more have to fit");

bool moves_next(enum state from, enum event event, enum state *to)
{
    if (following[from][event]) {
        *to = (enum state)(following[from][event] - 1);
        return true;
    }
    return moves_every(from, event, to);
}

const struct move *moves_table(size_t *count)
{
    *count = MOVE_COUNT;
    return moves;
}
