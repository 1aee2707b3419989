/* The state machine as data: states, events, and the only table of transitions. */
#ifndef DGM_AGENT_MOVES_H
#define DGM_AGENT_MOVES_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

enum state {
#define STATE(name, status, shape, rest, title) STATE_##name,
#include "agent/states.def"
#undef STATE
    STATE_COUNT
};

enum event {
#define EVENT(name, meaning) EVENT_##name,
#include "agent/events.def"
#undef EVENT
    EVENT_COUNT
};

enum state_shape { SHAPE_WORK, SHAPE_ASK, SHAPE_NONE };
enum state_rest { REST_NO, REST_WAITING, REST_FINAL };

struct state_info {
    const char *name;
    const char *status; /* `status` of the answer */
    enum state_shape shape;
    enum state_rest rest;
    const char *title; /* for people */
};

struct move {
    enum state from;
    enum event event;
    enum state to;
};

const struct state_info *state_get(enum state state);
/*
 * The status for clients in this state; it never goes back behind `before`, the last one
 * they got. (Tables are chosen after the schema was searched; a progress display must not
 * go back.)
 */
const char *state_status(const char *before, enum state state);
const char *state_name(enum state state);
bool state_find(const char *name, enum state *state);
const char *event_name(enum event event);
const char *event_meaning(enum event event);
bool event_find(const char *name, enum event *event);

/* The next state. False: the table has no such row, which is a bug in the stage. */
bool moves_next(enum state from, enum event event, enum state *to);
/* The MOVE rows, for tests and drawings. */
const struct move *moves_table(size_t *count);

/* Prints the table as "text", "json", "mermaid" or "markdown". False: unknown format. */
bool moves_print(const char *format, struct buf *out);

#endif
