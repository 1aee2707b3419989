/* Notifications about a question's progress, for the service and its streams. */
#ifndef DGM_AGENT_OBSERVER_H
#define DGM_AGENT_OBSERVER_H

#include <stdbool.h>

struct run;

enum observer_kind {
    OBSERVE_STATE,     /* run->state has changed */
    OBSERVE_REASONING, /* text: a piece of the plan */
    OBSERVE_SQL,       /* text: the SQL */
    OBSERVE_PROGRESS,  /* text: what is being read, and how much of it */
    OBSERVE_ROWS,      /* rows are there */
    OBSERVE_RESTING,   /* the run is about to end or wait: store what must not be lost */
    OBSERVE_REST, /* the run is final or waits for the user: the answer is complete */
};

struct observer {
    bool pieces; /* send the plan step by step while the model writes it */
    void (*tell)(void *context, struct run *run, enum observer_kind kind,
                 const char *text);
    void *context;
};

#endif
