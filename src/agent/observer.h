/* Who is told what happens to a question. */
#ifndef DGM_AGENT_OBSERVER_H
#define DGM_AGENT_OBSERVER_H

struct run;

enum observer_kind {
    OBSERVE_STATE,     /* entered run->state */
    OBSERVE_REASONING, /* text: a piece of the plan */
    OBSERVE_SQL,       /* text: the SQL */
    OBSERVE_ROWS,      /* rows are there */
    OBSERVE_REST,      /* final, or waiting for the user: the answer is complete */
};

struct observer {
    void (*tell)(void *context, struct run *run, enum observer_kind kind,
                 const char *text);
    void *context;
};

#endif
