/* Who is told what happens to a question. */
#ifndef DGM_AGENT_OBSERVER_H
#define DGM_AGENT_OBSERVER_H

#include <stdbool.h>

struct run;

enum observer_kind {
    OBSERVE_STATE,     /* entered run->state */
    OBSERVE_REASONING, /* text: a piece of the plan */
    OBSERVE_SQL,       /* text: the SQL */
    OBSERVE_PROGRESS,  /* text: what is being fetched, and how far it is */
    OBSERVE_ROWS,      /* rows are there */
    OBSERVE_RESTING,   /* about to rest: what must not be lost is kept before it is */
    OBSERVE_REST,      /* final, or waiting for the user: the answer is complete */
};

struct observer {
    bool pieces; /* wants the plan step by step, while it is being written */
    void (*tell)(void *context, struct run *run, enum observer_kind kind,
                 const char *text);
    void *context;
};

#endif
