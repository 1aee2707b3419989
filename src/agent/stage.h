/*
 * A stage does one thing to a run. It has one of three shapes: work   uses a database, a
 * file or the CPU; runs on a worker thread ask    says which model calls to make; `read`
 * turns the replies into an event. If `ask` makes no call (the fused reply, a cache or a
 * rule already has the result), `read` follows at once solve  lets the built-in parser
 * answer in place of the model calls of an ask stage Every function reports what happened
 * as an event; none decides which stage comes next.
 */
#ifndef DGM_AGENT_STAGE_H
#define DGM_AGENT_STAGE_H

#include "agent/run.h"
#include "llm/llm.h"

/* One model call that a stage asks for. Its texts must live at least as long as
 * run->scratch. */
struct stage_call {
    const char *stage; /* prompt folder, and the name in traces */
    const char *system;
    const char *user;
    const char *schema;
    int max_tokens; /* 0: as configured */
    bool plans; /* the reply contains a plan whose steps are sent while it is written */
};

struct stage_calls {
    struct stage_call *items;
    size_t count;
    size_t capacity;
};

/* Replies in the order of the calls; a failed one has ok false. */
struct stage_replies {
    const struct llm_reply *items;
    size_t count;
};

/* A stage has either `work`, or `ask` and `read`. stages/registry.c lists all of them. */
struct stage {
    enum state state;
    enum event (*work)(struct run *run, struct err *err);
    bool (*ask)(struct run *run, struct stage_calls *calls, struct err *err);
    enum event (*read)(struct run *run, const struct stage_replies *replies,
                       struct err *err);
    /* Some calls failed: stores what the others replied. Optional. */
    void (*keep)(struct run *run, const struct stage_replies *replies);
    enum event (*solve)(struct run *run, struct err *err);
    /* Changes the error that the question fails with if no model can be called.
     * Optional. */
    void (*give_up)(struct run *run, struct err *err);
    bool local; /* solve works without the parser, so it runs for every brain */
    /* if the model fails here, add a warning; the stage returns the event ERROR */
    bool optional;
};

/* The stage of a state; NULL if the state has none. */
const struct stage *stage_get(enum state state);

#endif
