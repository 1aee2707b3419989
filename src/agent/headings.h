/* Columns that the SQL computes and does not name get headings in words instead of SQL. */
#ifndef DGM_AGENT_HEADINGS_H
#define DGM_AGENT_HEADINGS_H

#include "agent/run.h"

/* A sink before another one: it renames the columns. It lives as long as the call. */
struct headings {
    struct run *run;
    const struct datasource_sink *next;
    struct datasource_sink sink;
};

/* The sink to hand on; `next` itself where nothing is to be renamed. */
const struct datasource_sink *headings_before(struct headings *headings, struct run *run,
                                              const struct datasource_sink *next);
/* Those of the answer's rows. */
void headings_name(struct run *run, struct rows *rows);

#endif
